"""A point of double precision, computed with many digits on the branches that the doubles took."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from ..arithmetic import Real, RealFunction
from ..arithmetic.multiprecision import with_digits
from ..engine import Arithmetic
from ..evaluation import Evaluation
from ..operations import Operation
from .finite_differences import HighPrecisionPoint
from .rounding import RoundedRules, random_rounding

_RUNS = 2  # with random rounding errors
_SAME = 1e-9
Partials = dict[tuple[Any, ...], list[Real]]
"""operation and arguments → the partials of an operation that is held to another branch"""


class _HeldBranches:
    """An arithmetic that keeps to the branches that the doubles took."""

    def __init__(self, arithmetic: Arithmetic, partials: Partials) -> None:
        self._arithmetic, self._partials = arithmetic, partials
        self.add, self.function = arithmetic.add, arithmetic.function

    def pullback(self, operation: Operation, count: int, wanted: tuple[int, ...]) -> Callable[..., Sequence[Real]]:
        """The contributions of the arithmetic, on the branch that the doubles took."""
        pullback, held = self._arithmetic.pullback(operation, count, wanted), self._partials
        if not (operation.chooses and held):
            return pullback

        def contributions(adjoint: Real, result: Real, *arguments: Real) -> Sequence[Real]:
            partials = held.get((operation, *arguments))
            return [adjoint * p if p else None for p in partials] if partials else pullback(adjoint, result, *arguments)

        return contributions


class PointOfDoubles(HighPrecisionPoint):
    """The values of an evaluation, computed again with many digits from the very same doubles.

    Where rounding led the double evaluation to a branch that exact arithmetic would not take, the branch of the doubles
    is kept: `held_nodes` has such nodes, with their operation on that branch.
    """

    def __init__(self, evaluation: Evaluation, digits: int) -> None:
        graph, values = evaluation.program.graph, evaluation.values
        leaves = {n: with_digits(digits).number(values[n]) for n in evaluation.order if not graph.arguments[n]}
        active = bytearray(adjoint is not None for adjoint in evaluation.adjoints)
        self.evaluation = evaluation
        self.held_nodes: dict[int, RealFunction] = {}
        self._partials: Partials = {}
        super().__init__(graph, evaluation.program.output, evaluation.order, leaves, active, digits)

    def value_of(self, node: int) -> Real:
        """The value of a node whose arguments have theirs, on the branch of the doubles."""
        if self.graph.operations[node].chooses:
            self._choose(node)
        return super().value_of(node)

    def apply(self, node: int, values: Sequence[Real]) -> Real:
        """The operation of a node on the values of its arguments, on the branch of the doubles."""
        on_branch = self.held_nodes.get(node)
        if on_branch is None:
            return super().apply(node, values)
        return on_branch(*[values[operand] for operand in self.graph.arguments[node]])

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

    def _partials_of(self, operation: Operation, arguments: Sequence[Real]) -> list[Real]:
        count = len(arguments)
        value = self.arithmetic.function(operation, count)(*arguments)
        return list(self.arithmetic.pullback(operation, count, (True,) * count)(self.context.one, value, *arguments))

    def _on_branch(self, function: RealFunction, exact: list[Real], rounded: list[Real]) -> RealFunction:
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

    def _slopes(self, function: RealFunction, arguments: list[Real], index: int) -> tuple[Real, Real]:
        """The slopes of an operation in one argument on either side; at a jump, that of the side without it."""
        value, start = function(*arguments), arguments[index]
        step = (abs(start) or 1) * self.context.mpf(10) ** (-self.digits // 3)
        left, right = (
            (function(*arguments[:index], start + nudge, *arguments[index + 1 :]) - value) / nudge
            for nudge in (-step, step)
        )
        jumps = [abs(slope) > 1e-3 * max(1, abs(value)) / step for slope in (left, right)]
        return (right if jumps[0] else left), (left if jumps[1] else right)

    def backward(self, arithmetic: Arithmetic, values: list[Real], partials: Partials | None = None) -> list[Real]:
        """The adjoints at these values, with the slopes of the branches that the doubles took."""
        held = self._partials if partials is None else partials
        return super().backward(_HeldBranches(arithmetic, held), values)

    # ---- Rounding -------------------------------------------------------------------------------------------------

    @cached_property
    def disturbed(self) -> list[list[Real]]:
        """The adjoints of some runs in which every operation but a choice has a random rounding error of a double.

        The result of a choice is one of its arguments, and its rule looks for that. Its slopes are held.
        """
        return [self._disturbed(seed, hold=True) for seed in range(_RUNS)]

    @cached_property
    def chosen_anew(self) -> list[list[Real]]:
        """The adjoints of similar runs in which nothing is held, so that rounding may choose."""
        return [self._disturbed(seed, hold=False) for seed in range(_RUNS)]

    def _disturbed(self, seed: int, *, hold: bool) -> list[Real]:
        values, rounded = list(self.values), random_rounding(seed)
        apply = self.apply if hold else super().apply
        partials: Partials = {}
        for node in self.order:
            operation, operands = self.graph.operations[node], self.graph.arguments[node]
            if not operands:
                continue
            values[node] = apply(node, values)
            if not operation.chooses:
                values[node] = rounded(values[node])
            elif hold:
                exact = [self.values[operand] for operand in operands]
                slopes = self._partials.get((operation, *exact)) or self._partials_of(operation, exact)
                partials[operation, *[values[operand] for operand in operands]] = slopes
        return self.backward(RoundedRules(self.arithmetic, rounded), values, partials)

    @cached_property
    def rounded(self) -> list[Real]:
        """The adjoints by the rules, with these digits, at the values of the double evaluation."""
        return self.backward(self.arithmetic, list(map(self.arithmetic.number, self.evaluation.values)))
