"""Exact numbers: whole numbers and fractions; a decimal is the decimal that was written."""

from fractions import Fraction
from math import factorial, isqrt, log10

Exact = int | Fraction

_MOST_BITS = 4096  # of a power that is worked out
_MOST_OF_FACTORIAL = 18  # beyond it a double is not exact
_MANY = 10**6
_SMALLEST = 2.3e-308
_LARGEST = 300  # decimal exponent


def magnitude(number: Exact) -> Exact:
    """The number without its sign: `abs`, of a type that checkers know for both kinds of number."""
    return number if number >= 0 else -number


def as_int_if_whole(number: Exact) -> Exact:
    """The number, as an int if it is whole."""
    return number.numerator if number.denominator == 1 else number


def exact_power(value: Exact, exponent: Exact) -> Exact | None:
    """An exact power; None where it is irrational, undefined or too long."""
    if value == 0:
        return 0 if exponent > 0 else None
    top, bottom = value.numerator, value.denominator
    if exponent.denominator != 1:
        roots = _root(top, exponent.denominator), _root(bottom, exponent.denominator)
        if roots[0] is None or roots[1] is None:
            return None
        top, bottom = roots[0], roots[1]
    power = exponent.numerator
    if abs(power) * max(top.bit_length(), bottom.bit_length()) > _MOST_BITS:
        return None
    return Fraction(top, bottom) ** power


def exact_factorial(number: Exact) -> Exact | None:
    """The factorial of a natural number; None where it is long, and for any other number."""
    return factorial(number) if isinstance(number, int) and 0 <= number <= _MOST_OF_FACTORIAL else None


def _root(number: int, degree: int) -> int | None:
    """The exact root of a whole number; None where it has none."""
    if number < 0:
        return None
    if degree == 2:
        root = isqrt(number)
    elif number < 2**53 and degree < 53:
        root = round(number ** (1 / degree))
    else:
        return None
    return root if root**degree == number else None


def double(value: Exact) -> float:
    """The nearest double."""
    try:
        return float(value)
    except OverflowError:
        return float("inf")


def excess_factor(value: Exact) -> Exact:
    """A power of ten that brings a number beyond the range of doubles nearer to it if divided by; 1 for others."""
    if _SMALLEST <= abs(double(value)) < float("inf"):
        return 1
    exponent = _decimal_digits(value.numerator) - _decimal_digits(value.denominator)
    return Fraction(10) ** max(-_LARGEST, min(exponent // 2, _LARGEST))


def _decimal_digits(whole: int) -> int:
    """The number of decimal digits; an estimate for very long ones, which Python does not print."""
    return len(str(abs(whole))) if whole.bit_length() <= _MOST_BITS else int(whole.bit_length() * log10(2))


def without_tens(whole: int) -> tuple[int, int]:
    """A whole number without its factors 2 and 5, and the powers of ten that these divide."""
    twos = fives = 0
    while whole % 2 == 0:
        whole, twos = whole // 2, twos + 1
    while whole % 5 == 0:
        whole, fives = whole // 5, fives + 1
    return whole, max(twos, fives)


def digits(value: Exact) -> int:
    """The number of significant digits of a decimal fraction; a million for any other number."""
    below, places = without_tens(value.denominator)
    if below != 1 or value.numerator.bit_length() + 4 * places > _MOST_BITS:
        return _MANY
    return len(str(abs(value.numerator) * 10**places // value.denominator).rstrip("0"))
