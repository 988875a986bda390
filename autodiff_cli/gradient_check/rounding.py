"""Rounding and its possible effects on a gradient, in the backward sweep of `engine`."""

from collections.abc import Callable, Sequence
from random import Random

from .. import rules
from ..arithmetic import Real, RealFunction
from ..arithmetic.multiprecision import Multiprecision
from ..engine import Arithmetic
from ..operations import INTERNAL, Operation


class ContributionSizes:
    """An arithmetic in which what operations contribute to the adjoints has no sign, so that nothing cancels."""

    def __init__(self, arithmetic: Arithmetic) -> None:
        self._arithmetic, self.add, self.function = arithmetic, arithmetic.add, arithmetic.function

    def pullback(self, operation: Operation, count: int, wanted: tuple[int, ...]) -> Callable[..., Sequence[Real]]:
        """The sizes of the contributions."""
        pullback = self._arithmetic.pullback(operation, count, wanted)
        return lambda *numbers: [None if number is None else abs(number) for number in pullback(*numbers)]


class RoundedRules:
    """An arithmetic in which a function rounds each number that a derivative rule computes, where it chooses none."""

    def __init__(self, arithmetic: Multiprecision, rounded: Callable[[Real], Real]) -> None:
        self._arithmetic, self._rounded = arithmetic, rounded
        self.add, self.constant = arithmetic.add, arithmetic.constant

    def function(self, operation: Operation, count: int) -> RealFunction:
        """The operation on `count` numbers, with a rounded result; one of the table's formulas only is read as well."""
        if operation.name in INTERNAL:
            return rules.meaning(operation, count, self)
        function, rounded = self._arithmetic.function(operation, count), self._rounded
        return function if operation.chooses else lambda *numbers: rounded(function(*numbers))

    def pullback(self, operation: Operation, count: int, wanted: tuple[int, ...]) -> Callable[..., Sequence[Real]]:
        """The contributions by the rounded rule."""
        exact = self._arithmetic.pullback(operation, count, wanted)
        if operation.chooses:
            return exact
        formula = rules.function(rules.pullback(operation, count, wanted), self, nothing=None)
        return lambda g, y, *arguments: formula(g, y, *arguments) if y == y else exact(g, y, *arguments)


def random_rounding(seed: int) -> Callable[[Real], Real]:
    """A function that rounds with random errors of up to half a unit in the last place of a double."""
    random = Random(seed)  # noqa: S311 - no secret
    return lambda number: number + number * (random.uniform(-1, 1) * 2.0**-53)
