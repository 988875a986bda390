"""Enclosures as decimals: a number whose digits are all certain and how far off it may be, or the ends of a range."""

from decimal import Decimal as ExactDecimal
from math import ceil, inf, nan, nextafter
from typing import NamedTuple

from ..arithmetic.balls import Ball, decimal_digits, is_narrow

_SPARE = 5  # digits of the midpoint beyond those shown
_RANGE_DIGITS = 6
_NEGLIGIBLE = 1e-12
"""a radius around zero that is an error rather than a range"""
_EXPONENTS = 10**6
"""numbers beyond 2 to this power have no decimals here, and those below its reciprocal are shown as 0"""


class Decimal(NamedTuple):
    """A decimal, and a bound on its distance from the number that it stands for; "" for none."""

    number: str
    radius: str

    def __str__(self) -> str:
        return f"{self.number} ± {self.radius}" if self.radius else self.number


def is_writable(ball: Ball) -> bool:
    """Whether a ball has a decimal: whether it is finite, and not enormous."""
    return bool(ball.is_finite() and abs(ball) < Ball(2) ** _EXPONENTS)


def is_wide(ball: Ball) -> bool:
    """Whether a ball is shown by its ends, as no single number stands for it."""
    return bool(ball.is_finite() and not is_narrow(ball) and ball.rad() > _NEGLIGIBLE)


def bits(digits: int) -> int:
    """The binary digits that so many decimal ones need."""
    return ceil(digits * 3.3219280948873626)


def decimal(ball: Ball, digits: int) -> Decimal:
    """At most so many digits, each within one unit of the last; an exact number that has no more of them is exact."""
    if not ball.is_finite():
        return Decimal("nan", "")
    if not ball.is_zero() and abs(ball) < Ball(2) ** -_EXPONENTS:
        return Decimal("0", f"1e-{int(_EXPONENTS * 0.3)}")
    middle, radius, exponent = map(int, ball.mid_rad_10exp(digits + _SPARE))
    dropped = max(len(decimal_digits(abs(middle))) - digits, len(decimal_digits(2 * radius)) if radius else 0, 0)
    unit = 10**dropped
    shown = (abs(middle) + unit // 2) // unit
    if len(decimal_digits(shown)) > digits:  # 9.99 has become 10.0
        dropped, unit, shown = dropped + 1, unit * 10, shown // 10
    error = radius + abs(abs(middle) - shown * unit)
    if not error:
        return Decimal(_exact(middle, exponent), "")
    return Decimal(_written(shown if middle >= 0 else -shown, exponent + dropped), _rounded_up(error, exponent))


def ends(ball: Ball, digits: int = _RANGE_DIGITS) -> str:
    """The ends of a range as `[0.84, 1.1]`, rounded outward."""
    return f"[{_below(ball.lower(), digits)}, {_above(ball.upper(), digits)}]"


def _below(ball: Ball, digits: int) -> str:
    """A decimal that is not above a ball."""
    middle, radius, exponent = map(int, ball.mid_rad_10exp(digits + _SPARE))
    unit = 10 ** max(len(decimal_digits(abs(middle))) - digits, 0)
    return _exact((middle - radius) // unit * unit, exponent)


def _above(ball: Ball, digits: int) -> str:
    negated = _below(-ball, digits)
    return "0" if negated == "0" else negated.removeprefix("-") if negated.startswith("-") else f"-{negated}"


def text(ball: Ball, digits: int) -> str:
    """A ball as people read it: a decimal and its radius, or its ends."""
    return ends(ball) if is_wide(ball) else str(decimal(ball, digits))


def number_and_radius(ball: Ball, digits: int) -> tuple[str | float, str | float]:
    """A ball as programs read it: a decimal, or for a range a double, and a bound on its distance from the truth."""
    if is_wide(ball):
        return double(ball)
    number, radius = decimal(ball, digits)
    return number, radius or "0"


def double(ball: Ball) -> tuple[float, float]:
    """The double next to the middle of a ball, and a bound on its distance from the number that it stands for."""
    if not ball.is_finite():
        return nan, nan
    number = float(ball.mid())
    radius = abs(ball - Ball(number)).upper()
    return number, 0.0 if radius.is_zero() else nextafter(float(radius), inf)


def _rounded_up(number: int, exponent: int) -> str:
    """A number with one digit that is not smaller."""
    places = len(decimal_digits(number)) - 1
    return _exact(-(-number // 10**places), exponent + places)


def _exact(number: int, exponent: int) -> str:
    """A decimal without zeros at its end: an exact number needs none."""
    digits = decimal_digits(abs(number))
    kept = len(digits.rstrip("0"))
    zeros = len(digits) - kept
    if 0 < exponent + zeros <= 20 - kept:
        return _written(number * 10**exponent if exponent > 0 else number // 10**-exponent, 0)
    return _written(number // 10**zeros, exponent + zeros)


def _written(number: int, exponent: int) -> str:
    """A whole number times a power of ten, every digit of which counts."""
    if not number:
        return "0"
    exact = ExactDecimal(f"{decimal_digits(number)}e{exponent}")
    return f"{exact:e}" if exponent > 0 or exact.adjusted() < -5 else f"{exact:f}"
