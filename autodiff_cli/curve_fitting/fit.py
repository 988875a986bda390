"""Least squares: SciPy's trust region with exact Jacobians, then Gauss-Newton steps to the last digit."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any

import numpy
import scipy.optimize

from ..arithmetic.arrays import Doubles, random_generator, without_warnings
from ..derivatives.starting_point import refuse_other
from ..errors import NOT_FINITE, AutodiffError, Remedy
from ..parallel import Progress
from .factor import steepness, triangular
from .model import Model
from .statistics import FitStatistics, statistics

LOSSES = ("linear", "soft_l1", "huber", "cauchy")
_MOST_ENTRIES = 2_000_000
"""of a Jacobian that is kept whole; of a larger one only its triangular factor is"""
_TOLERANCE = 1e-15
_SETTLED = 1e-6  # relative: the cosine of the angle between residuals and columns of the Jacobian
_ROUNDING = 1e-13  # relative: residuals that are so small are those of doubles
_MINIMUM = "the sum of squares has its minimum here"
_EXACT = "the curve goes through all points, but for rounding"
_AT_BOUND = 1e-9  # relative
_MOST_STEPS = 50
_SPREAD = 1.0  # of other starts, in powers of ten

Bounds = Mapping[str, tuple[float, float]]


@dataclass(frozen=True)
class Fit:
    """Parameters that make the sum of squared residuals smallest, and what the data say of them."""

    point: dict[str, float]
    statistics: FitStatistics
    converged: bool
    reason: str
    """why the search ended"""
    evaluations: int
    trace: list[tuple[float, ...]]
    """the parameters and the sum of squares after each step"""


@without_warnings()
def fit(
    model: Model,
    start: Doubles,
    bounds: Bounds | None = None,
    *,
    loss: str = "linear",
    absolute: bool = False,
    starts: int = 1,
    seed: int = 0,
    level: float = 0.95,
    progress: Progress = iter,
) -> Fit:
    """The parameters of a model, from a start and from others that are drawn around it.

    Standard errors are scaled by the residuals unless the weights are `absolute`. A `loss` other than the linear one
    counts large residuals less. Raises AutodiffError if a residual is not finite at the start.
    """
    refuse_other(bounds or {}, model.parameters, "bound", "parameter")
    low, high = (
        numpy.array([(bounds or {}).get(name, (-inf, inf))[side] for name in model.parameters]) for side in (0, 1)
    )
    generator = random_generator(seed)
    drawn = [start * 10 ** generator.uniform(-_SPREAD, _SPREAD, len(start)) for _ in range(starts - 1)]
    found = [_search(model, numpy.clip(first, low, high), low, high, loss) for first in progress([start, *drawn])]
    searches = [search for search in found if search is not None]
    if not searches:
        raise _undefined(model, start)
    best = min(searches, key=lambda search: search.cost)
    polished = _snapped(best.vector if loss != "linear" else _polished(model, best), low, high)
    at_bound = [name for name, x, a, b in zip(model.parameters, polished, low, high, strict=True) if x in (a, b)]
    described = statistics(model, polished, at_bound, absolute=absolute, level=level)
    exact = described.residual_sum_of_squares <= _ROUNDING**2 * _size(model)
    settled = exact or described.steepness <= _SETTLED or bool(at_bound) or loss != "linear"
    reason = _EXACT if exact else _MINIMUM if settled else _why(best)
    point = dict(zip(model.parameters, map(float, polished), strict=True))
    return Fit(point, described, settled, reason, best.evaluations, best.trace)


@dataclass(frozen=True)
class _Search:
    vector: Doubles
    cost: float
    message: str
    evaluations: int
    trace: list[tuple[float, ...]]
    low: Doubles
    high: Doubles


class _Squares:
    """The residuals and the Jacobian as SciPy asks for them; of very many rows, shorter ones with the same squares."""

    def __init__(self, model: Model, loss: str) -> None:
        self._model = model
        self._short = loss == "linear" and model.data.rows * len(model.parameters) > _MOST_ENTRIES
        self._at: tuple[Any, Doubles, Doubles] = (None, numpy.empty(0), numpy.empty(0))

    def residuals(self, vector: Doubles) -> Doubles:
        return self._both(vector)[0]

    def jacobian(self, vector: Doubles) -> Doubles:
        return self._both(vector)[1]

    def _both(self, vector: Doubles) -> tuple[Doubles, Doubles]:
        key = vector.tobytes()
        if self._at[0] != key:
            if self._short:
                factor = triangular(self._model, vector)
                self._at = key, factor[:, -1], numpy.ascontiguousarray(factor[:, :-1])
            else:
                blocks = list(self._model.blocks(vector))
                self._at = key, numpy.concatenate([r for r, _ in blocks]), numpy.concatenate([j for _, j in blocks])
        return self._at[1], self._at[2]


def _search(model: Model, start: Doubles, low: Doubles, high: Doubles, loss: str) -> _Search | None:
    """Where the trust region ends; None if a residual is not finite at the start."""
    squares, trace = _Squares(model, loss), []

    def residuals(vector: Doubles) -> Doubles:
        values = squares.residuals(vector)
        return numpy.where(numpy.isfinite(values), values, 1e150)

    def jacobian(vector: Doubles) -> Doubles:
        values = squares.jacobian(vector)
        trace.append((*map(float, vector), float(numpy.square(squares.residuals(vector)).sum())))
        return numpy.nan_to_num(values)

    if not all(numpy.isfinite(part).all() for part in (squares.residuals(start), squares.jacobian(start))):
        return None
    inside = numpy.clip(start, numpy.nextafter(low, high), numpy.nextafter(high, low))
    result = scipy.optimize.least_squares(
        residuals, inside, jacobian, bounds=(low, high), method="trf", x_scale="jac", loss=loss,
        ftol=_TOLERANCE, xtol=_TOLERANCE, gtol=_TOLERANCE, max_nfev=2000 * len(start),
    )  # fmt: skip
    return _Search(result.x, float(result.cost), result.message, int(result.nfev), trace, low, high)


def _polished(model: Model, search: _Search) -> Doubles:
    """The parameters after Gauss-Newton steps, as long as these make the slope less and stay within the bounds."""
    here, factor = search.vector, triangular(model, search.vector)
    for _ in range(_MOST_STEPS):
        sizes = numpy.linalg.norm(factor[:, :-1], axis=0)
        if not (sizes > 0).all():
            break
        step = numpy.linalg.lstsq(factor[:, :-1] / sizes, -factor[:, -1], rcond=None)[0] / sizes
        there = here + step
        if (there == here).all() or ((there < search.low) | (there > search.high)).any():
            break
        following = triangular(model, there)
        if not numpy.isfinite(following).all() or not steepness(following) < steepness(factor):
            break
        here, factor = there, following
    return here


def _size(model: Model) -> float:
    """The weighted sum of the squared responses."""
    return float(numpy.square(model.data.factors * model.data.response).sum())


def _snapped(vector: Doubles, low: Doubles, high: Doubles) -> Doubles:
    """The parameters, at the bound where the search, which stays inside, has all but reached it."""
    near = _AT_BOUND * numpy.maximum(1.0, abs(vector))
    return numpy.where(abs(vector - low) <= near, low, numpy.where(abs(vector - high) <= near, high, vector))


def _why(search: _Search) -> str:
    return (
        f"the search ended before the sum of squares had its minimum: {search.message[:1].lower()}{search.message[1:]}"
    )


def _undefined(model: Model, start: Doubles) -> AutodiffError:
    row = next((row for row, residual in enumerate(model.residuals(start), 1) if not isfinite(residual)), None)
    where = f"in row {row}" if row else "of the derivatives"
    remedy = Remedy("other start", (), "begin where the value and the gradient are finite")
    return AutodiffError(f"the formula is not finite at the start, {where} of the data", remedy=remedy, code=NOT_FINITE)
