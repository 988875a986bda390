"""Arrow IPC, files and streams: the columns with their types, then the results as doubles; ORC, which is only read."""

from collections.abc import Iterator, Sequence
from typing import BinaryIO

import pyarrow
from pyarrow import ipc, types

from ...errors import AutodiffError
from .arrow_tables import BatchReader, BatchWriter, errors_of_pyarrow, seekable_file
from .interfaces import Destination
from .options import ReadOptions, WriteOptions
from .streams import beginning

_FILE_MAGIC, _FEATHER_1_MAGIC = b"ARROW1", b"FEA1"


class ArrowReader(BatchReader):
    """Reads a file or a stream, by its first bytes."""

    format = "arrow"

    def __init__(self, source: BinaryIO, options: ReadOptions) -> None:
        start = beginning(source, len(_FILE_MAGIC))
        if start.startswith(_FEATHER_1_MAGIC):
            raise AutodiffError("the data is in version 1 of Feather", hint="write it as Arrow IPC (Feather version 2)")
        self.is_file = start == _FILE_MAGIC
        with errors_of_pyarrow(
            "the data is neither a whole Arrow IPC file nor a stream", hint="is its format another one?"
        ):
            if self.is_file:
                self._handle = seekable_file(source, "an Arrow IPC file")
                self._file = ipc.open_file(self._handle)
            else:
                self._file = ipc.open_stream(pyarrow.PythonFile(source, mode="r"))
            super().__init__(options, self._file.schema)

    def size(self) -> int | None:
        """Not known: neither a file nor a stream says how many rows it has."""
        return None

    def _batches(self, names: Sequence[str] | None) -> Iterator[pyarrow.RecordBatch]:
        file = self._file
        for batch in map(file.get_batch, range(file.num_record_batches)) if self.is_file else file:
            batch.validate(full=True)
            yield batch


class OrcReader(BatchReader):
    """Reads a file; not a pipe, as the description of the columns stands at the end."""

    format = "orc"

    def __init__(self, source: BinaryIO, options: ReadOptions) -> None:
        from pyarrow import orc  # which loads all file systems: Arrow IPC does without

        with errors_of_pyarrow(
            "the data is not a whole ORC file", hint="is it complete, and is its format another one?"
        ):
            self._handle = seekable_file(source, "ORC")
            self._file = orc.ORCFile(self._handle)
            super().__init__(options, self._file.schema)

    def _batches(self, names: Sequence[str] | None) -> Iterator[pyarrow.RecordBatch]:
        for stripe in range(self._file.nstripes):
            yield self._file.read_stripe(stripe, list(names) if names else None)  # there are none without columns

    def size(self) -> int:
        """The number of rows in the file."""
        return int(self._file.nrows)


class ArrowWriter(BatchWriter):
    """Writes a file, or a stream where `out` is a pipe."""

    is_stream = False

    def __init__(self, out: BinaryIO, destination: Destination, options: WriteOptions) -> None:
        super().__init__(destination)
        self._out = out
        written = ipc.IpcWriteOptions(compression=options.codec)
        if self.is_stream or not _is_file(out):
            self._file = ipc.new_stream(pyarrow.PythonFile(out, mode="w"), self._schema, options=written)
        else:
            if not getattr(destination.source, "is_file", False):
                self._schema = _without_dictionaries(self._schema)
            self._file = ipc.new_file(pyarrow.PythonFile(out, mode="w"), self._schema, options=written)

    def append(self, encoded: pyarrow.Table) -> None:
        """Write the rows."""
        self._file.write_table(encoded)
        self._out.flush()

    def close(self) -> None:
        """Write the end of the file or stream."""
        self._file.close()
        self._out.flush()


class ArrowStreamWriter(ArrowWriter):
    """Writes a stream, also to a file."""

    is_stream = True


def _is_file(out: BinaryIO) -> bool:
    """Whether it is a file, and no pipe; one of a file system cannot go back either."""
    return isinstance(out, pyarrow.NativeFile) or (hasattr(out, "seekable") and out.seekable())


def _without_dictionaries(schema: pyarrow.Schema) -> pyarrow.Schema:
    """The schema with plain columns: a file has one dictionary for each column, but other sources may have several."""
    plain = [f.with_type(f.type.value_type) if types.is_dictionary(f.type) else f for f in schema]
    return pyarrow.schema(plain, schema.metadata)
