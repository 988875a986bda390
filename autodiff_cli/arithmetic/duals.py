"""Dual numbers: a double and its slopes along some directions, so that a forward sweep computes derivatives too.

A number is `(value, slopes)`. A direction that does not move it, such as one beyond a step or in a branch not taken,
has no entry in its slopes, even where a partial is infinite. The same sweep over `Sizes` shows where digits were lost.
"""

import math
import sys
from collections.abc import Callable
from functools import cache

from .. import rules
from ..operations import DIV, Operation
from . import floats

SMALLEST_NORMAL = sys.float_info.min
"""smaller numbers have fewer digits, or none"""
_USUAL, _USUAL_SLOPE = 1e75, 1e150
"""the sizes of values and slopes up to which, and down to whose reciprocals, nothing is lost by an operation"""
SECONDS = 6.5e-6
"""the approximate time of an operation"""
DualSlopes = dict[int, float]
"""direction → slope"""
Dual = tuple[float, DualSlopes]


class Sizes:
    """The arithmetic in which a slope is the sum of the sizes of its terms: where it is far larger, digits cancelled.

    It is infinite behind a number so small or so large that others on the way may have been lost.
    """

    SECONDS = SECONDS

    @staticmethod
    def function(operation: Operation, count: int) -> Callable[..., Dual]:
        """The operation on `count` numbers with such slopes."""
        return function(operation, count, sizes=True)


@cache
def function(operation: Operation, count: int, *, sizes: bool = False) -> Callable[..., Dual]:
    """The operation on `count` dual numbers; its slopes follow from the table's partials by the chain rule."""
    plain, sloping = floats.function(operation, count), rules.sloping_arguments(operation, count)
    has_slope = [index in sloping for index in range(count)]

    def dual(*numbers: Dual) -> Dual:
        arguments = [value for value, _ in numbers]
        value = plain(*arguments)
        moving = tuple(
            [is_sloping and bool(slopes) for is_sloping, (_, slopes) in zip(has_slope, numbers, strict=True)]
        )
        if True not in moving:
            return value, {}
        partials = floats.pullback(operation, count, moving)(1.0, value, *arguments)
        if sizes:
            partials = [p if p is None else abs(p) for p in partials]
        if operation is DIV and not sizes and any(p is not None and abs(p) < SMALLEST_NORMAL for p in partials):
            return value, _slopes_of_quotient(value, *numbers)
        total = _summed([(p, slopes) for p, (_, slopes) in zip(partials, numbers, strict=True) if p is not None])
        return value, _without_unusual(value, total) if sizes else total

    return dual


def _without_unusual(value: float, sizes: DualSlopes) -> DualSlopes:
    """The sizes, infinite where they, or the value, are so small or so large that others may have been lost."""
    is_usual = value == 0 or 1 / _USUAL <= abs(value) <= _USUAL
    return {
        direction: size if is_usual and (size == 0 or 1 / _USUAL_SLOPE <= size <= _USUAL_SLOPE) else math.inf
        for direction, size in sizes.items()
    }


def _slopes_of_quotient(value: float, top: Dual, bottom: Dual) -> DualSlopes:
    """The slopes of a/b by relative slopes, s/b: its partial y/b may be too small for a double where they are not."""
    divisor = bottom[0]
    total = {direction: slope / divisor for direction, slope in top[1].items()}
    for direction, slope in bottom[1].items():
        total[direction] = total.get(direction, 0.0) - value * (slope / divisor)
    return total


def _summed(terms: list[tuple[float, DualSlopes]]) -> DualSlopes:
    """The sum of partial times slopes over the arguments."""
    if not terms:
        return {}
    (partial, slopes), *others = terms
    total = {direction: partial * slope for direction, slope in slopes.items()}
    for partial, slopes in others:
        for direction, slope in slopes.items():
            total[direction] = total.get(direction, 0.0) + partial * slope
    return total
