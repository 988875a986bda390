"""Arrow IPC: the columns with their types, then the results as doubles; a file, or a stream where it is a pipe."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, BinaryIO

import pyarrow
from pyarrow import ipc, types

from ...errors import AutodiffError
from . import Array, Block, Target, streams, typed
from .batches import Batch, block, broken, seekable
from .compressed import beginning

_FILE, _OLD = b"ARROW1", b"FEA1"
_ROWS = 2**17  # rows of a block, at the most


class Reader:
    """A file or a stream, whichever it is."""

    format = "arrow"

    def __init__(self, source: BinaryIO) -> None:
        start = beginning(source, len(_FILE))
        if start.startswith(_OLD):
            raise AutodiffError("the data is in version 1 of Feather", hint="write it as Arrow IPC (Feather version 2)")
        self.is_file = start == _FILE
        with broken("the data is neither a whole Arrow IPC file nor a stream", hint="is its format another one?"):
            if self.is_file:
                self._file = ipc.open_file(seekable(source, "an Arrow IPC file", mapped=True))
            else:
                self._file = ipc.open_stream(pyarrow.PythonFile(source, mode="r"))
            self.schema = self._file.schema
            self.names = tuple(self.schema.names)
        self._given = 0

    def parts(self, names: Sequence[str] | None = None) -> Iterator[Batch]:
        """The rows in the batches of the file, large ones in several parts."""
        with broken("the data is broken"):
            for batch in self._batches():
                batch.validate(full=True)
                for start in range(0, batch.num_rows, _ROWS):
                    rows = batch.slice(start, _ROWS)
                    yield Batch(rows, self._given)
                    self._given += rows.num_rows

    def block(self, part: Batch, columns: Sequence[str]) -> Block:
        """The rows of a batch."""
        return block(part, columns)

    def size(self) -> int | None:
        """How many rows a file has; None for a stream."""
        return None

    def done(self) -> int:
        """How many rows have been read."""
        return self._given

    def _batches(self) -> Iterator[Any]:
        if not self.is_file:
            return iter(self._file)
        return (self._file.get_batch(index) for index in range(self._file.num_record_batches))


class Writer:
    """A file, or a stream where `out` is a pipe."""

    def __init__(self, out: BinaryIO, target: Target, compression: str | None = None, stream: bool = False) -> None:
        if compression:
            raise AutodiffError("Arrow IPC is not compressed as a whole", hint="write to a file with the ending .arrow")
        self._out, self._target, self._schema = out, target, typed.schema(target)
        if stream or not streams.is_seekable(out):
            self._file = ipc.new_stream(pyarrow.PythonFile(out, mode="w"), self._schema)
        else:
            if not getattr(target.source, "is_file", False):
                self._schema = _without_dictionaries(self._schema)
            self._file = ipc.new_file(pyarrow.PythonFile(out, mode="w"), self._schema)

    def encode(self, block: Block, results: Mapping[str, Array]) -> Any:
        """The rows as a table."""
        return typed.table(block, self._schema, self._target, results)

    def append(self, encoded: Any) -> None:
        """Write the rows."""
        self._file.write_table(encoded)
        self._out.flush()

    def close(self) -> None:
        """Write what ends the file or stream."""
        self._file.close()
        self._out.flush()


def _without_dictionaries(schema: Any) -> Any:
    """The schema with plain columns: a file has one dictionary for each column, but other sources may have several."""
    plain = [f.with_type(f.type.value_type) if types.is_dictionary(f.type) else f for f in schema]
    return pyarrow.schema(plain, schema.metadata)
