"""Balls: a number with a bound on its error, within which the true value certainly lies. Arb provides their operations.

An operation is Arb's own, or its `meaning` in the table; derivative rules are those of a textbook, because the forms
for doubles are good to the last digit of a double only. A result is nan where the operation has no finite value
somewhere in the balls that it is given, and where it chooses and they do not decide how. So whatever is finite is
enclosed.

F. Johansson, Arb: efficient arbitrary-precision midpoint-radius interval arithmetic (2017).
"""

import math
import operator
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial, reduce
from typing import TypeAlias

from flint import acb, arb, ctx

from .. import rules
from ..operations import POW, SLOW, Operation
from ..work_budget import charge

Ball: TypeAlias = arb
BallFunction = Callable[..., Ball]

_MONOTONIC = {
    "exp", "expm1", "log", "log1p", "sqrt", "asin", "acos", "atan", "sinh", "tanh", "asinh", "acosh", "atanh", "erf",
    "erfc",
}  # fmt: skip
"""Arb's functions of one number that are monotonic on their domain"""
_OTHERS = {"sin", "cos", "tan", "cot", "sec", "csc", "cosh", "coth", "sech", "csch", "gamma"}
_QUICK = {"add", "sub", "mul", "div", "neg", "abs", "sqrt", "square", "recip"}
_WIDE = 20  # bits of relative accuracy below which a ball is a range of numbers rather than one with an error
_LARGEST_POWER = 2**16  # whole exponents up to this multiply, larger ones go by logarithms
_HIGHEST_REFLECTED = 2**20  # orders of polygamma
_EXACT = 2400  # bits that hold the sum of two numbers of any sizes that doubles have
_FAR = 1e6  # the ratio of the ends of a range beyond which parts of equal widths leave its smaller numbers in one

_NAN, _ZERO, _ONE = arb.nan(), arb(0), arb(1)


class Balls:
    """Operations on balls whose midpoints have a given number of binary digits; to be used within `precision`."""

    add = staticmethod(operator.add)

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self._functions: dict[tuple[Operation, int], BallFunction] = {}

    @contextmanager
    def precision(self) -> Iterator[None]:
        """Have Arb compute with these digits inside the block."""
        before, ctx.prec = ctx.prec, self.bits
        try:
            yield
        finally:
            ctx.prec = before

    def number(self, number: float | str) -> Ball:
        """The exact value of a double, or the number that a decimal denotes."""
        return arb(number)

    def constant(self, number: float, name: str | None = None) -> Ball:
        """A constant of a formula; `pi` and `e` are enclosed."""
        return arb.pi() if name == "pi" else arb.const_e() if name == "e" else arb(number)

    def function(self, operation: Operation, count: int) -> BallFunction:
        """The operation on `count` balls."""
        key = operation, count
        if key not in self._functions:
            name = operation.name
            rule = _guarded(_RULES[name], _seconds(operation, self.bits)) if name in _RULES else _CHOICES.get(name)
            self._functions[key] = rule or (rules.meaning(*key, self) if operation.meaning else lambda *balls: _NAN)
        return self._functions[key]

    def pullback(self, operation: Operation, count: int, wanted: tuple[int, ...]) -> Callable[..., Sequence[Ball]]:
        """The operation's contributions to the adjoints of its arguments; None for one that was not chosen."""
        formula = rules.function(rules.pullback(operation, count, wanted, textbook=True), self, nothing=None)

        def contributions(adjoint: Ball, result: Ball, *arguments: Ball) -> Sequence[Ball]:
            if not result.is_finite():
                return [_NAN] * count
            passed = formula(adjoint, result, *arguments)
            if operation is POW and wanted[0] and arguments[1].is_zero():  # a^0 is 1, also where b*a^(b - 1) has a pole
                passed[0] = _ZERO
            return passed

        return contributions


def _guarded(rule: BallFunction, seconds: float) -> BallFunction:
    """A rule for finite numbers, which gives nan for others: Arb has an arc cosine of minus infinity."""

    def guarded(*balls: Ball) -> Ball:
        if not all(map(arb.is_finite, balls)):
            return _NAN
        charge(seconds)
        return rule(*balls)

    return guarded


def _seconds(operation: Operation, bits: int) -> float:
    """The approximate time of an operation with this many digits."""
    if operation.name in _QUICK:
        return 1e-9 * bits
    if operation.name == "polygamma":
        return 1e-4 + 1.5e-9 * bits * bits
    return 2e-13 * math.pow(bits, 2.7) if operation.name in SLOW else 1e-11 * math.pow(bits, 1.85)


def between(low: Ball, high: Ball) -> Ball:
    """The numbers between two balls. The end next to 0 is kept, the other is extended by a billionth of the width."""
    if low < 0 and high <= 0:
        return _neg(between(_neg(high), _neg(low)))
    width = (high - low).union(_ZERO).nonnegative_part()
    with ctx.workprec(_EXACT):  # fewer bits would widen a range such as 1e-13..1 beyond 0
        return low.lower() + width


def divided(ball: Ball, parts: int) -> list[Ball]:
    """A ball that stands for a range, divided into that many parts; an exact one stays whole.

    The parts are of equal widths. Where the ends are far apart and have one sign, half of the cuts are at equal ratios.
    """
    if ball.is_exact() or parts == 1:
        return [ball]
    low, high = ball.lower(), ball.upper()
    ratio = high / low
    ratios = parts // 2 if ratio > _FAR or 0 < ratio < 1 / _FAR else 0
    widths = parts - ratios
    ends = [low + (high - low) * part / widths for part in range(widths)]
    ends += [low * ratio ** (arb(part) / (ratios + 1)) for part in range(1, ratios + 1)]
    ends = [*sorted(ends, key=arb.mid), high]
    return list(map(between, ends, ends[1:]))


def extended(ends: tuple[Ball, Ball] | None, ball: Ball) -> tuple[Ball, Ball]:
    """The ends of a range, if there is one, and of a ball together."""
    low, high = ball.lower(), ball.upper()
    if ends is None or not ball.is_finite():
        return low, high
    return low if low < ends[0] else ends[0], high if high > ends[1] else ends[1]


def is_narrow(a: Ball) -> bool:
    """Whether a ball stands for one number rather than for a range."""
    return bool(a.is_exact() or a.rel_accuracy_bits() >= _WIDE)


# ---- Arithmetic ------------------------------------------------------------------------------------------------------


def _neg(a: Ball) -> Ball:
    """The negative, with all digits of the ends of a range."""
    return a.neg(exact=True)


def _mul(a: Ball, b: Ball) -> Ball:
    return _power(a, 2) if a is b else a * b


def _pow(a: Ball, b: Ball) -> Ball:
    """A power: with a whole exponent, or of a base that is not negative."""
    if b.is_exact() and b.is_integer() and abs(b) <= _LARGEST_POWER:
        return _power(a, round(float(b)))
    if a > 0:
        return (a.log() * b).exp() if is_narrow(a) else _monotonic(lambda base: (base.log() * b).exp(), a)
    if a >= 0 and b > 0:  # rising in a base from zero up
        return _ZERO if a.is_zero() else _ZERO.union((a.upper().log() * b).exp()).nonnegative_part()
    return a**b if a < 0 and b.is_exact() and b.is_integer() else _NAN


def _power(a: Ball, exponent: int) -> Ball:
    if exponent < 0:
        return _ONE / _power(a, -exponent)
    if exponent == 0 or is_narrow(a):
        return a**exponent
    if exponent % 2:
        return (a.lower() ** exponent).union(a.upper() ** exponent)
    return (a.abs_lower() ** exponent).union(a.abs_upper() ** exponent).nonnegative_part()


def _mod(a: Ball, b: Ball) -> Ball:
    return a - b * _floor(a / b)


# ---- Functions of one number -----------------------------------------------------------------------------------------


def _monotonic(function: BallFunction, a: Ball) -> Ball:
    """The values of a monotonic function between those at the ends of a ball."""
    return function(a) if is_narrow(a) else function(a.lower()).union(function(a.upper()))


def _cbrt(a: Ball) -> Ball:
    return _monotonic(lambda end: -(-end).root(3) if end < 0 else end.root(3), a)


def _lgamma(a: Ball) -> Ball:
    return a.lgamma() if a > 0 else (arb.pi() / abs(a.sin_pi())).log() - (1 - a).lgamma()


def _digamma(a: Ball) -> Ball:
    return (1 - a).digamma() - arb.pi() * a.cot_pi() if a < 0 and is_narrow(a) else a.digamma()


def _polygamma(order: Ball, a: Ball) -> Ball:
    """By the Hurwitz zeta function, DLMF 25.11.12; left of 0, where that is slow, by both sides; nan around a pole."""
    if not a > 0 and a.contains_integer():
        return _NAN
    if not (a < 0 and is_narrow(a) and order.is_exact() and order.is_integer() and 0 < order <= _HIGHEST_REFLECTED):
        return _digamma(a) if order == 0 else acb(a).polygamma(acb(order)).real
    first, sign = a - a.upper().floor(), 1 if round(float(order)) % 2 else -1
    both_sides: Ball = (order + 1).zeta(first) + sign * (order + 1).zeta(1 - first)
    return sign * (order + 1).gamma() * (both_sides - sign * (order + 1).zeta(1 - a))


def _beta(a: Ball, b: Ball) -> Ball:
    """At a pole of the smaller argument and of the sum the limit, by the reflection 5.5.3."""
    a, b = (b, a) if a < b else (a, b)
    if a.is_integer() and b.is_integer() and 0 < a <= -b:
        return (1 if (a / 2).is_integer() else -1) * _beta(a, 1 - (a + b))
    return a.gamma() * b.gamma() * (a + b).rgamma()


def _atan2(a: Ball, b: Ball) -> Ball:
    """The angle of the point (b, a); nan where it jumps between the points."""
    is_cut = not (b > 0 or a != 0 or (a.is_zero() and b < 0) or (a.is_zero() and b.is_zero()))
    return _NAN if is_cut else arb.atan2(a, b)


# ---- Choices: each needs balls that decide it ------------------------------------------------------------------------


def _abs(a: Ball) -> Ball:
    return a if a >= 0 else _neg(a) if a <= 0 else _ZERO.union(a.abs_upper()).nonnegative_part()


def _sign(a: Ball) -> Ball:
    return _ONE if a > 0 else -_ONE if a < 0 else _ZERO if a.is_zero() else _NAN


def _floor(a: Ball) -> Ball:
    low, high = a.lower().floor(), a.upper().floor()
    return low if low.is_exact() and low == high else _NAN


def _round(a: Ball) -> Ball:
    """The nearest whole number, halves to even."""
    nearest = _floor(a + 0.5)
    if a + 0.5 > nearest:
        return nearest
    is_half = (a + 0.5 - nearest).is_zero()
    return nearest - (0 if (nearest / 2).is_integer() else 1) if is_half else _NAN


def _trunc(a: Ball) -> Ball:
    return _floor(a) if a >= 0 else -_floor(-a) if a <= 0 else _ZERO if abs(a) < 1 else _NAN


def _copysign(a: Ball, b: Ball) -> Ball:
    return _abs(a) if b >= 0 else -_abs(a) if b < 0 else _NAN


def _larger(a: Ball, b: Ball) -> Ball:
    """One of the two where they decide it; it is then the same object, and equal to itself."""
    return a if a >= b else b if b >= a else a.max(b)


def _smaller(a: Ball, b: Ball) -> Ball:
    return a if a <= b else b if b <= a else a.min(b)


def _truth(certain: bool, impossible: bool) -> Ball:
    return _ONE if certain else _ZERO if impossible else _NAN


def _is_same(a: Ball, b: Ball) -> bool:
    """Whether the two are the same number, however large its error."""
    return a is b and (a.is_finite() or a.is_exact())


def _less_or_equal(a: Ball, b: Ball) -> Ball:
    return _truth(_is_same(a, b) or a <= b, a > b)


def _equal(a: Ball, b: Ball) -> Ball:
    return _truth(_is_same(a, b) or a == b, a != b)


def _not(a: Ball) -> Ball:
    return _truth(a.is_zero(), a != 0)


def _where(condition: Ball, a: Ball, b: Ball) -> Ball:
    """The branch that is taken; None if that passes nothing on."""
    return a if condition != 0 else b if condition.is_zero() else _NAN


_RULES: dict[str, BallFunction] = {
    **{name: partial(_monotonic, getattr(arb, name)) for name in _MONOTONIC},
    **{name: getattr(arb, name) for name in _OTHERS},
    "add": operator.add, "sub": operator.sub, "mul": _mul, "div": operator.truediv, "neg": _neg, "mod": _mod,
    "pow": _pow, "cbrt": _cbrt, "atan2": _atan2, "sinc": arb.sinc_pi,
    "lgamma": _lgamma, "digamma": _digamma, "polygamma": _polygamma, "beta": _beta,
    "abs": _abs, "sign": _sign, "floor": _floor, "ceil": lambda a: -_floor(-a), "round": _round, "trunc": _trunc,
    "copysign": _copysign, "fmax": _larger, "fmin": _smaller,
    "leaky_relu": lambda a, b: a.max(_ZERO) + b * a.min(_ZERO),
    "elu": lambda a, b: a.max(_ZERO) + b * _monotonic(arb.expm1, a.min(_ZERO)),
}  # fmt: skip
"""operation on finite numbers → its rule"""

_CHOICES: dict[str, BallFunction] = {
    "max": lambda *balls: reduce(_larger, balls), "min": lambda *balls: reduce(_smaller, balls),
    "lt": lambda a, b: 1 - _less_or_equal(b, a), "le": _less_or_equal,
    "gt": lambda a, b: 1 - _less_or_equal(a, b), "ge": lambda a, b: _less_or_equal(b, a),
    "eq": _equal, "ne": lambda a, b: 1 - _equal(a, b), "not": _not,
    "and": lambda a, b: _truth(a != 0 and b != 0, a.is_zero() or b.is_zero()),
    "or": lambda a, b: _truth(a != 0 or b != 0, a.is_zero() and b.is_zero()), "where": _where,
}  # fmt: skip
"""operation that takes any balls → its rule; the other operations have a meaning in these"""
