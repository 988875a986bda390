"""The triangular factor of a tall matrix, which contains all that least squares needs."""

from collections.abc import Iterable
from math import hypot

import numpy

from ..arithmetic.arrays import Doubles


def triangular(blocks: Iterable[Doubles], columns: int) -> Doubles:
    """The triangular factor R of the matrix A whose rows come in blocks: AᵀA = RᵀR.

    Memory does not grow with the rows. What is not finite in A makes R not finite.
    """
    factor = numpy.zeros((columns, columns))
    for block in blocks:
        factor = numpy.asarray(numpy.linalg.qr(numpy.vstack([factor, block]), mode="r"))
    return factor


def gauss_newton_step(factor: Doubles) -> tuple[Doubles, float]:
    """The step that takes linear residuals, the last column, nearest to 0, and the fraction of them that it removes.

    The fraction is the cosine of the angle between the residuals and what the Jacobian, the other columns, can change:
    0 at a minimum of the sum of squares (Bates and Watts, Nonlinear Regression Analysis, 1988, section 2.2.3).
    """
    jacobian, residuals = factor[:, :-1], factor[:, -1]
    sizes = norms(jacobian)
    sizes[sizes == 0] = 1.0
    step = numpy.linalg.lstsq(jacobian / sizes, -residuals, rcond=None)[0] / sizes
    return step, hypot(*(jacobian @ step)) / (hypot(*residuals) or 1.0)


def norms(matrix: Doubles) -> Doubles:
    """The norm of each column, also where squares would be too small or too large for doubles."""
    return numpy.asarray(numpy.hypot.reduce(matrix, axis=0))
