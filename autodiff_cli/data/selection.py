"""Some rows of a table: those that satisfy a condition, and the first of them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy

from ..program import Program
from ..vectorized.computation import Computation
from .columns import input_columns
from .formats import RowBlock, TableReader


class Condition:
    """A condition on the columns of a table: a program whose value is 0 or nan where a row is left out."""

    def __init__(self, program: Program, names: Sequence[str], mapping: Mapping[str, str]) -> None:
        """`names` are the columns. Raises AutodiffError where the condition needs others."""
        self._inputs = input_columns(program, names, {}, {}, mapping=mapping)
        self._computation = Computation(program, list(self._inputs), {}, (), engine="numpy")
        self.columns = list(self._inputs.values())
        """the columns that it depends on"""

    def selected(self, block: RowBlock) -> RowBlock:
        """The rows of a block that satisfy it, and those where what it depends on cannot be read."""
        columns = {name: block.columns[column] for name, column in self._inputs.items()}
        values = self._computation(columns, 1, block.rows).value
        holds = (values != 0) & ~numpy.isnan(values)
        for row in block.failures:
            holds[row] |= any(numpy.isnan(column[row]) for column in columns.values())
        return block if holds.all() else block.select(numpy.flatnonzero(holds))


class _Selection:
    """A reader that passes on some rows of another."""

    def __init__(self, reader: TableReader) -> None:
        self._reader = reader

    def __getattr__(self, name: str) -> Any:
        """What the writer of the same format asks for, such as the header of CSV, and how far the table is read."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._reader, name)


class RowsWhere(_Selection):
    """Reads the rows of a table that satisfy a condition."""

    def __init__(self, reader: TableReader, condition: Condition) -> None:
        super().__init__(reader)
        self._condition = condition

    def parts(self, names: Sequence[str] | None = None) -> Iterator[Any]:
        """Yield the parts of the table, with the columns of the condition."""
        return self._reader.parts(None if names is None else list(dict.fromkeys((*names, *self._condition.columns))))

    def block(self, part: Any, columns: Sequence[str]) -> RowBlock:
        """Return the rows of a part."""
        needed = list(dict.fromkeys((*columns, *self._condition.columns)))
        return self._condition.selected(self._reader.block(part, needed))


class _FirstPart(NamedTuple):
    part: Any
    rows: int


class FirstRows(_Selection):
    """Reads the first rows of a table."""

    def __init__(self, reader: TableReader, count: int) -> None:
        super().__init__(reader)
        self._count = count

    def parts(self, names: Sequence[str] | None = None) -> Iterator[_FirstPart]:
        """Yield the parts until there are enough rows."""
        left = self._count
        for part in self._reader.parts(names) if left else ():
            rows = self._reader.block(part, ()).rows
            yield _FirstPart(part, min(rows, left))
            left -= rows
            if left <= 0:
                break

    def block(self, part: _FirstPart, columns: Sequence[str]) -> RowBlock:
        """Return the rows of a part."""
        block = self._reader.block(part.part, columns)
        return block if part.rows == block.rows else block.select(numpy.arange(part.rows))
