"""File extensions and the formats that they stand for: one table for all that is read and written."""

from collections.abc import Collection
from os.path import splitext

FORMATS = {
    ".txt": "text",
    ".expr": "expr",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".arrows": "arrows",
    ".orc": "orc",
    ".xlsx": "excel",
    ".xlsm": "excel",
    ".xlsb": "excel",
    ".xls": "excel",
    ".ods": "excel",
    ".md": "markdown",
    ".tex": "latex",
    ".html": "html",
    ".htm": "html",
    ".svg": "svg",
    ".png": "png",
    ".pdf": "pdf",
    ".dot": "dot",
    ".gv": "dot",
    ".mmd": "mermaid",
    ".mermaid": "mermaid",
    ".c": "c",
    ".py": "python",
    ".js": "javascript",
    ".mjs": "javascript",
    ".rs": "rust",
    ".f90": "fortran",
    ".f95": "fortran",
    ".f03": "fortran",
    ".f08": "fortran",
    ".jl": "julia",
    ".sql": "sql",
}
"""extension → format; the first extension of a format is the one that it is named by"""

COMPRESSIONS = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2", ".lz4": "lz4", ".xz": "xz"}


def extension_of(path: str) -> str:
    """The extension of a file's name in lower case, without `.gz` and the like; "" where there is none."""
    root, extension = splitext(path.lower())
    return splitext(root)[1] if extension in COMPRESSIONS else extension


def compression_of(path: str) -> str | None:
    """The compression that the extension of a file's name stands for; None where it stands for none."""
    return COMPRESSIONS.get(splitext(path.lower())[1])


def recompressed(path: str, compression: str | None) -> str:
    """The name of a file with the extension of this compression, or of none, in place of its own."""
    root = splitext(path)[0] if compression_of(path) else path
    return root + next((extension for extension, name in COMPRESSIONS.items() if name == compression), "")


def extensions_of(formats: Collection[str]) -> list[str]:
    """The extension of each of the formats that have one."""
    first = {format_: extension for extension, format_ in reversed(FORMATS.items())}
    return [first[format_] for format_ in formats if format_ in first]
