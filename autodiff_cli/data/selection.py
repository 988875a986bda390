"""Some rows of a table: those that satisfy a condition, some of these at random, and the first of them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from ..arithmetic.distributions import random_generator
from ..many_points.computation import Computation
from ..program import Program
from .columns import input_columns
from .formats import RowBlock, TableReader
from .formats.interfaces import DerivedReader, Part


class Condition:
    """A condition on the columns of a table: a program whose value is 0 or nan where a row is left out."""

    def __init__(self, program: Program, names: Sequence[str], mapping: Mapping[str, str]) -> None:
        """`names` are the columns. Raises AutodiffError where the condition needs others."""
        self._inputs = input_columns(program, names, {}, {}, mapping=mapping)
        self._computation = Computation(program, list(self._inputs), {}, (), engine="numpy")
        self.columns = list(self._inputs.values())
        """the columns that it depends on"""

    def rows(self, block: RowBlock) -> NDArray[numpy.int64]:
        """The rows of a block that satisfy it, and those where what it depends on cannot be read."""
        columns = {name: block.columns[column] for name, column in self._inputs.items()}
        values = self._computation(columns, 1, block.rows).value
        holds = (values != 0) & ~numpy.isnan(values)
        for row in block.failures:
            holds[row] |= any(numpy.isnan(column[row]) for column in columns.values())
        return numpy.flatnonzero(holds)


class RowsWhere(DerivedReader):
    """Reads the rows of a table that satisfy a condition."""

    def __init__(self, reader: TableReader, condition: Condition) -> None:
        super().__init__(reader)
        self._condition = condition

    def parts(self, names: Sequence[str] | None = None) -> Iterator[Part]:
        """Yield the parts of the table, with the columns of the condition."""
        return self._reader.parts(None if names is None else list(dict.fromkeys((*names, *self._condition.columns))))

    def block(self, part: Part, columns: Sequence[str]) -> RowBlock:
        """Return the rows of a part."""
        # with the columns of the condition too: where they cannot be read, the row has no result
        needed = list(dict.fromkeys((*columns, *self._condition.columns)))
        block = self._reader.block(part, needed)
        if block.failures and len(needed) > len(self._condition.columns):
            # a row that fails for another column is not undecided
            rows = self._condition.rows(self._reader.block(part, self._condition.columns))
        else:
            rows = self._condition.rows(block)
        return block if len(rows) == block.rows else block.select(rows)

    def chosen(self, part: Part, rows: NDArray[numpy.int64]) -> Part:
        """A part of these rows alone."""
        holding = self._condition.rows(self._reader.block(part, self._condition.columns))
        return self._reader.chosen(part, holding[rows])


class _DrawnPart(NamedTuple):
    part: Part
    keys: NDArray[numpy.float64]
    """a random number for each row; the rows with the smallest are the sample"""


class SampledRows(DerivedReader):
    """Reads rows of a table that are drawn at random, in their order; every choice of that many is equally likely."""

    def __init__(self, reader: TableReader, count: int, seed: int) -> None:
        super().__init__(reader)
        self._count, self._seed = count, seed

    def parts(self, names: Sequence[str] | None = None) -> Iterator[Part]:
        """Yield the parts of the sample, when the table has been read; only a few times the sample is in memory."""
        generator = random_generator(self._seed)
        drawn, waiting, largest = list[_DrawnPart](), 0, 1.0
        for part in self._reader.parts(names) if self._count else ():
            keys = generator.random(self._reader.block(part, ()).rows)
            kept = self._kept(_DrawnPart(part, keys), keys < largest)
            drawn += kept
            waiting += sum(len(part.keys) for part in kept)
            if waiting > 2 * self._count:
                drawn = self._smallest(drawn)
                waiting, largest = self._count, max(float(part.keys.max()) for part in drawn)
        yield from (part.part for part in self._smallest(drawn))

    def _smallest(self, drawn: Sequence[_DrawnPart]) -> list[_DrawnPart]:
        """As many rows as are wanted."""
        order = numpy.argsort(numpy.concatenate([numpy.empty(0), *(part.keys for part in drawn)]), kind="stable")
        wanted = numpy.zeros(len(order), dtype=bool)
        wanted[order[: self._count]] = True
        ends = numpy.cumsum([len(part.keys) for part in drawn])
        marks = numpy.split(wanted, ends[:-1]) if drawn else []
        return [kept for part, mark in zip(drawn, marks, strict=True) for kept in self._kept(part, mark)]

    def _kept(self, drawn: _DrawnPart, mark: NDArray[numpy.bool_]) -> list[_DrawnPart]:
        """The marked rows of a part; nothing where there are none."""
        rows = numpy.flatnonzero(mark)
        return [_DrawnPart(self._reader.chosen(drawn.part, rows), drawn.keys[rows])] if len(rows) else []


class _FirstPart(NamedTuple):
    part: Part
    rows: int


class FirstRows(DerivedReader):
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
        """Return the rows of a part, with the comments and empty lines between them."""
        block = self._reader.block(part.part, columns)
        return block if part.rows == block.rows else block.select(numpy.arange(part.rows))
