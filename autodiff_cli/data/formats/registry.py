"""The formats of data files, and what each of them has.

A new format is a file beside this one, and a line here.
"""

from typing import NamedTuple

from ...file_extensions import COMPRESSIONS

NO_COMPRESSION = "none"
_WITHIN_PARQUET = (NO_COMPRESSION, "snappy", "gzip", "zstd", "lz4", "brotli")
_WITHIN_ARROW = (NO_COMPRESSION, "zstd", "lz4")
_OF_FILES = (NO_COMPRESSION, *COMPRESSIONS.values())
CODECS = tuple(dict.fromkeys((*_WITHIN_PARQUET, *_OF_FILES)))
"""all compressions of files that are written"""

_OF_CELLS = ("delimiter", "decimal", "no_header", "comment", "skip")
_OF_BYTES = (*_OF_CELLS, "encoding")


class DataFormat(NamedTuple):
    """A format of data files."""

    module: str
    """of this folder, imported when it is needed"""
    reader: str
    writer: str = ""
    """the names of its classes; a format without a writer is only read"""
    is_text: bool = False
    """whether its rows are named by their lines, and its numbers are read as doubles"""
    says_at_end: bool = False
    """whether a file says at its end what it holds"""
    lacks: tuple[str, ...] = _OF_BYTES
    """the fields of `ReadOptions` that its files have no choice of"""
    codecs: tuple[str, ...] = _OF_FILES
    """the compressions within its files, or of them as a whole"""


KINDS = {
    "csv": DataFormat("csv", "CsvReader", "CsvWriter", is_text=True, lacks=()),
    "tsv": DataFormat("csv", "TsvReader", "TsvWriter", is_text=True, lacks=()),
    "jsonl": DataFormat("jsonl", "JsonLinesReader", "JsonLinesWriter", is_text=True, lacks=_OF_CELLS),
    "json": DataFormat("jsonl", "JsonLinesReader", "JsonWriter", is_text=True, lacks=_OF_CELLS),
    "parquet": DataFormat("parquet", "ParquetReader", "ParquetWriter", says_at_end=True, codecs=_WITHIN_PARQUET),
    "arrow": DataFormat("arrow", "ArrowReader", "ArrowWriter", says_at_end=True, codecs=_WITHIN_ARROW),
    "arrows": DataFormat("arrow", "ArrowReader", "ArrowStreamWriter", codecs=_WITHIN_ARROW),
    "orc": DataFormat("arrow", "OrcReader", says_at_end=True),
    "excel": DataFormat("excel", "ExcelReader", lacks=("delimiter", "decimal", "encoding", "comment")),
}
"""name → format"""

READABLE = tuple(KINDS)
FORMATS = tuple(name for name, kind in KINDS.items() if kind.writer)
"""the formats that are read and written"""
HEADED = tuple(name for name, kind in KINDS.items() if "no_header" not in kind.lacks)
"""the formats whose first row may have the names of the columns or not"""
TEXTS = tuple(name for name, kind in KINDS.items() if kind.is_text)


def row_word(format_: str) -> str:
    """The word for the place of a row: a line of a text file, a row of any other table."""
    return "line" if format_ in TEXTS else "row"


def of_rows(name: str | None) -> str | None:
    """The format of rows in a stream that a name stands for: JSON has an object on each line."""
    return "jsonl" if name == "json" else name
