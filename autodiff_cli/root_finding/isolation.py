"""All roots of a function of one variable in an interval, each separate from the others.

Interval arithmetic discards the parts in which the function has no root. In a part in which it is continuous and its
derivative has one sign, a change of sign proves that there is exactly one root. What is left is cut in two.

R. E. Moore, R. B. Kearfott, M. J. Cloud, Introduction to Interval Analysis (2009), chapter 8.
"""

import sys
from typing import NamedTuple

import numpy

from .. import engine
from ..arithmetic import intervals
from ..arithmetic.arrays import Doubles
from ..arithmetic.intervals import Bounds
from ..graph import Graph
from ..search.scalar_function import ScalarFunction
from ..transforms import derivative
from ..work_budget import TooMuchWorkError, WorkBudget, charge, seconds_granted, seconds_left

_FIRST_PARTS = 64
_MOST_PARTS = 20_000
_MOST_CUTS = 60
_OFF_ROUND = 0.381966
"""so that no cut is at a round number, where roots are likely: the sign there would be in doubt"""
_NODE, _NUMBER = 2.5e-5, 2e-8
"""the work of an operation on many intervals, and for each of them"""
_LARGEST = sys.float_info.max
_NARROW = 1e-9  # relative: a part that is not cut any further


class Isolated(NamedTuple):
    """Intervals that contain all roots."""

    proved: list[tuple[float, float]]
    """intervals with exactly one root each"""
    possible: list[tuple[float, float]]
    """intervals of which it is not known whether they have roots"""
    spent: TooMuchWorkError | None = None
    """the reason why parts of these were not cut further, if that was the budget"""


def isolate(function: ScalarFunction, low: float, high: float) -> Isolated:
    """The places of all roots between two ends; what is proved may lie a little beyond them.

    Half of what the budget leaves is for finding them, so that the other half is left for their digits.
    """
    half = high / 2 - low / 2  # as the distance might overflow
    room = _NARROW * half * 2  # a root at an end lies inside
    inside = 2 * (low / 2 + half * ((numpy.arange(1, _FIRST_PARTS) - _OFF_ROUND) / _FIRST_PARTS))
    ends = numpy.concatenate([[max(low - room, -_LARGEST)], inside, [min(high + room, _LARGEST)]])
    lows, highs = ends[:-1], ends[1:]
    isolated = Isolated([], [])
    spent = None
    try:
        with WorkBudget(seconds_left() / 2):
            bounds = _Enclosure(function)
            for _ in range(_MOST_CUTS):
                if not 0 < len(lows) <= _MOST_PARTS:
                    break
                lows, highs = _cut(bounds, lows, highs, isolated)
    except TooMuchWorkError:
        spent = TooMuchWorkError(seconds_granted())
    isolated.possible.extend(zip(lows.tolist(), highs.tolist(), strict=True))
    joined = _joined(sorted(isolated.possible))
    possible = [(max(a, low), min(b, high)) for a, b in joined if a <= high and b >= low]
    return Isolated(sorted(isolated.proved), possible, spent)


def _cut(bounds: "_Enclosure", lows: Doubles, highs: Doubles, isolated: Isolated) -> tuple[Doubles, Doubles]:
    """The halves of the parts that have to be looked at again, after those that are decided have been isolated."""
    value, slope = bounds.value_and_slope(lows, highs)
    may = (value.low <= 0) & (value.high >= 0)
    one_way = (value.continuous & ((slope.low > 0) | (slope.high < 0)))[may]
    lows, highs = lows[may], highs[may]
    at_low, at_high = bounds.sign(lows), bounds.sign(highs)
    one_way &= (at_low != 0) & (at_high != 0)
    proved = one_way & (at_low != at_high)
    isolated.proved.extend(zip(lows[proved].tolist(), highs[proved].tolist(), strict=True))
    lows, highs = lows[~one_way], highs[~one_way]
    narrow = highs - lows <= _NARROW * numpy.maximum(abs(lows), abs(highs)) + 1e-300
    isolated.possible.extend(zip(lows[narrow].tolist(), highs[narrow].tolist(), strict=True))
    return _halved(lows[~narrow], highs[~narrow])


class _Enclosure:
    """Bounds on a function and its derivative between two ends, for many pairs of ends at once."""

    def __init__(self, function: ScalarFunction) -> None:
        program = function.program
        (name,) = function.names
        inputs = program.inputs_given((*function.fixed, name))
        self._output, self._variable = program.output, inputs[name]
        self._graph: Graph = program.graph.cut(())
        (self._slope,) = derivative(self._graph, self._output, [self._variable], textbook=True)
        self._fixed = {inputs[other]: number for other, number in function.fixed.items() if other in inputs}

    def value_and_slope(self, low: Doubles, high: Doubles) -> list[Bounds]:
        """The bounds on the value and on the derivative."""
        return self._bounds([self._output, self._slope], low, high)

    def sign(self, x: Doubles) -> Doubles:
        """1 or -1 where the sign of the value is certain, else 0."""
        (value,) = self._bounds([self._output], x, x)
        return numpy.where(value.low > 0, 1.0, numpy.where(value.high < 0, -1.0, 0.0))

    def _bounds(self, results: list[int], low: Doubles, high: Doubles) -> list[Bounds]:
        """The bounds on some nodes for each pair of ends, also where they are the same for all."""
        graph, order = self._graph, self._graph.needed(results)
        constants = [node for node in order if node in graph.numbers]
        values = {node: intervals.constant(graph.numbers[node], graph.labels.get(node)) for node in constants}
        values |= {node: intervals.constant(number) for node, number in self._fixed.items()}
        values[self._variable] = intervals.between(low, high)
        charge(_NODE * len(order) + _NUMBER * len(order) * len(low))
        engine.forward(graph, order, values, intervals)
        return [_spread(values[node], low.shape) for node in results]


def _spread(a: Bounds, shape: tuple[int, ...]) -> Bounds:
    low, high, continuous, defined = a
    ends = numpy.broadcast_to(low, shape), numpy.broadcast_to(high, shape)
    return Bounds(*ends, numpy.broadcast_to(continuous, shape), defined)


def _halved(low: Doubles, high: Doubles) -> tuple[Doubles, Doubles]:
    middle = low + (high - low) * (1 - _OFF_ROUND)
    return numpy.concatenate([low, middle]), numpy.concatenate([middle, high])


def _joined(parts: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Parts that touch as one."""
    joined: list[tuple[float, float]] = []
    for low, high in parts:
        if joined and low <= joined[-1][1] + _NARROW * abs(low):
            joined[-1] = joined[-1][0], max(high, joined[-1][1])
        else:
            joined.append((low, high))
    return joined
