"""Columns of numbers that are read more than once: in memory, or in a temporary file if there are many."""

from collections.abc import Iterator, Mapping, Sequence
from tempfile import SpooledTemporaryFile
from typing import NamedTuple, Protocol

import numpy

from ..arithmetic.arrays import Doubles
from ..errors import NOT_FINITE, AutodiffError
from ..notation import canonical
from .formats import TableReader, row_word

_BLOCK = 2**17  # rows
_IN_MEMORY = 2**25  # bytes
_SIZE = 8  # bytes of a double


class Block(NamedTuple):
    """Some rows: how many, and name → numbers."""

    rows: int
    columns: dict[str, Doubles]


class Columns(Protocol):
    """Columns of equal length."""

    names: tuple[str, ...]
    rows: int

    def blocks(self) -> Iterator[Block]:
        """Yield all rows, block by block."""


class ArrayColumns:
    """Columns that are arrays in memory."""

    def __init__(self, arrays: Mapping[str, Doubles]) -> None:
        """Raises AutodiffError for columns of different lengths."""
        lengths = {len(array): name for name, array in arrays.items()}
        if len(lengths) > 1:
            (first, name), (second, other) = list(lengths.items())[:2]
            message = f"`{name}` has {first} rows, but `{other}` has {second}"
            raise AutodiffError(message, hint="give columns of the same length")
        self._arrays = {canonical(name): array for name, array in arrays.items()}
        self.names, self.rows = tuple(self._arrays), next(iter(lengths), 0)

    def blocks(self) -> Iterator[Block]:
        """Yield all rows, block by block."""
        for first in range(0, self.rows, _BLOCK):
            end = min(first + _BLOCK, self.rows)
            yield Block(end - first, {name: array[first:end] for name, array in self._arrays.items()})


class StoredColumns:
    """Columns that are kept row by row: in memory, or in a temporary file where there are many rows."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names, self.rows = tuple(names), 0
        self._file = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115  # it is closed, and gone, with this object

    def __del__(self) -> None:
        self._file.close()

    def append(self, rows: int, columns: Sequence[Doubles]) -> None:
        """Add rows: a column for each of the names."""
        if columns:
            self._file.write(numpy.column_stack(columns).tobytes())
        self.rows += rows

    def blocks(self) -> Iterator[Block]:
        """Yield all rows, block by block."""
        width = len(self.names)
        for first in range(0, self.rows, _BLOCK):
            rows = min(_BLOCK, self.rows - first)
            self._file.seek(first * width * _SIZE)
            numbers = numpy.frombuffer(self._file.read(rows * width * _SIZE)).reshape(rows, width)
            yield Block(rows, dict(zip(self.names, numpy.ascontiguousarray(numbers.T), strict=True)))


def stored_columns(reader: TableReader, wanted: Mapping[str, str]) -> tuple[StoredColumns, int, int, str]:
    """Read columns of a table, which are wanted under other names: name → column.

    Rows that cannot be read, or have nan in one of the columns, are left out. Returns the columns, the number of rows
    of the table, how many of them are left out though no number is missing, and the first of these with the reason.
    """
    names = list(wanted.values())
    columns, rows, unread, first = StoredColumns(tuple(wanted)), 0, 0, ""
    for part in reader.parts(names):
        block = reader.block(part, names)
        block.reasons = {
            row: f"column `{column}` is nan"
            for column in reversed(names)
            for row in numpy.flatnonzero(numpy.isnan(block.columns[column])).tolist()
        } | dict(block.reasons)
        failures = block.failures
        if failures and not unread:
            row, reason = min(failures.items())
            first = f"{block.named_place(row, row_word(reader.format))}: {reason}"
        rows, unread = rows + block.rows, unread + len(failures)
        kept = [numpy.delete(block.columns[column], list(block.reasons)) for column in names]
        columns.append(block.rows - len(block.reasons), kept)
    return columns, rows, unread, first


def without_number(name: str, row: int) -> AutodiffError:
    """The error for a column that has no number in a row, counted from 0, where it needs one."""
    message = f"`{name}` has no number in row {row + 1} of the data"
    return AutodiffError(message, hint="leave out the rows without a number", code=NOT_FINITE)


def whole_columns(columns: Columns) -> dict[str, Doubles]:
    """All rows of each column, in memory."""
    parts = [block.columns for block in columns.blocks()]
    return {name: numpy.concatenate([numpy.empty(0), *(part[name] for part in parts)]) for name in columns.names}
