"""Parquet: the columns with their types, then the results as doubles."""

import io
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, BinaryIO

import pyarrow
from pyarrow import compute, parquet, types

from ...errors import AutodiffError
from .arrow_tables import PART_ROWS, BatchReader, BatchWriter, errors_of_pyarrow, seekable_file
from .column_texts import LEAVE_OUT
from .interfaces import Destination
from .options import ReadOptions, WriteOptions

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_PART_BYTES = 2**26  # bytes that are decoded at a time, roughly
_GROUP_ROWS = 2**18  # rows of a row group, unless others are asked for: few enough to be written beside the reading
_GROUP_BYTES = 2**28
_SAMPLE = 2**14  # rows that show whether numbers repeat
_USUAL_CODEC = "snappy"


class ParquetReader(BatchReader):
    """Reads a file; not a pipe, as the description of the columns stands at the end."""

    format = "parquet"

    def __init__(self, source: BinaryIO, options: ReadOptions) -> None:
        self._handle = seekable_file(source, "Parquet")
        with errors_of_pyarrow(
            "the data is not a whole Parquet file", hint="is it complete, and is its format another one?"
        ):
            # without `pre_buffer`, which would keep what it reads ahead to the end
            self._file = parquet.ParquetFile(self._handle, buffer_size=2**20, pre_buffer=False)
            super().__init__(options, _with_all_metadata(self._file))
        self._groups = range(self._file.metadata.num_row_groups)  # that are read

    def sections(self, size: int) -> range:
        """The row groups, whatever their size."""
        return self._groups

    def select(self, group: int) -> None:
        """Read this row group only; its rows are counted from the beginning of the file."""
        self._groups = range(group, group + 1)
        self._rows_read = sum(self._file.metadata.row_group(before).num_rows for before in range(group))

    def _batches(self, names: Sequence[str] | None) -> Iterator[pyarrow.RecordBatch]:
        """The rows in bounded memory, however large the row groups are."""
        wanted = None if names is None or set(names) >= set(self.names) else list(names)
        groups = [self._file.metadata.row_group(group) for group in self._groups]
        count, declared = 0, sum(int(group.num_rows) for group in groups)
        size = sum(int(group.total_byte_size) for group in groups)
        most = max(1, min(PART_ROWS, _PART_BYTES * declared // max(size, 1)))
        for rows in self._file.iter_batches(most, row_groups=self._groups, columns=wanted):
            for column in rows.columns:
                if types.is_dictionary(column.type):
                    column.validate(full=True)  # a broken file may have an index beyond the end
            count += rows.num_rows
            yield rows
        if count != declared:
            raise AutodiffError(f"the data is broken: it has {count:,} rows, and declares {declared:,}")

    def size(self) -> int:
        """The number of rows in the file."""
        return int(self._file.metadata.num_rows)


def _with_all_metadata(file: parquet.ParquetFile) -> pyarrow.Schema:
    """The types of the columns, with what the file says of itself, which other programs write beside Arrow's schema."""
    own = {key: text for key, text in (file.metadata.metadata or {}).items() if key != b"ARROW:schema"}
    schema = file.schema_arrow
    return schema.with_metadata(own | (schema.metadata or {}) or None)


class ParquetWriter(BatchWriter):
    """Writes a file with row groups of about a quarter of a million rows."""

    def __init__(self, out: BinaryIO, destination: Destination, options: WriteOptions) -> None:
        super().__init__(destination)
        self._group_rows = options.row_group_size or _GROUP_ROWS
        try:
            self._paths = _paths(self._schema)
        except pyarrow.ArrowNotImplementedError:
            _refuse_column(self._schema)
            raise
        self._out, self._codec = _DetachableFile(out), options.compression or _USUAL_CODEC
        self._file: parquet.ParquetWriter | None = None
        self._waiting, self._waiting_rows, self._waiting_bytes = list[pyarrow.Table](), 0, 0

    def __del__(self) -> None:
        """Leave a file that was not closed as it is: PyArrow would complete it as if all rows were written."""
        if hasattr(self, "_out"):
            self._out.detach()

    def append(self, encoded: pyarrow.Table) -> None:
        """Write the rows, as soon as there are enough for a row group."""
        self._hold(encoded)
        if self._waiting_rows >= self._group_rows or self._waiting_bytes >= _GROUP_BYTES:
            self._write_groups()

    def _hold(self, rows: pyarrow.Table) -> None:
        self._waiting.append(rows)
        self._waiting_rows += rows.num_rows
        self._waiting_bytes += rows.nbytes

    def close(self) -> None:
        """Write the last row group and the description of the columns."""
        if self._waiting:
            self._write_groups()
        self._begun(self._schema.empty_table()).close()

    def _write_groups(self) -> None:
        """Write the rows that wait: whole groups, or one group where there are fewer rows."""
        rows = pyarrow.concat_tables(self._waiting)
        written = rows.num_rows // self._group_rows * self._group_rows or rows.num_rows
        self._begun(rows).write_table(rows.slice(0, written), row_group_size=self._group_rows)
        self._waiting, self._waiting_rows, self._waiting_bytes = [], 0, 0
        if written < rows.num_rows:
            self._hold(rows.slice(written))

    def _begun(self, rows: pyarrow.Table) -> parquet.ParquetWriter:
        """The file; the first rows show which columns are worth a dictionary, in which each value stands once."""
        if self._file is None:
            out = pyarrow.PythonFile(self._out, mode="w")
            repeating = [path for path in self._paths if not _rarely_repeats(rows, path)]
            self._file = parquet.ParquetWriter(out, self._schema, compression=self._codec, use_dictionary=repeating)
        return self._file


def _paths(schema: pyarrow.Schema) -> list[str]:
    """Parquet's names of the columns, nested ones included."""
    out = pyarrow.BufferOutputStream()
    parquet.ParquetWriter(out, schema).close()
    return [column.path for column in parquet.read_metadata(pyarrow.BufferReader(out.getvalue())).schema]


def _refuse_column(schema: pyarrow.Schema) -> None:
    """Raise AutodiffError for a column of a type that Parquet does not have."""
    for field in schema:
        try:
            _paths(pyarrow.schema([field]))
        except pyarrow.ArrowNotImplementedError:
            message = f"Parquet has no type for the values of column `{field.name}` ({field.type})"
            raise AutodiffError(message, remedy=LEAVE_OUT._replace(lead="write an Arrow file, or ")) from None


def _rarely_repeats(rows: pyarrow.Table, name: str) -> bool:
    """Whether a column holds doubles or floats of which most stand once in its first rows."""
    place = rows.schema.get_field_index(name)
    if place < 0 or not types.is_floating(rows.schema.field(place).type):
        return False
    sample = rows.column(place).slice(0, _SAMPLE)
    return bool(2 * compute.count_distinct(sample).as_py() > len(sample) > 0)


class _DetachableFile(io.RawIOBase):
    """A file that is written to until it is detached."""

    def __init__(self, out: BinaryIO) -> None:
        self._out: BinaryIO | None = out

    def writable(self) -> bool:
        """Return True."""
        return True

    def write(self, data: "ReadableBuffer") -> int:
        """Write the bytes, or discard them after `detach`."""
        return memoryview(data).nbytes if self._out is None else self._out.write(data)

    def detach(self) -> None:
        """Discard whatever is written from now on."""
        self._out = None
