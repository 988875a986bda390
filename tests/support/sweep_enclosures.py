"""Enclosures of an operation at a point, for the sweep: by Arb, many times as fast as mpmath."""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache

import referee
from flint import arb, arb_series
from referee import LARGEST, Arguments

from autodiff_cli.arithmetic.balls import Balls
from autodiff_cli.operations import Operation

_BITS = (192, 1216, 4096)
"""with the second, the smallest double can be seen beside 1, with the last beside the largest"""
_ZERO, _ONE = arb(0), arb(1)
_LARGEST = arb(LARGEST)


@cache
def _balls(bits: int) -> Balls:
    return Balls(bits)


def results(operation: Operation, arguments: Arguments, value: float) -> Iterator[list[tuple[int, arb]]]:
    """Enclosures of the value, place 0, and of the partials by the arguments, from 1 on; at last with more digits.

    There are no partials where the operation, whose value is nearly this, is not smooth.
    """
    wanted = referee.wanted(operation, len(arguments))
    is_smooth = referee.smooth(operation, arguments, value)
    for bits in _BITS:
        yield _with(_balls(bits), operation, arguments, wanted if is_smooth else ())


def _with(exact: Balls, operation: Operation, arguments: Arguments, wanted: tuple[bool, ...]) -> list[tuple[int, arb]]:
    with exact.precision():
        numbers = [arb(a) for a in arguments]
        value = exact.function(operation, len(numbers))(*numbers)
        if not any(wanted) or not value.is_finite():
            return [(0, value)]
        partials = _pullback(exact, operation, len(numbers), wanted)(_ONE, value, *numbers)
        if operation.name == "beta" and value.is_zero():
            partials = [_slope_of_beta(*numbers)] * 2
    found = [(place, _ZERO if partial is None else partial) for place, partial in enumerate(partials, 1)]
    return [(0, value), *(entry for entry, is_wanted in zip(found, wanted, strict=True) if is_wanted)]


@cache
def _pullback(exact: Balls, operation: Operation, count: int, wanted: tuple[bool, ...]) -> Callable[..., Sequence[arb]]:
    return exact.pullback(operation, count, wanted)


def _slope_of_beta(a: arb, b: arb) -> arb:
    """By either argument, where their sum is a pole of gamma and a zero of its reciprocal."""
    return a.gamma() * b.gamma() * arb_series([a + b, 1], prec=2).rgamma()[1]


def number(ball: arb) -> float:
    """The double next to an enclosure; 0 only for exactly 0."""
    return float(ball) or (0.0 if ball.is_zero() else math.ulp(0.0))


def ulps(actual: float, true: arb, largest: float = 0.0) -> float:
    """The largest error of a number, in the units of `referee.error`; infinite where the enclosure does not say."""
    if math.isnan(actual) or not true.is_finite():
        return math.inf
    if true > _LARGEST or true < -_LARGEST:
        true = _LARGEST if true > 0 else -_LARGEST
    off = float(abs(max(-LARGEST, min(LARGEST, actual)) - true).upper())
    if off <= referee.SMALLEST:
        return 0.0
    unit = math.ulp(max(min(abs(float(true)), LARGEST), largest))
    return off / unit if float(true.rad()) < unit / 16 else math.inf
