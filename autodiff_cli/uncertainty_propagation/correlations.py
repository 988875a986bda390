"""Correlations of measured values: their coefficients, and values from repeated readings."""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy

from ..arithmetic.arrays import Doubles
from ..arithmetic.statistics import in_units
from ..errors import AutodiffError, did_you_mean, named
from ..program import as_double
from .measured_values import MeasuredValue

_ROUNDING = 1e-9  # an eigenvalue of a correlation matrix that is not below minus this counts as 0

Correlations = Mapping[tuple[str, str], float]
"""two names → their correlation coefficient"""


def correlation_matrix(inputs: Mapping[str, MeasuredValue], correlations: Correlations) -> Doubles:
    """The correlation matrix of the inputs, in their order; that of an exact one with any is 0.

    Raises AutodiffError for coefficients of unknown names, of one name or given twice, outside −1 to 1, or that
    contradict each other.
    """
    names = list(inputs)
    matrix: Doubles = numpy.eye(len(names))
    for pair, given in correlations.items():
        if len(pair) != 2:
            raise AutodiffError(f"a correlation is given for {named(pair)}", hint="give the names of two inputs")
        coefficient = as_double(", ".join(pair), given, "the correlation of ")
        for name in pair:
            if name not in inputs:
                hint = did_you_mean(name, inputs) or f"the inputs are {named(names)}"
                raise AutodiffError(f"a correlation is given for `{name}`, which is not an input", hint=hint)
        if not abs(coefficient) <= 1:
            raise AutodiffError(f"the correlation of {named(pair)} is {coefficient:g}", hint="it lies between -1 and 1")
        if pair[0] == pair[1]:
            raise AutodiffError(f"`{pair[0]}` is correlated with itself", hint="name two inputs")
        if pair[::-1] in correlations:
            raise AutodiffError(f"the correlation of {named(pair)} is given twice", hint="leave one out")
        first, second = map(names.index, pair)
        matrix[first, second] = matrix[second, first] = coefficient
    values, vectors = numpy.linalg.eigh(matrix)
    if len(names) and values[0] < -_ROUNDING:
        involved = [name for name, part in zip(names, vectors[:, 0], strict=True) if abs(part) > 0.1]
        message = f"the correlations of {named(involved)} contradict each other"
        raise AutodiffError(message, hint="no quantities vary like that: their matrix is not positive semidefinite")
    varies = numpy.array([quantity.u > 0 for quantity in inputs.values()], dtype=float)
    return matrix * numpy.outer(varies, varies)


def from_readings(readings: Mapping[str, Sequence[float] | Doubles]) -> tuple[dict[str, MeasuredValue], Correlations]:
    """The means of repeated readings with their standard uncertainties, and how they are correlated (GUM 4.2, 5.2.3).

    A mean has Student's t distribution, scaled and shifted (JCGM 101, 6.4.9).
    Raises AutodiffError for fewer than two readings.
    """
    count = min(map(len, readings.values()), default=0)
    if count < 2:
        message = "one reading says" if count else "no readings say"
        raise AutodiffError(f"{message} nothing of their spread", hint="give two or more")
    table, exponents = in_units(numpy.array(list(readings.values()), dtype=float))
    deviations = table.std(axis=1, ddof=1, keepdims=True) / numpy.sqrt(count)
    numbers = numpy.ldexp(numpy.hstack([table.mean(axis=1, keepdims=True), deviations]), exponents).tolist()
    means = {
        name: MeasuredValue(mean, u, count - 1.0, "t", (u, count - 1.0))
        for name, (mean, u) in zip(readings, numbers, strict=True)
    }
    centred = table - table.mean(axis=1, keepdims=True)
    sizes = numpy.sqrt((centred**2).sum(axis=1))
    correlations = {
        (first, second): float(numpy.clip(centred[i] @ centred[j] / (sizes[i] * sizes[j]), -1, 1))
        for (i, first), (j, second) in combinations(enumerate(readings), 2)
        if sizes[i] and sizes[j]
    }
    return means, correlations
