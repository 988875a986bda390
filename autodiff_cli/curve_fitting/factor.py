"""The triangular factor of a Jacobian with its residuals, which says all of them that least squares needs."""

import numpy

from ..arithmetic.arrays import Doubles
from .model import Model


def triangular(model: Model, vector: Doubles) -> Doubles:
    """The triangular factor of the Jacobian with the residuals as a last column, block by block.

    It has the same squares as the whole: `(J r)ᵀ(J r) = RᵀR`. Memory does not grow with the rows.
    """
    count = len(vector) + 1
    factor = numpy.zeros((count, count))
    for residuals, jacobian in model.blocks(vector):
        stacked = numpy.vstack([factor, numpy.column_stack([jacobian, residuals])])
        factor = numpy.asarray(numpy.linalg.qr(stacked, mode="r"))
    return factor


def steepness(factor: Doubles) -> float:
    """The largest cosine of the angle between the residuals and a column of the Jacobian: 0 at a minimum."""
    jacobian, residuals = factor[:, :-1], factor[:, -1]
    sizes = numpy.linalg.norm(jacobian, axis=0) * (numpy.linalg.norm(residuals) or 1.0)
    return float((abs(jacobian.T @ residuals) / numpy.where(sizes > 0, sizes, 1.0)).max())
