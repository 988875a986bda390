"""ORC: the columns with their types. It is read, not written."""

from collections.abc import Iterator, Sequence
from typing import BinaryIO

from pyarrow import orc

from .arrow_tables import BatchPart, BatchReader, errors_of_pyarrow, seekable_file
from .options import USUAL, ReadOptions

_PART_ROWS = 2**17


class OrcReader(BatchReader):
    """Reads a file; not a pipe, as the description of the columns stands at the end."""

    format = "orc"

    def __init__(self, source: BinaryIO, options: ReadOptions = USUAL) -> None:
        self.options = options
        with errors_of_pyarrow(
            "the data is not a whole ORC file", hint="is it complete, and is its format another one?"
        ):
            self._file = orc.ORCFile(seekable_file(source, "ORC"))
            self.schema = self._file.schema
            self.names = tuple(self.schema.names)

    def parts(self, names: Sequence[str] | None = None) -> Iterator[BatchPart]:
        """Yield the rows of the file's stripes, large ones in several parts."""
        with errors_of_pyarrow("the data is broken"):
            for stripe in range(self._file.nstripes):
                rows = self._file.read_stripe(stripe, list(names) if names else None)  # there are none without columns
                for start in range(0, rows.num_rows, _PART_ROWS):
                    yield self._part(rows.slice(start, _PART_ROWS))

    def size(self) -> int:
        """The number of rows in the file."""
        return int(self._file.nrows)
