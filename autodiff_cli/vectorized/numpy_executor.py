"""The NumPy executor: a plan step by step, each for a whole block of rows.

It needs no compiler, so it computes few rows, and any rows on machines that no code can be made for.
"""

from collections.abc import Callable, Sequence

import numpy

from ..arithmetic import arrays
from ..arithmetic.arrays import Doubles, Truths
from ..operations import Operation
from ..parallel import check_cancelled
from .plan import Plan

_CACHE = 2**24
"""bytes that fit in the processor's cache"""
_FEWEST, _MOST = 1024, 16384
"""rows of a block: with fewer, calling a function costs more than what it computes"""
_UNCHECKED_STEPS = 64  # between two checks for a cancellation


def _preferred(wins: Truths, ties: Truths, first: Doubles, second: Doubles) -> Doubles:
    chosen = numpy.where(wins, first, second)
    return numpy.where(ties, 0.5 * (first + second), chosen) if numpy.count_nonzero(ties) else chosen


_OWN: dict[str, Callable[..., Doubles]] = {"where": numpy.where, "preferred": _preferred}
"""the operations that no ufunc computes"""


class NumpyExecutor:
    """Computes a plan by NumPy and scipy.special."""

    name = "numpy"
    expands_all = True

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.block = max(_FEWEST, min(_MOST, _CACHE // (8 * (1 + plan.most_kept))))
        self._work = [
            (node, _function(plan.graph.operations[node], len(operands)), operands, plan.last_uses[node])
            for node, operands in enumerate(plan.graph.arguments)
            if operands
        ]

    @staticmethod
    def knows(operation: Operation, count: int) -> bool:
        """Whether there is a function for an operation on `count` columns."""
        return operation.name in _OWN or arrays.function(operation, count) is not None

    def over(self, columns: Sequence[Doubles], results: Doubles) -> Callable[[slice], bool]:
        """A function that computes a block of `results`, a row for each, and returns whether all are finite."""
        return lambda block: self._compute([column[block] for column in columns], results[:, block])

    def _compute(self, columns: Sequence[Doubles], results: Doubles) -> bool:
        values: list[Doubles | float | None] = [*columns, *[None] * (len(self.plan) - len(columns))]
        for value, number in self.plan.graph.numbers.items():
            values[value] = number
        with numpy.errstate(all="ignore"):
            for first in range(0, len(self._work), _UNCHECKED_STEPS):
                check_cancelled()
                for value, function, operands, last_uses in self._work[first : first + _UNCHECKED_STEPS]:
                    values[value] = function(*[values[operand] for operand in operands])
                    for used in last_uses:
                        values[used] = None
        for result, value in zip(results, self.plan.results, strict=True):
            result[:] = values[value]
        return bool(numpy.isfinite(results).all())


def _function(operation: Operation, count: int) -> Callable[..., Doubles]:
    function = _OWN.get(operation.name) or arrays.function(operation, count)
    assert function is not None, operation.name
    return function
