"""The conditions for a minimum at a point: active bounds and constraints, multipliers, and the curvature between them.

Nocedal and Wright, Numerical Optimization (2006), chapter 12.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy
from numpy.typing import NDArray

from ..arithmetic.arrays import Doubles, neighbours
from ..work_budget import charge
from .problem import ROUNDING, Constraint, Problem, power_of_two

NEAR = 1e-7
"""relative: a constraint this near its limit may be active"""
_FLAT = 1e-9  # relative to the largest: an eigenvalue that counts as 0
_ROUNDING = 1e-14  # relative to the terms whose sum it is: an eigenvalue that counts as 0
_SETTLED = 1e-6  # relative: the slope at a minimum
_WEAK = 1e-9  # relative to the gradient: a multiplier that counts as 0
_EIGENVALUES = 2e-9  # times the cube of the number of directions: the work of their curvatures, in seconds


@dataclass(frozen=True)
class Optimality:
    """The conditions at a point, for some active constraints and for variables that are held at a bound."""

    problem: Problem
    vector: Doubles
    held: NDArray[numpy.bool_]
    """for each variable whether it is held at a bound"""
    active: Sequence[Constraint]

    @cached_property
    def gradient(self) -> Doubles:
        """The gradient of what is minimized."""
        return self.problem.gradient(self.vector)

    @cached_property
    def jacobian(self) -> Doubles:
        """A row for each active constraint: its gradient."""
        rows = [constraint.gradient(self.vector) for constraint in self.active]
        return numpy.array(rows).reshape(len(rows), len(self.vector))

    @cached_property
    def misses(self) -> Doubles:
        """The value of each active constraint, which should be 0."""
        return numpy.array([constraint.value(self.vector) for constraint in self.active])

    @cached_property
    def multipliers(self) -> Doubles:
        """For each active constraint the derivative of the minimum with respect to its right side."""
        free = ~self.held
        return _solution(self.jacobian[:, free].T, self.gradient[free])

    @cached_property
    def slopes(self) -> Doubles:
        """The gradient of the Lagrangian: 0 for free variables at a minimum, the bounds' multipliers for others."""
        slopes: Doubles = self.gradient - self.jacobian.T @ self.multipliers
        return slopes

    def lagrangian(self, vector: Doubles) -> float:
        """The value of the Lagrangian elsewhere, with these multipliers."""
        pairs = zip(self.multipliers, self.active, strict=True)
        return self.problem.value(vector) - sum(float(number) * part.value(vector) for number, part in pairs)

    @cached_property
    def directions(self) -> Doubles:
        """An orthonormal basis of the moves of free variables that keep active constraints, in columns.

        All moves, where a constraint has no finite slope: nothing is known of the curvature there.
        """
        jacobian = self.jacobian[:, ~self.held]
        if not len(jacobian) or not numpy.isfinite(jacobian).all():
            return numpy.eye(jacobian.shape[1])
        lengths = numpy.linalg.norm(jacobian, axis=1, keepdims=True)
        _, sizes, basis = numpy.linalg.svd(jacobian / numpy.where(lengths > 0, lengths, 1.0))
        rank = int((sizes > 1e-12 * sizes.max(initial=0.0)).sum())
        return basis[rank:].T

    @cached_property
    def hessian(self) -> Doubles:
        """The Hessian of the Lagrangian for the free variables."""
        return sum(self._hessian_terms[1:], self._hessian_terms[0])

    @cached_property
    def _hessian_terms(self) -> list[Doubles]:
        """Those of the function and of the active constraints."""
        pairs = zip(self.active, self.multipliers, strict=True)
        terms = [-multiplier * constraint.hessian(self.vector) for constraint, multiplier in pairs]
        free = numpy.ix_(~self.held, ~self.held)
        return [term[free] for term in (self.problem.hessian(self.vector), *terms)]

    @cached_property
    def curvatures(self) -> tuple[Doubles, Doubles]:
        """The eigenvalues of the Hessian along `directions`, ascending, and their vectors in columns."""
        charge(_EIGENVALUES * self.directions.shape[1] ** 3)
        matrix = self.directions.T @ self.hessian @ self.directions
        if not matrix.size or not numpy.isfinite(matrix).all():
            return numpy.full(len(matrix), numpy.nan), numpy.eye(len(matrix))
        values, vectors = numpy.linalg.eigh(matrix)
        return values, vectors

    @property
    def rounding(self) -> float:
        """A curvature that counts as 0, given the terms that cancel in it."""
        return _ROUNDING * max(float(abs(term).max(initial=0.0)) for term in self._hessian_terms)

    @cached_property
    def without_weak(self) -> "Optimality":
        """The conditions without the bounds and inequalities that hold nothing here, as their multipliers are 0."""
        limit = _WEAK * max(1.0, float(abs(self.gradient).max(initial=0.0)))
        weak = self.held & (abs(self.slopes) <= limit) & (self.problem.low < self.problem.high)
        strong = [
            constraint
            for constraint, multiplier in zip(self.active, self.multipliers, strict=True)
            if constraint.symbol == "==" or not abs(multiplier) <= limit
        ]
        return Optimality(self.problem, self.vector, self.held & ~weak, strong)

    def without_units(self) -> "Optimality":
        """The conditions in the numbers of the problem as it was stated."""
        if not self.problem.has_units:
            return self
        return self._measured(self.problem.without_units(), self.vector * self.problem.units)

    def _measured(self, problem: Problem, vector: Doubles) -> "Optimality":
        """The same conditions of the problem in other units."""
        same = zip(self.problem.constraints, problem.constraints, strict=True)
        return Optimality(problem, vector, self.held, [other for one, other in same if one in self.active])

    @property
    def kind(self) -> str:
        """The point according to the second derivatives: a minimum, a maximum, a saddle point, or flat."""
        values, _ = self.curvatures
        if not len(values):
            return "minimum"
        if numpy.isnan(values).any():
            return "not known"
        if (values < -self.flatness).all():
            return "maximum"
        if (values < -self.flatness).any():
            return "saddle point"
        return "minimum" if self._is_curved or self._with_even_curvatures()._is_curved else "flat"

    @property
    def flatness(self) -> float:
        """A curvature that counts as 0 next to the others."""
        return max(_FLAT * float(abs(self.curvatures[0]).max(initial=0.0)), self.rounding)

    @property
    def _is_curved(self) -> bool:
        """Whether the function curves upwards in every direction."""
        values, _ = self.curvatures
        return bool((values > self.flatness).all() and values.max() > 0)

    def _with_even_curvatures(self) -> "Optimality":
        """The conditions with units in which no variable seems flat only because others are smaller or curve more.

        The unit is the step that changes the value by its own size, or the variable's size if that is smaller.
        """
        sizes, free = numpy.maximum(1.0, abs(self.vector)), ~self.held
        curvatures = abs(self.hessian.diagonal())
        steps = numpy.sqrt(max(1.0, abs(self.problem.value(self.vector))) / curvatures)
        sizes[free] = numpy.minimum(sizes[free], steps)
        units = power_of_two(sizes, numpy.isfinite(sizes))
        return self._measured(self.problem.with_units(units), self.vector / units)

    @property
    def is_stationary(self) -> bool:
        """Whether a relative change of a free variable hardly changes the value, or no double beside it does better.

        Beside a large variable the next doubles may be far compared with the curvature.
        """
        here = self.problem.value(self.vector)
        changes = abs(self.slopes) * numpy.maximum(1.0, abs(self.vector))
        steep = ~(changes <= _SETTLED * max(1.0, abs(here))) & ~self.held
        if not steep.any():
            return True
        rounding = abs(self.hessian) @ numpy.spacing(abs(self.vector[~self.held]))
        explained = numpy.isfinite(rounding) & (abs(self.slopes[~self.held]) <= rounding)
        if not explained[steep[~self.held]].all():
            return False
        least = self.lagrangian(self.vector) - ROUNDING * abs(here)
        return all(self.lagrangian(there) >= least for there in neighbours(self.vector, numpy.flatnonzero(steep)))


def _solution(matrix: Doubles, right: Doubles) -> Doubles:
    """The shortest vector that the matrix takes nearest to the right side; nan where they are not finite."""
    if not (numpy.isfinite(matrix).all() and numpy.isfinite(right).all()):
        return numpy.full(matrix.shape[1], numpy.nan)
    return numpy.asarray(numpy.linalg.lstsq(matrix, right, rcond=None)[0], dtype=float)


def optimality(problem: Problem, vector: Doubles, near: float = NEAR) -> Optimality:
    """The conditions at a point, with the constraints and bounds that are active there."""
    at_bounds = [_at_bound(problem, vector, bound, near) for bound in (problem.low, problem.high)]
    held = at_bounds[0] | at_bounds[1]
    active = [constraint for constraint in problem.constraints if _is_near(constraint, vector, near)]
    while True:
        optimality = Optimality(problem, vector, held, active)
        wrong = _wrong(optimality, at_bounds)
        if wrong is None:
            return optimality
        if wrong < len(vector):
            held = held.copy()
            held[wrong] = False
        else:
            active = [constraint for place, constraint in enumerate(active) if place != wrong - len(vector)]


def _at_bound(problem: Problem, vector: Doubles, bound: Doubles, near: float) -> NDArray[numpy.bool_]:
    """For each variable whether it is at its bound, or near enough to be held there.

    Without constraints, which may ask for a higher value, none is where the value at the bound is higher.
    """
    at_bound = numpy.isfinite(bound) & (abs(vector - bound) <= near * numpy.maximum(1.0, abs(vector)))
    for place in () if problem.constraints else numpy.flatnonzero(at_bound & (vector != bound)):
        moved = vector.copy()
        moved[place] = bound[place]
        at_bound[place] = problem.value(moved) <= problem.allowed(vector)
    return at_bound


def _is_near(constraint: Constraint, vector: Doubles, near: float) -> bool:
    """Whether a constraint is missed, or so nearly that it may be active."""
    if constraint.symbol == "==":
        return True
    return constraint.sign * constraint.value(vector) <= near * constraint.scale(vector)


def _wrong(optimality: Optimality, at_bounds: Sequence[NDArray[numpy.bool_]]) -> int | None:
    """The held variable, or after them the active constraint, that pulls the wrong way most; None if none does."""
    at_low, at_high = at_bounds
    pulls = numpy.where(at_low & at_high, 0.0, numpy.where(at_high, optimality.slopes, -optimality.slopes))
    bounds = numpy.where(optimality.held, pulls, 0.0)
    constraints = [
        0.0 if constraint.symbol == "==" else -constraint.sign * multiplier
        for constraint, multiplier in zip(optimality.active, optimality.multipliers, strict=True)
    ]
    all_pulls = numpy.array([*bounds, *constraints])
    limit = _WEAK * max(1.0, float(abs(optimality.gradient).max(initial=0.0)))
    return int(all_pulls.argmax()) if all_pulls.max(initial=0.0) > limit else None
