"""Slopes that the chain rule leaves open, zero times infinity or infinity minus infinity, found as limits.

Some nodes of a graph move by smaller and smaller steps; what depends on them is evaluated again with more and more
digits, and the change of the output over the step tends to the slope, if there is one. Every operation starts from the
doubles of the evaluation, as its partial derivatives do; a `where` keeps to the branch that was taken. Derivatives of
higher order are limits of higher differences.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise, product
from math import comb, isfinite, prod
from sys import float_info
from typing import NamedTuple

from ..arithmetic import Real, floats
from ..arithmetic.multiprecision import Multiprecision, with_digits
from ..graph import Graph
from ..notation import rounded
from ..operations import POW, SLOW, WHERE
from ..rules import sloping_arguments
from ..work_budget import TooMuchWorkError, charge

DIGITS = (60, 120, 240, 480, 960)
"""of the evaluations; on a path with slow operations, all but the last, unless it begins at a very small number"""
MOST_STEPS = 20_000
"""operations on the path from a node to the output; with more, no limit is sought"""

STEP = "0.7390851"
"""not a round number, which might be a period of a periodic formula"""
GUARD = 5
"""digits that an evaluation may lose"""
TINY = 1e-320
"""absolute: less than any double"""
_SAME = 1e-17
_LARGEST = float_info.max
_SMALL = 1e-100  # below which a number needs all digits to count in a sum with others
_NODE = 1.1e-5  # the work of a node for a step, in addition to that of its operation, in seconds

Move = tuple[tuple[int, float], ...]
"""nodes, each with the distance that it moves in a step"""


class SlopeLimit(NamedTuple):
    """The slope of an output with respect to a node; nan where there is none, with the reason in words."""

    slope: float
    reason: str = ""


class _Side(NamedTuple):
    """The limit of the quotients on one side; None where there is none, with the reason in words.

    There is no reason where the side is outside the domain.
    """

    slope: Real
    reason: str = ""


class _Quotient(NamedTuple):
    """The change of the output over a step."""

    slope: Real
    change: Real
    noise: Real
    """the part of the slope that may be a rounding error"""


def slope_limit(
    graph: Graph, order: Sequence[int], values: Sequence[float], output: int, *directions: Mapping[int, float]
) -> SlopeLimit:
    """The slope along a direction, or the derivative along all of several, at values of the nodes of `order`.

    A direction maps each node that moves to the distance that it moves in a step. The slope is that of one side where
    the other is outside the domain. Where the sides differ, operations on a kink have the slope of their convention, if
    that puts the result between. There is none where the output is not finite, or a bound on the work is reached.
    """
    if not isfinite(values[output]):
        return SlopeLimit(floats.NAN)
    try:
        return _slope_limit(graph, order, values, output, directions)
    except TooMuchWorkError:
        return SlopeLimit(floats.NAN, "it would take too many operations with hundreds of digits")


def _slope_limit(
    graph: Graph,
    order: Sequence[int],
    values: Sequence[float],
    output: int,
    directions: Sequence[Mapping[int, float]],
) -> SlopeLimit:
    moving = {node for direction in directions for node in direction}
    path = _path(graph, order, values, output, moving)
    if len(path) * 2 ** (len(directions) - 1) > MOST_STEPS:
        return SlopeLimit(floats.NAN, f"it is not sought through more than {MOST_STEPS:,} operations")
    steps = [tuple(direction.items()) for direction in directions]
    free, held = (_Motion(graph, values, path, output, steps, held=held) for held in (False, True))
    sides = [_side(free, signs) for signs in free.signs]
    slopes = [side.slope for side in sides if side.slope is not None]
    reason = next((side.reason for side in sides if side.reason), "")
    if reason or not slopes:
        return SlopeLimit(floats.NAN, reason or "the formula is not defined around this point")
    low, high = min(slopes), max(slopes)
    are_finite = abs(low) + abs(high) < floats.INFINITY
    if low == high or (are_finite and high - low <= _SAME * abs(high)):
        return SlopeLimit(float(high) + 0.0)
    if are_finite:
        conventional = {_side(held, signs).slope for signs in held.signs}
        if len(conventional) == 1 and None not in conventional and low <= (slope := conventional.pop()) <= high:
            return SlopeLimit(float(slope) + 0.0)
    left, right = (rounded(float(slope), 5) for slope in (slopes[0], slopes[-1]))
    return SlopeLimit(floats.NAN, f"the slope is {left} on the left and {right} on the right")


def _path(
    graph: Graph, order: Sequence[int], values: Sequence[float], output: int, moving: Collection[int]
) -> list[int]:
    """The nodes that depend on moving ones and that the output's value comes from, in topological order."""
    dependent, live = graph.dependent(order, moving), bytearray(len(graph))
    live[output] = 1
    for node in reversed(order):
        if live[node] and node not in moving:
            for argument in _taken(graph, values, node):
                live[argument] = 1
    return [node for node in order if dependent[node] and live[node] and node not in moving]


def _taken(graph: Graph, values: Sequence[float], node: int) -> tuple[int, ...]:
    """The arguments that the value of a node comes from."""
    arguments = graph.arguments[node]
    if graph.operations[node] is not WHERE or values[arguments[0]] != values[arguments[0]]:
        return arguments
    return (arguments[1 if values[arguments[0]] else 2],)


class _Motion:
    """The quotients along some directions; `held` keeps operations on a kink to the slope of their convention."""

    def __init__(
        self,
        graph: Graph,
        values: Sequence[float],
        path: Sequence[int],
        output: int,
        directions: Sequence[Move],
        *,
        held: bool,
    ) -> None:
        self.graph, self.values, self.path, self.output, self.held = graph, values, path, output, held
        self._rounding_errors: dict[tuple[int, int], Real] = {}
        self._overflows: dict[tuple[int, int], Real] = {}
        """node, precision → its value, where that is too large for a double"""
        self.orders = Counter(directions)
        starts = [abs(values[node]) for direction in self.orders for node, _ in direction]
        is_slow = any(graph.operations[node].name in SLOW for node in path) and min(starts) > _SMALL
        self.digits = DIGITS[:-1] if is_slow else DIGITS
        self.at_infinity = max(starts) == floats.INFINITY
        self.signs = list(product((-1, 1), repeat=len(self.orders)))
        if self.at_infinity:
            self.signs = (
                [(-1 if values[directions[0][0][0]] > 0 else 1,)] if len(starts) == len(directions) == 1 else []
            )

    def quotient(self, digits: int, signs: Sequence[int]) -> _Quotient:
        """The difference quotient for steps that suit a number of digits; at infinity for a step from there."""
        context, total = with_digits(digits).context, self.orders.total()
        size = context.mpf(STEP) * context.mpf(10) ** (-context.mpf(digits) / (total + 2))
        if self.at_infinity:
            size = 1 / size
        steps = [sign * size * self._scale(direction) for sign, direction in zip(signs, self.orders, strict=True)]
        change, largest = context.zero, context.zero
        for counts in product(*(range(order + 1) for order in self.orders.values())):
            if any(counts):
                moved = self._moved(digits, [count * step for count, step in zip(counts, steps, strict=True)])
                weight = prod(
                    comb(order, count) * (-1) ** (order - count)
                    for order, count in zip(self.orders.values(), counts, strict=True)
                )
                if self.output in moved:
                    change += weight * (moved[self.output] - self.values[self.output])
                    largest = max([largest, *(size for size in map(abs, moved.values()) if size <= _LARGEST)])
        divisor = prod(step**order for step, order in zip(steps, self.orders.values(), strict=True))
        noise = context.mpf(10) ** (GUARD - digits) * 2**total * largest / abs(divisor)
        return _Quotient(change / divisor, change, noise)

    def _scale(self, direction: Move) -> float:
        """The size of a step in the scale of the numbers that it changes."""
        sizes = [abs(self.values[node] / component) for node, component in direction if component]
        return 1.0 if self.at_infinity else max(sizes, default=1.0) or 1.0

    def _moved(self, digits: int, steps: Sequence[Real]) -> dict[int, Real]:
        """The values of the moving nodes and of those that move with them, after a step along each direction.

        What depends on a moving node only through constant steps, such as comparisons, does not move.
        """
        arithmetic = with_digits(digits)
        moved: dict[int, Real] = {}
        for step, direction in zip(steps, self.orders, strict=True):
            for node, component in direction:
                start = 0.0 if self.at_infinity else self.values[node]
                moved[node] = moved.get(node, start) + step * (-component if self.at_infinity else component)
        charge(_NODE * len(self.path))
        for node in self.path:
            operation, arguments = self.graph.operations[node], self.graph.arguments[node]
            if moved.keys().isdisjoint(arguments):
                continue
            if operation is POW and self.values[arguments[1]] == 0 and arguments[1] not in moved:
                continue  # 1, whatever the base is
            value = self._value(arithmetic, node, moved)
            if value != self.values[node] or sloping_arguments(operation, len(arguments)):
                moved[node] = value
        return moved

    def _value(self, arithmetic: Multiprecision, node: int, moved: dict[int, Real]) -> Real:
        """The value of a node whose arguments have moved: that of the doubles plus the change since then."""
        arguments = _taken(self.graph, self.values, node)
        start = arithmetic.number(self.values[node])
        if len(arguments) == 1 and self.graph.operations[node] is WHERE:
            return moved.get(arguments[0], start)
        operation, doubles = self.graph.operations[node], [self.values[argument] for argument in arguments]
        precision = arithmetic.context.prec
        numbers = [
            self._overflows.get((argument, precision), arithmetic.number(double))
            for argument, double in zip(arguments, doubles, strict=True)
        ]
        if self.held and operation.chooses:
            moves = [moved[a] - number if a in moved else 0 for a, number in zip(arguments, numbers, strict=True)]
            return start + floats.change_on_piece(operation, self.values[node], doubles, moves)
        function = arithmetic.function(operation, len(arguments))
        value = function(*[moved.get(argument, number) for argument, number in zip(arguments, numbers, strict=True)])
        key = node, precision
        if key not in self._rounding_errors:
            exact = function(*numbers)
            is_finite = arithmetic.context.isfinite(start - exact)
            self._rounding_errors[key] = start - exact if is_finite else arithmetic.context.zero
            if abs(start) > _LARGEST:
                self._overflows[key] = exact
        return value + self._rounding_errors[key]


def _side(motion: _Motion, signs: Sequence[int]) -> _Side:
    """The limit of the quotients on one side."""
    quotients: list[_Quotient] = []
    for digits in motion.digits:
        quotients.append(motion.quotient(digits, signs))
        if not with_digits(digits).context.isfinite(quotients[-1].slope):
            return _Side(None)
        # a quotient of 0 before the very last may be a step that was lost in a sum with other numbers
        is_last = digits == DIGITS[-1] or (digits == motion.digits[-1] and quotients[-1].slope != 0)
        if len(quotients) > 1 and (limit := _settled(quotients, is_last=is_last)) is not None:
            return limit
    return _Side(None, "the quotients of finite differences do not settle")


def _settled(quotients: Sequence[_Quotient], *, is_last: bool) -> _Side | None:
    """The limit of the quotients; None if more digits are needed."""
    before, now = quotients[-2:]
    size, noise = abs(now.slope), now.noise
    if abs(now.slope - before.slope) <= _SAME * size and noise <= _SAME * size:
        return _Side(now.slope)
    if size + noise < TINY or (is_last and _shrinks(quotients[-3:])):
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
