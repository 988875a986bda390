"""The derivatives of sinc(x) = sin(πx)/(πx), of every order and at 0 too."""

from typing import TYPE_CHECKING, Any

from ..work import charge
from .floats import more_precise
from .mpmath_functions import RANGE

if TYPE_CHECKING:
    from .multiprecision import Multiprecision

_CALL = 2.3e-4  # the work, seconds


def slope_of_sinc(order: int, a: Any, exact: "Multiprecision | None" = None) -> Any:
    """The derivative of sinc of an order at `a`, as a double or with the digits of `exact`.

    It is π^n times the integral of s^n·cos(π·a·s + n·π/2) over s from 0 to 1, a hypergeometric function 1F2. At an
    infinity, and past the range of doubles, it is 0, its limit.
    """
    if exact is None:
        return float(slope_of_sinc(order, a, more_precise()))
    context = exact.context
    charge(_CALL)
    if context.isnan(a):
        return a
    if context.mag(a) > RANGE:
        return context.zero
    angle, odd = context.pi * a, order % 2
    half = context.mpf(order + 1 + odd) / 2
    integral = context.hyp1f2(half, context.mpf(1 + 2 * odd) / 2, half + 1, -(angle**2) / 4) / (order + 1 + odd)
    sign = -1 if (order + odd) % 4 else 1
    return sign * context.pi**order * integral * (angle if odd else 1)
