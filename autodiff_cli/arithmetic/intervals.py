"""Intervals: bounds on the values of a formula over many sets of points at once.

A number is `Bounds`: for each set the smallest and the largest value that may occur, whether the value is certainly
continuous there, and whether every point certainly has one. Bounds are infinite where nothing is known; where a formula
has no value anywhere in a set, the lower bound is above the upper one. They hold for the real numbers: every result is
widened by more than its rounding error.

R. E. Moore, R. B. Kearfott, M. J. Cloud, Introduction to Interval Analysis (2009).
"""

from collections.abc import Callable
from functools import cache, reduce
from math import inf, pi
from typing import NamedTuple

import numpy

from .. import rules
from ..operations import OPERATIONS, SQRT, Operation
from . import arrays, floats
from .arrays import Doubles, Truths

BoundsFunction = Callable[..., "Bounds"]


class Bounds(NamedTuple):
    """The smallest and the largest value for each set, and whether it is continuous there, and nowhere missing."""

    low: Doubles
    high: Doubles
    continuous: Truths
    defined: Truths = numpy.array(True)


_SLACK = 2.0**-47  # relative error of a function, at most
_LEAST = 5e-324
_EXACT = ("floor", "ceil", "trunc", "round")
_WHOLE = (-inf, inf)
_RISING = {
    "exp": _WHOLE, "sqrt": (0.0, inf), "log": (0.0, inf), "cbrt": _WHOLE, "asinh": _WHOLE, "atan": _WHOLE,
    "erf": _WHOLE, "tanh": _WHOLE, "sinh": _WHOLE, "expm1": _WHOLE, "log1p": (-1.0, inf), "asin": (-1.0, 1.0),
    "acosh": (1.0, inf), "atanh": (-1.0, 1.0),
}  # fmt: skip
"""operations that never decrease → their domain"""
_FALLING = {"acos": (-1.0, 1.0), "erfc": _WHOLE}


def between(low: Doubles, high: Doubles) -> Bounds:
    """The numbers between two ends, as an input of a formula."""
    return Bounds(low, high, numpy.ones(numpy.shape(low), bool))


def constant(number: float, name: str | None = None) -> Bounds:
    """A constant of a formula; `pi` and `e` are between two doubles, and nan is not a value."""
    low, high = (inf, -inf) if number != number else (number, number)
    exact = Bounds(numpy.array(low), numpy.array(high), numpy.array(True), numpy.array(number == number))
    return _widened(exact, _SLACK) if name in ("pi", "e") else exact


@cache
def function(operation: Operation, count: int) -> BoundsFunction:
    """The operation on `count` intervals."""
    name = operation.name
    rule = _RULES.get(name)
    if name in _DECISIONS:
        return _DECISIONS[name]
    if rule is not None:
        return _total(rule if not operation.variadic or name == "hypot" else lambda *operands: reduce(rule, operands))
    if name in _RISING or name in _FALLING:
        return _total(_monotonic(operation, *(_RISING.get(name) or _FALLING[name]), name in _FALLING))
    if name in _EXACT:
        return _total(_stepping(operation))
    if not operation.meaning:
        return _unknown
    return rules.meaning(operation, count, _Arithmetic())


class _Arithmetic:
    """This module as the arithmetic of a rule."""

    function = staticmethod(function)
    constant = staticmethod(constant)


def is_empty(a: Bounds) -> Truths:
    """True where there is no value."""
    empty: Truths = a.low > a.high
    return empty


def _total(rule: BoundsFunction) -> BoundsFunction:
    """A rule that also holds where an operand has no value, and where a bound cannot be computed."""

    def total(*operands: Bounds) -> Bounds:
        with numpy.errstate(all="ignore"):
            low, high, continuous, defined = rule(*operands)
        low, high = numpy.where(numpy.isnan(low), -inf, low), numpy.where(numpy.isnan(high), inf, high)
        empty = reduce(numpy.logical_or, [is_empty(operand) for operand in operands])
        low, high = numpy.where(empty, inf, low), numpy.where(empty, -inf, high)
        continuous = reduce(numpy.logical_and, [operand.continuous for operand in operands], continuous & ~empty)
        defined = reduce(numpy.logical_and, [operand.defined for operand in operands], defined & ~empty)
        return Bounds(low, high, continuous, defined)

    return total


def _unknown(*operands: Bounds) -> Bounds:
    shape = numpy.broadcast_shapes(*(operand.low.shape for operand in operands))
    nowhere = numpy.zeros(shape, bool)
    return Bounds(numpy.full(shape, -inf), numpy.full(shape, inf), nowhere, nowhere)


def _widened(a: Bounds, slack: float = 2.0**-52) -> Bounds:
    """The bounds with room for rounding, relative to their sizes."""
    return a._replace(low=a.low - (abs(a.low) * slack + _LEAST), high=a.high + (abs(a.high) * slack + _LEAST))


def _hull(corners: list[Doubles], continuous: Truths) -> Bounds:
    """The bounds of the values at the corners of a set."""
    return _widened(Bounds(reduce(numpy.minimum, corners), reduce(numpy.maximum, corners), continuous))


def _true(*sets: Doubles) -> Truths:
    """True for each of these sets."""
    return numpy.ones(numpy.broadcast_shapes(*(numpy.shape(part) for part in sets)), bool)


# ---- Arithmetic ------------------------------------------------------------------------------------------------------


def _add(a: Bounds, b: Bounds) -> Bounds:
    return _widened(Bounds(a.low + b.low, a.high + b.high, _true(a.low, b.low)))


def _sub(a: Bounds, b: Bounds) -> Bounds:
    return _widened(Bounds(a.low - b.high, a.high - b.low, _true(a.low, b.low)))


def _neg(a: Bounds) -> Bounds:
    return Bounds(-a.high, -a.low, _true(a.low))


def _mul(a: Bounds, b: Bounds) -> Bounds:
    if a is b:
        return _even_power(a, 2.0)
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return _hull([numpy.where(numpy.isnan(corner), 0.0, corner) for corner in corners], _true(*corners))  # 0 times inf


def _div(a: Bounds, b: Bounds) -> Bounds:
    corners = [x / y for x in (a.low, a.high) for y in (b.low, b.high)]
    low, high, *_ = _hull([numpy.where(numpy.isnan(corner), 0.0, corner) for corner in corners], _true(*corners))
    apart = (b.low > 0) | (b.high < 0)
    return Bounds(numpy.where(apart, low, -inf), numpy.where(apart, high, inf), apart, apart)


def _pow(a: Bounds, b: Bounds) -> Bounds:
    """A power: with a whole exponent, or of a base that is not negative."""
    exponent = float(b.low.flat[0]) if b.low.size and (b.low == b.high).all() and numpy.ptp(b.low) == 0 else None
    if exponent is not None and exponent.is_integer():
        if exponent < 0:
            return _div(constant(1.0), _pow(a, _neg(b)))
        if exponent % 2 == 0:
            return _even_power(a, exponent)
        return _widened(Bounds(a.low**exponent, a.high**exponent, _true(a.low)), _SLACK)
    base = numpy.maximum(a.low, 0.0), a.high
    corners = [x**y for x in base for y in (b.low, b.high)]
    low, high, *_ = _widened(_hull(corners, _true(*corners)), _SLACK)
    if exponent is None:  # a negative base has a power where the exponent is a whole number
        return Bounds(numpy.where(a.low < 0, -inf, low), numpy.where(a.low < 0, inf, high), a.low > 0, a.low > 0)
    return Bounds(numpy.where(a.high < 0, inf, low), numpy.where(a.high < 0, -inf, high), a.low > 0, a.low > 0)


def _even_power(a: Bounds, exponent: float) -> Bounds:
    corners = [a.low**exponent, a.high**exponent]
    crosses = (a.low < 0) & (a.high > 0)
    low = numpy.where(crosses, 0.0, numpy.minimum(*corners))
    wide = _widened(Bounds(low, numpy.maximum(*corners), _true(a.low)), _SLACK)
    return wide._replace(low=numpy.maximum(wide.low, 0.0))


def _mod(a: Bounds, b: Bounds) -> Bounds:
    """A remainder: a line where the whole quotient is the same, else anything up to the divisor."""
    ratio = _div(a, b)
    quotient = _stepping(OPERATIONS["floor"])(ratio)
    line = _sub(a, _mul(b, quotient))
    same = quotient.continuous & numpy.isfinite(quotient.low)
    low, high = numpy.minimum(b.low, 0.0), numpy.maximum(b.high, 0.0)
    return Bounds(numpy.where(same, line.low, low), numpy.where(same, line.high, high), same, ratio.defined)


def _hypot(*operands: Bounds) -> Bounds:
    return function(SQRT, 1)(reduce(_add, [_even_power(operand, 2.0) for operand in operands]))


# ---- Functions of one number -----------------------------------------------------------------------------------------


def _monotonic(operation: Operation, least: float, most: float, falls: bool) -> BoundsFunction:
    """The rule of a function that is monotonic on its domain."""
    ufunc = arrays.function(operation, 1) or numpy.vectorize(floats.function(operation, 1), otypes=[float])

    def bounds(a: Bounds) -> Bounds:
        ends = ufunc(numpy.clip(a.low, least, most)), ufunc(numpy.clip(a.high, least, most))
        low, high, *_ = _widened(Bounds(*(ends[::-1] if falls else ends), _true(a.low)), _SLACK)
        outside = (a.high < least) | (a.low > most)
        inside = (a.low >= least) & (a.high <= most)
        return Bounds(numpy.where(outside, inf, low), numpy.where(outside, -inf, high), inside, inside)

    return bounds


def _stepping(operation: Operation) -> BoundsFunction:
    ufunc = arrays.function(operation, 1)
    assert ufunc is not None

    def bounds(a: Bounds) -> Bounds:
        low, high = ufunc(a.low), ufunc(a.high)
        return Bounds(low, high, low == high)

    return bounds


def _sin(a: Bounds) -> Bounds:
    return _cos(_sub(a, constant(pi / 2, "pi")))


def _cos(a: Bounds) -> Bounds:
    """Between -1 and 1; above the one, if a maximum lies within, and below the other, if a minimum does."""
    turns = 2 * pi
    has_top = numpy.floor(a.high / turns + 1e-12) >= numpy.ceil(a.low / turns - 1e-12)
    has_bottom = numpy.floor((a.high - pi) / turns + 1e-12) >= numpy.ceil((a.low - pi) / turns - 1e-12)
    ends = numpy.cos(a.low), numpy.cos(a.high)
    far = ~(numpy.maximum(abs(a.low), abs(a.high)) < 1e9)
    low = numpy.where(has_bottom | far, -1.0, numpy.minimum(*ends) - _SLACK)
    high = numpy.where(has_top | far, 1.0, numpy.maximum(*ends) + _SLACK)
    return Bounds(numpy.maximum(low, -1.0), numpy.minimum(high, 1.0), _true(a.low))


def _abs(a: Bounds) -> Bounds:
    sizes = abs(a.low), abs(a.high)
    low = numpy.where((a.low < 0) & (a.high > 0), 0.0, numpy.minimum(*sizes))
    return Bounds(low, numpy.maximum(*sizes), _true(a.low))


# ---- Choices ---------------------------------------------------------------------------------------------------------


def _max(a: Bounds, b: Bounds) -> Bounds:
    return Bounds(numpy.maximum(a.low, b.low), numpy.maximum(a.high, b.high), _true(a.low, b.low))


def _min(a: Bounds, b: Bounds) -> Bounds:
    return _neg(_max(_neg(a), _neg(b)))


def _truth(always: Truths, never: Truths) -> Bounds:
    """A condition: 1 where it holds for all points of a set, 0 where for none, else anything between."""
    return Bounds(always.astype(float), (~never).astype(float), always | never)


def _where(condition: Bounds, a: Bounds, b: Bounds) -> Bounds:
    """The branch that is taken; both where either may be."""
    always, never = (condition.low > 0) | (condition.high < 0), (condition.low == 0) & (condition.high == 0)
    low = numpy.where(always, a.low, numpy.where(never, b.low, numpy.minimum(a.low, b.low)))
    high = numpy.where(always, a.high, numpy.where(never, b.high, numpy.maximum(a.high, b.high)))
    continuous = condition.continuous & ((always & a.continuous) | (never & b.continuous))
    return Bounds(low, high, continuous, condition.defined & (a.defined | never) & (b.defined | always))


def _not(a: Bounds) -> Bounds:
    return _truth((a.low == 0) & (a.high == 0) & a.defined, (a.low > 0) | (a.high < 0))


def _less(a: Bounds, b: Bounds) -> Bounds:
    return _truth((a.high < b.low) & a.defined & b.defined, a.low >= b.high)


def _less_or_equal(a: Bounds, b: Bounds) -> Bounds:
    return _truth((a.high <= b.low) & a.defined & b.defined, a.low > b.high)


def _equal(a: Bounds, b: Bounds) -> Bounds:
    if a is b:
        return _truth(a.defined, is_empty(a))
    always = (a.low == b.high) & (a.high == b.low) & a.defined & b.defined
    return _truth(always, (a.high < b.low) | (a.low > b.high))


def _and(a: Bounds, b: Bounds) -> Bounds:
    return _total(_min)(_not(_not(a)), _not(_not(b)))


def _or(a: Bounds, b: Bounds) -> Bounds:
    return _total(_max)(_not(_not(a)), _not(_not(b)))


_RULES: dict[str, BoundsFunction] = {
    "add": _add, "sub": _sub, "neg": _neg, "mul": _mul, "div": _div, "mod": _mod, "pow": _pow, "hypot": _hypot,
    "sin": _sin, "cos": _cos, "abs": _abs, "max": _max, "min": _min,
    "square": lambda a: _even_power(a, 2.0),
}  # fmt: skip
"""operation → its rule; for two operands if the operation takes any number"""
_DECISIONS: dict[str, BoundsFunction] = {
    "where": _where, "not": _not, "and": _and, "or": _or, "lt": _less, "le": _less_or_equal, "eq": _equal,
    "gt": lambda a, b: _less(b, a), "ge": lambda a, b: _less_or_equal(b, a), "ne": lambda a, b: _not(_equal(a, b)),
}  # fmt: skip
"""operations that have a value where an operand has none: a comparison does not hold there, as with nan"""
