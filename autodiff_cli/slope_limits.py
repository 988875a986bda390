"""Slopes that the chain rule leaves open, zero times infinity or infinity minus infinity, found as limits.

One node of a graph moves by smaller and smaller steps; what depends on it is evaluated again with more and more digits,
and the change of the output over the step tends to the slope, if there is one. Every operation starts from the doubles
of the evaluation, as its partial derivatives do; a `where` keeps to the branch that was taken.
"""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from .arithmetic import floats
from .arithmetic.multiprecision import Multiprecision
from .graph import Graph
from .operations import WHERE

DIGITS = (60, 120, 240, 480, 960)
MOST_STEPS = 20_000
"""operations on the way from a node to the output; of more, no limit is sought"""

_STEP = "0.7390851"  # not a round number, which might be a period of a periodic formula
_GUARD = 5  # digits that an evaluation may lose
_SAME = 1e-17
_TINY = 1e-320  # less than any double

Number = Any  # mpmath has no types


class SlopeLimit(NamedTuple):
    """The slope of an output with respect to a node; nan where there is none, with the reason in words."""

    slope: float
    reason: str = ""


class _Side(NamedTuple):
    """The limit of the quotients on one side; None where there is none, with the reason in words.

    There is no reason where the side is outside the domain.
    """

    slope: Number
    reason: str = ""


class _Quotient(NamedTuple):
    """The change of the output over a step."""

    slope: Number
    change: Number
    noise: Number
    """the part of the slope that may be a rounding error"""


def slope_limit(graph: Graph, order: Sequence[int], values: Sequence[float], output: int, node: int) -> SlopeLimit:
    """The slope at the values, which `order` lists the nodes of; from one side where the other is outside the domain.

    Where the sides differ, operations on a kink have the slope of their convention, if that puts the result between.
    """
    path = _path(graph, order, values, output, node)
    if len(path) > MOST_STEPS:
        return SlopeLimit(floats.NAN, f"it is not sought through more than {MOST_STEPS:,} operations")
    sides = [_side(_Motion(graph, values, path, node, held=False), sign) for sign in _signs(values[node])]
    slopes = [side.slope for side in sides if side.slope is not None]
    reason = next((side.reason for side in sides if side.reason), "")
    if reason or not slopes:
        return SlopeLimit(floats.NAN, reason or "the formula is not defined around this point")
    low, high = min(slopes), max(slopes)
    are_finite = abs(low) + abs(high) < floats.INFINITY
    if low == high or (are_finite and high - low <= _SAME * abs(high)):
        return SlopeLimit(float(high) + 0.0)
    if are_finite:
        left, right = (_side(_Motion(graph, values, path, node, held=True), sign).slope for sign in (-1, 1))
        if left is not None and left == right and low <= left <= high:
            return SlopeLimit(float(left) + 0.0)
    left, right = (f"{float(slope):.5g}" for slope in slopes)
    return SlopeLimit(floats.NAN, f"the slope is {left} on the left and {right} on the right")


def _signs(start: float) -> Sequence[int]:
    return (-1, 1) if abs(start) < floats.INFINITY else (-1,) if start > 0 else (1,)


def _path(graph: Graph, order: Sequence[int], values: Sequence[float], output: int, node: int) -> list[int]:
    """The nodes that depend on a node and that the output's value comes from, in topological order."""
    moving, live = graph.dependent(order, [node]), bytearray(len(graph))
    live[output] = 1
    for other in reversed(order):
        if live[other] and other != node:
            for argument in _taken(graph, values, other):
                live[argument] = 1
    return [other for other in order if moving[other] and live[other] and other != node]


def _taken(graph: Graph, values: Sequence[float], node: int) -> tuple[int, ...]:
    """The arguments that the value of a node comes from."""
    arguments = graph.arguments[node]
    if graph.operations[node] is not WHERE or values[arguments[0]] != values[arguments[0]]:
        return arguments
    return (arguments[1 if values[arguments[0]] else 2],)


@cache
def _arithmetic(digits: int) -> Multiprecision:
    return Multiprecision(digits)


class _Motion:
    """The quotients for a node; `held` keeps operations on a kink to the slope of their convention."""

    def __init__(self, graph: Graph, values: Sequence[float], path: Sequence[int], node: int, *, held: bool) -> None:
        self.graph, self.values, self.path, self.node, self.held = graph, values, path, node, held

    def quotient(self, digits: int, sign: int) -> _Quotient:
        """The quotient for the step that suits a number of digits; at infinity, for a step from there to a number."""
        arithmetic, start = _arithmetic(digits), self.values[self.node]
        context, output = arithmetic.context, self.path[-1] if self.path else self.node
        step = sign * context.mpf(_STEP) * context.mpf(10) ** (-context.mpf(digits) / 3)
        if abs(start) < floats.INFINITY:
            step *= abs(start) or 1
            moved = {self.node: start + step}
        else:
            moved = {self.node: -1 / step}
            step = 1 / step
        sizes = [abs(moved[self.node])]
        for other in self.path:
            moved[other] = self._value(arithmetic, other, moved)
            sizes.append(abs(moved[other]))
        change = moved[output] - self.values[output]
        largest = max((size for size in sizes if context.isfinite(size)), default=context.zero)
        noise = context.mpf(10) ** (_GUARD - digits) * largest / abs(step)
        return _Quotient(change / step, change, noise)

    def _value(self, arithmetic: Multiprecision, node: int, moved: dict[int, Number]) -> Number:
        """The value of a node whose arguments have moved: that of the doubles and the change since then."""
        arguments = _taken(self.graph, self.values, node)
        start = arithmetic.number(self.values[node])
        if len(arguments) == 1 and self.graph.operations[node] is WHERE:
            return moved.get(arguments[0], start)
        numbers = [arithmetic.number(self.values[argument]) for argument in arguments]
        function = arithmetic.function(self.graph.operations[node], len(arguments))
        if self.held and self.graph.operations[node].chooses:
            return start + self._piece(node, arguments, numbers, moved)
        value = function(*[moved.get(argument, number) for argument, number in zip(arguments, numbers, strict=True)])
        rounding = start - function(*numbers)
        return value + rounding if arithmetic.context.isfinite(rounding) else value

    def _piece(
        self, node: int, arguments: Sequence[int], numbers: Sequence[Number], moved: dict[int, Number]
    ) -> Number:
        """The change of an operation on the piece that the doubles chose, on which it is linear."""
        starts = [self.values[argument] for argument in arguments]
        pullback = floats.pullback(self.graph.operations[node], len(arguments), (True,) * len(arguments))
        slopes = pullback(1.0, self.values[node], *starts)
        return sum(
            slope * (moved[argument] - number)
            for slope, argument, number in zip(slopes, arguments, numbers, strict=True)
            if slope and argument in moved
        )


def _side(motion: _Motion, sign: int) -> _Side:
    """The limit of the quotients on one side."""
    quotients: list[_Quotient] = []
    for digits in DIGITS:
        quotients.append(motion.quotient(digits, sign))
        if not _arithmetic(digits).context.isfinite(quotients[-1].slope):
            return _Side(None)
        if len(quotients) > 1 and (limit := _settled(quotients, digits)) is not None:
            return limit
    return _Side(None, "the quotients of finite differences do not settle")


def _settled(quotients: Sequence[_Quotient], digits: int) -> _Side | None:
    """What the quotients tend to; None if more digits are needed."""
    before, now = quotients[-2:]
    size, noise = abs(now.slope), now.noise
    if abs(now.slope - before.slope) <= _SAME * size and noise <= _SAME * size:
        return _Side(now.slope)
    if size + noise < _TINY or (digits == DIGITS[-1] and _shrinks(quotients[-3:])):
        return _Side(now.slope * 0)
    if noise > size / 1000 or len(quotients) < 3 or now.slope * before.slope <= 0:
        return None
    if abs(now.change - before.change) <= abs(now.change) / 1000:
        return _Side(None, "the value jumps")
    pairs = pairwise(quotients[-3:])
    return _Side(now.slope * floats.INFINITY) if all(abs(b.slope) > 1.5 * abs(a.slope) for a, b in pairs) else None


def _shrinks(quotients: Sequence[_Quotient]) -> bool:
    """Whether quotients tend to zero, as far as rounding lets it be seen."""
    return all(abs(b.slope) <= max(0.7 * abs(a.slope), b.noise) for a, b in pairwise(quotients))
