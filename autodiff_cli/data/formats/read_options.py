"""What a user says of a file of data that the file does not say itself."""

from typing import NamedTuple

from ...errors import AutodiffError

WHITE_SPACE = "whitespace"
"""the delimiter that stands for any number of blanks and tabs"""
_TEXTS_ONLY = ("encoding",)
_CELLS_ONLY = ("delimiter", "decimal", "no_header", "comment", "skip")


class ReadOptions(NamedTuple):
    """How a table is written, where that is not as its format usually is."""

    delimiter: str = ""
    """between cells; empty for that of the format"""
    decimal: str = "."
    """the decimal sign of numbers"""
    encoding: str = ""
    """of a text file; empty for UTF-8"""
    no_header: bool = False
    """the first line is a row already; the columns are called c1, c2 and so on"""
    comment: str = ""
    """what the lines begin with that are no rows"""
    skip: int = 0
    """how many lines precede the table"""

    def require(self, format_: str) -> None:
        """Raise AutodiffError for something that tables of this format do not have."""
        without = {"csv": (), "tsv": (), "jsonl": _CELLS_ONLY}.get(format_, (*_CELLS_ONLY, *_TEXTS_ONLY))
        for field, default in self._field_defaults.items():
            if field in without and getattr(self, field) != default:
                what = {"decimal": "decimal sign", "comment": "comments", "skip": "lines to skip"}.get(field, field)
                message = f"the data is {format_}, for which there is no choice of {what.removeprefix('no_')}"
                raise AutodiffError(message, hint="leave it out")


USUAL = ReadOptions()
