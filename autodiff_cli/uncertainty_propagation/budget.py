"""The uncertainty budget of a result: what each input contributes (the GUM, JCGM 100:2008, sections 5, 6 and G)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from math import floor, frexp, hypot, inf, isfinite, isinf, ldexp, nan, sqrt

import numpy

from ..arithmetic import distributions
from ..arithmetic.arrays import Doubles
from ..derivatives.hessian import hessian
from ..errors import Notice, Remedy
from ..evaluation import evaluate
from ..evaluation.nonfinite import kink_warning, nonfinite_error
from ..notation import last_digit
from ..program import Program
from .correlations import CorrelationMatrix
from .measured_values import MeasuredValue

_MOST_SECOND_ORDER = 200  # inputs, of a result whose second-order terms are looked at
_SMALLEST = -4  # the power of ten of a result that is written without one
_NOTABLE = 0.05  # relative: a change of the uncertainty by second-order terms
_ROUNDING = 1e-9  # of degrees of freedom, which are truncated


@dataclass(frozen=True)
class BudgetLine:
    """The contribution of one input to the uncertainty of the result."""

    quantity: MeasuredValue
    sensitivity: float
    """the derivative of the result with respect to the input"""
    contribution: float
    """sensitivity times uncertainty, with the sign of the sensitivity"""
    share: float
    """of the variance; with correlations it may be negative, and all shares add up to 1"""


@dataclass(frozen=True)
class SecondOrder:
    """The result with the terms of second order."""

    value: float
    u: float


@dataclass(frozen=True)
class Coverage:
    """The width of the expanded uncertainty: a coverage factor, or a level of confidence if there is none."""

    level: float = 0.95
    factor: float | None = None

    def for_freedom(self, freedom: float | None) -> tuple[float, float]:
        """The level and the factor, of which Student's t gives one for the other; the normal distribution for None.

        Degrees of freedom are truncated to a whole number (GUM G.4.1, note 1).
        """
        whole = inf if freedom is None or isinf(freedom) else max(1.0, truncated(freedom))
        if self.factor is None:
            return self.level, distributions.coverage_factor(self.level, whole)
        return distributions.level_of_confidence(self.factor, whole), self.factor


@dataclass(frozen=True)
class Budget:
    """A result with its combined standard uncertainty."""

    value: float
    u: float
    """nan where a sensitivity has no value"""
    effective_degrees_of_freedom: float | None
    """None where they are not defined, because inputs with different ones are correlated"""
    level: float
    coverage_factor: float
    inputs: dict[str, BudgetLine]
    second_order: SecondOrder | None
    kink: Notice | None
    """the warning that sensitivities follow a convention, or have no value, at a kink or a pole of the slope"""

    @property
    def expanded(self) -> float:
        """The half-width of the interval that contains the result with the probability `level`."""
        return self.coverage_factor * self.u

    @property
    def second_order_matters(self) -> bool:
        """Whether terms of second order would change the uncertainty by more than 5 %."""
        second = self.second_order
        return second is not None and abs(second.u - self.u) > _NOTABLE * max(self.u, second.u)


def budget(
    program: Program,
    inputs: Mapping[str, MeasuredValue],
    correlations: CorrelationMatrix,
    coverage: Coverage,
    *,
    needs_slopes: bool = True,
) -> Budget:
    """The budget of a program's output for inputs that vary together like that.

    Raises AutodiffError where the value is not finite, or a derivative unless `needs_slopes` is false.
    """
    names = list(inputs)
    evaluation = evaluate(program, {name: quantity.value for name, quantity in inputs.items()}, names)
    error = nonfinite_error(evaluation)
    has_value = isfinite(evaluation.value)
    if error is not None and (needs_slopes or not has_value):
        is_steep = any(map(isinf, evaluation.gradient.values()))  # as sqrt(x) is at 0, where most draws have no value
        error.remedy = Remedy("draws", (), "draw the inputs: draws=100000") if has_value and not is_steep else None
        raise error
    gradient = numpy.array([evaluation.gradient[name] for name in names])
    deviations = numpy.array([quantity.u for quantity in inputs.values()])
    contributions = gradient * deviations
    size = _size(contributions)
    parts = contributions / size
    variance = float(numpy.maximum(0.0, correlations.product(parts, parts)))  # nan stays nan
    u = size * sqrt(variance)
    shares = parts * correlations.times(parts) / variance if variance else numpy.zeros(len(names))
    second = None
    if error is None and len(names) <= _MOST_SECOND_ORDER:
        matrix = numpy.array(hessian(evaluation).matrix).reshape(len(names), len(names))
        second = _second_order(evaluation.value, u, deviations[:, None] * matrix * deviations, inputs, correlations)
    freedom = effective_degrees_of_freedom(inputs, contributions, correlations, u)
    uncertain = {name: evaluation.nodes[name] for name, quantity in inputs.items() if quantity.u}
    kink = kink_warning(replace(evaluation, nodes=uncertain), "sensitivities")
    if error is not None:
        kink = Notice(error.message, span=error.span, source=error.source)
    level, factor = coverage.for_freedom(freedom)
    return Budget(
        evaluation.value,
        u,
        freedom,
        level,
        factor,
        {
            name: BudgetLine(quantity, float(slope), float(slope) * quantity.u, float(share))
            for (name, quantity), slope, share in zip(inputs.items(), gradient, shares, strict=True)
        },
        second,
        kink,
    )


def _second_order(
    value: float, u: float, curvature: Doubles, inputs: Mapping[str, MeasuredValue], correlations: CorrelationMatrix
) -> SecondOrder | None:
    """A result with the terms of its Hessian, in units of the uncertainties; None where they are not finite.

    The variance is exact for a quadratic formula: of normal inputs, and of independent ones with other distributions.
    """
    curved = numpy.array([correlations.times(row) for row in curvature]).reshape(curvature.shape)
    if not numpy.isfinite(curved).all():
        return None
    size = _size(curvature)
    scaled = curved / size
    independent = numpy.count_nonzero(correlations.coefficients, axis=1) <= 1
    kurtoses = numpy.where(independent, [quantity.kurtosis for quantity in inputs.values()], 3.0)
    beyond_normal = numpy.diag(curvature / size) ** 2 @ (kurtoses - 3)
    variance = float(numpy.trace(scaled @ scaled)) / 2 + float(beyond_normal) / 4
    return SecondOrder(value + 0.5 * float(numpy.trace(curved)), hypot(u, size * sqrt(max(0.0, variance))))


def _size(numbers: Doubles) -> float:
    """The power of 2 below the largest magnitude, by which numbers are divided before they are squared, exactly."""
    largest = float(abs(numbers).max(initial=0.0))
    return ldexp(1.0, frexp(largest)[1] - 1) if 0 < largest < inf else largest or 1.0


def effective_degrees_of_freedom(
    inputs: Mapping[str, MeasuredValue], contributions: Doubles, correlations: CorrelationMatrix, u: float
) -> float | None:
    """Those of the combined uncertainty `u`, by the formula of Welch and Satterthwaite (GUM G.4.1).

    Correlated inputs with the same degrees of freedom, such as means of simultaneous readings, are one component.
    R. Willink, A generalization of the Welch–Satterthwaite formula for use with correlated uncertainty components
    (2007).
    """
    freedoms = numpy.array([quantity.df for quantity in inputs.values()])
    matters = contributions != 0
    related = (correlations.coefficients != 0) & numpy.outer(matters, matters)
    if (related & (freedoms[:, None] != freedoms)).any():
        return None
    if not u:
        return inf
    size, others = _size(contributions), correlations.others
    parts = contributions / size
    shares = parts * (others @ parts) / (u / size) ** 2
    read = correlations.by_reading(parts) / (u / size)
    total = float((shares * ((related & (others != 0)) @ shares) / freedoms).sum())
    total += float(read @ read) ** 2 / (len(read) - 1)
    return 1 / total if total > 0 else inf


def truncated(freedom: float, places: int = 0) -> float:
    """Degrees of freedom with so many decimal places: never more than there are, but for rounding errors."""
    return floor((freedom + _ROUNDING) * 10.0**places) / 10.0**places


def correlation(budgets: Sequence[Budget], correlations: CorrelationMatrix) -> list[list[float]]:
    """The correlation matrix of several results (GUM H.2.3)."""
    rows = [numpy.array([part.contribution for part in budget.inputs.values()]) for budget in budgets]
    scaled = [row / _size(row) for row in rows]
    together = numpy.array([[correlations.product(first, second) for second in scaled] for first in scaled])
    deviations = numpy.sqrt(numpy.diag(together))
    matrix = numpy.clip(together / numpy.outer(deviations, deviations), -1, 1)
    return [[float(entry) if entry == entry else nan for entry in row] for row in matrix]


def concise(value: float, u: float) -> str:
    """A result as metrologists write it, by two digits of its uncertainty: `127.732(70)`, `5.0000838(32)e7`."""
    if not 0 < u < inf:
        return repr(value + 0.0)  # no negative zero
    exponent, two = last_digit(u), f"{u:.1e}".partition("e")[0].replace(".", "")
    units = int(Decimal(value).scaleb(-exponent).to_integral_value())
    power = exponent + len(str(abs(units))) - 1
    if exponent <= 0 and power >= _SMALLEST:
        return f"{value:z.{-exponent}f}({two})"  # z: no negative zero
    return f"{Decimal(units).scaleb(exponent - power)}({two})e{power}"
