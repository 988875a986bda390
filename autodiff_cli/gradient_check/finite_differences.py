"""Finite differences with as many digits as needed: slopes of a program's value without any derivative rule.

One node, an input or any other, is moved by a small step, and what depends on it is evaluated again. With D digits the
step is 10^(-D/3) times the node's value, which makes the error of the central quotient far smaller than that of a
double.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from .. import engine
from ..arithmetic import Real, RealFunction
from ..arithmetic.multiprecision import with_digits
from ..evaluation.slope_limits import GUARD, STEP
from ..graph import Graph
from ..operations import OPERATIONS, Operation
from ..work_budget import NODE, charge
from .rounding import ContributionSizes

DIGITS = (30, 60, 120, 240, 480, 960)

_DISCRETE = {
    operation.name for operation in OPERATIONS.values() if operation.chooses and set(operation.partials) == {"0"}
}


class Quotients(NamedTuple):
    """The difference quotients for one step: towards larger numbers, towards smaller ones, and across both."""

    digits: int
    step: Real
    right: Real
    left: Real
    central: Real
    noise: Real
    """the part of a quotient that may be a rounding error"""
    crossed: bool
    """whether the step has changed a whole number, such as that of `floor`, or the truth of a comparison"""


class HighPrecisionPoint:
    """The values of a graph's nodes at and around a point, computed with a given number of digits.

    `order` has the nodes to compute, `leaves` the numbers of those without arguments; `active` marks the nodes that
    have adjoints.
    """

    def __init__(
        self,
        graph: Graph,
        output: int,
        order: Sequence[int],
        leaves: Mapping[int, Real],
        active: bytearray,
        digits: int,
    ) -> None:
        self.graph, self.output, self.order, self.active = graph, output, order, active
        self.digits, self.arithmetic = digits, with_digits(digits)
        self.context = self.arithmetic.context
        self._functions: dict[tuple[Operation, int], RealFunction] = {}
        self.values: list[Real] = [None] * len(graph)
        charge(NODE * len(order))
        for node in order:
            self.values[node] = self.value_of(node) if graph.arguments[node] else leaves[node]

    def value_of(self, node: int) -> Real:
        """The value of a node whose arguments have theirs."""
        return self.apply(node, self.values)

    def apply(self, node: int, values: Sequence[Real]) -> Real:
        """The operation of a node on the values of its arguments."""
        operands = self.graph.arguments[node]
        key = self.graph.operations[node], len(operands)
        function = self._functions.get(key)
        if function is None:
            function = self._functions[key] = self.arithmetic.function(*key)
        if len(operands) == 2:
            return function(values[operands[0]], values[operands[1]])
        return function(*[values[operand] for operand in operands])

    # ---- The gradient's own rules ---------------------------------------------------------------------------------

    @cached_property
    def adjoints(self) -> list[Real]:
        """The adjoints by the rules, with these digits."""
        return self.backward(self.arithmetic, self.values)

    @cached_property
    def sizes(self) -> list[Real]:
        """For each node the sum of the sizes of the contributions to its adjoint, over all paths."""
        return self.backward(ContributionSizes(self.arithmetic), self.values)

    def backward(self, arithmetic: engine.Arithmetic, values: list[Real]) -> list[Real]:
        """The adjoints of the active nodes at these values; those of others are zero."""
        one = self.context.one
        adjoints = engine.backward(self.graph, self.order, values, self.output, self.active, arithmetic, one)
        return [self.context.zero if adjoint is None else adjoint for adjoint in adjoints]

    # ---- The quotients --------------------------------------------------------------------------------------------

    def quotients(self, node: int, dependents: Sequence[int]) -> Quotients:
        """The quotients for one node; `dependents` are the nodes that depend on it, in topological order."""
        context = self.context
        start, value = self.values[node], self.values[self.output]
        charge(2 * NODE * len(dependents))
        step = context.mpf(STEP) * (abs(start) or 1) * context.mpf(10) ** (-context.mpf(self.digits) / 3)
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
            context.mpf(10) ** (GUARD - self.digits) * largest / step,
            crossed_above or crossed_below,
        )

    def output_at(self, node: int, number: Real, dependents: Sequence[int]) -> tuple[Real, bool]:
        """The output if the node has another value, and whether anything discrete that depends on it has changed."""
        values, operations = self.values, self.graph.operations
        original = [values[other] for other in (node, *dependents)]
        values[node] = number
        crossed = False
        try:
            for other, before in zip(dependents, original[1:], strict=True):
                values[other] = self.apply(other, values)
                crossed = crossed or (operations[other].name in _DISCRETE and values[other] != before)
            return values[self.output], crossed
        finally:
            for other, before in zip((node, *dependents), original, strict=True):
                values[other] = before


def nodes_around(graph: Graph, node: int, dependents: Sequence[int]) -> set[int]:
    """A node, the nodes that depend on it, and their arguments."""
    return {node, *dependents, *(argument for other in dependents for argument in graph.arguments[other])}
