"""The derivatives of sinc(x) = sin(πx)/(πx), of every order and at 0 too."""

from typing import TYPE_CHECKING, Any

from ..work_budget import charge
from .floats import more_precise
from .mpmath_functions import RANGE

if TYPE_CHECKING:
    from .multiprecision import Multiprecision

_CALL, _TERM = 3e-5, 6e-6  # the work of the recurrence, and of each order, in seconds
_OF_INTEGRAL, _DIGITS = 1.5e-4, 200  # the work of the function 1F2, and the digits that cost as much again
_MORE = 64  # bits: what is lost where the derivative is 0


def slope_of_sinc(order: int, a: Any, exact: "Multiprecision | None" = None) -> Any:
    """The derivative of sinc of an order at `a`, as a double or with the digits of `exact`.

    It is π^n times the integral of s^n·cos(π·a·s + n·π/2) over s from 0 to 1, a hypergeometric function 1F2. Where
    π·|a| is larger than n, that would cancel, and the n-th derivative of x·sinc(x) = sin(πx)/π gives it from the one
    before: x·sinc⁽ⁿ⁾ + n·sinc⁽ⁿ⁻¹⁾. At an infinity, and past the range of doubles, it is 0, its limit.
    """
    if exact is None:
        return float(slope_of_sinc(order, a, more_precise()))
    context = exact.context
    if context.isnan(a):
        return a
    if context.mag(a) > RANGE:
        return context.zero
    angle, odd = context.pi * a, order % 2
    if abs(angle) > order:
        charge(_CALL + _TERM * order)
        return _by_recurrence(order, a, context)
    charge(_OF_INTEGRAL * (1 + context.dps / _DIGITS) + _TERM * order)
    half = context.mpf(order + 1 + odd) / 2
    integral = context.hyp1f2(half, context.mpf(1 + 2 * odd) / 2, half + 1, -(angle**2) / 4) / (order + 1 + odd)
    sign = -1 if (order + odd) % 4 else 1
    return sign * context.pi**order * integral * (angle if odd else 1)


def _by_recurrence(order: int, a: Any, context: Any) -> Any:
    with context.extraprec(_MORE):
        sine, cosine = context.sinpi(a), context.cospi(a)
        factor, slope = 1 / context.pi, sine / (context.pi * a)
        for number in range(1, order + 1):
            factor *= context.pi
            slope = (factor * (sine, cosine, -sine, -cosine)[number % 4] - number * slope) / a
    return +slope
