"""Least squares: SciPy's trust region with exact Jacobians, then Gauss-Newton steps to the last digit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import frexp, hypot, inf, ldexp, sqrt

import numpy
import scipy.optimize
from numpy.typing import NDArray

from ..arithmetic.arrays import Doubles, neighbours, without_warnings
from ..arithmetic.distributions import random_generator
from ..data.column_blocks import without_number
from ..errors import NOT_FINITE, AutodiffError, Remedy, quoted_names
from ..parallel import Progress
from ..search.starts_and_bounds import MORE_STARTS, bound_vectors, entry_bounds, mirrored, share_of_work
from ..work_budget import TooMuchWorkError, charge, seconds_left
from . import LOSSES
from .model import Model
from .statistics import FitStatistics, statistics
from .triangular_factor import gauss_newton_step, norms

_TOLERANCE = 1e-15
_SETTLED = 1e-6  # relative: the fraction of the residuals that another step would remove
_ROUNDING = 1e-13  # relative: residuals that may be rounding errors
_ENDS = ("it took too many steps", "the slopes are nearly 0", *["a step hardly changes anything"] * 3)
"""the reasons why SciPy ends, by its status"""
_EXACT = "the curve goes through all points, except for rounding"
_AT_BOUND = 1e-9  # relative
_AWAY = 1e6  # times as large as at the start, and as responses: parameters that are not determined have run away
_MOST_STEPS = 200
_MOST_SEARCHES = 100  # from one start
_FALLEN = 1e-3  # relative to the start of a search: slopes that are small enough for another search
_STEP = 4e-4  # the work of a step, apart from that of the rows, in seconds
_SPREAD = 1.0  # of other starts, in powers of ten
_HUGE = 1e150  # the square remains a double
_FAR = 2.0**1020  # SciPy multiplies the distance to a bound, which must remain a double
_UNITS = 2.0**-1000, 2.0**1000  # the smallest and the largest, so that a number of them remains a double

ParameterBounds = Mapping[str, tuple[float, float]]


@dataclass(frozen=True)
class Fit:
    """Parameters that make the sum of squared residuals smallest, and what the data say about them."""

    point: dict[str, float]
    statistics: FitStatistics
    converged: bool
    reason: str
    """the reason why the search ended"""
    evaluations: int
    """from all starts together"""
    trace: list[tuple[float, ...]]
    """the parameters and the sum of squares after each step"""
    spent: TooMuchWorkError | None = None
    """the reason why some of the starts were not tried"""
    remedy: Remedy | None = None
    """a way to a minimum, if none was found"""


@without_warnings()
def fit(
    model: Model,
    start: Doubles,
    bounds: ParameterBounds | None = None,
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
    counts large residuals less, there too. Raises AutodiffError for an unknown one, and if a residual is not
    finite at the start.
    """
    limits = entry_bounds(bounds or {}, model.parameters, "parameter")
    if loss not in LOSSES:
        raise AutodiffError(f"there is no loss `{loss}`", hint=f"choose one of {', '.join(LOSSES)}")
    low, high = bound_vectors(limits, model.parameters)
    generator = random_generator(seed)
    powers = (generator.uniform(-_SPREAD, _SPREAD, len(start)) for _ in range(starts - 1))
    drawn = [numpy.where(start == 0, power, start * 10**power) for power in powers]  # 0 has no powers of ten around it
    begun = [numpy.array([*map(mirrored, first, low, high)]) for first in (start, *drawn)]
    searches: list[_Search] = []
    spent: TooMuchWorkError | None = None
    for place, first in enumerate(progress(begun)):
        try:
            with share_of_work(starts - place):
                search = _search(model, first, low, high, loss)
            searches += [search] if search else []
        except TooMuchWorkError as error:
            spent = error
        if seconds_left() < 0:
            break
    if not searches:
        raise spent or _undefined(model, begun[0])
    best = min(searches, key=lambda search: search.norm)
    vector = _snapped(model, best, loss)
    held = (vector == low) | (vector == high)
    vector, share = _polished(model, best, vector, held, loss)
    at_bound = [name for name, is_held in zip(model.parameters, held, strict=True) if is_held]
    known = statistics(model, vector, at_bound, loss=loss, absolute=absolute, level=level)
    exact = known.residual_norm <= _ROUNDING * model.data.norm
    usual = numpy.maximum(abs(start), max(1.0, model.data.norm / sqrt(model.data.counted)))
    away = bool(known.unknown_because) and not at_bound and bool((abs(vector) > _AWAY * usual).any())
    settled = exact or (_is_settled(model, vector, share, loss) and not away and not known.idle)
    sum_ = "sum of squares" if loss == "linear" else f"sum of the loss {loss}"
    reason = _EXACT if exact else f"the {sum_} has its minimum here" if settled else _why(best, sum_, away, known.idle)
    point = dict(zip(model.parameters, map(float, vector), strict=True))
    evaluations = sum(search.evaluations for search in searches)
    remedy = None if settled or spent or starts > 1 else MORE_STARTS
    return Fit(point, known, settled, reason, evaluations, best.trace, spent, remedy)


@dataclass(frozen=True)
class _Search:
    vector: Doubles
    norm: float
    """the root of the sum of squares"""
    end: str
    """the reason why it ended"""
    evaluations: int
    trace: list[tuple[float, ...]]
    low: Doubles
    high: Doubles


def _search(model: Model, start: Doubles, low: Doubles, high: Doubles, loss: str) -> _Search | None:
    """Return the end of the search in a trust region; None if a residual is not finite at the start.

    SciPy is given the triangular factor in place of all rows: it has the same squares, and the same steps follow. So
    that these are neither too small nor too large for it, residuals are divided by their size, and parameters are
    measured in units that change them by about as much; both are powers of two, which leave all digits as they are.
    Slopes that are nearly 0 compared with those of a bad start may be steep where the search has arrived: it then
    continues from there, with the sizes that they have there. A parameter without a slope is measured from where it is,
    so that no step of the others seems small beside it.
    """
    trace: list[tuple[float, ...]] = []

    @lru_cache(maxsize=1)
    def factor(vector: tuple[float, ...]) -> Doubles:
        charge(_STEP)
        return model.factor(numpy.array(vector), loss)

    def residuals(scaled: Doubles) -> Doubles:
        values = factor(tuple(origin + scaled * units))[:, -1] / size
        return numpy.clip(numpy.nan_to_num(values, nan=_HUGE), -_HUGE, _HUGE)

    def jacobian(scaled: Doubles) -> Doubles:
        vector = origin + scaled * units
        norm = hypot(*residuals(scaled)) * size
        step = (*map(float, vector), norm * norm)
        if step not in trace[-1:]:
            trace.append(step)
        return numpy.clip(numpy.nan_to_num(factor(tuple(vector))[:, :-1] * (units / size)), -_HUGE, _HUGE)

    vector, sizes, evaluations = start, norms(factor(tuple(start))), 0
    if not numpy.isfinite(sizes).all():
        return None
    for _ in range(_MOST_SEARCHES):
        *slopes, left = sizes
        size = _power_of_two(max(left, model.data.norm)) or 1.0
        units = numpy.clip([size / _power_of_two(slope) if slope else 1.0 for slope in slopes], *_UNITS)
        origin = numpy.where(numpy.equal(slopes, 0), vector, 0.0)
        least, most = (low - origin) / units, (high - origin) / units
        inside = numpy.clip((vector - origin) / units, numpy.nextafter(least, most), numpy.nextafter(most, least))
        wide = numpy.where(least < -_FAR, -inf, least), numpy.where(most > _FAR, inf, most)
        apart = [  # equal bounds, which SciPy refuses
            numpy.where(least == most, numpy.nextafter(ends, beyond), ends)
            for ends, beyond in zip(wide, (-inf, inf), strict=True)
        ]
        result = scipy.optimize.least_squares(
            residuals, inside, jacobian, bounds=apart, method="trf", x_scale="jac",
            ftol=_TOLERANCE, xtol=_TOLERANCE, gtol=_TOLERANCE, max_nfev=2000 * len(start),
        )  # fmt: skip
        vector, evaluations = origin + result.x * units, evaluations + int(result.nfev)
        before, sizes = sizes, norms(factor(tuple(vector)))
        if result.status != 1 or not (sizes < _FALLEN * before).any():
            break
    return _Search(vector, hypot(*residuals(result.x)) * size, _ENDS[result.status], evaluations, trace, low, high)


def _power_of_two(number: float) -> float:
    """The largest power of two that is no larger than a number; 0 for 0."""
    return ldexp(1.0, frexp(number)[1] - 1) if number else 0.0


def _polished(
    model: Model, search: _Search, here: Doubles, held: NDArray[numpy.bool_], loss: str
) -> tuple[Doubles, float]:
    """The parameters after Gauss-Newton steps, as long as each is shorter than the one before and within the bounds.

    The parameters that are `held` at a bound stay there. Also returns the fraction of the residuals that another
    step would remove.
    """

    def step_from(vector: Doubles) -> tuple[Doubles, float]:
        factor = model.factor(vector, loss)
        return (
            gauss_newton_step(factor[:, [*~held, True]]) if numpy.isfinite(factor).all() else (0 * vector[~held], inf)
        )

    step, share = step_from(here)
    for _ in range(_MOST_STEPS):
        there = here.copy()
        there[~held] += step
        if (there == here).all() or ((there < search.low) | (there > search.high)).any():
            break
        step, following = step_from(there)
        if not following < share:
            break
        here, share = there, following
    return here, share


def _is_settled(model: Model, vector: Doubles, share: float, loss: str) -> bool:
    """Whether a step that would remove this fraction of the residuals is negligible.

    So is one that changes them by less than a step to the next double of each parameter, as of a Julian date, if no
    such step makes the sum smaller.
    """
    if share <= _SETTLED:
        return True
    factor = model.factor(vector, loss)
    here = hypot(*factor[:, -1])
    if not share * here < hypot(*(norms(factor[:, :-1]) * numpy.spacing(abs(vector)))):
        return False
    return all(_norm(model, there, loss) >= here * (1 - _ROUNDING) for there in neighbours(vector, range(len(vector))))


def _norm(model: Model, vector: Doubles, loss: str) -> float:
    """The root of the sum of squared residuals."""
    return hypot(*model.factor(vector, loss)[:, -1])


def _snapped(model: Model, search: _Search, loss: str) -> Doubles:
    """The parameters, moved to a bound that the search has almost reached, unless the sum is larger there.

    The search stays inside the bounds. Nearness alone is not a proof: the parameters may be small themselves.
    """
    here = numpy.where(search.low == search.high, search.low, search.vector)
    allowed = max(_norm(model, here, loss) * (1 + _ROUNDING), _ROUNDING * model.data.norm)
    for bound in (search.low, search.high):
        for place in numpy.flatnonzero(abs(here - bound) <= _AT_BOUND * numpy.maximum(1.0, abs(here))):
            there = here.copy()
            there[place] = bound[place]
            if _norm(model, there, loss) <= allowed:
                here = there
    return here


def _why(search: _Search, sum_: str, away: bool, idle: Sequence[str]) -> str:
    if away:
        return f"the {sum_} has no minimum here, where parameters only grow: begin elsewhere, or give bounds"
    if idle:
        return f"the {sum_} may be smaller elsewhere: here it does not depend on {quoted_names(idle)}"
    return f"the search ended before the {sum_} reached its minimum: {search.end}"


def _undefined(model: Model, start: Doubles) -> AutodiffError:
    row = place = column = 0
    for part, block in zip(model.data, model.blocks(start), strict=True):
        undefined = numpy.argwhere(~numpy.isfinite(block[:, ::-1]))  # the residual before the derivatives
        if len(undefined):
            place, column = undefined[0].tolist()
            for name, numbers in part.columns.items():
                if numpy.isnan(numbers[place]):
                    return without_number(name, row + place)
            break
        row += len(block)
    what = f"derivative by `{model.parameters[-column]}`" if column else "formula"
    remedy = Remedy("other start", (), "begin where the value and the gradient are finite")
    message = f"the {what} is not finite at the start, in row {row + place + 1} of the data"
    return AutodiffError(message, remedy=remedy, code=NOT_FINITE)
