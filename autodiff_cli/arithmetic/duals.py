"""Dual numbers: a double and its slopes along some directions, so that a sweep forward computes derivatives too.

A number is `(value, slopes)`. A direction that cannot move it, through a step or a piece that was not chosen, has no
entry in its slopes, and so stays out of them even where they are infinite.
"""

from collections.abc import Callable
from functools import cache

from .. import rules
from ..operations import Operation
from . import floats

Slopes = dict[int, float]
"""direction → slope"""
Dual = tuple[float, Slopes]


@cache
def function(operation: Operation, count: int) -> Callable[..., Dual]:
    """The operation on so many dual numbers: its slopes by the chain rule, from the table's partials."""
    plain, sloping = floats.function(operation, count), rules.sloping_arguments(operation, count)
    has_slope = [place in sloping for place in range(count)]

    def dual(*numbers: Dual) -> Dual:
        arguments = [value for value, _ in numbers]
        value = plain(*arguments)
        moving = tuple([sloped and bool(slopes) for sloped, (_, slopes) in zip(has_slope, numbers, strict=True)])
        if True not in moving:
            return value, {}
        partials = floats.pullback(operation, count, moving)(1.0, value, *arguments)
        terms = [(p, slopes) for moved, p, (_, slopes) in zip(moving, partials, numbers, strict=True) if moved]
        return value, _chained([term for term in terms if term[0]] if operation.chooses else terms)

    return dual


def _chained(terms: list[tuple[float, Slopes]]) -> Slopes:
    """The sum of partial times slope over the arguments; a partial that is zero takes nothing of an infinite slope."""
    if not terms:
        return {}
    (partial, along), *others = terms
    total = {direction: partial * slope if partial else 0.0 for direction, slope in along.items()}
    for partial, along in others:
        for direction, slope in along.items():
            total[direction] = total.get(direction, 0.0) + (partial * slope if partial else 0.0)
    return total
