"""A quantity of a program for the rows of a table, some of whose columns are its inputs."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from math import inf
from threading import Lock
from typing import Any

import numpy

from ..arithmetic.arrays import Doubles
from ..errors import not_installed
from ..evaluation import LIMIT_SECONDS
from ..parallel import check_cancelled
from ..program import Program
from ..vectorized.buffers import result_columns
from ..vectorized.compiled_executor import CompiledExecutor, machine
from ..vectorized.numpy_executor import NumpyExecutor
from ..vectorized.plan import Plan
from ..vectorized.threads import Executor, run, shared
from ..work_budget import (
    ROW,
    TooMuchWorkError,
    WorkBudget,
    allow_more,
    charge,
    seconds_granted,
    seconds_left,
    uncounted,
)
from .bound_program import bind
from .quantities import Gradients, Quantity, RowAnswer
from .row_results import NO_ROWS, RowResults, Rows, RowWork, distinct, nonfinite_rows_of
from .totals import Total, total

_STARTING = 8_000_000  # rows times nodes that NumPy computes in the time that the compiler takes to start
_COMPILING = 50_000  # rows that NumPy computes in the time that compiling takes
_LARGE = 10_000  # nodes, of which a plan takes a moment to make
_STEPS = {"numpy": 6e-9, "compiled": 2.5e-9}
"""engine → the work of a step for a row"""
_SLOW_STEPS = {"mod": 1.2e-6, "sin": 4e-8, "cos": 4e-8, "tan": 4e-8}
"""operations of steps that take longer where numbers are huge"""
_POINT_NODE = 1e-6  # the work of a node in each sweep for a row as one point
_AS_POINT = 3e-5  # the work of a row as one point, apart from that of its nodes
_MACHINE_CODE, _CALL = 8e-5, 2e-6  # the work of a step before any row: to compile it, or for NumPy to call it
_making = Lock()
"""held while a plan or its executor is made"""


class Computation:
    """A quantity as a function of columns of numbers; it can be pickled, and used by any thread."""

    def __init__(
        self,
        program: Program,
        columns: Sequence[str],
        given: Mapping[str, float],
        wrt: Sequence[str] | None = None,
        quantity: Quantity | None = None,
        engine: str = "auto",
    ) -> None:
        """Some of the inputs are among `columns`, the others have a number in `given` or a default.

        Without a quantity the gradient is computed. Derivatives are with respect to the inputs that are columns, or to
        the names of `wrt`: 0 for one that the program does not know. The engine is "compiled", "numpy", or "auto" for
        what is faster. Raises AutodiffError for inputs that have no number, all at once, for names that the quantity
        cannot be computed for, and where "compiled" is not possible.
        """
        self._quantity = quantity or Gradients()
        outputs = self._quantity.outputs(program)
        needed = [set(program.graph.needed([output])) for output in outputs]
        inputs = program.constants | program.inputs  # a column shadows a constant
        self.columns = tuple(name for name in columns if any(inputs.get(name) in nodes for nodes in needed))
        """the columns that are inputs, in the order of the data"""
        self.wrt = tuple(dict.fromkeys(self._quantity.wrt(self.columns if wrt is None else wrt)))
        self._quantity.check(program, inputs, self.wrt)
        self.results = self._quantity.results(self.wrt)
        self.group = len(self.results) // len(outputs)
        """the number of results of each output: its value, and then its derivatives"""
        self._zeros = [
            any(program.node(name, inputs) not in needed[place // self.group] for name in result.by)
            for place, result in enumerate(self.results)
        ]
        """whether a result is zero because its output does not depend on a name"""
        if engine == "compiled" and machine() is None:
            raise not_installed("compiling needs the package `llvmlite`, which does not work here", "data")
        self.engine = engine
        """of the rows; it may also be "points", for few rows of a large program; "auto" until it has been decided"""
        self.engines = set[str]()
        """those that have computed rows"""
        self._bound = bind(program, self.columns, given, self.wrt, outputs)
        self.program = program
        known = {*self.columns, *program.inputs, *program.names}
        self.row_work = RowWork(LIMIT_SECONDS, LIMIT_SECONDS / 8, ROW)
        self._budget_error: TooMuchWorkError | None = None
        self.spent: TooMuchWorkError | None = None
        """the error of the budget that left some rows without a reason, if it did; in this process only"""
        self._given = dict.fromkeys((name for name in self.wrt if name not in known), 0.0) | dict(given)

    def __getstate__(self) -> dict[str, Any]:
        made = {"_plan", "_executor", "_summing_executor"}
        return {name: value for name, value in self.__dict__.items() if name not in made}

    def prepare_for(self, rows: int) -> None:
        """Decide what computes this many rows, unless that has been decided, and make its plan.

        Only points are replaced by a plan, for more rows. Plans are made here since the budget of work is this
        thread's.
        """
        if self.engine in ("auto", "points"):
            size = len(self._bound.graph)
            nodes = size * len(self.results) // (1 + len(self.wrt))
            if size >= _LARGE and rows < self._quantity.rows_worth_a_plan:
                self.engine = "points"
            elif (rows - _COMPILING) * nodes >= _STARTING and machine():  # which takes a moment to find out
                self.engine = "compiled"
            else:
                self.engine = "numpy"
        if self.engine != "points":
            self.plan()

    def price(self, rows: int) -> float:
        """The work of each of this many rows."""
        self.prepare_for(rows)
        if self.engine == "points":
            return _POINT_NODE * len(self._bound.graph)
        return self._row_price

    @cached_property
    def _row_price(self) -> float:
        """The work of the plan for a row: summed once, as a compiled function is called often."""
        usual = _STEPS[self.engine]
        return sum(_SLOW_STEPS.get(operation.name, usual) for operation in self.plan().graph.operations)

    def charge_rows(self, rows: int, besides: float = 0.0) -> None:
        """Count the work of rows from no table, the points of a grid or random draws, with the work `besides` for each.

        A budget bounds what they leave open too: limits of slopes, and the reasons of those that are not finite.
        """
        if seconds_left() == inf:
            self.row_work = RowWork(self.row_work.limits, self.row_work.reasons, 2 * ROW)
        else:
            charge(rows * (self.price(rows) + besides))
            share = seconds_left() / 3  # for limits, and twice for reasons
            self.row_work = RowWork(0.0, share, share / max(rows, 1))
            self._budget_error = TooMuchWorkError(seconds_granted())

    def plan(self) -> Plan:
        """The plan, made when it is first needed."""
        with _making:
            return self._plan

    def executor(self) -> Executor:
        """The executor of the plan, made when it is first needed."""
        with _making:
            return self._executor

    @cached_property
    def _executor(self) -> Executor:
        return self._kind(self._plan)

    @cached_property
    def _summing_executor(self) -> CompiledExecutor:
        return CompiledExecutor(self._plan, summed=True)

    @cached_property
    def _plan(self) -> Plan:
        plan = min(self._quantity.plans(self._bound, self._kind), key=lambda plan: plan.cost)
        charge(len(plan) * (_MACHINE_CODE if self.engine == "compiled" else _CALL))
        return plan

    @property
    def _kind(self) -> type[NumpyExecutor] | type[CompiledExecutor]:
        return NumpyExecutor if self.engine == "numpy" else CompiledExecutor

    def __call__(
        self, columns: Mapping[str, Doubles], jobs: int = 1, rows: int | None = None, *, is_first: bool = True
    ) -> RowResults:
        """The results for columns of equal length, of which there is one for each of `self.columns`.

        `rows` is the number of rows, needed where there may be no column; `jobs` threads compute them. Rows that are
        not the first part of a table have less work for their limits.
        """
        rows = len(columns[self.columns[0]]) if rows is None else rows
        self.prepare_for(rows)
        self.engines.add(self.engine)
        if self.engine == "points":
            return self._by_points(columns, rows)
        results, blocks = run(self.executor(), [columns[name] for name in self.columns], rows, jobs)
        if not blocks:
            return RowResults(results, NO_ROWS)
        work = self.row_work.for_limits(rows, is_first=is_first)
        return RowResults(results, self._nonfinite_rows(columns, results, blocks, work))

    def _by_points(self, columns: Mapping[str, Doubles], rows: int) -> RowResults:
        """The results of each row as one point."""
        results = result_columns(len(self.results), rows)
        for row in range(rows):
            check_cancelled()
            allow_more(ROW)
            results[:, row] = self._at(columns, row)[0]
        return RowResults(results, nonfinite_rows_of(results))

    def totals(
        self,
        columns: Mapping[str, Doubles],
        jobs: int = 1,
        rows: int | None = None,
        skipped: Sequence[int] = (),
        *,
        is_first: bool = True,
    ) -> tuple[list[Total], Rows]:
        """The sums of the results over rows, and the rows that are not finite, for columns as a call takes them.

        `skipped` are rows that are left out of the sums, counted from 0.
        """
        rows = len(columns[self.columns[0]]) if rows is None else rows
        self.prepare_for(rows)
        self.engines.add(self.engine)
        terms, blocks = self._summed(columns, rows, jobs, skipped)
        totals, nonfinite = list(map(total, numpy.hstack(terms))), [NO_ROWS]
        for block in blocks:
            length = block.stop - block.start
            part = {name: columns[name][block] for name in self.columns}
            results = self(part, jobs, length, is_first=is_first and block == blocks[0])
            nonfinite.append(block.start + results.nonfinite_rows)
            kept = numpy.setdiff1d(numpy.arange(length), numpy.subtract(skipped, block.start)) if skipped else ...
            totals = [mine.plus(total(column[kept])) for mine, column in zip(totals, results.columns, strict=True)]
        return totals, numpy.concatenate(nonfinite)

    def _summed(
        self, columns: Mapping[str, Doubles], rows: int, jobs: int, skipped: Sequence[int]
    ) -> tuple[list[Doubles], list[slice]]:
        """Terms of the sums for blocks of rows, and the blocks that have to be computed row by row."""
        terms = [numpy.empty((len(self.results), 0))]
        if self.engine != "compiled":
            return terms, [slice(0, rows)]
        with _making:
            executor = self._summing_executor

        def compute(block: slice) -> bool:
            sums = executor.terms([columns[name][block] for name in self.columns], block.stop - block.start)
            is_sum = bool(numpy.isfinite(sums).all()) and not any(block.start <= row < block.stop for row in skipped)
            terms.extend([sums] * is_sum)
            return is_sum

        return terms, shared(executor, rows, jobs, compute)

    def _nonfinite_rows(
        self, columns: Mapping[str, Doubles], results: Doubles, blocks: Sequence[slice], work: WorkBudget
    ) -> Rows:
        """The rows of blocks that are not finite, after the derivatives of some have been computed row by row."""
        doubtful = [block.start + self._doubtful(results[:, block]) for block in blocks]
        self._settle(columns, results, numpy.concatenate(doubtful), work)
        return numpy.concatenate([block.start + nonfinite_rows_of(results[:, block]) for block in blocks])

    def _doubtful(self, results: Doubles) -> Rows:
        """The rows of a block whose derivatives have to be computed as at one point.

        What the chain rule leaves open, such as zero times infinity, is rare, is nan in the plan, and may have a limit,
        as may a second derivative that is infinite where the gradient is not. Where the value is nan, so is every
        derivative with respect to names that it depends on.
        """
        doubtful = numpy.zeros(results.shape[1], bool)
        for first in range(0, len(results), self.group):
            value, *derivatives = results[first : first + self.group]
            undefined, are_finite = numpy.isnan(value), numpy.isfinite(value)
            for place, derivative in enumerate(derivatives, first + 1):
                derivative[undefined] = 0.0 if self._zeros[place] else numpy.nan
                doubtful |= numpy.isnan(derivative) & ~undefined
                if place - first <= len(self.wrt):
                    are_finite &= numpy.isfinite(derivative)
                else:
                    doubtful |= numpy.isinf(derivative) & are_finite
        return numpy.flatnonzero(doubtful)

    def _settle(self, columns: Mapping[str, Doubles], results: Doubles, doubtful: Rows, work: WorkBudget) -> None:
        """Compute the derivatives of doubtful rows as at one point, as far as their work goes."""
        firsts, places = distinct([columns[name][doubtful] for name in self.columns], len(doubtful))
        numbers = numpy.empty((len(results), len(firsts)))
        for count, row in enumerate(doubtful[firsts].tolist()):  # a limit takes time, and rows often repeat
            check_cancelled()
            try:
                with uncounted(), work:
                    work.take(_AS_POINT)
                    numbers[:, count], _ = self._at(columns, row)
            except TooMuchWorkError:
                is_known = places < count
                doubtful, places = doubtful[is_known], places[is_known]
                break
        for place, result in enumerate(results):
            if place % self.group:
                result[doubtful] = numbers[place, places]

    def _at(self, columns: Mapping[str, Doubles], row: int) -> RowAnswer:
        """The results of a row as one point."""
        point = self._given | {name: float(columns[name][row]) for name in self.columns}
        return self._quantity.at(self.program, point, self.wrt)

    def reason(self, columns: Mapping[str, Doubles], row: int, work: WorkBudget) -> str:
        """The reason why the result of a row is not finite, in the words used for one point.

        `work` is the budget for finding it.
        """
        work.left += self.row_work.row / 4  # which may pay for what rows before it took too much
        if work.left >= 0:
            with suppress(TooMuchWorkError), uncounted(), work:
                work.take(_AS_POINT)
                _, find_error = self._at(columns, row)
                if error := find_error():
                    return error.message
        if work.left < 0:
            self.spent = self._budget_error
        return "the result is not finite, or finding it in every row takes too much work"
