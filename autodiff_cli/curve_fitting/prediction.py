"""A fitted curve at other points, with its bands."""

from collections.abc import Mapping, Sequence

import numpy

from ..arithmetic.arrays import Doubles
from .fit import Fit
from .model import Model


def predicted(model: Model, fit: Fit, columns: Mapping[str, Doubles], rows: int) -> dict[str, Doubles]:
    """The values for rows of these columns, and the edges of both bands, by name."""
    values, gradient = model.at(numpy.array(list(fit.point.values())), columns, rows)
    (low, high), (lower, higher) = bands(fit, values, gradient)
    return {
        "value": values,
        "confidence_low": low,
        "confidence_high": high,
        "prediction_low": lower,
        "prediction_high": higher,
    }


def bands(fit: Fit, values: Doubles, gradient: Doubles) -> Sequence[tuple[Doubles, Doubles]]:
    """The confidence band of the curve and the prediction band of a new response, each as its low and high edge."""
    described = fit.statistics
    variance = numpy.einsum("ij,jk,ik->i", gradient, numpy.array(described.covariance), gradient)
    deviation = described.residual_deviation
    edges = []
    for extra in (0.0, deviation * deviation):
        half = described.factor * numpy.sqrt(variance + extra)
        edges.append((values - half, values + half))
    return edges
