"""The last digits of a minimum: Newton's method with exact second derivatives, on the active constraints."""

from collections.abc import Callable
from itertools import pairwise

import numpy

from ..arithmetic.arrays import Doubles
from .optimality import NEAR, Optimality, optimality
from .problem import ROUNDING, Problem

_MOST_STEPS, _MOST_HALVINGS, _MOST_RESTORING = 200, 40, 20
_OF_ROOM = 0.9  # the part of the way to a bound that a step may go
_FAR = 1e-3  # relative: a step that shows that the method has not settled
_LEVEL = 1e-14  # relative to the value: a curvature that counts as 0 far from the start
_FURTHER = 2.0 ** numpy.arange(-4, 4)  # of the way from the start: a fall by rounding does not last that far


def polished(problem: Problem, start: Doubles, seen: Callable[[Doubles], None], near: float = NEAR) -> Doubles:
    """The point that Newton's method reaches, no worse than `start`; `seen` is called with each point on the way.

    A constraint may be active whose value is `near` 0, relatively.
    """
    here = optimality(problem, start, near)
    at_bounds = _at_bounds(here)
    if at_bounds is not None:
        here = at_bounds
        seen(here.vector)
    for _ in range(_MOST_STEPS):
        following = _next(here)
        if following is None:
            break
        here = following
        seen(here.vector)
    return here.vector


def restored(problem: Problem, start: Doubles) -> Doubles:
    """A point near `start` that misses the constraints by less, by Newton's method on those that are missed."""
    vector, length = start, 1.0
    for _ in range(_MOST_RESTORING):
        missed = [constraint for constraint in problem.constraints if constraint.excess(vector)]
        if not missed:
            break
        jacobian = numpy.array([constraint.gradient(vector) for constraint in missed])
        misses = numpy.array([constraint.value(vector) for constraint in missed])
        if not (numpy.isfinite(jacobian).all() and numpy.isfinite(misses).all()):
            break
        step = numpy.linalg.lstsq(jacobian, -misses, rcond=None)[0]
        room = _OF_ROOM * (numpy.where(step < 0, problem.low, problem.high) - vector)  # a bound may leave no slope
        moved = vector + numpy.where(abs(length * step) > abs(room), room, length * step)
        is_nearer = most_missed(problem, moved) < most_missed(problem, vector)
        vector, length = (moved, 1.0) if is_nearer else (vector, length / 2)
    return vector


def most_missed(problem: Problem, vector: Doubles) -> float:
    """The largest number by which a constraint is missed."""
    return max(constraint.excess(vector) for constraint in problem.constraints)


def _at_bounds(here: Optimality) -> Optimality | None:
    """The conditions where the variables that are held are at their bounds to the last digit; None if that is worse."""
    low, high = here.problem.low, here.problem.high
    nearest = numpy.where(abs(here.vector - low) <= abs(here.vector - high), low, high)
    vector = numpy.where(here.held, nearest, here.vector)
    value, allowed = here.problem.value(vector), here.problem.allowed(here.vector)
    if (vector == here.vector).all() or not numpy.isfinite(value) or not (here.active or value <= allowed):
        return None
    return Optimality(here.problem, vector, here.held, here.active)


def _next(here: Optimality) -> Optimality | None:
    """The conditions after one step; None where no step is better."""
    step = newton_step(here)
    if step is None or not step.any():
        return None
    is_better = _is_consistent if here.active else _is_lower
    length, allowed = _room(here, step), here.problem.allowed(here.vector)
    for _ in range(1 if here.active else _MOST_HALVINGS):
        vector = here.vector + length * step
        if (vector == here.vector).all():
            return None
        vector = numpy.clip(vector, here.problem.low, here.problem.high)
        if here.active:
            there = Optimality(here.problem, vector, here.held, here.active)
        elif here.problem.value(vector) <= allowed:
            there = optimality(here.problem, vector)
        else:
            there = None
        if there is not None and is_better(there, here):
            return there
        length /= 2
    return None


def newton_step(here: Optimality) -> Doubles | None:
    """Newton's step; along directions in which the function curves downwards, away from its maximum."""
    values, vectors = here.curvatures
    if numpy.isnan(values).any() or not numpy.isfinite(here.gradient).all():
        return None
    free = ~here.held
    jacobian = here.jacobian[:, free]
    back = numpy.linalg.lstsq(jacobian, -here.misses, rcond=None)[0]
    pull = here.directions.T @ (here.gradient[free] + here.hessian @ back)
    sizes = numpy.maximum(abs(values), here.rounding)
    sizes[sizes == 0] = 1.0
    step = numpy.zeros(len(here.vector))
    step[free] = back - here.directions @ (vectors @ ((vectors.T @ pull) / sizes))
    return step


def falls_far_away(here: Optimality, start: Doubles) -> bool:
    """Whether the value still falls far from a point: after Newton's step, or on and on along the way from the start.

    Of that way only the directions without curvature count. Rounding may leave no slope to follow there.
    """
    step = newton_step(here)
    if step is None:
        return False
    problem, value = here.problem, here.problem.value(here.vector)
    enough = value - _FAR * abs(value)
    if (abs(step) > _FAR * numpy.maximum(1.0, abs(here.vector))).any():
        return here.lagrangian(numpy.clip(here.vector + step, problem.low, problem.high)) < enough
    if here.active:  # a Lagrangian says nothing far away, as constraints curve
        return False
    free, (curvatures, vectors) = ~here.held, here.curvatures
    level = here.directions @ vectors[:, abs(curvatures) <= max(here.flatness, _LEVEL * max(1.0, abs(value)))]
    along = numpy.zeros(len(start))
    along[free] = level @ (level.T @ (here.vector - start)[free])
    further = (numpy.clip(here.vector + part * along, problem.low, problem.high) for part in _FURTHER)
    values = [value, *map(problem.value, further)]
    return values[-1] < enough and all(after < before for before, after in pairwise(values))


def _room(here: Optimality, step: Doubles) -> float:
    """The longest step, up to 1, that stays within the bounds."""
    limits = numpy.where(step > 0, here.problem.high - here.vector, here.problem.low - here.vector) / step
    return float(min(1.0, limits[(step != 0) & (limits > 0)].min(initial=1.0)))


def _is_lower(there: Optimality, here: Optimality) -> bool:
    """Whether a step has made the value lower, or as good and the slope less."""
    before, after = here.problem.value(here.vector), there.problem.value(there.vector)
    return after < before - ROUNDING * abs(before) or bool(_residual(there) < _residual(here))


def _is_consistent(there: Optimality, here: Optimality) -> bool:
    """Whether a step has come nearer to satisfying all conditions, and has left no other constraint."""
    problem = there.problem
    others = [constraint for constraint in problem.constraints if constraint not in there.active]
    stays = all(constraint.excess(there.vector) <= constraint.excess(here.vector) for constraint in others)
    return stays and bool(_residual(there) < _residual(here))


def _residual(here: Optimality) -> float:
    """The sum of the first-order conditions' errors."""
    return float(numpy.abs(here.slopes[~here.held]).sum() + numpy.abs(here.misses).sum())
