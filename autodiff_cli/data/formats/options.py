"""Options for reading and writing tables that differ from others of their format."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

from ...errors import USAGE, AutodiffError, Remedy
from .registry import CSV_OPTIONS, FILE_OPTIONS, KINDS, NO_COMPRESSION

_NUMBER = 1.2e-7
"""seconds that a number takes to be written"""
_COMPRESSED = {"gzip": 1.5e-6, "bz2": 1e-6, "xz": 1.2e-5}
"""compression → the seconds that a number takes besides, where it is slow"""

WHITE_SPACE = "whitespace"
"""the delimiter that stands for any number of blanks and tabs"""
NA_ACTIONS = ("skip", "keep", "fail")
_NA_WORDS = ("", "na", "n/a", "null", "nan")


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """Options for reading a table that differs from others of its format, such as CSV with semicolons."""

    delimiter: str = ""
    """between cells; empty for that of the format"""
    decimal: str = "."
    """the decimal sign of numbers"""
    thousands: str = ""
    """the sign that may stand between groups of three digits, as the comma of 1,234.5; empty for none"""
    encoding: str = ""
    """of a text file; empty for UTF-8"""
    no_header: bool = False
    """the first line is a row already; the columns are called c1, c2 and so on"""
    comment: str = ""
    """the beginning of lines that are not rows"""
    skip: int = 0
    """the number of lines before the table"""
    sheet: str = ""
    """the name of the sheet of a spreadsheet; empty for the first that is shown"""
    na: str = ""
    """`skip`, `keep` or `fail` rows without a number; further texts that stand for none, with commas between"""

    @staticmethod
    def of(values: Mapping[str, Any]) -> "ReadOptions":
        """Those among some values that have the names of the fields."""
        return ReadOptions(**{name: values[name] for name in READ_FIELDS})

    @property
    def na_action(self) -> str:
        """`skip`, `keep` or `fail`; empty where nothing is said of missing numbers."""
        actions = [word for word in self._na if word in NA_ACTIONS]
        return actions[0] if actions else "skip" if self.na else ""

    @property
    def na_words(self) -> list[str]:
        """The texts that stand for a missing number, in small letters."""
        return [*_NA_WORDS, *(word.lower() for word in self._na if word not in NA_ACTIONS)] if self.na else []

    @property
    def _na(self) -> list[str]:
        return [word.strip() for word in self.na.split(",")]

    @property
    def is_for_csv(self) -> bool:
        """Whether one of the options for the cells of CSV is set."""
        return any(getattr(self, name) != getattr(READ_DEFAULTS, name) for name in CSV_OPTIONS)

    def require(self, format_: str) -> None:
        """Raise AutodiffError for something that tables of this format do not have, or that contradicts itself."""
        if self.thousands in ("+", "-"):
            message = f"`{self.thousands}` is the sign of a number, and cannot stand between thousands"
            raise AutodiffError(message, hint="choose another character", code=USAGE)
        if self.thousands == self.decimal:
            other = "," if self.decimal == "." else "."
            message = f"`{self.decimal}` cannot be the decimal sign and stand between thousands too"
            remedy = Remedy("decimal sign", (other,), "choose another decimal sign")
            raise AutodiffError(message, remedy=remedy, code=USAGE)
        for field in fields(ReadOptions):
            has_choice = field.name not in FILE_OPTIONS or field.name in KINDS[format_].options
            if not has_choice and getattr(self, field.name) != field.default:
                names = {
                    "decimal": "decimal sign",
                    "thousands": "a sign between thousands",
                    "comment": "comments",
                    "skip": "lines to skip",
                }
                what = names.get(field.name, field.name)
                message = f"the data is {format_}, for which there is no choice of {what.removeprefix('no_')}"
                raise AutodiffError(message, hint="leave it out", code=USAGE)


READ_FIELDS = tuple(field.name for field in fields(ReadOptions))
READ_DEFAULTS = ReadOptions()


class WriteOptions(NamedTuple):
    """Options for writing a table."""

    compression: str | None = None
    """one of `CODECS`; None for Parquet's usual one, `snappy`, and for none in other formats"""
    row_group_size: int | None = None
    """the rows of a row group of Parquet; None for 262,144"""

    @property
    def codec(self) -> str | None:
        """The compression; None for none."""
        return None if self.compression == NO_COMPRESSION else self.compression

    @property
    def price(self) -> float:
        """About the seconds that writing a number takes."""
        return _NUMBER + _COMPRESSED.get(self.compression or "", 0.0)

    def require(self, format_: str) -> None:
        """Raise AutodiffError for something that files of this format do not have."""
        known = KINDS[format_].codecs
        if self.compression not in (None, *known):
            hint = f"choose one of {', '.join(known)}"
            raise AutodiffError(f"{format_} cannot be compressed with {self.compression}", hint=hint, code=USAGE)
        if self.row_group_size is not None and format_ != "parquet":
            hint = "write Parquet, or leave their size out"
            raise AutodiffError(f"only Parquet has row groups, and this is {format_}", hint=hint, code=USAGE)


WRITE_DEFAULTS = WriteOptions()
