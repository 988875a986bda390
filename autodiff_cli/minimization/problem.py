"""Problems of minimization: a function of variables, their bounds, and constraints between them.

What is near, flat or settled is judged relative to 1 at least. So that this also works for capacitances in farads and
molecules in metres, tiny variables and values are measured in units that make them about 1, and so are constraints of
any size, as those in pascals: powers of two, by which no digit changes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, isnan

import numpy
from numpy.typing import NDArray

from ..arithmetic.arrays import Doubles
from ..search.scalar_function import ScalarFunction
from ..search.starts_and_bounds import bound_vectors
from ..work_budget import charge
from .data_objective import DataObjective

ROUNDING = 4e-16
"""relative, of a value"""
_STEP = 2.3e-4  # the work of a search around a value, in seconds
_ENTRY = 3e-7  # the work of an entry of a Hessian, in seconds
_TINY = 2.0**-10
"""a size below that needs a unit; a value above its reciprocal is large"""
_MOST_EXPONENT = 500
_PART = 1e-3  # of a function's value, by which it changes over a variable's size, if that is indeed its size


@dataclass(frozen=True, eq=False)
class Constraint:
    """A relation that a point has to satisfy: the function is 0, or at most 0, or at least 0."""

    text: str
    symbol: str
    """`==`, `<=` or `>=`"""
    function: ScalarFunction
    """of the variables without units"""
    units: Doubles | float = 1.0
    unit: float = 1.0
    """that of the function's value"""

    @property
    def sign(self) -> float:
        """The factor that makes the constraint one of `at least 0`."""
        return -1.0 if self.symbol == "<=" else 1.0

    def value(self, vector: Doubles) -> float:
        """The value of the function."""
        return self.function.value(vector * self.units) / self.unit

    def gradient(self, vector: Doubles) -> Doubles:
        """The gradient of the function."""
        return _gradient(self.function, vector, self.units) / self.unit

    def hessian(self, vector: Doubles) -> Doubles:
        """The Hessian of the function."""
        return _hessian(self.function, vector, self.units) / self.unit

    def scale(self, vector: Doubles) -> float:
        """The change that a relative change of all variables would make, by which the value is judged."""
        return _sum(self.gradient(vector) * numpy.maximum(1.0, abs(vector)))

    def excess(self, vector: Doubles) -> float:
        """The amount by which the constraint is missed; 0 where it is satisfied, infinite where it has no value."""
        number = self.value(vector)
        if isnan(number):
            return inf
        return abs(number) if self.symbol == "==" else max(0.0, -self.sign * number)


@dataclass(frozen=True)
class Problem:
    """A function to minimize; `sign` is −1 where its maximum is sought, and multiplies the function's value."""

    objective: ScalarFunction | DataObjective
    """of the variables without units"""
    bounds: Mapping[str, tuple[float, float]]
    """without units"""
    constraints: Sequence[Constraint] = ()
    sign: float = 1.0
    units: Doubles | float = 1.0
    unit: float = 1.0
    """that of the value"""

    @property
    def names(self) -> tuple[str, ...]:
        """The variables."""
        return self.objective.names

    @property
    def low(self) -> Doubles:
        """The lower bound of each variable."""
        return bound_vectors(self.bounds, self.names)[0] / self.units

    @property
    def high(self) -> Doubles:
        """The upper bound of each variable."""
        return bound_vectors(self.bounds, self.names)[1] / self.units

    def value(self, vector: Doubles) -> float:
        """The number to be minimized; infinite where the function has no value."""
        charge(_STEP)
        number = self.sign * self.objective.value(vector * self.units) / self.unit
        return inf if numpy.isnan(number) else number

    def allowed(self, vector: Doubles) -> float:
        """The number that a step from a vector may lead to: no higher, except for rounding."""
        value = self.value(vector)
        return value + ROUNDING * abs(value)

    def gradient(self, vector: Doubles) -> Doubles:
        """The gradient of what is minimized."""
        return self.sign * _gradient(self.objective, vector, self.units) / self.unit

    def hessian(self, vector: Doubles) -> Doubles:
        """The Hessian of what is minimized."""
        return self.sign * _hessian(self.objective, vector, self.units) / self.unit

    def in_units(self, start: Doubles) -> "Problem":
        """The problem with units for what is tiny, variables and values, and for constraints that are large.

        The size of a variable is that of its start, or of its bounds if that is 0. A start may be tiny because it is
        nearly 0. All functions that depend on a variable change over its size.
        """
        ends = abs(numpy.array([self.low, self.high]))
        sizes = numpy.where(start == 0, numpy.where(numpy.isfinite(ends), ends, 0.0).max(axis=0), abs(start))
        units = numpy.ones(len(start))
        if _is_tiny(sizes).any():
            functions: list[Problem | Constraint] = [self, *self.constraints]
            slopes = [abs(function.gradient(start)) for function in functions]
            curvatures = [abs(function.hessian(start).diagonal()) for function in functions]
            steps = slopes[0] / curvatures[0]  # those of Newton's method
            wide = numpy.fmax(sizes, numpy.where(numpy.isfinite(steps), steps, 0.0))
            changes = [wide * slope + wide**2 * curve for slope, curve in zip(slopes, curvatures, strict=True)]
            values = [abs(function.value(start)) for function in functions]
            stays = [(change > 0) & (change < _PART * value) for change, value in zip(changes, values, strict=True)]
            units = power_of_two(wide, _is_tiny(wide) & ~numpy.any(stays, axis=0))
        measured, there, sizes = self.with_units(units), start / units, sizes / units
        constraints = [replace(one, unit=unit_of(one, there, sizes)) for one in measured.constraints]
        return replace(measured, unit=min(1.0, unit_of(measured, there, sizes)), constraints=constraints)

    def with_units(self, units: Doubles) -> "Problem":
        """The problem with further units of the variables."""
        product = self.units * units
        constraints = [replace(constraint, units=product) for constraint in self.constraints]
        return replace(self, units=product, constraints=constraints)

    @property
    def has_units(self) -> bool:
        """Whether something is measured in a unit other than 1."""
        units = (self.unit, *(constraint.unit for constraint in self.constraints))
        return bool(numpy.any(self.units != 1.0)) or any(unit != 1.0 for unit in units)

    def without_units(self) -> "Problem":
        """The problem as it was stated."""
        constraints = [replace(constraint, units=1.0, unit=1.0) for constraint in self.constraints]
        return replace(self, units=1.0, unit=1.0, constraints=constraints)


def power_of_two(sizes: Doubles | float, chosen: NDArray[numpy.bool_]) -> Doubles:
    """A unit for each size: about as large for those that are chosen, else 1."""
    _, exponents = numpy.frexp(sizes)
    return numpy.where(chosen, numpy.ldexp(1.0, numpy.clip(exponents, -_MOST_EXPONENT, _MOST_EXPONENT)), 1.0)


def unit_of(function: Problem | Constraint, start: Doubles, sizes: Doubles) -> float:
    """The unit of a function's values, by the size of its terms at a start: 1 unless they are tiny or large.

    `sizes` are those of the variables, 0 for one that has none. A value that is large compared with its terms is only
    far from what it should be.
    """
    steps = numpy.where(sizes == 0, 1.0, sizes)
    size = max(_sum(function.gradient(start) * steps), min(1.0, abs(function.value(start))))
    return float(power_of_two(size, _is_tiny(size) | (size > 1 / _TINY)))


def _is_tiny(sizes: Doubles | float) -> NDArray[numpy.bool_]:
    return (numpy.asarray(sizes) > 0) & (numpy.asarray(sizes) < _TINY)


def _sum(terms: Doubles) -> float:
    """The sum of the sizes of those terms that are finite."""
    return float(abs(terms[numpy.isfinite(terms)]).sum())


def _gradient(function: ScalarFunction | DataObjective, vector: Doubles, units: Doubles | float) -> Doubles:
    gradient: Doubles = numpy.array(function.gradient(vector * units), dtype=float) * units
    return gradient


def _hessian(function: ScalarFunction | DataObjective, vector: Doubles, units: Doubles | float) -> Doubles:
    charge(_ENTRY * len(vector) ** 2)
    matrix = numpy.array(function.hessian(vector * units), dtype=float).reshape(len(vector), len(vector))
    return matrix * numpy.multiply.outer(units, units)
