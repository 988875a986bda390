"""Tables of PyArrow: record batches of typed files as blocks, and blocks with their results as tables."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from typing import Any, BinaryIO, NamedTuple

import numpy
import pyarrow
import pyarrow.compute
from numpy.typing import NDArray

from ...errors import AutodiffError, uncapitalized
from .column_numbers import with_numbers
from .column_texts import LEAVE_OUT, NOT_UTF8, chosen_cells
from .interfaces import Destination, RowBlock
from .options import ReadOptions
from .registry import TEXTS
from .streams import NO_STREAM

_OTHER_FORMAT = LEAVE_OUT._replace(lead="write JSON Lines, which can hold that, or ")
PART_ROWS = 2**17  # rows that are decoded at a time, at the most


class BatchPart(NamedTuple):
    """Some rows of a typed file."""

    rows: pyarrow.RecordBatch
    places: Sequence[int]
    """the place of each in the file, counted from 1"""


class BatchReader:
    """The common part of the readers of typed files."""

    _handle: AbstractContextManager[object] = nullcontext()
    """the file, unless it is a stream; it is closed when its rows have been read, as a sample keeps many readers"""
    _rows_read = 0

    def __init__(self, options: ReadOptions, schema: pyarrow.Schema) -> None:
        self._options, self.schema = options, schema
        self.names: Sequence[str] = tuple(schema.names)

    def parts(self, names: Sequence[str] | None = None) -> Iterator[BatchPart]:
        """Yield the rows of the file, large batches in several parts."""
        with errors_of_pyarrow("the data is broken"), self._handle:
            for batch in self._batches(names):
                for start in range(0, batch.num_rows, PART_ROWS):
                    rows = batch.slice(start, PART_ROWS)
                    first, self._rows_read = self._rows_read + 1, self._rows_read + rows.num_rows
                    yield BatchPart(rows, range(first, self._rows_read + 1))

    def _batches(self, names: Sequence[str] | None) -> Iterable[pyarrow.RecordBatch]:
        """The rows as the file has them, at least with the columns of these names."""
        raise NotImplementedError

    def block(self, part: BatchPart, columns: Sequence[str]) -> RowBlock:
        """Return the rows of a batch with the numbers of these columns."""
        choose = partial(_chosen, part.rows)
        block = RowBlock(part.rows.num_rows, part.places.__getitem__, choose)
        return with_numbers(block, choose(columns), self._options)

    def chosen(self, part: BatchPart, rows: NDArray[numpy.int64]) -> BatchPart:
        """A part of these rows alone."""
        columns = [chosen_cells(column, rows) for column in part.rows.columns]
        batch = part.rows.slice(0, len(rows))  # which has rows without columns too
        if columns:
            batch = pyarrow.RecordBatch.from_arrays(columns, schema=part.rows.schema)
        return BatchPart(batch, [part.places[row] for row in rows.tolist()])

    def position(self) -> int:
        """The number of rows that have been read."""
        return self._rows_read


def _chosen(rows: pyarrow.RecordBatch, names: Sequence[str]) -> dict[str, pyarrow.Array]:
    require_unique(rows.schema.names, names)
    return {name: rows[name] for name in names}


def require_unique(names: Sequence[str], columns: Sequence[str]) -> None:
    """Raise AutodiffError for one of these columns whose name stands twice among the names of all."""
    counts = Counter(names)
    for name in columns:
        if counts[name] > 1:
            raise AutodiffError(f"column `{name}` appears twice in the data", hint="rename one of the two")


def seekable_file(source: BinaryIO, what: str) -> pyarrow.NativeFile:
    """The file as PyArrow reads it; raises AutodiffError where it is a stream or compressed as a whole."""
    if not source.seekable():
        raise AutodiffError(
            f"{what} cannot be read from a stream, as its end is read first",
            hint=NO_STREAM,
        )
    if isinstance(source, pyarrow.NativeFile):
        return source
    path = getattr(source, "name", None)
    if isinstance(path, str) and os.path.isfile(path):
        return pyarrow.OSFile(path)
    return pyarrow.PythonFile(source, mode="r")


@contextmanager
def errors_of_pyarrow(message: str, hint: str = "") -> Iterator[None]:
    """Raise the errors of PyArrow for files that it cannot read as AutodiffError: the message and PyArrow's reason."""
    try:
        yield
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = str(error).partition("\n")[0].rstrip(".")
        raise AutodiffError(f"{message}: {uncapitalized(reason)}", hint=hint) from None


def output_schema(destination: Destination) -> pyarrow.Schema:
    """The schema of the kept columns and the results, with the types and the metadata of the source.

    Where the source has no types, numbers are doubles and the other columns texts. Raises AutodiffError for two columns
    of a text with one name, which most programs could not read.
    """
    source = destination.source.schema
    numbers = set(destination.inputs) if source is None or destination.source.format in TEXTS else set[str]()
    if source is not None:
        require_unique(source.names, destination.kept)
    kept = zip(destination.kept, destination.kept_names, strict=True)
    fields = [_field(source, name, name in numbers).with_name(written) for name, written in kept]
    results = [
        pyarrow.field(name, pyarrow.string() if name in destination.texts else pyarrow.float64())
        for name in destination.results
    ]
    schema = pyarrow.schema(destination.ordered(fields, results), source and source.metadata)
    if source is None:
        require_unique(schema.names, schema.names)
    return schema


class BatchWriter:
    """The common part of the writers of typed files, for which encoded rows are a table."""

    def __init__(self, destination: Destination) -> None:
        self._destination, self._schema = destination, output_schema(destination)

    def encode(self, block: RowBlock, results: Mapping[str, NDArray[numpy.float64]]) -> pyarrow.Table:
        """Return the rows as a table."""
        destination = self._destination
        kept, added = columns_to_write(block, destination.kept), results_table(block, results)
        arrays = destination.ordered(kept, (added[name] for name in destination.results))
        return pyarrow.Table.from_arrays(list(map(_cast, arrays, self._schema)), schema=self._schema)


def columns_to_write(block: RowBlock, names: Sequence[str]) -> list[pyarrow.Array]:
    """The columns of these names: those that were read as numbers from texts as such, the others as they are."""
    columns = {**block.read_columns([name for name in names if name not in block.nullable]), **block.nullable}
    return [columns[name] for name in names]


def results_table(block: RowBlock, results: Mapping[str, NDArray[Any]]) -> pyarrow.Table:
    """The results as a table; doubles are null in the rows that cannot be read, objects are texts."""
    unreadable = None
    if block.reasons:
        unreadable = numpy.zeros(block.rows, dtype=bool)
        unreadable[list(block.reasons)] = True
    return pyarrow.table(
        {
            name: pyarrow.array(column, pyarrow.string())
            if column.dtype == object
            else pyarrow.array(column, pyarrow.float64(), mask=unreadable)
            for name, column in results.items()
        }
    )


def _field(schema: pyarrow.Schema | None, name: str, is_number: bool) -> pyarrow.Field:
    if is_number or schema is None:
        return pyarrow.field(name, pyarrow.float64() if is_number else pyarrow.string())
    return schema.field(name)


def _loses(column: pyarrow.Array, kind: pyarrow.DataType) -> bool:
    """Whether PyArrow would make truth values of numbers, or cut off the times of dates, without an error."""
    types, has_numbers = pyarrow.types, column.null_count < len(column)
    is_number = types.is_integer(column.type) or types.is_floating(column.type)
    to_truth, to_date = types.is_boolean(kind) and is_number, types.is_date(kind) and types.is_timestamp(column.type)
    return bool(has_numbers and (to_truth or to_date))


def _too_large(column: pyarrow.Array, kind: pyarrow.DataType) -> str | None:
    """An integer in a column of texts that a number of this kind does not hold; None where there is none."""
    if not pyarrow.types.is_string(column.type) or kind not in (pyarrow.int64(), pyarrow.float64()):
        return None
    for text in column.filter(pyarrow.compute.match_substring_regex(column, "^-?[0-9]{16,}$")).to_pylist():
        held = float(text) if kind == pyarrow.float64() else min(max(int(text), -(2**63)), 2**63 - 1)
        if int(text) != held:
            return str(text)
    return None


def _cast(column: pyarrow.Array, field: pyarrow.Field) -> pyarrow.Array:
    if column.type == field.type:
        return column
    if large := _too_large(column, field.type):
        message = f"column `{field.name}` holds the integer {large}, which is too large for {field.type}"
        raise AutodiffError(message, remedy=_OTHER_FORMAT)
    try:
        if not _loses(column, field.type):
            return column.cast(field.type)
    except (pyarrow.ArrowInvalid, pyarrow.ArrowNotImplementedError) as error:
        if "UTF" in str(error):
            raise AutodiffError(
                f"column `{field.name}` holds bytes that are not UTF-8, which this format cannot hold as text",
                remedy=NOT_UTF8,
            ) from None
        if pyarrow.types.is_integer(column.type) and field.type in (pyarrow.int64(), pyarrow.float64()):
            message = f"column `{field.name}` holds an integer that is too large for {field.type}"
            raise AutodiffError(message, remedy=_OTHER_FORMAT) from None
    raise AutodiffError(
        f"column `{field.name}` does not always hold the same kind of value ({field.type} in the first lines)",
        remedy=_OTHER_FORMAT,
    )
