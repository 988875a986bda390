"""The accuracy of fitted parameters: standard errors, intervals, correlations, and the goodness of the fit.

G. A. F. Seber and C. J. Wild, Nonlinear Regression (1989), chapters 2 and 5.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import copysign, hypot, inf, log, nan, pi, sqrt

import numpy

from ..arithmetic.arrays import Doubles
from ..arithmetic.distributions import coverage_factor
from ..errors import quoted_names
from .model import Model
from .triangular_factor import norms

_RANK = 1e-12  # relative: a singular value of the scaled Jacobian that counts as 0
_INVOLVED = 1e-6  # of directions that change nothing: the part of a parameter that they move


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
    residual_norm: float
    """the root of the sum of squares, which may be too small or too large for a double itself"""
    residual_sum_of_squares: float
    residual_deviation: float
    response_deviation: float
    """of a response of weight 1: that of the residuals as the loss counts them, or 1 where it is absolute"""
    degrees_of_freedom: int
    r_squared: float
    aic: float
    bic: float
    covariance: list[list[float]]
    correlation: list[list[float]]
    level: float
    factor: float
    """Student's t for the level"""
    unknown_because: str
    """the reason why standard errors are not known; "" if all are, but for those of parameters at a bound"""
    at_bound: Sequence[str]
    """the parameters that are held at a bound, without standard errors"""
    idle: Sequence[str]
    """the parameters that no value depends on"""

    @property
    def notes(self) -> list[str]:
        """The reasons why standard errors are missing."""
        held = "are held at bounds, without standard errors"
        if len(self.at_bound) == 1:
            held = "is held at a bound, without a standard error"
        at_bound = f"{quoted_names(self.at_bound)} {held}" * bool(self.at_bound)
        return [note for note in (self.unknown_because, at_bound) if note]


def statistics(
    model: Model, vector: Doubles, at_bound: Sequence[str], *, loss: str, absolute: bool, level: float
) -> FitStatistics:
    """Return the statistics of the parameters of a model at the minimum, where those at a bound are held fixed."""
    factor, names = model.factor(vector), model.parameters
    jacobian = numpy.where([name in at_bound for name in names], 0.0, factor[:, :-1])
    idle = [name for name, size in zip(names, norms(jacobian), strict=True) if not size and name not in at_bound]
    root, rank, unknown_because = _root_of_inverse(jacobian, names, at_bound, idle)
    rows, freedom = model.data.counted, model.data.counted - rank
    norm = hypot(*factor[:, -1])
    ratio = norm / model.data.spread if model.data.spread else nan
    deviation = norm / sqrt(freedom) if freedom else nan
    if not freedom and not absolute:
        unknown_because = unknown_because or "standard errors are not known: there are no more rows than parameters"
    response_deviation = 1.0 if absolute else deviation if loss == "linear" else model.deviation(vector, loss, freedom)
    if freedom and response_deviation != response_deviation:
        unknown_because = (
            unknown_because
            or "standard errors are not known: most residuals are large for the loss; give their deviations"
        )
    sizes = norms(root)
    errors = sizes * response_deviation
    correlation = numpy.clip((root / sizes).T @ (root / sizes), -1.0, 1.0)
    numpy.fill_diagonal(correlation, correlation.diagonal().round())  # 1, or nan where it is not known
    quantile = coverage_factor(level, inf if absolute else freedom) if freedom or absolute else nan
    likelihood, counted = _likelihood(norm, rows, absolute) - model.data.log_weights, rank + (not absolute)
    return FitStatistics(
        parameters={
            name: _estimate(float(x), float(error), quantile)
            for name, x, error in zip(names, vector, errors, strict=True)
        },
        residual_norm=norm,
        residual_sum_of_squares=norm * norm,
        residual_deviation=deviation,
        response_deviation=response_deviation,
        degrees_of_freedom=freedom,
        r_squared=1 - ratio * ratio,
        aic=likelihood + 2 * counted,
        bic=likelihood + log(rows) * counted,
        covariance=(correlation * numpy.outer(errors, errors)).tolist(),
        correlation=correlation.tolist(),
        level=level,
        factor=quantile,
        unknown_because=unknown_because,
        at_bound=at_bound,
        idle=idle,
    )


def _likelihood(norm: float, rows: int, absolute: bool) -> float:
    """-2 times the logarithm of the likelihood of normally distributed residuals of that norm that are not weighted.

    Their deviation is 1 if it is `absolute`, else a further parameter, at its most likely value.
    """
    if absolute:
        return norm * norm + rows * log(2 * pi)
    return rows * (log(2 * pi / rows) + 2 * log(norm) + 1) if norm else -inf


def _estimate(estimate: float, error: float, quantile: float) -> ParameterEstimate:
    interval = estimate - quantile * error, estimate + quantile * error
    return ParameterEstimate(estimate, error, estimate / error if error else copysign(inf, estimate), interval)


def _root_of_inverse(
    jacobian: Doubles, names: Sequence[str], at_bound: Sequence[str], idle: Sequence[str]
) -> tuple[Doubles, int, str]:
    """The matrix R with RᵀR the inverse of JᵀJ, by singular values of the scaled Jacobian, and the rank.

    It is nan in the columns of the parameters at a bound, which are 0 in the Jacobian, and where it is not known, with
    the reason: in those of the parameters that the data do not determine.
    """
    unknown = numpy.full((len(names), len(names)), nan)
    sizes = norms(jacobian)
    sizes[sizes == 0] = 1.0
    _, singular, vectors = numpy.linalg.svd(jacobian / sizes)
    rank = int(numpy.count_nonzero(singular > _RANK * singular[0]))
    root = vectors[:rank] / singular[:rank, None] / sizes if rank else unknown
    is_open = norms(vectors[rank:]) > _INVOLVED
    root[:, is_open] = nan
    alike = [name for name, open_ in zip(names, is_open, strict=True) if open_ and name not in {*at_bound, *idle}]
    reasons = (
        (idle, f"no value depends on {quoted_names(idle)}"),
        (alike, f"the data do not tell {quoted_names(alike)} apart"),
    )
    return root, rank, "; ".join(_unknown_error_of(*reason) for reason in reasons if reason[0])


def _unknown_error_of(names: Sequence[str], because: str) -> str:
    errors = "its standard error is" if len(names) == 1 else "their standard errors are"
    return f"{because}: {errors} not known"
