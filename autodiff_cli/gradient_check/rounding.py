"""Rounding and its possible effects on a gradient, in the backward sweep of `engine`."""

from collections.abc import Callable, Sequence
from random import Random

from ..arithmetic import Real
from ..engine import Arithmetic
from ..operations import Operation


class ChangedContributions:
    """An arithmetic in which a function changes what operations contribute to the adjoints.

    With `abs` none cancels another: they add up to the size of the terms.
    """

    def __init__(self, arithmetic: Arithmetic, change: Callable[[Real], Real]) -> None:
        self._arithmetic, self._change = arithmetic, change
        self.add, self.function = arithmetic.add, arithmetic.function

    def pullback(self, operation: Operation, count: int, wanted: tuple[int, ...]) -> Callable[..., Sequence[Real]]:
        """The changed contributions."""
        pullback, change = self._arithmetic.pullback(operation, count, wanted), self._change
        return lambda *numbers: [None if number is None else change(number) for number in pullback(*numbers)]


def random_rounding(seed: int) -> Callable[[Real], Real]:
    """A function that rounds with random errors of up to half a unit in the last place of a double."""
    random = Random(seed)  # noqa: S311 - no secret
    return lambda number: number + number * (random.uniform(-1, 1) * 2.0**-53)
