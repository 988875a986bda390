"""A program at the rows of a table: what is needed of each row, and what comes of it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy

from ..evaluation import Evaluation, evaluate
from ..nonfinite import problem
from ..parallel import check_cancelled
from ..program import Program
from .executor import run
from .plan import Array, gradient_plan


class Results(NamedTuple):
    """The results of some rows."""

    value: Array
    gradient: tuple[Array, ...]
    """the partial derivatives, in the order of `wrt`"""
    odd: Array
    """the rows, counted from 0, whose value or gradient is not finite, ascending"""


class Computation:
    """A program's value and gradient as a function of columns of numbers; it can be pickled, and used by any thread."""

    def __init__(
        self, program: Program, columns: Sequence[str], given: Mapping[str, float], wrt: Sequence[str] | None = None
    ) -> None:
        """Some of the inputs are among `columns`, the others have a number in `given` or a default.

        The gradient is with respect to the inputs that are columns, or to the names of `wrt`: 0 for one that the
        program does not know. Raises AutodiffError for inputs that have no number, all at once.
        """
        needed = set(program.graph.needed([program.output]))
        inputs = program.constants | program.inputs  # a column shadows a constant
        self.columns = tuple(name for name in columns if inputs.get(name) in needed)
        """the columns that are inputs, in the order of the data"""
        self.wrt = tuple(self.columns if wrt is None else wrt)
        self._plan = gradient_plan(program, self.columns, given, self.wrt)
        self._program, self._given = program, dict(given)
        self._known = {*self.columns, *program.inputs, *program.names}

    def __call__(self, columns: Mapping[str, Array], jobs: int = 1, rows: int | None = None) -> Results:
        """The results for columns of doubles of equal length, of which there is one for each of `self.columns`.

        `rows` says how many rows there are where there may be no column.
        """
        rows = len(columns[self.columns[0]]) if rows is None else rows
        results, suspects = run(self._plan, [columns[name] for name in self.columns], rows, jobs)
        odd = [self._odd(columns, results, block) for block in suspects]
        return Results(results[0], tuple(results[1:]), numpy.concatenate(odd) if odd else numpy.empty(0, int))

    def _odd(self, columns: Mapping[str, Array], results: Sequence[Array], block: slice) -> Array:
        """The rows of a block that are not finite, after those that the plan cannot do are done one by one.

        An adjoint of zero contributes nothing even where it meets an infinite slope, which is rare; a value that is
        nan is passed on to every partial derivative.
        """
        value, *gradient = [result[block] for result in results]
        undefined = numpy.isnan(value)
        for name, partial in zip(self.wrt, gradient, strict=True):
            partial[undefined] = numpy.nan if name in self._known else 0.0
        lost = numpy.flatnonzero(numpy.logical_or.reduce([numpy.isnan(partial) for partial in gradient]) & ~undefined)
        for row in lost if gradient else ():
            check_cancelled()
            found = self._evaluation(columns, block.start + int(row))
            for name, partial in zip(self.wrt, gradient, strict=True):
                partial[row] = found.gradient.get(name, 0.0)
        finite = numpy.logical_and.reduce([numpy.isfinite(result[block]) for result in results])
        return block.start + numpy.flatnonzero(~finite)

    def _evaluation(self, columns: Mapping[str, Array], row: int) -> Evaluation:
        """A row as `eval` computes it."""
        point = self._given | {name: float(columns[name][row]) for name in self.columns}
        return evaluate(self._program, point, [name for name in self.wrt if name in self._known])

    def reason(self, columns: Mapping[str, Array], row: int) -> str:
        """Why the result of a row is not finite, as `eval` says it for one point."""
        error = problem(self._evaluation(columns, row))
        return "the result is not finite" if error is None else error.message
