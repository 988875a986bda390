"""A program's value and gradient for the rows of a table, some of whose columns are its inputs."""

from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any, NamedTuple

import numpy
from numpy.typing import NDArray

from ..arithmetic.arrays import Doubles
from ..evaluation import Evaluation, evaluate
from ..nonfinite import nonfinite_error
from ..parallel import check_cancelled
from ..program import Program
from .compiled_executor import CompiledExecutor, machine
from .compiler import gradient_plan
from .gradient_graph import bind
from .numpy_executor import NumpyExecutor
from .threads import Executor, run

ENGINES = ("auto", "compiled", "numpy")
_ENOUGH = 10_000_000  # rows times nodes, from which on compiling takes less time than it saves
_making = Lock()
"""held while a plan is made"""


class RowResults(NamedTuple):
    """The results for some rows."""

    value: Doubles
    gradient: tuple[Doubles, ...]
    """the partial derivatives, in the order of `wrt`"""
    nonfinite_rows: NDArray[numpy.int64]
    """the rows, counted from 0, whose value or gradient is not finite, ascending"""


class Computation:
    """A program's value and gradient as a function of columns of numbers; it can be pickled, and used by any thread."""

    def __init__(
        self,
        program: Program,
        columns: Sequence[str],
        given: Mapping[str, float],
        wrt: Sequence[str] | None = None,
        engine: str = "auto",
    ) -> None:
        """Some of the inputs are among `columns`, the others have a number in `given` or a default.

        The gradient is with respect to the inputs that are columns, or to the names of `wrt`: 0 for one that the
        program does not know. The engine is "compiled", "numpy", or "auto" for what is faster. Raises AutodiffError
        for inputs that have no number, all at once.
        """
        needed = set(program.graph.needed([program.output]))
        inputs = program.constants | program.inputs  # a column shadows a constant
        self.columns = tuple(name for name in columns if inputs.get(name) in needed)
        """the columns that are inputs, in the order of the data"""
        self.wrt = tuple(self.columns if wrt is None else wrt)
        self.engine = engine if machine() or engine == "numpy" else "numpy"
        """what computes; "auto" until that has been decided"""
        self._bound = bind(program, self.columns, given, self.wrt)
        self._executor: Executor | None = None
        self._program, self._given = program, dict(given)
        self._names = {*self.columns, *program.inputs, *program.names}

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_executor": None}

    def expect(self, rows: int) -> None:
        """Decide what computes, for so many rows in all."""
        if self.engine == "auto":
            self.engine = "compiled" if rows * len(self._bound.graph) >= _ENOUGH else "numpy"

    def executor(self) -> Executor:
        """What computes the rows, made when it is first needed."""
        with _making:
            if self._executor is None:
                kind = NumpyExecutor if self.engine == "numpy" else CompiledExecutor
                self._executor = kind(gradient_plan(self._bound, kind.knows))
            return self._executor

    def __call__(self, columns: Mapping[str, Doubles], jobs: int = 1, rows: int | None = None) -> RowResults:
        """The results for columns of equal length, of which there is one for each of `self.columns`.

        `rows` is the number of rows, needed where there may be no column; `jobs` threads compute them.
        """
        rows = len(columns[self.columns[0]]) if rows is None else rows
        self.expect(rows)
        results, blocks = run(self.executor(), [columns[name] for name in self.columns], rows, jobs)
        nonfinite = [numpy.empty(0, numpy.int64), *(self._nonfinite_rows(columns, results, block) for block in blocks)]
        return RowResults(results[0], tuple(results[1:]), numpy.concatenate(nonfinite))

    def _nonfinite_rows(
        self, columns: Mapping[str, Doubles], results: Sequence[Doubles], block: slice
    ) -> NDArray[numpy.int64]:
        """The rows of a block that are not finite, after the gradient of some has been computed row by row.

        An adjoint of zero contributes nothing even where it meets an infinite partial derivative, which is rare and
        which the plan leaves as nan; where the value is nan, so is every partial derivative.
        """
        value, *gradient = [result[block] for result in results]
        undefined = numpy.isnan(value)
        for name, partial in zip(self.wrt, gradient, strict=True):
            partial[undefined] = numpy.nan if name in self._names else 0.0
        doubtful = numpy.logical_or.reduce([numpy.isnan(partial) for partial in gradient]) & ~undefined
        for row in numpy.flatnonzero(doubtful) if gradient else ():
            check_cancelled()
            evaluation = self._evaluation(columns, block.start + int(row))
            for name, partial in zip(self.wrt, gradient, strict=True):
                partial[row] = evaluation.gradient.get(name, 0.0)
        finite = numpy.logical_and.reduce([numpy.isfinite(result[block]) for result in results])
        rows: NDArray[numpy.int64] = block.start + numpy.flatnonzero(~finite)
        return rows

    def _evaluation(self, columns: Mapping[str, Doubles], row: int) -> Evaluation:
        """A row as one point."""
        point = self._given | {name: float(columns[name][row]) for name in self.columns}
        return evaluate(self._program, point, [name for name in self.wrt if name in self._names])

    def reason(self, columns: Mapping[str, Doubles], row: int) -> str:
        """Why the result of a row is not finite, in the words used for one point."""
        error = nonfinite_error(self._evaluation(columns, row))
        return "the result is not finite" if error is None else error.message
