"""The Taylor series of a program at a point, and with it the derivatives of any order in one variable."""

from collections.abc import Sequence
from dataclasses import replace
from math import factorial, isfinite, isnan, nan
from typing import NamedTuple

from .. import engine
from ..arithmetic import Real, floats
from ..arithmetic.multiprecision import with_digits
from ..errors import NOT_FINITE, USAGE, AutodiffError, Notice, Remedy, quoted_names
from ..evaluation import Evaluation, limit, nonfinite
from ..graph import Graph
from ..notation import shortest
from .settled_series import FEWEST_DIGITS, LARGE, coefficients, is_finite, series


class Taylor(NamedTuple):
    """The series f(a + t) = c[0] + c[1]·t + c[2]·t^2 + …, up to some order."""

    coefficients: list[float]
    derivatives: list[float]
    """f(a), f'(a), f''(a), …"""
    unsettled: int | None = None
    """the first order whose number is nan because even the most digits do not settle it"""
    more_work: Remedy | None = None
    """the way to more digits, where a large program needs too much work for them: its numbers are those of doubles"""


def taylor(evaluation: Evaluation, order: int) -> Taylor:
    """The series of the output in the name that the evaluation's gradient is with respect to.

    A coefficient or a derivative beyond the range of doubles is infinite, one that does not exist or that cannot be
    settled is nan. Raises AutodiffError if there is more than one name, or none.
    """
    node = evaluation.nodes[single_variable(list(evaluation.nodes))]
    exact, unsettled, more_work = coefficients(evaluation, {} if node is None else {node: 1.0}, order)
    if isnan(exact[0]) and isnan(evaluation.value):  # then there is no derivative with respect to any name
        (slope,) = evaluation.gradient.values()
        exact = [nan] + [slope] * order
    exact = list(map(_beyond_doubles, exact))  # as factorials are from 171! up
    derivatives = [factorial(k) * number for k, number in enumerate(exact)]
    for k, number in enumerate(derivatives[:unsettled]):
        if node is not None and k and isnan(number):  # what the chain rule leaves open may have a limit
            derivatives[k] = _beyond_doubles(limit(evaluation, *[{node: 1.0}] * k).slope)
            exact[k] = derivatives[k] / factorial(k)
    return Taylor(_doubles(exact), _doubles(derivatives), unsettled, more_work)


def settled_slope(evaluation: Evaluation, graph: Graph, output: int, node: int) -> float:
    """The slope of a node of a graph that continues that of the program; nan if it has none, or it is not settled."""
    order = graph.needed([output])
    added = range(len(evaluation.values), len(graph))
    values = evaluation.values + [graph.numbers.get(other, 0.0) for other in added]
    engine.forward(graph, order, values, floats)
    program = replace(evaluation.program, graph=graph, output=output)
    there = replace(evaluation, program=program, order=order, values=values)
    exact, _, more_work = coefficients(there, {node: 1.0}, 1)
    return nan if more_work else float(exact[1])


def _beyond_doubles(number: Real) -> Real:
    """A number whose products and quotients may leave the range of doubles."""
    return with_digits(FEWEST_DIGITS).number(number) if isinstance(number, float) else number


def _doubles(numbers: Sequence[Real]) -> list[float]:
    return [float(number) + 0.0 for number in numbers]  # no -0.0


def single_variable(names: Sequence[str]) -> str:
    """The name, if there is exactly one; otherwise raises AutodiffError."""
    if len(names) == 1:
        return names[0]
    listed = quoted_names(names)
    raise AutodiffError(
        f"derivatives of higher order are in one variable{f', not in {listed}' if names else ': the formula has none'}",
        remedy=Remedy("name one", tuple(names[:1]), f"name it: wrt={names[0]!r}") if names else None,
        code=USAGE,
    )


def nonfinite_error(evaluation: Evaluation, taylor: Taylor) -> AutodiffError | None:
    """The error for a value or a derivative that is not finite; None if all are finite."""
    order = next((order for order, number in enumerate(taylor.derivatives) if not isfinite(number)), None)
    if order is None:
        return None
    if order == 0 and not isfinite(evaluation.value):
        return nonfinite.nonfinite_error(evaluation)
    ((name, node),) = evaluation.nodes.items()
    message = f"the derivative of order {order} by `{name}` is {shortest(taylor.derivatives[order])}"
    remedy = Remedy("allow or lower the order", (), "") if order > 1 else nonfinite.ALLOW
    if order == taylor.unsettled:
        message = f"the derivative of order {order} by `{name}` is not settled, even with hundreds of digits"
    if order == taylor.unsettled or node is None:
        return AutodiffError(message, remedy=remedy, code=NOT_FINITE)
    exact = with_digits(FEWEST_DIGITS) if len(evaluation.order) <= LARGE else None
    moving = series(evaluation, {node: 1.0}, order, exact)
    return nonfinite.derivative_error(evaluation, message, remedy, lambda node: is_finite(moving[node], order))


def warnings(evaluation: Evaluation, taylor: Taylor) -> tuple[Notice | None, ...]:
    """The warnings about a series: of an infinity on the way, of a kink, and of digits that may be lost."""
    kink = nonfinite.kink_warning(evaluation, "derivatives", order=len(taylor.derivatives) - 1)
    return nonfinite.nonfinite_warning(evaluation), kink, rounding_warning(taylor)


def rounding_warning(taylor: Taylor) -> Notice | None:
    """The warning that the numbers are computed in doubles, where more digits take too much work."""
    if taylor.more_work is None:
        return None
    message = "the numbers are computed in doubles, which can lose digits: more digits take more work than is allowed"
    return Notice(message, remedy=taylor.more_work)
