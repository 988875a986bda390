"""The Taylor series of a program at a point, and with it the derivatives of any order in one variable.

Doubles lose digits to cancellation, more of them at higher orders. So the series is computed with more and more digits,
until they change nothing.
"""

from collections.abc import Mapping, Sequence
from math import factorial, isfinite
from typing import Any, NamedTuple

from .. import engine, nonfinite
from ..arithmetic.multiprecision import Multiprecision
from ..arithmetic.power_series import PowerSeries, Series
from ..errors import USAGE, AutodiffError, Remedy, named
from ..evaluation import Evaluation
from ..notation import shortest

_DIGITS = (30, 60, 120, 240, 480, 960)
_ENOUGH = 480
"""from this many digits on, a number is accepted even if doubles contradict it"""
_SAME, _SIMILAR = 1e-18, 1e-3
_NOTHING = Multiprecision(15).number("1e-400")
"""with that many digits, a smaller number is zero"""
_MOST = 2_000
"""nodes; the series of a larger program is computed in doubles alone"""


class Taylor(NamedTuple):
    """The series f(a + t) = c[0] + c[1]·t + c[2]·t^2 + …, up to some order."""

    coefficients: list[float]
    derivatives: list[float]
    """f(a), f'(a), f''(a), …"""


def taylor(evaluation: Evaluation, order: int) -> Taylor:
    """The series of the output in the name that the evaluation's gradient is with respect to.

    A coefficient or a derivative beyond the range of doubles is infinite, one that does not exist is nan. Raises
    AutodiffError if there is more than one name, or none.
    """
    node = evaluation.nodes[single_variable(list(evaluation.nodes))]
    exact = _coefficients(evaluation, {} if node is None else {node: 1.0}, order)
    derivatives = [factorial(k) * number for k, number in enumerate(exact)]
    return Taylor(*([float(number) + 0.0 for number in numbers] for numbers in (exact, derivatives)))  # no -0.0


def single_variable(names: Sequence[str]) -> str:
    """The name, if there is exactly one; otherwise raises AutodiffError."""
    if len(names) == 1:
        return names[0]
    listed = named(names)
    raise AutodiffError(
        f"derivatives of higher order are in one variable{f', not in {listed}' if names else ': the formula has none'}",
        remedy=Remedy("name one", tuple(names[:1]), f"name it: wrt={names[0]!r}") if names else None,
        code=USAGE,
    )


def nonfinite_error(evaluation: Evaluation, taylor: Taylor) -> AutodiffError | None:
    """The error for a value or a derivative that is not finite; None if all are finite."""
    if not isfinite(evaluation.value):
        return nonfinite.nonfinite_error(evaluation)
    order = next((order for order, number in enumerate(taylor.derivatives) if not isfinite(number)), None)
    if order is None:
        return None
    ((name, node),) = evaluation.nodes.items()
    assert node is not None  # what does not depend on the name has derivatives that are zero
    moving = series(evaluation, {node: 1.0}, order)
    message = f"the derivative of order {order} by `{name}` is {shortest(taylor.derivatives[order])}"
    remedy = Remedy("allow or lower the order", (), "") if order > 1 else nonfinite.ALLOW
    return nonfinite.derivative_error(evaluation, message, remedy, lambda node: is_finite(moving[node], order))


def is_finite(series: Series | None, order: int) -> bool:
    """Whether the coefficients of a series are finite, up to an order."""
    return series is None or all(map(isfinite, map(float, series.coefficients[: order + 1])))


def _coefficients(evaluation: Evaluation, direction: Mapping[int, float], order: int) -> list[Any]:
    """The coefficients of the output, as numbers with more digits than a double."""
    doubles = list(map(Multiprecision(30).number, _attempt(evaluation, direction, order, None)))
    before = doubles
    for digits in _DIGITS if len(evaluation.order) <= _MOST else ():
        now = _attempt(evaluation, direction, order, digits)
        attempts = list(zip(doubles, before, now, strict=True))
        if any(exact != exact and double == double for double, _, exact in attempts):
            return doubles  # only their rounding put the point inside the domain
        before = now
        if all(_settled(*numbers, digits) for numbers in attempts):
            break
    return before


def _attempt(evaluation: Evaluation, direction: Mapping[int, float], order: int, digits: int | None) -> list[Any]:
    """The coefficients of the output, with `digits` digits or, without them, in doubles."""
    exact = None if digits is None else Multiprecision(digits)
    output = series(evaluation, direction, order, exact)[evaluation.program.output]
    assert output is not None
    return [*output.coefficients[: order + 1], *[0] * (order + 1 - len(output.coefficients))]


def _settled(double: Any, before: Any, now: Any, digits: int) -> bool:
    """Whether a number is the same with fewer digits and, as both could be wrong, about the same in doubles.

    With very many digits it is accepted even if the doubles contradict it.
    """
    if now != now:
        return True
    same = now == before or abs(now - before) <= _SAME * abs(now)
    if digits < _ENOUGH:
        return bool(same and (now == double or abs(now - double) <= _SIMILAR * abs(now)))
    return bool(same or abs(now) < _NOTHING)


def series(
    evaluation: Evaluation, direction: Mapping[int, float], order: int, exact: Multiprecision | None = None
) -> list[Series | None]:
    """The power series of every node that the output needs, while some nodes move along a straight line.

    These nodes count as inputs, even if they are computed. A node that the value of the output does not come from, such
    as one in a branch of a `where` that is not taken, has its value alone.
    """
    graph, output = evaluation.program.graph.cut(direction), evaluation.program.output
    numbers, needed = PowerSeries(exact), graph.needed([output])
    nodes: list[Any] = [None] * len(graph)
    for node in needed:
        if not graph.arguments[node]:
            value = evaluation.values[node]
            nodes[node] = numbers.line(value, direction[node]) if node in direction else numbers.constant(value)
    engine.forward(graph, needed, nodes, numbers)
    numbers.compute([nodes[output]], order)
    return nodes
