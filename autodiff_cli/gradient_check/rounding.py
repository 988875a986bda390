"""Rounding and its possible effects on a gradient, as arithmetics for the sweep backward of `engine`.

Each wraps another arithmetic and changes what operations contribute to the adjoints.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from ..arithmetic import Real
from ..engine import Arithmetic
from ..operations import Operation


class HeldBranches:
    """An arithmetic that keeps to the branches that the doubles took."""

    def __init__(self, arithmetic: Arithmetic, partials: dict[tuple[Any, ...], list[Real]]) -> None:
        self.arithmetic, self.partials = arithmetic, partials
        self.add, self.function = arithmetic.add, arithmetic.function

    def pullback(self, operation: Operation, count: int, wanted: tuple[int, ...]) -> Callable[..., Sequence[Real]]:
        """The contributions of the arithmetic, on the branch that the doubles took."""
        pullback = self.arithmetic.pullback(operation, count, wanted)

        def contributions(adjoint: Real, result: Real, *arguments: Real) -> Sequence[Real]:
            partials = self.partials.get((operation, *arguments)) if operation.chooses and self.partials else None
            return [adjoint * p if p else None for p in partials] if partials else pullback(adjoint, result, *arguments)

        return contributions


class AbsoluteContributions:
    """An arithmetic that adds up the absolute values of contributions, so that none cancels another."""

    def __init__(self, arithmetic: Arithmetic) -> None:
        self.arithmetic = arithmetic
        self.add, self.function = arithmetic.add, arithmetic.function

    def pullback(self, operation: Operation, count: int, wanted: tuple[int, ...]) -> Callable[..., Sequence[Real]]:
        """The absolute values of the contributions."""
        pullback = self.arithmetic.pullback(operation, count, wanted)
        return lambda *numbers: [None if number is None else abs(number) for number in pullback(*numbers)]


class RandomRounding:
    """An arithmetic with random rounding errors of up to half a unit in the last place of a double, set by a seed."""

    def __init__(self, arithmetic: Arithmetic, seed: int) -> None:
        self.arithmetic, self._random = arithmetic, Random(seed)  # noqa: S311 - no secret
        self.add, self.function = arithmetic.add, arithmetic.function

    def rounded(self, number: Real) -> Real:
        """The number with a rounding error."""
        return number + number * (self._random.uniform(-1, 1) * 2.0**-53)

    def pullback(self, operation: Operation, count: int, wanted: tuple[int, ...]) -> Callable[..., Sequence[Real]]:
        """The contributions, each with a rounding error."""
        pullback = self.arithmetic.pullback(operation, count, wanted)
        return lambda *numbers: [None if number is None else self.rounded(number) for number in pullback(*numbers)]
