"""What a user says of how a table is written, where that is not as its format usually is."""

from typing import NamedTuple

from ...endings import COMPRESSIONS
from ...errors import USAGE, AutodiffError

NO_COMPRESSION = "none"
_WITHIN_PARQUET = (NO_COMPRESSION, "snappy", "gzip", "zstd", "lz4", "brotli")
_WITHIN_ARROW = (NO_COMPRESSION, "zstd", "lz4")
_OF_TEXTS = (NO_COMPRESSION, *COMPRESSIONS.values())
_CODECS = {"parquet": _WITHIN_PARQUET, "arrow": _WITHIN_ARROW, "arrows": _WITHIN_ARROW}
"""format → the compressions within its files; the files of other formats are compressed as a whole"""
CODECS = tuple(dict.fromkeys((*_WITHIN_PARQUET, *_OF_TEXTS)))


class WriteOptions(NamedTuple):
    """How a table is written."""

    compression: str | None = None
    """one of `CODECS`; None for Parquet's usual one, `snappy`, and for none in other formats"""
    row_group_size: int | None = None
    """the rows of a row group of Parquet; None for about a million"""

    @property
    def of_file(self) -> str | None:
        """The compression of the whole file, if it is compressed as a whole; None for none."""
        return None if self.compression == NO_COMPRESSION else self.compression

    def require(self, format_: str) -> None:
        """Raise AutodiffError for something that files of this format do not have."""
        known = _CODECS.get(format_, _OF_TEXTS)
        if self.compression not in (None, *known):
            hint = f"choose one of {', '.join(known)}"
            raise AutodiffError(f"{format_} cannot be compressed with {self.compression}", hint=hint, code=USAGE)
        if self.row_group_size is not None and format_ != "parquet":
            hint = "write Parquet, or leave their size out"
            raise AutodiffError(f"only Parquet has row groups, and this is {format_}", hint=hint, code=USAGE)


AS_USUAL = WriteOptions()
