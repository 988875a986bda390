"""Losses that count large residuals less, as transformations of the residuals: ρ(r²) is the square of another residual.

So the sum of a loss is a sum of squares too, and what holds for least squares holds for it.
"""

from collections.abc import Callable

import numpy

from ..arithmetic.arrays import Doubles
from . import LOSSES

Loss = Callable[[Doubles], tuple[Doubles, Doubles, Doubles]]
"""residuals r → s, ρ' and the derivative of r·ρ', with ρ(r²) = (s·r)²"""


def _linear(residuals: Doubles) -> tuple[Doubles, Doubles, Doubles]:
    """ρ(z) = z."""
    ones = numpy.ones_like(residuals)
    return ones, ones, ones


def _soft_l1(residuals: Doubles) -> tuple[Doubles, Doubles, Doubles]:
    """ρ(z) = 2·(√(1 + z) − 1)."""
    root = numpy.hypot(1.0, residuals)
    return numpy.sqrt(2 / (1 + root)), 1 / root, root**-3.0


def _huber(residuals: Doubles) -> tuple[Doubles, Doubles, Doubles]:
    """ρ(z) = z for z ≤ 1, else 2·√z − 1."""
    size = numpy.maximum(abs(residuals), 1.0)
    return numpy.sqrt(2 * size - 1) / size, 1 / size, numpy.where(size > 1, 0.0, 1.0)


def _cauchy(residuals: Doubles) -> tuple[Doubles, Doubles, Doubles]:
    """ρ(z) = ln(1 + z)."""
    squares = numpy.square(residuals)
    safe = numpy.where(squares > 0, squares, 1.0)
    shrunk = numpy.where(squares > 0, numpy.sqrt(numpy.log1p(safe) / safe), 1.0)
    return shrunk, 1 / (1 + squares), (1 - squares) / (1 + squares) / (1 + squares)


_FUNCTIONS: dict[str, Loss] = dict(zip(LOSSES, (_linear, _soft_l1, _huber, _cauchy), strict=True))


def transformed(loss: str, residuals: Doubles) -> tuple[Doubles, Doubles]:
    """The residuals whose squares are the loss, and their derivatives with respect to the residuals."""
    shrunk, slope, _ = _FUNCTIONS[loss](residuals)
    return shrunk * residuals, slope / shrunk


def influence(loss: str, residuals: Doubles) -> tuple[Doubles, Doubles]:
    """The weights ψ(r) = r·ρ'(r²) with which residuals move an estimate, and their derivatives."""
    _, slope, derivative = _FUNCTIONS[loss](residuals)
    return slope * residuals, derivative
