"""Arithmetics made from another one, for the referee of the check: what roundings do to a gradient, and may do.

They are for the backward sweep of `engine`: each changes what an operation contributes to the adjoints.
"""

from collections.abc import Callable, Sequence
from random import Random
from time import monotonic
from typing import Any

from ..engine import Arithmetic
from ..operations import Operation

Number = Any  # mpmath has no types


class OutOfTimeError(Exception):
    """An evaluation has not ended by its deadline."""


class Deciding:
    """An arithmetic whose rules know the nodes that rounding has decided, and the deadline."""

    def __init__(self, arithmetic: Arithmetic, partials: dict[tuple[Any, ...], list[Number]], deadline: float) -> None:
        self.arithmetic, self.partials, self.deadline = arithmetic, partials, deadline
        self.add, self.function = arithmetic.add, arithmetic.function

    def pullback(self, operation: Operation, count: int, wanted: tuple[bool, ...]) -> Callable[..., Sequence[Number]]:
        """The contributions of the arithmetic, in the piece that the doubles chose."""
        pullback = self.arithmetic.pullback(operation, count, wanted)

        def deciding(adjoint: Number, result: Number, *arguments: Number) -> Sequence[Number]:
            if monotonic() > self.deadline:
                raise OutOfTimeError
            partials = self.partials.get((operation, *arguments)) if operation.chooses and self.partials else None
            return [adjoint * p for p in partials] if partials else pullback(adjoint, result, *arguments)

        return deciding


class Absolute:
    """An arithmetic whose contributions all count as positive."""

    def __init__(self, arithmetic: Arithmetic) -> None:
        self.arithmetic = arithmetic
        self.add, self.function = arithmetic.add, arithmetic.function

    def pullback(self, operation: Operation, count: int, wanted: tuple[bool, ...]) -> Callable[..., Sequence[Number]]:
        """The sizes of the contributions."""
        pullback = self.arithmetic.pullback(operation, count, wanted)
        return lambda *numbers: [abs(contribution) for contribution in pullback(*numbers)]


class Disturbed:
    """An arithmetic that errs as doubles do, by up to half a unit in the last place, the same way in every run."""

    def __init__(self, arithmetic: Arithmetic, seed: int) -> None:
        self.arithmetic, self._random = arithmetic, Random(seed)  # noqa: S311 - no secret
        self.add, self.function = arithmetic.add, arithmetic.function

    def rounded(self, number: Number) -> Number:
        """The number with an error."""
        return number + number * (self._random.uniform(-1, 1) * 2.0**-53)

    def pullback(self, operation: Operation, count: int, wanted: tuple[bool, ...]) -> Callable[..., Sequence[Number]]:
        """The contributions, each with an error."""
        pullback = self.arithmetic.pullback(operation, count, wanted)
        return lambda *numbers: [self.rounded(contribution) for contribution in pullback(*numbers)]
