"""Correlations of measured values: their coefficients, and values from repeated readings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy

from ..arithmetic.arrays import Doubles, in_units
from ..errors import AutodiffError, did_you_mean, quoted_names
from ..program import as_double
from .measured_values import MeasuredValue

_ROUNDING = 1e-9  # an eigenvalue of a correlation matrix that is not below minus this counts as 0

Correlations = Mapping[tuple[str, str], float]
"""two names → their correlation coefficient"""


@dataclass(frozen=True)
class CorrelationMatrix:
    """The correlations of inputs; an exact one varies with none.

    Inputs that were read together keep their deviations: where they drift alike, their coefficients are 1 but for
    rounding, and do not say how much their difference varies.
    """

    coefficients: Doubles
    deviations: Doubles
    """inputs × readings: of the inputs that were read together, scaled to a length of 1; 0 for the others"""

    @cached_property
    def others(self) -> Doubles:
        """The coefficients without those of the inputs that were read together."""
        read = self.deviations.any(axis=1)
        return numpy.where(numpy.outer(read, read), 0.0, self.coefficients)

    def by_reading(self, contributions: Doubles) -> Doubles:
        """The sum of contributions to the result, in each of the readings."""
        sums: Doubles = (contributions[:, None] * self.deviations).sum(axis=0)  # equal terms cancel, as in no `@`
        return sums

    def times(self, contributions: Doubles) -> Doubles:
        """The product of the matrix and contributions."""
        return self.deviations @ self.by_reading(contributions) + self.others @ contributions

    def product(self, first: Doubles, second: Doubles) -> float:
        """The covariance of two results by the contributions of the inputs to each."""
        return float(self.by_reading(first) @ self.by_reading(second) + first @ (self.others @ second))


def correlation_matrix(inputs: Mapping[str, MeasuredValue], correlations: Correlations) -> CorrelationMatrix:
    """The correlations of the inputs, in their order.

    Coefficients that are given take the place of those of readings. Raises AutodiffError for coefficients of unknown
    names, of one name or given twice, outside −1 to 1, or that contradict each other.
    """
    names = list(inputs)
    deviations = _deviations(inputs)
    matrix: Doubles = numpy.clip(deviations @ deviations.T, -1, 1)
    numpy.fill_diagonal(matrix, 1.0)
    for pair, given in correlations.items():
        if len(pair) != 2:
            raise AutodiffError(f"a correlation is given for {quoted_names(pair)}", hint="give the names of two inputs")
        coefficient = as_double(", ".join(pair), given, "the correlation of ")
        for name in pair:
            if name not in inputs:
                hint = did_you_mean(name, inputs) or f"the inputs are {quoted_names(names)}"
                raise AutodiffError(f"a correlation is given for `{name}`, which is not an input", hint=hint)
        if not abs(coefficient) <= 1:
            message = f"the correlation of {quoted_names(pair)} is {coefficient:g}"
            raise AutodiffError(message, hint="it lies between -1 and 1")
        if pair[0] == pair[1]:
            raise AutodiffError(f"`{pair[0]}` is correlated with itself", hint="name two inputs")
        if pair[::-1] in correlations:
            raise AutodiffError(f"the correlation of {quoted_names(pair)} is given twice", hint="leave one out")
        first, second = map(names.index, pair)
        matrix[first, second] = matrix[second, first] = coefficient
    values, vectors = numpy.linalg.eigh(matrix)
    if len(names) and values[0] < -_ROUNDING:
        involved = [name for name, part in zip(names, vectors[:, 0], strict=True) if abs(part) > 0.1]
        message = f"the correlations of {quoted_names(involved)} contradict each other"
        raise AutodiffError(message, hint="no quantities vary like that: their matrix is not positive semidefinite")
    if any(inputs[name].deviations for pair in correlations for name in pair):
        deviations = deviations[:, :0]
    varies = numpy.array([quantity.u > 0 for quantity in inputs.values()], dtype=float)
    return CorrelationMatrix(matrix * numpy.outer(varies, varies), deviations)


def _deviations(inputs: Mapping[str, MeasuredValue]) -> Doubles:
    count = max((len(quantity.deviations) for quantity in inputs.values()), default=0)
    return numpy.array([quantity.deviations or (0.0,) * count for quantity in inputs.values()]).reshape(
        len(inputs), count
    )


def from_readings(readings: Mapping[str, Sequence[float] | Doubles]) -> dict[str, MeasuredValue]:
    """The means of repeated readings with their standard uncertainties, and how they vary together (GUM 4.2, 5.2.3).

    A mean has Student's t distribution, scaled and shifted (JCGM 101, 6.4.9).
    Raises AutodiffError for fewer than two readings, and for one that is infinite.
    """
    count = min(map(len, readings.values()), default=0)
    if count < 2:
        message = "a single reading does not show how readings vary" if count else "there are no readings"
        raise AutodiffError(message, hint="give two or more")
    for name, numbers in readings.items():
        if not numpy.isfinite(numbers).all():
            raise AutodiffError(f"a reading of `{name}` is infinite", hint="leave it out")
    table, exponents = in_units(numpy.array(list(readings.values()), dtype=float))
    deviations = table.std(axis=1, ddof=1, keepdims=True) / numpy.sqrt(count)
    numbers = numpy.ldexp(numpy.hstack([table.mean(axis=1, keepdims=True), deviations]), exponents).tolist()
    centred = table - table.mean(axis=1, keepdims=True)
    sizes = numpy.sqrt((centred**2).sum(axis=1, keepdims=True))
    together = (centred / numpy.where(sizes, sizes, 1.0)).tolist()
    return {
        name: MeasuredValue(mean, u, count - 1.0, "t", (u, count - 1.0), deviations=tuple(deviations))
        for name, (mean, u), deviations in zip(readings, numbers, together, strict=True)
    }
