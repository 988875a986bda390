"""The sum or the mean of a program over the rows of a table, as a function of the inputs that are not columns."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import isfinite, isnan

import numpy

from ..arithmetic.arrays import Doubles
from ..data.column_blocks import Block, Columns, without_number
from ..errors import NOT_FINITE, AutodiffError
from ..many_points.computation import Computation
from ..many_points.quantities import Hessians
from ..many_points.totals import Total
from ..program import Program
from ..vectorized.threads import cores

_EVALUATIONS = 20  # of a search


class DataObjective:
    """A function of a vector: the program at every row, added up, or their mean."""

    def __init__(
        self,
        program: Program,
        names: Sequence[str],
        fixed: Mapping[str, float],
        columns: Columns,
        *,
        is_mean: bool,
    ) -> None:
        self.names, self.evaluations = tuple(names), 0
        self._columns, self._count = columns, columns.rows if is_mean else 1
        taken = [*columns.names, *self.names]
        self._gradients = Computation(program, taken, fixed, self.names)
        self._hessians = Computation(program, taken, fixed, self.names, Hessians())
        for computation in (self._gradients, self._hessians):
            computation.prepare_for(columns.rows * _EVALUATIONS)
        self._at = lru_cache(maxsize=1)(self._evaluate)

    def _evaluate(self, vector: tuple[float, ...]) -> list[float]:
        """The value and the gradient."""
        self.evaluations += 1
        return self._totals(self._gradients, vector)

    def _totals(self, computation: Computation, vector: Sequence[float]) -> list[float]:
        """The sums of all results over the rows, or their means."""
        totals = [Total() for _ in computation.results]
        for rows, columns in self._blocks(vector):
            further, _ = computation.totals(columns, cores(), rows)
            totals = [mine.plus(other) for mine, other in zip(totals, further, strict=True)]
        return [total.divided(self._count) for total in totals]

    def _blocks(self, vector: Iterable[float]) -> Iterator[Block]:
        """All rows, in which the vector is further columns."""
        numbers = dict(zip(self.names, vector, strict=True))
        for rows, columns in self._columns.blocks():
            shared = {name: numpy.broadcast_to(number, rows) for name, number in numbers.items()}
            yield Block(rows, columns | shared)

    def value(self, vector: Iterable[float]) -> float:
        """The value at a vector."""
        return self._at(tuple(map(float, vector)))[0]

    def gradient(self, vector: Iterable[float]) -> Sequence[float]:
        """The partial derivatives at a vector."""
        return self._at(tuple(map(float, vector)))[1:]

    def hessian(self, vector: Iterable[float]) -> Doubles:
        """The matrix of second partial derivatives at a vector."""
        count = len(self.names)
        upper = numpy.zeros((count, count))
        upper[numpy.triu_indices(count)] = self._totals(self._hessians, tuple(map(float, vector)))[1 + count :]
        return upper + numpy.triu(upper, 1).T

    def error(self, vector: Iterable[float]) -> AutodiffError | None:
        """The error for a value or a gradient that is not finite; None if all are.

        Raises AutodiffError where only rows that lack a number are not finite: no vector would mend that.
        """
        if all(map(isfinite, self._at(tuple(map(float, vector))))):
            return None
        message = "the value or the gradient is not finite in some row"
        undefined = AutodiffError(message, hint="begin elsewhere, or mend the row", code=NOT_FINITE)
        row, incomplete = 0, None
        for rows, columns in self._blocks(vector):
            _, nonfinite = self._gradients.totals(columns, cores(), rows)
            for place in nonfinite.tolist():
                lacking = [name for name in self._gradients.columns if isnan(columns[name][place])]
                if not lacking:
                    return undefined
                incomplete = incomplete or without_number(lacking[0], row + place)
            row += rows
        if incomplete:
            raise incomplete
        return undefined
