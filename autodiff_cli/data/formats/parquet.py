"""Parquet: the columns with their types, then the results as doubles."""

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, BinaryIO

import pyarrow
from pyarrow import parquet

from ...errors import AutodiffError
from . import Array, Block, Target, typed
from .batches import Batch, block, broken, check_dictionaries, seekable

_BATCH = 2**26  # bytes that are decoded at a time, roughly
_ROWS = 2**17  # rows that are decoded at a time, at the most
_GROUP = 2**20  # rows of a row group, as PyArrow's own
_GROUP_BYTES = 2**28


class Reader:
    """A file whose columns have types; it cannot come from a pipe, as its description stands at the end."""

    format = "parquet"

    def __init__(self, source: BinaryIO) -> None:
        handle = seekable(source, "Parquet")
        with broken("the data is not a whole Parquet file", hint="is it complete, and is its format another one?"):
            # what is read ahead would be kept to the end
            self._file = parquet.ParquetFile(handle, buffer_size=2**20, pre_buffer=False)
            self.schema = self._file.schema_arrow
            self.names = tuple(self.schema.names)
        self.groups = int(self._file.metadata.num_row_groups)
        """how many row groups there are"""
        self._chosen: list[int] | None = None
        self._given = 0

    def choose(self, group: int) -> None:
        """Read this row group only, whose rows count from where it stands in the file."""
        self._chosen = [group]
        self._given = sum(self._file.metadata.row_group(before).num_rows for before in range(group))

    def parts(self, names: Sequence[str] | None = None) -> Iterator[Batch]:
        """The rows in batches, in bounded memory however large the row groups are."""
        chosen = None if names is None or set(names) >= set(self.names) else list(names)
        with broken("the data is broken"):
            for rows in self._file.iter_batches(self._batch_size(), row_groups=self._chosen, columns=chosen):
                check_dictionaries(rows)
                yield Batch(rows, self._given)
                self._given += rows.num_rows

    def block(self, part: Batch, columns: Sequence[str]) -> Block:
        """The rows of a batch."""
        return block(part, columns)

    def size(self) -> int:
        """How many rows there are."""
        rows: int = self._file.metadata.num_rows
        return rows

    def done(self) -> int:
        """How many of them have been read."""
        return self._given

    def _batch_size(self) -> int:
        metadata = self._file.metadata
        rows: int = metadata.num_rows
        size = sum(int(metadata.row_group(group).total_byte_size) for group in range(metadata.num_row_groups))
        return max(1, min(_ROWS, _BATCH * rows // max(size, 1)))


class Writer:
    """A file with row groups of about a million rows."""

    def __init__(self, out: BinaryIO, target: Target, compression: str | None = None) -> None:
        if compression:
            raise AutodiffError("Parquet is compressed within", hint="write to a file with the ending .parquet")
        self._target, self._schema = target, typed.schema(target)
        self._out = _Out(out)
        self._file = parquet.ParquetWriter(pyarrow.PythonFile(self._out, mode="w"), self._schema)
        self._waiting: list[Any] = []

    def __del__(self) -> None:
        """Leave a file that was not closed as it is: PyArrow would end it as if it were whole."""
        if hasattr(self, "_out"):
            self._out.let_go()

    def encode(self, block: Block, results: Mapping[str, Array]) -> Any:
        """The rows as a table."""
        return typed.table(block, self._schema, self._target, results)

    def append(self, encoded: Any) -> None:
        """Write the rows, as soon as there are enough for a row group."""
        self._waiting.append(encoded)
        if sum(rows.num_rows for rows in self._waiting) >= _GROUP or self._bytes() >= _GROUP_BYTES:
            self._write()

    def close(self) -> None:
        """Write what waits, and the description of the columns."""
        if self._waiting:
            self._write()
        self._file.close()

    def _write(self) -> None:
        rows = pyarrow.concat_tables(self._waiting)
        self._waiting = []
        self._file.write_table(rows, row_group_size=max(rows.num_rows, 1))

    def _bytes(self) -> int:
        return sum(int(rows.nbytes) for rows in self._waiting)


class _Out(io.RawIOBase):
    """Where a file is written to, until it is let go."""

    def __init__(self, out: BinaryIO) -> None:
        self._out: BinaryIO | None = out

    def writable(self) -> bool:
        """Whether it can be written to."""
        return True

    def write(self, data: Any) -> int:
        """Write the bytes; nowhere once it is let go."""
        return len(data) if self._out is None else self._out.write(data)

    def let_go(self) -> None:
        """Write no more to it."""
        self._out = None
