"""The Taylor series of a program at a point, and with it the derivatives of any order in one variable.

Doubles lose digits where a formula cancels, the more of them the higher the order. So the series is computed with more
and more digits, until these change nothing.
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
"""with so many digits a number is believed that doubles contradict"""
_SAME, _SIMILAR = 1e-18, 1e-3
_NOTHING = Multiprecision(15).number("1e-400")
"""what is smaller with so many digits is zero"""
_MOST = 2_000
"""nodes: the series of a larger program is computed in doubles alone"""


class Taylor(NamedTuple):
    """A function as f(a + t) = c[0] + c[1]·t + c[2]·t^2 + …, up to some order; a is where t is 0."""

    coefficients: list[float]
    derivatives: list[float]
    """f(a), f'(a), f''(a), …"""


def taylor(evaluation: Evaluation, order: int) -> Taylor:
    """The series of the output in the name that the evaluation's gradient is with respect to.

    A coefficient or a derivative beyond the range of doubles is infinite, one that does not exist is nan. Raises
    AutodiffError if there is more than one name, or none.
    """
    node = evaluation.nodes[only(list(evaluation.nodes))]
    exact = _coefficients(evaluation, {} if node is None else {node: 1.0}, order)
    derivatives = [factorial(k) * number for k, number in enumerate(exact)]
    return Taylor(*([float(number) + 0.0 for number in numbers] for numbers in (exact, derivatives)))  # no -0.0


def only(names: Sequence[str]) -> str:
    """The name, if there is one; more than one or none is an AutodiffError."""
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
    moved = series(evaluation, {node: 1.0}, order)
    message = f"the derivative of order {order} by `{name}` is {shortest(taylor.derivatives[order])}"
    remedy = Remedy("allow or lower the order", (), "") if order > 1 else nonfinite.ALLOW
    return nonfinite.derivative_error(evaluation, message, remedy, lambda node: is_finite(moved[node], order))


def is_finite(moved: Series | None, order: int) -> bool:
    """Whether the coefficients of a series are finite, up to an order."""
    return moved is None or all(map(isfinite, map(float, moved.coefficients[: order + 1])))


def _coefficients(evaluation: Evaluation, direction: Mapping[int, float], order: int) -> list[Any]:
    """The output's coefficients, as numbers of more digits than a double has."""
    doubles = list(map(Multiprecision(30).number, _attempt(evaluation, direction, order, None)))
    before = doubles
    for digits in _DIGITS if len(evaluation.order) <= _MOST else ():
        now = _attempt(evaluation, direction, order, digits)
        attempts = list(zip(doubles, before, now, strict=True))
        if any(exact != exact and double == double for double, _, exact in attempts):
            return doubles  # whose rounding put the point inside of the domain
        before = now
        if all(_settled(*numbers, digits) for numbers in attempts):
            break
    return before


def _attempt(evaluation: Evaluation, direction: Mapping[int, float], order: int, digits: int | None) -> list[Any]:
    """The output's coefficients, computed with so many digits or in doubles; a constant has zeros but for the first."""
    exact = None if digits is None else Multiprecision(digits)
    output = series(evaluation, direction, order, exact)[evaluation.program.output]
    assert output is not None
    return [*output.coefficients[: order + 1], *[0] * (order + 1 - len(output.coefficients))]


def _settled(double: Any, before: Any, now: Any, digits: int) -> bool:
    """Whether a number is the same with fewer digits and, as both could be wrong, about the same in doubles.

    A number with very many digits is accepted even where the doubles contradict it.
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
    """The power series of every node that the output needs, when some nodes move along a straight line.

    These count as inputs, whatever they are computed from. What the output's value does not come from, as the branch of
    a `where` that is not taken, has its value alone.
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
