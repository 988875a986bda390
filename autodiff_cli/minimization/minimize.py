"""Minimizing: SciPy's methods from one start or many, then Newton's method to the last digit."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from math import inf, isfinite
from typing import NamedTuple

import numpy

from ..arithmetic.arrays import Doubles, without_warnings
from ..arithmetic.distributions import random_generator
from ..errors import NOT_FINITE, AutodiffError, Remedy
from ..notation import rounded
from ..parallel import Progress
from ..search.starts_and_bounds import MORE_STARTS, mirrored, random_starts, share_of_work
from ..work_budget import TooMuchWorkError, WorkBudget, seconds_left, uncounted
from . import METHODS
from .newton import falls_far_away, most_missed, polished, restored
from .optimality import NEAR, Optimality, optimality
from .problem import Constraint, Problem
from .scipy_methods import searched

_SATISFIED = 1e-7  # relative: by how much a constraint may be missed
_NOT_SO_NEAR = 1e-3  # relative: where a search has stopped too early, a constraint this near its limit may be active
_ASIDE = 0.1  # of a start, the distance of another one, where constraints have a slope
_FAR = 1e10  # times the size of the start: no minimum is sought beyond it
_BESIDE = 1e-2  # of the size of the variables, the distance at which a way down is sought
_MIXED = 10  # directions without curvature
_NO_FALL = 1e-12  # relative: a value that is lower by less is as low
_NO_RISE = 1e-9  # relative to the value, and to a fall: a rise that is negligible
_OF_THE_LAST_POINT = 1.0  # seconds of work, where there is no more for the search
_MOST_SEARCHES = 6  # from where the one before has ended


@dataclass(frozen=True)
class TraceStep:
    """A point on the way to a minimum."""

    vector: tuple[float, ...]
    value: float


@dataclass(frozen=True)
class Minimum:
    """A minimum, or the best point where none was found; the same fields describe a maximum."""

    point: dict[str, float]
    value: float
    gradient: dict[str, float]
    converged: bool
    reason: str
    """the reason why the search ended"""
    kind: str
    """`minimum`, `maximum`, `saddle point`, `flat` or `not known`, according to the second derivatives"""
    eigenvalues: list[float]
    """of the Hessian of the function, or of the Lagrangian along the active constraints; ascending"""
    multipliers: dict[str, float]
    """active bound or constraint → the derivative of the extreme value with respect to its right side"""
    evaluations: int
    """from all starts together"""
    trace: list[TraceStep] = field(repr=False)
    spent: TooMuchWorkError | None = None
    """the reason why some of the starts, or steps from them, were not tried"""
    remedy: Remedy | None = None
    """a way to a minimum, if none was found"""

    @property
    def active(self) -> list[str]:
        """The bounds and constraints that hold the point where it is."""
        return list(self.multipliers)


class _Failure(NamedTuple):
    reason: str
    remedy: Remedy | None


class _UnboundedError(Exception):
    pass


@without_warnings()
def minimize(
    problem: Problem,
    start: Sequence[float],
    method: str | None = None,
    starts: int = 1,
    seed: int = 0,
    progress: Progress = iter,
) -> Minimum:
    """The lowest of the minima that are reached from a start, and from others that are drawn.

    Without a method, BFGS is used, L-BFGS-B where there are bounds, and SLSQP where there are constraints. Raises
    AutodiffError if the value or the gradient is not finite at the start. Where the work runs out, the best point so
    far is returned. `progress` iterates over the starts, and may show the progress.
    """
    _refuse_method(problem, method)
    first = numpy.array([*map(mirrored, start, problem.low, problem.high)])
    error = problem.objective.error(first)
    if error is not None:
        error.remedy = Remedy("other start", (), "begin where the value and the gradient are finite")
        raise error
    _require_defined(problem.constraints, first)
    measured = problem.in_units(first)
    minima: list[Minimum] = []
    spent: TooMuchWorkError | None = None
    vectors = random_starts(first / measured.units, measured.low, measured.high, starts, seed)
    for place, vector in enumerate(progress(vectors)):
        try:
            minima.append(_minimum_from(measured, vector, method, starts - place))
            spent = minima[-1].spent or spent
            if measured.has_units and not (minima[-1].converged or minima[-1].spent):  # a start that is tiny by chance
                other = _minimum_from(problem, vector * measured.units, method, starts - place)
                minima.append(_minimum(measured, _last_point(measured, other.trace), other.trace))
                spent = other.spent or spent
        except TooMuchWorkError as error:
            spent = error
        if seconds_left() < 0:
            break
    if spent and not minima:
        raise spent
    best = min(minima, key=lambda minimum: (not minimum.converged, problem.sign * minimum.value))
    remedy = None if spent or (starts > 1 and best.remedy is MORE_STARTS) else best.remedy
    return replace(best, spent=spent, remedy=remedy, evaluations=problem.objective.evaluations)


def _refuse_method(problem: Problem, method: str | None) -> None:
    """Raise AutodiffError for an unknown method, or one that cannot handle the problem's bounds or constraints."""
    if method not in (None, *METHODS):
        raise AutodiffError(f"there is no method `{method}`", hint=f"choose one of {', '.join(METHODS)}")
    kept = method in (None, "slsqp") or not problem.constraints
    if not kept or (method == "bfgs" and problem.bounds):
        what = "bounds" if kept else "constraints"
        raise AutodiffError(f"the method `{method}` cannot handle {what}", hint="leave the method out, or take `slsqp`")


def _require_defined(constraints: Iterable[Constraint], start: Doubles) -> None:
    """Raise AutodiffError for a constraint that has no value at the start, or is missed by an infinity."""
    for constraint in constraints:
        if constraint.excess(start) == inf:
            number = constraint.function.value(start)
            raise AutodiffError(
                f"the sides of `{constraint.text}` differ by {number} at the start",
                remedy=Remedy("start of constraints", (), "begin where the constraints are defined"),
                code=NOT_FINITE,
            )


def _minimum_from(problem: Problem, start: Doubles, method: str | None, starts: int) -> Minimum:
    """The minimum that is reached from a start; where its share of the work runs out, the last point on the way to it.

    It is the first of so many `starts` that are left.
    """
    trace: list[TraceStep] = []
    try:
        with share_of_work(starts):
            return _reached(problem, start, method, trace)
    except TooMuchWorkError as spent:
        if not trace:
            raise
        with uncounted(), WorkBudget(_OF_THE_LAST_POINT):
            last = _minimum(problem, _last_point(problem, trace), trace, _Failure("the search has not ended", None))
        return replace(last, spent=spent)


def _last_point(problem: Problem, trace: Sequence[TraceStep]) -> Doubles:
    """The last point on the way."""
    last: Doubles = numpy.array(trace[-1].vector) / problem.units
    return last


def _reached(problem: Problem, start: Doubles, method: str | None, trace: list[TraceStep]) -> Minimum:
    """The end of the searches from a start; the points on the way are added to the trace."""
    start = begin = vector = numpy.clip(start, problem.low, problem.high)
    ends = [begin]
    far = _FAR * max(1.0, numpy.abs(begin * problem.units).max())

    def seen(vector: Doubles) -> None:
        place = vector * problem.units
        step = TraceStep(tuple(map(float, place)), problem.objective.value(place))
        if not trace or trace[-1] != step:
            trace.append(step)
        if step.value == -problem.sign * inf or numpy.abs(place).max() > far:
            raise _UnboundedError

    for count in range(_MOST_SEARCHES):
        try:
            seen(begin)
            vector = _settled(problem, searched(problem, begin, method, seen, in_unit=count % 2 == 1), seen)
        except _UnboundedError:
            vector = _last_point(problem, trace)
            if not _missed(problem, vector) or (begin == vector).all():
                return _minimum(problem, vector, trace, _unbounded(problem, trace))
            vector = begin
        further = _further(problem, start, vector)
        if further is None or (further == begin).all():
            break
        ends += [vector, further]
        begin = further
    missed = _missed(problem, vector)
    kept = [end for end in ends if not _missed(problem, end)]
    if missed and kept:
        failure = _Failure(f"no better point was found that satisfies `{missed.text}`", MORE_STARTS)
        return _minimum(problem, min(kept, key=problem.value), trace, failure)
    if missed:
        vector = min(*ends, vector, key=lambda end: most_missed(problem, end))
    return _minimum(problem, vector, trace)


def _settled(problem: Problem, start: Doubles, seen: Callable[[Doubles], None]) -> Doubles:
    """The last digits of the point that a search has reached."""
    vector = polished(problem, start, seen)
    if problem.constraints and not optimality(problem, vector).is_stationary:
        other = polished(problem, vector, seen, _NOT_SO_NEAR)
        if optimality(problem, other).is_stationary and not _missed(problem, other):
            return other
    return vector


def _further(problem: Problem, start: Doubles, vector: Doubles) -> Doubles | None:
    """A start for another search, if the one from `start` did not end at a minimum; None if it did.

    Where constraints are missed it satisfies them, if it can: on the way back to the start, or near either. At the end
    of a search, or even at the start, they may have no slope to follow: there is one near the start.
    """
    if _missed(problem, vector):
        parts = () if _missed(problem, start) else (2.0**-k for k in range(50, 0, -1))
        back = (vector + part * (start - vector) for part in parts)
        first = islice((place for place in back if not _missed(problem, place)), 1)
        beside = start + numpy.where(start < problem.high, _ASIDE, -_ASIDE) * numpy.linspace(1.0, 2.0, len(start))
        nearest = restored(problem, vector)
        others = chain(first, (restored(problem, place) for place in (start, beside)))
        return next((there for there in chain([nearest], others) if _leads_on(problem, there)), nearest)
    reached = optimality(problem, vector)
    return vector if reached.active and not reached.is_stationary else _downhill(reached)


def _leads_on(problem: Problem, vector: Doubles) -> bool:
    """Whether constraints are satisfied, and have slopes to follow."""
    slopes = [constraint.gradient(vector) for constraint in problem.constraints]
    return bool(numpy.isfinite(slopes).all()) and not _missed(problem, vector)


def _downhill(reached: Optimality) -> Doubles | None:
    """A point next to one that is not a minimum, from which the way leads down; None where there is none.

    The way may leave bounds and constraints whose multipliers are 0: they hold nothing. A direction qualifies that
    curves downwards, or so little upwards that the value falls by far more, as that of x^3 does near 0. Directions
    without curvature are also mixed at random: that of x*y*z near 0 falls along none of them alone.
    """
    problem, here, loose = reached.problem, reached.vector, reached.without_weak
    if not reached.is_stationary:
        return None
    along, free = numpy.zeros((loose.directions.shape[1], len(here))), ~loose.held
    curvatures, vectors = loose.curvatures
    along[:, free] = (loose.directions @ vectors).T
    flat = along[abs(curvatures) <= loose.rounding]
    mixed = random_generator(0).normal(size=(_MIXED * (len(flat) > 1), len(flat))) @ flat
    inwards = (reached.held & free) * numpy.where(here > problem.low, -1.0, 1.0)
    moves = _BESIDE * numpy.maximum(1.0, abs(here)) * numpy.vstack([along, -along, inwards, mixed, -mixed])
    rises = numpy.maximum(0.0, ((moves[:, free] @ loose.hessian) * moves[:, free]).sum(axis=1) / 2)
    value, size = loose.lagrangian(here), max(1.0, abs(problem.value(here)))
    for move, rise in zip(moves, rises, strict=True):
        if rise <= _NO_RISE * size:
            beside: Doubles = numpy.clip(here + move, problem.low, problem.high)
            others = (constraint for constraint in reached.active if constraint not in loose.active)
            fall = value - loose.lagrangian(beside)
            if fall > _NO_FALL * size and rise <= _NO_RISE * fall and not any(one.excess(beside) for one in others):
                return beside
    return None


def _minimum(problem: Problem, vector: Doubles, trace: list[TraceStep], failure: _Failure | None = None) -> Minimum:
    """Return a point as the minimum; `failure` says why the search did not end at one."""
    reached = optimality(problem, vector)
    failure = failure or _unsatisfied(problem, vector) or _unsettled(reached, trace)
    names, place, plain = problem.names, vector * problem.units, reached.without_units()
    word = "maximum" if problem.sign < 0 else "minimum"
    opposite = {"minimum": "maximum", "maximum": "minimum"}
    try:
        kind, eigenvalues = reached.kind, plain.curvatures[0]
    except TooMuchWorkError:
        if not failure:
            raise
        kind, eigenvalues = "not known", numpy.empty(0)
    return Minimum(
        point=dict(zip(names, map(float, place), strict=True)),
        value=problem.objective.value(place),
        gradient=dict(zip(names, map(float, problem.objective.gradient(place)), strict=True)),
        converged=not failure,
        reason=failure.reason if failure else f"the conditions for a {word} hold to the last digits",
        remedy=failure.remedy if failure else None,
        kind=kind if problem.sign > 0 else opposite.get(kind, kind),
        eigenvalues=sorted(float(problem.sign * value) for value in eigenvalues),
        multipliers=_multipliers(plain),
        evaluations=problem.objective.evaluations,
        trace=trace,
    )


def _multipliers(optimality: Optimality) -> dict[str, float]:
    problem, numbers = optimality.problem, {}
    for place, name in enumerate(problem.names):
        if optimality.held[place]:
            low, high = problem.low[place], problem.high[place]
            at_low = abs(optimality.vector[place] - low) <= abs(optimality.vector[place] - high)
            text = f"{name} >= {float(low)!r}" if at_low else f"{name} <= {float(high)!r}"
            numbers[text] = float(problem.sign * optimality.slopes[place])
    for constraint, multiplier in zip(optimality.active, optimality.multipliers, strict=True):
        bound_or_repeated = numbers.get(constraint.text, 0.0)  # each of them takes a part
        numbers[constraint.text] = bound_or_repeated + float(problem.sign * multiplier)
    return numbers


def _unbounded(problem: Problem, trace: Sequence[TraceStep]) -> _Failure:
    first, last = (problem.sign * trace[place].value for place in (0, -1))
    value = rounded(trace[-1].value)
    if last < first or last == -inf:
        changing = "growing" if problem.sign < 0 else "falling"
        reason = f"no bound was found: far from the start the value is {value} and still {changing}"
        return _Failure(reason, _limits(problem))
    return _Failure(f"the search went too far from the start: the value is {value} there", _limits(problem))


def _limits(problem: Problem) -> Remedy:
    return Remedy("bounds", problem.names, "give `bounds`")


def _missed(problem: Problem, vector: Doubles) -> Constraint | None:
    """The constraint that is missed by most; None if all are satisfied."""
    missed = [one for one in problem.constraints if one.excess(vector) > _SATISFIED * one.scale(vector)]
    return max(missed, key=lambda constraint: constraint.excess(vector), default=None)


def _unsatisfied(problem: Problem, vector: Doubles) -> _Failure | None:
    missed = _missed(problem, vector)
    if missed is None:
        return None
    excess = missed.excess(vector)
    by = "it has no finite value here" if excess == inf else f"it is missed by {rounded(excess * missed.unit)}"
    return _Failure(f"no point was found that satisfies `{missed.text}`: {by}", MORE_STARTS)


def _bound_without_value(here: Optimality) -> str:
    """The bound that the search has reached but for rounding, and at which the function has no value; "" for none."""
    problem = here.problem
    for place, name in enumerate(problem.names):
        is_low = here.slopes[place] > 0
        bound = (problem.low if is_low else problem.high)[place]
        moved = numpy.where(numpy.arange(len(here.vector)) == place, bound, here.vector)
        is_near = isfinite(bound) and abs(here.vector[place] - bound) <= NEAR * max(1.0, abs(bound))
        if is_near and not isfinite(problem.value(moved)):
            return f"{name} {'>=' if is_low else '<='} {float(problem.bounds[name][not is_low])!r}"
    return ""


def _unsettled(optimality: Optimality, trace: Sequence[TraceStep]) -> _Failure | None:
    problem = optimality.problem
    if not isfinite(problem.value(optimality.vector)):
        return _Failure("the function has no finite value here", MORE_STARTS)
    if not optimality.is_stationary:
        first, last = (problem.sign * trace[place].value for place in (0, -1))
        if last < -_FAR * max(1.0, abs(first)):
            return _unbounded(problem, trace)
        bound = _bound_without_value(optimality)
        if bound:
            reason = f"the search ran into `{bound}`, where the function has no finite value: move that bound inwards"
            return _Failure(reason, None)
        further = ", or the constraints may depend on each other" if optimality.active else ""
        reason = f"no further step helps, but the gradient is not zero: the function may have a kink here{further}"
        return _Failure(reason, MORE_STARTS)
    if optimality.kind in ("saddle point", "maximum"):
        return _Failure(f"the search ended at a {optimality.kind}", MORE_STARTS)
    if falls_far_away(optimality, numpy.array(trace[0].vector) / problem.units):
        return _Failure("the value still changes far away, if slowly: there may be no minimum", _limits(problem))
    return None
