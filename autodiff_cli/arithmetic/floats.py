"""Double precision: the operations of `math`, with the results of IEEE arithmetic where Python raises.

The formulas of the table become Python functions (`rule_compiler`) when a program first needs them.
"""

import math
import operator
from collections.abc import Callable, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

from .. import rules
from ..operations import BETA, DIGAMMA, POLYGAMMA, Operation, by_name
from ..work_budget import charge
from . import Real, rule_compiler
from .special_function_coefficients import LGAMMA

if TYPE_CHECKING:
    from .multiprecision import Multiprecision

DoubleFunction = Callable[..., float]
Pullback = Callable[..., Sequence[float | None]]
INFINITY, NAN = math.inf, math.nan
SECONDS = 4e-7
"""the approximate time of an operation"""
_CALL = 8e-6  # seconds for one with more digits, in addition to their own time


def _guarded(
    function: DoubleFunction, undefined: DoubleFunction | None = None, overflow: DoubleFunction | None = None
) -> DoubleFunction:
    """The function of one number, with the result of IEEE arithmetic in place of an exception."""

    def guarded(a: float) -> float:
        try:
            return function(a)
        except ValueError:
            return undefined(a) if undefined else NAN
        except OverflowError:
            return overflow(a) if overflow else INFINITY

    return guarded


def _whole(function: Callable[[float], int]) -> DoubleFunction:
    """Rounding to whole numbers that keeps infinities, nan and the sign of zero."""

    def whole(a: float) -> float:
        return math.copysign(float(function(a)), a) if math.isfinite(a) else a

    return whole


def _div(a: float, b: float) -> float:
    try:
        return a / b
    except ZeroDivisionError:
        return NAN if a == 0 or a != a else math.copysign(INFINITY, a) * math.copysign(1.0, b)


def _mod(a: float, b: float) -> float:
    try:
        return a % b
    except ZeroDivisionError:
        return NAN


def _pow(a: float, b: float) -> float:
    try:
        return math.pow(a, b)
    except OverflowError:
        return -INFINITY if a < 0 and b % 2 == 1 else INFINITY
    except ValueError:
        if a != 0:
            return NAN
        return math.copysign(INFINITY, a) if b % 2 == 1 else INFINITY


def _lgamma(a: float) -> float:
    """Python's own; from 0.5 to 8, where that is inaccurate near the zeros 1 and 2, by a polynomial around these."""
    if not 0.5 <= a < 8:
        return math.lgamma(a)
    steps = max(math.floor(a - 1.25), 0 if a >= 0.75 else -1)  # of the recurrence
    u = a - steps - 1
    above, below = (reduce(lambda total, c: total * u + c, reversed(coefficients)) for coefficients in LGAMMA)
    factor = math.prod(a - step for step in range(1, steps + 1)) if steps >= 0 else 1 / a
    return u * (u - 1) * (above / below) + math.log(factor)


def _pole_at_zero(a: float) -> float:
    return -INFINITY if a == 0 else NAN


def _extreme(choose: Callable[..., float]) -> DoubleFunction:
    def extreme(*numbers: float) -> float:
        for number in numbers:
            if number != number:
                return number
        return choose(numbers)

    return extreme


def _where(condition: float, a: float, b: float) -> float:
    return (a if condition else b) if condition == condition else NAN


def _sign(a: float) -> float:
    return float(a > 0) - float(a < 0) if a == a else a


def _precisely(operation: Operation) -> DoubleFunction:
    """A function that `math` lacks: computed with more digits than a double has, then rounded."""

    def function(*numbers: float) -> float:
        charge(_CALL)
        arithmetic = more_precise()
        return float(arithmetic.function(operation, len(numbers))(*map(arithmetic.number, numbers)))

    return function


def more_precise() -> "Multiprecision":
    """The arithmetic of 25 digits, for functions that `math` lacks."""
    from .multiprecision import with_digits  # only here: mpmath takes long to start

    return with_digits(25)


CAREFUL: dict[str, DoubleFunction] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "neg": operator.neg,
    "div": _div,
    "mod": _mod,
    "pow": _pow,
    "lt": lambda a, b: float(a < b),
    "le": lambda a, b: float(a <= b),
    "gt": lambda a, b: float(a > b),
    "ge": lambda a, b: float(a >= b),
    "eq": lambda a, b: float(a == b),
    "ne": lambda a, b: float(a != b),
    "not": lambda a: float(not a),
    "and": lambda a, b: float(bool(a and b)),
    "or": lambda a, b: float(bool(a or b)),
    "abs": abs,
    "sign": _sign,
    "floor": _whole(math.floor),
    "ceil": _whole(math.ceil),
    "round": _whole(round),
    "trunc": _whole(math.trunc),
    "max": _extreme(max),
    "min": _extreme(min),
    "where": _where,
    "log": _guarded(math.log, _pole_at_zero),
    "log2": _guarded(math.log2, _pole_at_zero),
    "log10": _guarded(math.log10, _pole_at_zero),
    "log1p": _guarded(math.log1p, lambda a: _pole_at_zero(a + 1)),
    "sinh": _guarded(math.sinh, overflow=lambda a: math.copysign(INFINITY, a)),
    "atanh": _guarded(math.atanh, lambda a: a * INFINITY if abs(a) == 1 else NAN),
    "gamma": _guarded(
        math.gamma,
        lambda a: math.copysign(INFINITY, a) if a == 0 else NAN,
        lambda a: math.copysign(INFINITY, a) if abs(a) < 1 else INFINITY,
    ),
    "lgamma": _guarded(_lgamma, lambda a: INFINITY),
    "digamma": _precisely(DIGAMMA),
    "polygamma": _precisely(POLYGAMMA),
    "beta": _precisely(BETA),
}
"""name → function, for the primitives that `math` lacks, or that raise there where IEEE arithmetic has a result"""


@rules.cached
def function(operation: Operation, count: int) -> DoubleFunction:
    """The operation on `count` doubles; never raises."""
    if operation.value:
        return _formula(operation, rules.formula(operation, count, operation.value))
    if operation.name in CAREFUL:
        return CAREFUL[operation.name]
    native: DoubleFunction | None = getattr(math, operation.name, None)
    if native is None:
        return _formula(operation, rules.formula(operation, count, operation.meaning))
    return native if len(operation.names) > 1 or operation.variadic else _guarded(native)


@rules.cached
def pullback(operation: Operation, count: int, wanted: tuple[int, ...]) -> Pullback:
    """The operation's contributions to the adjoints of its arguments: (g, y, *arguments) → one number for each.

    An argument that was not chosen gets None. An adjoint of zero contributes nan where it meets an infinite partial,
    and so does a result that is nan.
    """
    rule = rules.pullback(operation, count, wanted)
    return rule_compiler.contributions(rule, function, is_of_table=_is_of_table(operation))


def change_on_piece(operation: Operation, value: float, arguments: Sequence[float], moves: Sequence[Real]) -> Real:
    """The change of an operation while its arguments move, on the piece that doubles chose, on which it is linear."""
    slopes = pullback(operation, len(arguments), (True,) * len(arguments))(1.0, value, *arguments)
    return sum(slope * move for slope, move in zip(slopes, moves, strict=True) if slope and move)


@rules.cached
def singular(operation: Operation, count: int) -> Callable[..., Any]:
    """A function (y, *arguments) → whether the operation has no derivative there."""
    return _formula(operation, rules.singular(operation, count)) if operation.singular else lambda *numbers: False


@rules.cached
def bent(operation: Operation, count: int) -> Callable[..., Any]:
    """A function (*arguments) → whether the operation has a derivative there that is not smooth."""
    return _formula(operation, rules.formula(operation, count, operation.bent or "0"))


def _formula(operation: Operation, rule: rules.Rule) -> Callable[..., Any]:
    return rule_compiler.value(rule, function, is_of_table=_is_of_table(operation))


def _is_of_table(operation: Operation) -> bool:
    """Whether an operation is one of the table, not user-defined."""
    return by_name(operation.name) is operation


add = operator.add
