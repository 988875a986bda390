"""Problems of minimization: a function of variables, their bounds, and constraints between them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, isnan

import numpy

from ..arithmetic.arrays import Doubles
from ..derivatives.scalar_function import ScalarFunction
from ..work import charge
from .data_objective import DataObjective

ROUNDING = 4e-16
"""relative, of a value"""
_STEP = 2.3e-4  # the work of a search around a value, seconds


@dataclass(frozen=True)
class Constraint:
    """A relation that a point has to satisfy: the function is 0, or at most 0, or at least 0."""

    text: str
    symbol: str
    """`==`, `<=` or `>=`"""
    function: ScalarFunction

    @property
    def sign(self) -> float:
        """The factor that makes the constraint one of `at least 0`."""
        return -1.0 if self.symbol == "<=" else 1.0

    def gradient(self, vector: Doubles) -> Doubles:
        """The gradient of the function."""
        return numpy.array(self.function.gradient(vector), dtype=float)

    def hessian(self, vector: Doubles) -> Doubles:
        """The Hessian of the function."""
        return numpy.array(self.function.hessian(vector), dtype=float).reshape(len(vector), len(vector))

    def scale(self, vector: Doubles) -> float:
        """The size of the terms that cancel in the function, by which its value is judged."""
        return float(1.0 + numpy.abs(self.gradient(vector) * vector).sum())

    def excess(self, vector: Doubles) -> float:
        """By how much the constraint is missed at a vector; 0 where it is satisfied, infinite where it has no value."""
        number = self.function.value(vector)
        if isnan(number):
            return inf
        return abs(number) if self.symbol == "==" else max(0.0, -self.sign * number)


@dataclass(frozen=True)
class Problem:
    """A function to minimize; `sign` is −1 where its maximum is sought, and multiplies the function's value."""

    objective: ScalarFunction | DataObjective
    bounds: Mapping[str, tuple[float, float]]
    constraints: Sequence[Constraint] = ()
    sign: float = 1.0

    @property
    def names(self) -> tuple[str, ...]:
        """The variables."""
        return self.objective.names

    @property
    def low(self) -> Doubles:
        """The lower bound of each variable."""
        return numpy.array([self.bounds.get(name, (-inf, inf))[0] for name in self.names])

    @property
    def high(self) -> Doubles:
        """The upper bound of each variable."""
        return numpy.array([self.bounds.get(name, (-inf, inf))[1] for name in self.names])

    def value(self, vector: Doubles) -> float:
        """The number to be minimized; infinite where the function has no value."""
        charge(_STEP)
        number = self.sign * self.objective.value(vector)
        return inf if numpy.isnan(number) else number

    def allowed(self, vector: Doubles) -> float:
        """The number that a step from a vector may lead to: no higher, but for rounding."""
        value = self.value(vector)
        return value + ROUNDING * abs(value)

    def gradient(self, vector: Doubles) -> Doubles:
        """The gradient of what is minimized."""
        return self.sign * numpy.array(self.objective.gradient(vector), dtype=float)

    def hessian(self, vector: Doubles) -> Doubles:
        """The Hessian of what is minimized."""
        return self.sign * numpy.array(self.objective.hessian(vector), dtype=float).reshape(len(vector), len(vector))
