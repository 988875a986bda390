"""What is certainly true of an operation at a point, for the sweep: enclosures by Arb, many times as fast as mpmath."""

import math
from functools import cache

import referee
from flint import arb
from referee import Arguments

from autodiff_cli.arithmetic.balls import Balls
from autodiff_cli.operations import Operation

_BITS = (192, 1024)
_ACCURATE = 80
"""bits of relative accuracy with which a ball is as good as a number"""
_ZERO, _ONE = arb(0), arb(1)


@cache
def _balls(bits: int) -> Balls:
    return Balls(bits)


def results(operation: Operation, arguments: Arguments) -> list[tuple[int, arb]] | None:
    """What the value, place 0, and the partials by the arguments, from 1 on, certainly are; None where it is not clear.

    There are no partials where the operation is not smooth.
    """
    wanted = referee.wanted(operation, len(arguments))
    is_smooth = referee.smooth(operation, arguments)
    for bits in _BITS:
        exact = _balls(bits)
        with exact.precision():
            numbers = [arb(a) for a in arguments]
            value = exact.function(operation, len(numbers))(*numbers)
            found = [(0, value)]
            if is_smooth:
                partials = exact.pullback(operation, len(numbers), wanted)(_ONE, value, *numbers)
                found += [
                    (place, _ZERO if partial is None else partial)
                    for place, (is_wanted, partial) in enumerate(zip(wanted, partials, strict=True), 1)
                    if is_wanted
                ]
        if all(map(_is_clear, (ball for _, ball in found))):
            return found
    return None


def _is_clear(ball: arb) -> bool:
    return bool(ball.is_finite() and (ball.rel_accuracy_bits() > _ACCURATE or ball.is_zero()))


def ulps(actual: float, true: arb) -> float:
    """How far off a number is, in units in the last place of the true one; infinite where doubles do not reach."""
    number = float(true)
    if not (math.isfinite(actual) and math.isfinite(number)):
        return math.inf
    off = float(abs(arb(actual) - true))
    return 0.0 if off <= referee.SMALLEST else off / math.ulp(number)
