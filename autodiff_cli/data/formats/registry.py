"""The formats of data files, and what each of them has.

A new format is a file beside this one, and a line here.
"""

from typing import NamedTuple

from ...file_extensions import COMPRESSIONS

NO_COMPRESSION = "none"
_PARQUET_CODECS = (NO_COMPRESSION, "snappy", "gzip", "zstd", "lz4", "brotli")
_ARROW_CODECS = (NO_COMPRESSION, "zstd", "lz4")
_FILE_CODECS = (NO_COMPRESSION, *COMPRESSIONS.values())
CODECS = tuple(dict.fromkeys((*_PARQUET_CODECS, *_FILE_CODECS)))
"""all compressions of files that are written"""

CSV_OPTIONS = ("delimiter", "decimal", "thousands", "no_header", "comment", "skip")
"""the fields of `ReadOptions` that are about the cells of CSV"""
FILE_OPTIONS = (*CSV_OPTIONS, "encoding", "sheet")
"""those that are about how a file is written"""


class DataFormat(NamedTuple):
    """A format of data files."""

    module: str
    """of this folder, imported when it is needed"""
    reader: str
    writer: str = ""
    """the names of its classes; a format without a writer is only read"""
    is_text: bool = False
    """whether its rows are named by their lines, and its numbers are read as doubles"""
    is_read_from_end: bool = False
    """whether what a file holds is described at its end"""
    options: tuple[str, ...] = ()
    """those of `FILE_OPTIONS` that its files have a choice of"""
    codecs: tuple[str, ...] = _FILE_CODECS
    """the compressions within its files, or of them as a whole"""


KINDS = {
    "csv": DataFormat("csv", "CsvReader", "CsvWriter", is_text=True, options=(*CSV_OPTIONS, "encoding")),
    "tsv": DataFormat("csv", "TsvReader", "TsvWriter", is_text=True, options=(*CSV_OPTIONS, "encoding")),
    "jsonl": DataFormat("jsonl", "JsonLinesReader", "JsonLinesWriter", is_text=True, options=("encoding",)),
    "json": DataFormat("jsonl", "JsonLinesReader", "JsonWriter", is_text=True, options=("encoding",)),
    "parquet": DataFormat("parquet", "ParquetReader", "ParquetWriter", is_read_from_end=True, codecs=_PARQUET_CODECS),
    "arrow": DataFormat("arrow", "ArrowReader", "ArrowWriter", is_read_from_end=True, codecs=_ARROW_CODECS),
    "arrows": DataFormat("arrow", "ArrowReader", "ArrowStreamWriter", codecs=_ARROW_CODECS),
    "orc": DataFormat("arrow", "OrcReader", is_read_from_end=True),
    "excel": DataFormat("excel", "ExcelReader", options=("no_header", "skip", "sheet")),
}
"""name → format"""

READABLE = tuple(KINDS)
WRITABLE = tuple(name for name, kind in KINDS.items() if kind.writer)
"""the formats that are read and written"""
HEADED = tuple(name for name, kind in KINDS.items() if "no_header" in kind.options)
"""the formats whose first row may have the names of the columns or not"""
DELIMITED = tuple(name for name, kind in KINDS.items() if "delimiter" in kind.options)
"""the formats whose rows are cells in the order of the header, which are copied as they stand"""
TEXTS = tuple(name for name, kind in KINDS.items() if kind.is_text)


def row_word(format_: str) -> str:
    """The word for the place of a row: a line of a text file, a row of any other table."""
    return "line" if format_ in TEXTS else "row"


def row_format(name: str | None) -> str | None:
    """The format of rows that the name of a format stands for: with `json` they are objects on lines of their own."""
    return "jsonl" if name == "json" else name
