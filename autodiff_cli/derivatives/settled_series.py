"""The power series of a program along a line, and the digits that settle its coefficients.

Doubles lose digits to cancellation, more of them at higher orders. So the series is computed with more and more digits,
until they change nothing.
"""

from collections.abc import Mapping
from dataclasses import replace
from math import frexp, inf, isfinite, isinf, isnan, log10, nan
from typing import Any, NamedTuple

from .. import engine
from ..arithmetic import Real
from ..arithmetic.multiprecision import Multiprecision, with_digits
from ..arithmetic.power_series import MOST_ZEROS, PowerSeries, Series
from ..errors import Remedy
from ..evaluation import Evaluation, nonfinite
from ..operations import SLOW
from ..work_budget import NODE, TooMuchWorkError, Work, WorkBudget, charge, seconds_left

FEWEST_DIGITS = 30
_DIGITS = (FEWEST_DIGITS, 60, 120, 240, 480, 960, 1400)
_FIRST_DIGITS = 60
"""the number of digits to begin with, where very many follow"""
_DIGITS_IF_SLOW = (*_DIGITS[:-1], 1080)
"""the numbers of digits where the program has slow operations; more would take seconds"""
_MOST_IF_SLOW = 480
"""the largest of them, except for a `beta` of arguments that are hundreds of digits apart"""
_TRUSTED_DIGITS = 240
"""so many that a number is accepted even if doubles contradict it"""
_SAME, _SIMILAR = 1e-18, 1e-3
"""relative differences up to which numbers are the same with more digits, and similar in doubles"""
_SAME_IF_LARGE = 1e-12
"""the same for a large program: where doubles and the first digits agree, no more are computed"""
_ROUNDING = 1e-15
"""the relative difference up to which an intermediate value has the digits of a double"""
_FINEST_DIGITS, _FINEST_IF_SLOW = 960, 240
"""digits that show whether an intermediate value is lost to rounding; fewer where slow operations would take seconds"""
_NEGLIGIBLE = with_digits(15).number("1e-400")
"""a smaller number is zero, with so many digits that numbers are accepted"""
_SECONDS = 4
"""seconds of work with many digits; what is not settled by then stays unsettled"""
LARGE = 2_000
"""nodes; a larger program may take half of the budget that is left, and where this is not enough, doubles must do"""


def coefficients(
    evaluation: Evaluation, direction: Mapping[int, float], order: int
) -> tuple[list[Real], int | None, Remedy | None]:
    """The coefficients of the output, as numbers with more digits than a double, and the first that is not settled.

    Those of a large program that takes too much work are doubles, and the third result is the way to more work.
    """
    doubles = list(map(with_digits(FEWEST_DIGITS).number, _attempt(evaluation, direction, order, None)[0]))
    is_large = len(evaluation.order) > LARGE
    if not is_large:
        half = Work(min(_SECONDS, seconds_left()) / 2)
        settling = _settled_coefficients(evaluation, direction, order, doubles, half, far=True)
    if is_large or settling.error:
        bound = WorkBudget(seconds_left() / 2) if is_large else Work(_SECONDS)
        settling = _settled_coefficients(evaluation, direction, order, doubles, bound, far=False)
    if is_large and settling.error:
        return doubles, None, settling.error.remedy
    return settling.numbers, settling.unsettled, None


class _Settling(NamedTuple):
    """Coefficients, nan where they are not settled; the first that is not, and the error if work was missing."""

    numbers: list[Real]
    unsettled: int | None = None
    error: TooMuchWorkError | None = None


def _settled_coefficients(
    evaluation: Evaluation,
    direction: Mapping[int, float],
    order: int,
    doubles: list[Real],
    bound: Work,
    *,
    far: bool,
) -> _Settling:
    """The coefficients with more and more digits, until they are the same twice.

    A term of a derivative may be lost with few digits: with 60 of them the slope of x/(1 + x) at 1e100 is 0, as it is
    in doubles. So if `far`, very many digits follow the first. Otherwise the first may agree with the doubles.
    """
    tolerance = _SAME_IF_LARGE if len(evaluation.order) > LARGE else _SAME
    before = doubles[:1] + [nan] * order if far else doubles
    divisor, settled, error = 1.0, [True] + [False] * order, None
    try:
        with bound:
            enough, finest = _enough_digits(evaluation, direction)
            for digits in enough:
                if far and max(_FIRST_DIGITS, enough[0]) != digits < finest:
                    continue
                now, divisor_now = _attempt(evaluation, direction, order, digits)
                attempts = list(zip(doubles, before, now, strict=True))
                if any(exact != exact and double == double for double, _, exact in attempts):
                    return _Settling(doubles)  # only their rounding put the point inside the domain
                known = abs(divisor_now - divisor) <= _SAME * abs(divisor_now)
                settled = [known and _is_settled(*numbers, digits, tolerance) for numbers in attempts]
                before, divisor = now, divisor_now
                if all(settled):
                    break
    except TooMuchWorkError as missing:
        error = missing
    unsettled = next((order for order, known in enumerate(settled) if not known), None)
    return _Settling(
        [number if known else nan for number, known in zip(before, settled, strict=True)], unsettled, error
    )


def _enough_digits(evaluation: Evaluation, direction: Mapping[int, float]) -> tuple[list[int], int]:
    """The numbers of digits with which no intermediate value is lost, as 1 - cos(x) is at 1e-100 with 60 digits.

    And the number of digits that showed it.
    """

    def values(digits: int) -> list[Real]:
        return [a and a.coefficients[0] for a in series(evaluation, direction, 0, with_digits(digits))]

    operations = evaluation.program.graph.operations
    is_slow = any(operations[node].name in SLOW for node in evaluation.order)
    finest = _FINEST_IF_SLOW if is_slow else _FINEST_DIGITS
    true = values(finest)
    coarse = (digits for digits in _DIGITS if digits < finest and all(map(_keeps_digits, values(digits), true)))
    least = max(next(coarse, finest), _digits_apart(evaluation))
    if not is_slow:
        return [digits for digits in _DIGITS if least <= digits], finest
    most = inf if least > finest else _MOST_IF_SLOW
    return [digits for digits in _DIGITS_IF_SLOW if least <= digits <= most], finest


def _digits_apart(evaluation: Evaluation) -> float:
    """The decimal digits between the sizes of a `beta`'s arguments; its slope is digamma's difference between them."""
    graph, values = evaluation.program.graph, evaluation.values
    sizes = [
        [frexp(values[argument])[1] for argument in graph.arguments[node]]
        for node in evaluation.order
        if graph.operations[node].name == "beta"
    ]
    return max([abs(a - b) * log10(2) for a, b in sizes], default=0)


def _keeps_digits(number: Real, true: Real) -> bool:
    """Whether a value has the digits of a double; any has, if the true one is missing, nan or zero."""
    if true is None or true != true or abs(true) < _NEGLIGIBLE or number == true:
        return True
    return bool(abs(number / true - 1) < _ROUNDING)


def _attempt(
    evaluation: Evaluation, direction: Mapping[int, float], order: int, digits: int | None
) -> tuple[list[Real], Real]:
    """The coefficients of the output, with `digits` digits or, without them, in doubles; and the `divisor`.

    After a quotient of zeros they are nan where a convention takes part, as in abs(x)/x at 0, or an infinity.
    """
    exact = None if digits is None else with_digits(digits)
    numbers, nodes = _swept(evaluation, direction, order, exact)
    if numbers.zeros and isnan(evaluation.value):
        resolved = replace(evaluation, values=[nan if node is None else float(node.coefficients[0]) for node in nodes])
        if nonfinite.nonfinite_warning(resolved) or nonfinite.kink_warning(resolved, ""):
            return [nan] * (order + 1), numbers.divisor
    output = nodes[evaluation.program.output]
    assert output is not None
    known = output.coefficients[: order + 1]
    return [*known, *[0] * (order + 1 - len(known))], numbers.divisor


def _is_settled(double: Real, before: Real, now: Real, digits: int, tolerance: float = _SAME) -> bool:
    """Whether a number is the same with fewer digits and, as both could be wrong, about the same in doubles.

    It is the same within a relative tolerance. With very many digits it is accepted even if the doubles contradict it,
    and at once where they overflow. A number beyond their range is infinite.
    """
    if now != now:
        return True
    same = float(now) == float(before) if isinf(float(now)) else abs(now - before) <= tolerance * abs(now)
    if digits < _TRUSTED_DIGITS and isfinite(float(double)):
        similar = float(now) == float(double) or abs(now - double) <= _SIMILAR * abs(now)
        return bool(same and similar and isfinite(float(now)))
    return bool(same or abs(now) < _NEGLIGIBLE)


def series(
    evaluation: Evaluation, direction: Mapping[int, float], order: int, exact: Multiprecision | None = None
) -> list[Series | None]:
    """The power series of every node that the output needs, while some nodes move along a straight line.

    These nodes count as inputs, even if they are computed. A node that the value of the output does not come from, such
    as one in a branch of a `where` that is not taken, has only its value.
    """
    return _swept(evaluation, direction, order, exact)[1]


def is_finite(series: Series | None, order: int) -> bool:
    """Whether the coefficients of a series are finite, up to an order."""
    return series is None or all(map(isfinite, map(float, series.coefficients[: order + 1])))


def _swept(
    evaluation: Evaluation, direction: Mapping[int, float], order: int, exact: Multiprecision | None
) -> tuple[PowerSeries, list[Series | None]]:
    """The arithmetic and the series of the nodes; those of a quotient of zeros need as many orders more."""
    graph, output = evaluation.program.graph.cut(direction), evaluation.program.output
    needed = graph.needed([output])
    zeros = 0
    while True:
        charge(len(needed) * (2 * NODE + NODE * order))
        numbers = PowerSeries(exact, order + zeros)
        nodes: list[Any] = [None] * len(graph)
        for node in needed:
            if not graph.arguments[node]:
                value = evaluation.values[node]
                nodes[node] = numbers.line(value, direction[node]) if node in direction else numbers.constant(value)
        engine.forward(graph, needed, nodes, numbers)
        if zeros >= min(numbers.zeros, MOST_ZEROS):
            numbers.compute([nodes[output]], order)
            return numbers, nodes
        zeros = min(numbers.zeros, MOST_ZEROS)
