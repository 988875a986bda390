"""Enclosures as decimals: a number whose digits are all certain and how far off it may be, or the ends of a range."""

from decimal import MAX_PREC, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, ROUND_UP, Context, Decimal
from math import ceil, inf, log10, nan, nextafter
from typing import NamedTuple

from ..arithmetic.balls import Ball, is_narrow

_EXACT = Context(MAX_PREC)
_SPARE = 5  # digits of the midpoint beyond those shown
_RANGE_DIGITS = 6
_LONGEST_WHOLE = 20  # digits, with zeros at its end in place of an exponent
_EXPONENTS = 10**6
"""numbers beyond 2 to this power have no decimals here, and those below its reciprocal are shown as 0"""
_LARGEST, _SMALLEST = Ball(2) ** _EXPONENTS, Ball(2) ** -_EXPONENTS


class DecimalWithRadius(NamedTuple):
    """A decimal, and a bound on its distance from the number that it stands for; "" for none."""

    number: str
    radius: str

    def __str__(self) -> str:
        return f"{self.number} ± {self.radius}" if self.radius else self.number


def is_writable(ball: Ball) -> bool:
    """Whether a ball has a decimal: whether it is finite, and not enormous."""
    return bool(ball.is_finite() and abs(ball) < _LARGEST)


def is_wide(ball: Ball, over_ranges: bool) -> bool:
    """Whether a ball is shown by its ends: it has no decimal, or it is not one number and follows from ranges."""
    return bool(ball.is_finite() and (not is_writable(ball) or (over_ranges and not is_narrow(ball))))


def bits(digits: int) -> int:
    """The number of binary digits that a number of decimal digits needs."""
    return ceil(digits * 3.3219280948873626)


def decimal(ball: Ball, digits: int) -> DecimalWithRadius:
    """At most this many digits, each within one unit of the last; an exact number that has no more of them is exact."""
    if not ball.is_finite():
        return DecimalWithRadius("nan", "")
    if not ball.is_zero() and abs(ball) < _SMALLEST:
        return DecimalWithRadius("0", f"1e-{int(_EXPONENTS * 0.3)}")
    middle, radius = _middle_and_radius(ball, digits)
    certain = (2 * radius).adjusted() + 1 if radius else _exponent(middle)
    last = max(middle.adjusted() - digits + 1, _exponent(middle), certain)
    shown = _rounded(middle, last)
    if shown.adjusted() - last == digits:  # 9.99 has become 10.0
        shown = _rounded(middle, last + 1)
    error = _EXACT.add(radius, abs(_EXACT.subtract(middle, shown)))
    if not error:
        return DecimalWithRadius(_without_zeros(middle), "")
    bound = Context(1, ROUND_UP).plus(error)
    return DecimalWithRadius(_written(shown), min(_without_zeros(bound), _written(bound), key=len))


def ends(ball: Ball, digits: int = _RANGE_DIGITS) -> str:
    """The ends of a range as `[0.84, 1.1]`, rounded outward."""
    low, high = ball.lower(), ball.upper()
    beyond = f"1e{int(_EXPONENTS * log10(2))}"
    least = _end(low, digits, ROUND_FLOOR) if is_writable(low) else beyond if low > 0 else "-inf"
    most = _end(high, digits, ROUND_CEILING) if is_writable(high) else f"-{beyond}" if high < 0 else "inf"
    return f"[{least}, {most}]"


def _end(ball: Ball, digits: int, rounding: str) -> str:
    """An end of a range, rounded outward."""
    middle, radius = _middle_and_radius(ball, digits)
    return _without_zeros(Context(digits, rounding).add(middle, radius if rounding == ROUND_CEILING else -radius))


def _middle_and_radius(ball: Ball, digits: int) -> tuple[Decimal, Decimal]:
    """The middle, with more than this many digits, and the radius of decimal numbers that hold a ball."""
    middle, radius, exponent = ball.mid_rad_10exp(digits + _SPARE)
    return Decimal(f"{middle}e{exponent}"), Decimal(f"{radius}e{exponent}")


def _rounded(number: Decimal, last: int) -> Decimal:
    """A decimal rounded at a place, the power of ten of its last digit."""
    return number.quantize(Decimal((0, (1,), last)), ROUND_HALF_UP, _EXACT)


def text(ball: Ball, digits: int, over_ranges: bool) -> str:
    """A ball as people read it: a decimal and its radius, or its ends."""
    return ends(ball) if is_wide(ball, over_ranges) else str(decimal(ball, digits))


def number_and_radius(ball: Ball, digits: int, over_ranges: bool) -> tuple[str | float, str | float]:
    """A ball as programs read it: a decimal, or for a range a double, and a bound on its distance from the truth."""
    if is_wide(ball, over_ranges):
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


def _without_zeros(number: Decimal) -> str:
    """A decimal without zeros at its end: an exact number needs none."""
    exact = number.normalize(_EXACT)
    return f"{exact:f}" if _exponent(exact) > 0 and exact.adjusted() < _LONGEST_WHOLE else _written(exact)


def _written(number: Decimal) -> str:
    """A decimal, every digit of which is significant."""
    if not number:
        return "0"
    return f"{number:e}" if _exponent(number) > 0 or number.adjusted() < -5 else f"{number:f}"


def _exponent(number: Decimal) -> int:
    return int(number.as_tuple().exponent)
