"""What data say of fitted parameters: standard errors, intervals, correlations, and how well the curve describes them.

G. A. F. Seber and C. J. Wild, Nonlinear Regression (1989), chapters 2 and 5.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log, nan, pi, sqrt

import numpy
from scipy import stats

from ..arithmetic.arrays import Doubles
from ..errors import named
from .factor import steepness, triangular
from .model import Model

_RANK = 1e-12  # relative: a singular value of the scaled Jacobian that counts as 0
_INVOLVED = 0.1  # of a direction that changes nothing: the part of a parameter that it moves


@dataclass(frozen=True)
class ParameterEstimate:
    """A parameter with how well it is known; what is not known is nan."""

    estimate: float
    standard_error: float
    t: float
    interval: tuple[float, float]


@dataclass(frozen=True)
class FitStatistics:
    """The parameters and the fit as a whole."""

    parameters: dict[str, ParameterEstimate]
    residual_sum_of_squares: float
    residual_deviation: float
    degrees_of_freedom: int
    r_squared: float
    aic: float
    bic: float
    covariance: list[list[float]]
    correlation: list[list[float]]
    level: float
    factor: float
    """Student's t for the level"""
    doubt: str
    """why standard errors are not known; "" where they are"""
    steepness: float
    """the largest cosine of the angle between the residuals and a column of the Jacobian: 0 at a minimum"""


def statistics(
    model: Model, vector: Doubles, at_bound: Sequence[str], *, absolute: bool, level: float
) -> FitStatistics:
    """What the data of a model say of its parameters at the minimum."""
    factor = triangular(model, vector)
    jacobian, names = factor[:, :-1], model.parameters
    rows, freedom = model.data.rows, model.data.rows - len(names)
    squares = float(numpy.square(factor[:, -1]).sum())
    deviation = sqrt(squares / freedom) if freedom else nan
    unscaled, doubt = _inverse(jacobian, names, at_bound)
    covariance = unscaled if absolute else unscaled * deviation**2
    errors = numpy.sqrt(numpy.diag(covariance))
    quantile = float(stats.t.ppf((1 + level) / 2, inf if absolute else freedom)) if freedom else nan
    correlation = covariance / numpy.outer(errors, errors)
    likelihood = rows * (log(2 * pi * squares / rows) + 1) if squares else -inf
    return FitStatistics(
        {
            name: ParameterEstimate(
                float(x), float(error), float(x / error) if error else inf,
                (float(x - quantile * error), float(x + quantile * error)),
            )
            for name, x, error in zip(names, vector, errors, strict=True)
        },
        squares,
        deviation,
        freedom,
        1 - squares / _spread(model) if _spread(model) else nan,
        likelihood + 2 * (len(names) + 1),
        likelihood + log(rows) * (len(names) + 1),
        covariance.tolist(),
        correlation.tolist(),
        level,
        quantile,
        doubt,
        steepness(factor),
    )  # fmt: skip


def _inverse(jacobian: Doubles, names: Sequence[str], at_bound: Sequence[str]) -> tuple[Doubles, str]:
    """The inverse of JᵀJ by singular values of the scaled Jacobian, or nan and the reason."""
    unknown = numpy.full((len(names), len(names)), nan)
    if at_bound:
        return unknown, f"standard errors are not known: {named(at_bound)} is at a bound"
    sizes = numpy.linalg.norm(jacobian, axis=0)
    if not (sizes > 0).all():
        without = [name for name, size in zip(names, sizes, strict=True) if not size]
        return unknown, f"standard errors are not known: {named(without)} changes no value"
    _, singular, vectors = numpy.linalg.svd(jacobian / sizes)
    if singular[-1] < _RANK * singular[0]:
        alike = [name for name, part in zip(names, vectors[-1], strict=True) if abs(part) > _INVOLVED]
        return unknown, f"standard errors are not known: the data do not tell {named(alike)} apart"
    scaled = vectors.T / singular / sizes[:, None]
    return scaled @ scaled.T, ""


def _spread(model: Model) -> float:
    """The weighted sum of squared deviations of the response from its mean."""
    weights = numpy.square(model.data.factors)
    mean = float((weights * model.data.response).sum() / weights.sum())
    return float((weights * numpy.square(model.data.response - mean)).sum())
