"""A program at the rows of a table: what is needed of each row, and what comes of it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy

from ..program import Program
from .plan import Array, gradient_plan
from .runner import run


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

        The gradient is with respect to the inputs that are columns, or to the names of `wrt`. Raises AutodiffError for
        inputs that have no number, all at once, and for a name in `wrt` that the program does not know.
        """
        used = program.graph.needed([program.output])
        needed = set(used)
        self.columns = tuple(name for name in columns if program.inputs.get(name) in needed)
        """the columns that are inputs, in the order of the data"""
        self.wrt = tuple(self.columns if wrt is None else wrt)
        self._plan = gradient_plan(program, self.columns, given, self.wrt)
        self._program, self._given = program, dict(given)

    def __call__(self, columns: Mapping[str, Array], jobs: int = 1) -> Results:
        """The results for columns of doubles of equal length, of which there is one for each of `self.columns`."""
        rows = len(columns[self.columns[0]])
        results = [numpy.empty(rows) for _ in range(1 + len(self.wrt))]
        run(self._plan, [columns[name] for name in self.columns], results, jobs)
        odd = numpy.flatnonzero(~numpy.isfinite(numpy.stack(results)).all(axis=0))
        return Results(results[0], tuple(results[1:]), odd)

    def reason(self, columns: Mapping[str, Array], row: int) -> str:
        """Why the result of a row is not finite, as `eval` says it for one point."""
        return "the result is not finite"
