"""Intervals: bounds on the values of many rows, and with them the conditions that hold for all of these rows.

A number is `(low, high)`, two arrays with an entry for each set of rows. Either both are finite, and no row is nan; or
both are nan, and nothing is known, because an infinity may become nan, which a maximum or minimum would hide. A
condition is `(always, never)`, two arrays of truth values; both are false where nothing is known, as comparisons with
nan are. The bounds hold for what NumPy computes: functions that it rounds correctly are monotonic, others may be off by
some units in the last place. The result of an operation without a rule is unknown.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy
from numpy.typing import NDArray

from ..operations import Operation
from . import arrays
from .arrays import Doubles

Truths = NDArray[numpy.bool_]


class Bounds(NamedTuple):
    """The smallest and the largest value, for each set of rows."""

    low: Doubles
    high: Doubles


class Truth(NamedTuple):
    """Whether a condition is true in all rows, and whether in none, for each set of rows."""

    always: Truths
    never: Truths


ANYTHING = Bounds(numpy.array(numpy.nan), numpy.array(numpy.nan))
UNKNOWN = Truth(numpy.array(False), numpy.array(False))
_OF_CONDITIONS = ("and", "or", "not", "where")
_EXACT = ("sqrt", "round", "floor", "ceil", "trunc")
_RISING = ("exp", "exp2", "expm1", "log", "log1p", "log2", "log10", "cbrt", "sinh", "tanh", "asinh", "atan")
_SLACK = 2.0**-48  # relative error of a function that is not rounded correctly


def between(low: Doubles, high: Doubles) -> Bounds:
    """The bounds `low` and `high`, or nan where one of them is not finite."""
    unknown = (high - low) * 0.0  # nan where one of them is not finite
    return Bounds(low + unknown, high + unknown)


def function(operation: Operation, count: int) -> Callable[..., Any]:
    """The operation on `count` intervals or conditions."""
    rule = _RULES.get(operation.name)
    if rule is not None:
        return rule if operation.name in _OF_CONDITIONS else _of_numbers(rule)
    if count == 1 and operation.name in _EXACT + _RISING:
        return _of_numbers(_rising(arrays.function(operation, 1), 0.0 if operation.name in _EXACT else _SLACK))
    return _unknown


def _of_numbers(rule: Callable[..., Any]) -> Callable[..., Any]:
    """A rule for numbers, extended to conditions, which count as 1 or 0."""
    return lambda *operands: rule(*map(_number, operands))


def _number(operand: Truth | Bounds) -> Bounds:
    if isinstance(operand, Bounds):
        return operand
    return between(operand.always.astype(float), (~operand.never).astype(float))


def _unknown(*_: object) -> Bounds:
    return ANYTHING


def _rising(ufunc: Callable[..., Doubles] | None, slack: float) -> Callable[[Bounds], Bounds]:
    """The rule of a monotonic function that never decreases; `slack` is its relative error."""
    if ufunc is None:
        return _unknown

    def bounds(a: Bounds) -> Bounds:
        low, high = ufunc(a.low), ufunc(a.high)
        return between(low - abs(low) * slack, high + abs(high) * slack)

    return bounds


def _mul(a: Bounds, b: Bounds) -> Bounds:
    corners = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high]
    if a is not b:
        return _around(corners)
    crosses = (a.low < 0) & (a.high > 0)
    return between(numpy.where(crosses, 0.0, numpy.minimum(corners[0], corners[3])), numpy.maximum(*corners[::3]))


def _div(a: Bounds, b: Bounds) -> Bounds:
    corners = [a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high]
    quotient, is_nonzero = _around(corners), (b.low > 0) | (b.high < 0)
    return between(numpy.where(is_nonzero, quotient.low, numpy.nan), numpy.where(is_nonzero, quotient.high, numpy.nan))


def _around(corners: list[Doubles]) -> Bounds:
    """The bounds of four candidates."""
    low, high = numpy.minimum(*corners[:2]), numpy.maximum(*corners[:2])
    for corner in corners[2:]:
        low, high = numpy.minimum(low, corner), numpy.maximum(high, corner)
    return between(low, high)


def _abs(a: Bounds) -> Bounds:
    low, high = abs(a.low), abs(a.high)
    crosses = (a.low < 0) & (a.high > 0)
    return Bounds(numpy.where(crosses, 0.0, numpy.minimum(low, high)), numpy.maximum(low, high))


def _where(condition: Truth | Bounds, a: Truth | Bounds, b: Truth | Bounds) -> Bounds:
    a, b = _number(a), _number(b)
    both = _around([a.low, b.low, a.high, b.high])
    if not isinstance(condition, Truth):
        return both
    low = numpy.where(condition.always, a.low, numpy.where(condition.never, b.low, both.low))
    return between(low, numpy.where(condition.always, a.high, numpy.where(condition.never, b.high, both.high)))


def _less(a: Bounds, b: Bounds) -> Truth:
    return Truth(a.high < b.low, a.low >= b.high)


def _less_or_equal(a: Bounds, b: Bounds) -> Truth:
    return Truth(a.high <= b.low, a.low > b.high)


def _equal(a: Bounds, b: Bounds) -> Truth:
    return Truth((a.low == b.high) & (a.high == b.low), (a.high < b.low) | (a.low > b.high))


def _logic(rule: Callable[..., Truth]) -> Callable[..., Truth]:
    """A rule for conditions; unknown unless all operands are conditions."""
    return lambda *operands: rule(*operands) if all(isinstance(a, Truth) for a in operands) else UNKNOWN


def _not(a: Truth) -> Truth:
    return Truth(a.never, a.always)


_RULES: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: between(a.low + b.low, a.high + b.high),
    "sub": lambda a, b: between(a.low - b.high, a.high - b.low),
    "neg": lambda a: Bounds(-a.high, -a.low),
    "max": lambda a, b: Bounds(numpy.maximum(a.low, b.low), numpy.maximum(a.high, b.high)),
    "min": lambda a, b: Bounds(numpy.minimum(a.low, b.low), numpy.minimum(a.high, b.high)),
    "mul": _mul, "div": _div, "abs": _abs, "where": _where,
    "lt": _less, "gt": lambda a, b: _less(b, a), "le": _less_or_equal, "ge": lambda a, b: _less_or_equal(b, a),
    "eq": _equal, "ne": lambda a, b: _not(_equal(a, b)), "not": _logic(_not),
    "and": _logic(lambda a, b: Truth(a.always & b.always, a.never | b.never)),
    "or": _logic(lambda a, b: Truth(a.always | b.always, a.never & b.never)),
}  # fmt: skip
"""operation → its rule; for two operands if the operation is variadic"""
