"""Finite differences with as many digits as needed: slopes of a program's value without any derivative rule.

One node, an input or any other, is moved by a small step, and what depends on it is evaluated again. With D digits the
step is 10^(-D/3) times the node's value, which makes the error of the central quotient far smaller than that of a
double.
"""

from collections.abc import Callable, Sequence
from functools import cache, cached_property
from typing import Any, NamedTuple

from .. import engine
from ..arithmetic.multiprecision import Multiprecision
from ..evaluation import Evaluation
from ..graph import Graph
from ..operations import OPERATIONS, Operation
from .deadline import Deadline
from .rounding import AbsoluteContributions, HeldBranches, RandomRounding

DIGITS = (30, 60, 120, 240, 480, 960)

NO_DEADLINE = Deadline()

_STEP = "0.7390851"  # not a round number, which might be a period of a periodic formula
_GUARD = 5  # digits that an evaluation may lose
_RUNS = 4  # with random rounding errors
_SAME = 1e-9
_DISCRETE = {
    operation.name for operation in OPERATIONS.values() if operation.chooses and set(operation.partials) == {"0"}
}

Number = Any  # mpmath has no types
Function = Callable[..., Number]


@cache
def _arithmetic(digits: int) -> Multiprecision:
    return Multiprecision(digits)


class Quotients(NamedTuple):
    """The difference quotients for one step: towards larger numbers, towards smaller ones, and across both."""

    digits: int
    step: Number
    right: Number
    left: Number
    central: Number
    noise: Number
    """the part of a quotient that may be a rounding error"""
    crossed: bool
    """whether the step has changed a whole number, such as that of `floor`, or the truth of a comparison"""


class HighPrecisionPoint:
    """The values of a program at and around a point, computed with a given number of digits.

    Where rounding led the double evaluation to a branch that exact arithmetic would not take, the branch of the doubles
    stands: `held_nodes` has such nodes, with their operation on that branch. The constructor and the methods raise
    OutOfTimeError past the deadline.
    """

    def __init__(self, evaluation: Evaluation, digits: int, deadline: Deadline = NO_DEADLINE) -> None:
        self.digits, self.deadline = digits, deadline
        self.evaluation = evaluation
        self.graph = evaluation.program.graph
        self.arithmetic = _arithmetic(digits)
        self.context = self.arithmetic.context
        self.held_nodes: dict[int, Function] = {}
        self._partials: dict[tuple[Any, ...], list[Number]] = {}  # of the rules, by operation and arguments
        self._functions: dict[tuple[Operation, int], Function] = {}
        self.values: list[Number] = list(evaluation.values)
        for node in evaluation.order:
            if not self.graph.arguments[node]:
                self.values[node] = self.arithmetic.number(evaluation.values[node])
                continue
            if self.graph.operations[node].chooses:
                self._choose(node)
            self.values[node] = self._apply(node, self.values)

    def _apply(self, node: int, values: Sequence[Number], *, hold: bool = True) -> Number:
        """The value of a node that has arguments; `hold` keeps it on the branch of the doubles."""
        self.deadline.enforce()
        operands = self.graph.arguments[node]
        on_branch = self.held_nodes.get(node) if hold else None
        if on_branch is not None:
            return on_branch(*[values[operand] for operand in operands])
        key = self.graph.operations[node], len(operands)
        function = self._functions.get(key)
        if function is None:
            function = self._functions[key] = self.arithmetic.function(*key)
        if len(operands) == 2:
            return function(values[operands[0]], values[operands[1]])
        return function(*[values[operand] for operand in operands])

    # ---- Choices decided by rounding ------------------------------------------------------------------------------

    def _choose(self, node: int) -> None:
        """Hold a node to its choice in double precision, where exact arithmetic would choose otherwise."""
        operands = self.graph.arguments[node]
        exact = [self.values[a] for a in operands]
        rounded = [self.arithmetic.number(self.evaluation.values[a]) for a in operands]
        if exact == rounded or not all(map(self.context.isfinite, rounded)):
            return
        operation, count = self.graph.operations[node], len(operands)
        function = self.arithmetic.function(operation, count)
        partials = self._partials_of(operation, rounded)
        if partials == self._partials_of(operation, exact) and (
            any(partials) or function(*rounded) == function(*exact)
        ):
            return
        self._partials[operation, *exact] = partials
        self.held_nodes[node] = self._on_branch(function, exact, rounded)

    def _partials_of(self, operation: Operation, arguments: Sequence[Number]) -> list[Number]:
        count = len(arguments)
        value = self.arithmetic.function(operation, count)(*arguments)
        return list(self.arithmetic.pullback(operation, count, (True,) * count)(self.context.one, value, *arguments))

    def _on_branch(self, function: Function, exact: list[Number], rounded: list[Number]) -> Function:
        """The operation on the piece that the doubles chose: linear, and through 0 unless it is constant.

        If the doubles are at a kink, it is the operation itself, shifted so that its kink is at the exact arguments.
        """
        sides = [self._slopes(function, rounded, index) for index in range(len(rounded))]
        if all(abs(left - right) <= _SAME * abs(right) for left, right in sides):
            terms = [(index, slope) for index, (slope, _) in enumerate(sides) if slope]
            value = function(*rounded)
            return lambda *numbers: self.context.fsum(slope * numbers[i] for i, slope in terms) if terms else value
        shifts = [there - here for here, there in zip(exact, rounded, strict=True)]
        return lambda *numbers: function(*[number + shift for number, shift in zip(numbers, shifts, strict=True)])

    def _slopes(self, function: Function, arguments: list[Number], index: int) -> tuple[Number, Number]:
        """The slopes of an operation in one argument on either side; at a jump, that of the side without it."""
        value, start = function(*arguments), arguments[index]
        step = (abs(start) or 1) * self.context.mpf(10) ** (-self.digits // 3)
        left, right = (
            (function(*arguments[:index], start + nudge, *arguments[index + 1 :]) - value) / nudge
            for nudge in (-step, step)
        )
        jumps = [abs(slope) > 1e-3 * max(1, abs(value)) / step for slope in (left, right)]
        return (right if jumps[0] else left), (left if jumps[1] else right)

    # ---- The gradient's own rules ---------------------------------------------------------------------------------

    @cached_property
    def adjoints(self) -> list[Number]:
        """The adjoints by the rules, with these digits."""
        return self._backward(self.arithmetic, self.values)

    @cached_property
    def sizes(self) -> list[Number]:
        """For each node the sum of the sizes of the contributions to its adjoint, over all paths."""
        return self._backward(AbsoluteContributions(self.arithmetic), self.values)

    @cached_property
    def disturbed(self) -> list[list[Number]]:
        """The adjoints of some runs in which every operation has a random rounding error of double precision.

        In half of them the choices are not held.
        """
        return [self._disturbed(RandomRounding(self.arithmetic, seed), seed % 2 == 0) for seed in range(_RUNS)]

    def _disturbed(self, arithmetic: RandomRounding, hold: bool) -> list[Number]:
        values = list(self.values)
        for node in self.evaluation.order:
            if self.graph.arguments[node]:
                values[node] = arithmetic.rounded(self._apply(node, values, hold=hold))
        return self._backward(arithmetic, values)

    @cached_property
    def rounded(self) -> list[Number]:
        """The adjoints by the rules, with these digits, at the values of the double evaluation."""
        return self._backward(self.arithmetic, list(map(self.arithmetic.number, self.evaluation.values)))

    def _backward(self, arithmetic: engine.Arithmetic, values: list[Number]) -> list[Number]:
        """The adjoints of the nodes that have one in the double evaluation; those of others are zero."""
        evaluation, zero = self.evaluation, self.context.zero
        active = bytearray(adjoint is not None for adjoint in evaluation.adjoints)
        adjoints: list[Number] = [None] * len(self.graph)
        adjoints[evaluation.program.output] = self.context.one
        held = HeldBranches(arithmetic, self._partials, self.deadline)
        engine.backward(self.graph, evaluation.order, values, adjoints, active, held)
        return [zero if adjoint is None else adjoint for adjoint in adjoints]

    # ---- The quotients --------------------------------------------------------------------------------------------

    def quotients(self, node: int, dependents: Sequence[int]) -> Quotients:
        """The quotients for one node; `dependents` are the nodes that depend on it, in topological order."""
        context, output = self.context, self.evaluation.program.output
        start, value = self.values[node], self.values[output]
        step = context.mpf(_STEP) * (abs(start) or 1) * context.mpf(10) ** (-context.mpf(self.digits) / 3)
        (above, crossed_above), (below, crossed_below) = (
            self.output_at(node, start + nudge, dependents) for nudge in (step, -step)
        )
        magnitudes = [abs(self.values[other]) for other in nodes_around(self.graph, node, dependents)]
        largest = max((size for size in magnitudes if context.isfinite(size)), default=context.zero)
        return Quotients(
            self.digits,
            step,
            (above - value) / step,
            (value - below) / step,
            (above - below) / (2 * step),
            context.mpf(10) ** (_GUARD - self.digits) * largest / step,
            crossed_above or crossed_below,
        )

    def output_at(self, node: int, number: Number, dependents: Sequence[int]) -> tuple[Number, bool]:
        """The output if the node has another value, and whether anything discrete that depends on it has changed."""
        values, operations = self.values, self.graph.operations
        original = [values[other] for other in (node, *dependents)]
        values[node] = number
        crossed = False
        try:
            for other, before in zip(dependents, original[1:], strict=True):
                values[other] = self._apply(other, values)
                crossed = crossed or (operations[other].name in _DISCRETE and values[other] != before)
            return values[self.evaluation.program.output], crossed
        finally:
            for other, before in zip((node, *dependents), original, strict=True):
                values[other] = before


def nodes_around(graph: Graph, node: int, dependents: Sequence[int]) -> set[int]:
    """A node, the nodes that depend on it, and their arguments."""
    return {node, *dependents, *(argument for other in dependents for argument in graph.arguments[other])}
