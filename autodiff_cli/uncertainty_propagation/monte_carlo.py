"""The distribution of a result by drawing its inputs (JCGM 101:2008)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf, isnan, sqrt

import numpy

from ..arithmetic.arrays import Doubles, in_units
from ..arithmetic.distributions import random_generator
from ..errors import NOT_FINITE, AutodiffError
from ..evaluation import used
from ..notation import last_digit
from ..parallel import Progress
from ..program import Program
from ..work_budget import charge
from .budget import Budget
from .correlations import CorrelationMatrix
from .measured_values import MeasuredValue

_BLOCK = 200_000  # draws that are computed at a time
_RESULT, _DRAW = 1e-7, 3e-8  # the work of a result, which is sorted and kept, and of a number that an input is given
CoverageInterval = tuple[float, float]


@dataclass(frozen=True)
class MonteCarlo:
    """The distribution of a result over many draws."""

    mean: float
    deviation: float
    interval: CoverageInterval
    """with equal probabilities below and above"""
    shortest_interval: CoverageInterval
    agrees: bool
    """whether the expanded uncertainty of the budget gives the same interval (JCGM 101, section 8)"""
    certain: bool
    """whether there are enough draws for this not to be by chance"""
    draws: Doubles = field(repr=False)
    """the values, ascending"""


def monte_carlo(
    program: Program,
    inputs: Mapping[str, MeasuredValue],
    correlations: CorrelationMatrix,
    budget: Budget,
    count: int,
    seed: int,
    progress: Progress = iter,
) -> MonteCarlo:
    """Draw the inputs `count` times, with the same values for the same seed.

    Correlated inputs are drawn from a normal distribution or Student's t of several variables. Raises AutodiffError
    where one of them has another distribution, and where a value is not finite.
    """
    generator = random_generator(seed)
    needed = list(used(program.graph.needed([program.output]), program.inputs_given(inputs)))
    charge(count * (_RESULT + _DRAW * len(inputs)))
    draws = numpy.empty(count)
    for first in progress(range(0, count, _BLOCK)):
        part = draws[first : first + _BLOCK]
        part[:] = _values(program, _drawn(inputs, correlations, generator, len(part)), needed)
    draws.sort()
    if not numpy.isfinite(draws).all():
        share = float((~numpy.isfinite(draws)).mean())
        message = f"{share:.2%} of the draws have no finite value"
        hint = "some inputs are drawn where the formula has none; another distribution may describe them better"
        raise AutodiffError(message, hint=hint, code=NOT_FINITE)
    symmetric, shortest = _symmetric(draws, budget.level), _shortest(draws, budget.level)
    excess, chance = _excess(budget, symmetric), _chance(draws, budget.level)
    scaled, (exponent,) = in_units(draws)  # whose squares and sum are doubles
    mean, deviation = numpy.ldexp([scaled.mean(), scaled.std(ddof=1)], exponent).tolist()
    return MonteCarlo(mean, deviation, symmetric, shortest, excess <= 0, abs(excess) >= chance, draws)


def _drawn(
    inputs: Mapping[str, MeasuredValue], correlations: CorrelationMatrix, generator: numpy.random.Generator, count: int
) -> dict[str, Doubles]:
    joint = [place for place, row in enumerate(correlations.coefficients) if numpy.count_nonzero(row) > 1]
    drawn = {}
    for place, (name, quantity) in enumerate(inputs.items()):
        if place not in joint:
            drawn[name] = quantity.draw(generator, count)
        elif quantity.distribution not in ("normal", "t"):
            message = f"`{name}` is correlated, but its distribution is neither normal nor Student's t"
            raise AutodiffError(message, hint="write its uncertainty as ±, or leave its correlations out")
    if joint:
        names, quantities = list(inputs), list(inputs.values())
        others, deviations = correlations.others[numpy.ix_(joint, joint)], correlations.deviations[joint]
        columns = generator.multivariate_normal(numpy.zeros(len(joint)), others, count, method="eigh").T
        factor = numpy.linalg.qr(deviations.T)[1].T  # as few columns as there are inputs
        columns += factor @ generator.standard_normal((factor.shape[1], count))
        freedoms = sorted({quantities[place].df for place in joint if quantities[place].distribution == "t"})
        scales = {df: numpy.sqrt(df / generator.chisquare(df, count)) for df in freedoms}  # common to those alike
        for place, column in zip(joint, columns, strict=True):
            quantity = quantities[place]
            scale = scales[quantity.df] if quantity.distribution == "t" else 1.0
            drawn[names[place]] = quantity.value + quantity.u * scale * column
    return drawn


def _values(program: Program, drawn: Mapping[str, Doubles], needed: list[str]) -> Doubles:
    from ..many_points.python_arrays import at_points  # only here: a budget alone needs no columns

    return at_points(program, {name: drawn[name] for name in needed}, ()).value


def _symmetric(draws: Doubles, level: float) -> CoverageInterval:
    low, high = numpy.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _shortest(draws: Doubles, level: float) -> CoverageInterval:
    inside = min(len(draws) - 1, round(level * len(draws)))
    lengths = draws[inside:] - draws[: len(draws) - inside]
    first = int(lengths.argmin())
    return float(draws[first]), float(draws[first + inside])


def _excess(budget: Budget, interval: CoverageInterval) -> float:
    """The amount by which the ends differ beyond half a unit of the uncertainty's second digit; inf for nan."""
    if isnan(budget.u):
        return inf
    ends = budget.value - budget.expanded, budget.value + budget.expanded
    tolerance = 0.5 * 10.0 ** last_digit(budget.u) if budget.u else 0.0
    return max(abs(end - drawn) for end, drawn in zip(ends, interval, strict=True)) - tolerance


def _chance(draws: Doubles, level: float) -> float:
    """The uncertainty of the ends of the interval for this number of draws: two standard errors."""
    tail = (1 - level) / 2
    error = sqrt(tail * (1 - tail) / len(draws))
    if tail < 2 * error:  # the ends may lie beyond all draws
        return inf
    around = [tail - 2 * error, tail + 2 * error, 1 - tail - 2 * error, 1 - tail + 2 * error]
    low, lower, high, higher = numpy.quantile(draws, around)
    return float(max(lower - low, higher - high) / 2)
