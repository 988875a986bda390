"""What is answered where no derivative exists, and how a branch that was not taken stays out of the gradient."""

import math
from itertools import product

import pytest
from referee import every_operation

from autodiff_cli import gradient, parse
from autodiff_cli.arithmetic import floats
from autodiff_cli.arithmetic.multiprecision import Multiprecision
from autodiff_cli.engine import forward
from autodiff_cli.operations import OPERATIONS, REAL, Operation
from autodiff_cli.transforms import derivative

INF, NAN = math.inf, math.nan
CONVENTIONS: list[tuple[str, tuple[float, ...], tuple[float, ...]]] = [
    ("abs", (0,), (0,)),
    ("sign", (0,), (0,)),
    ("max", (1, 1), (1 / 2, 1 / 2)),
    ("max", (1, 1, 0), (1 / 2, 1 / 2, 0)),
    ("max", (1, 1, 1), (1 / 3, 1 / 3, 1 / 3)),
    ("min", (2, 2), (1 / 2, 1 / 2)),
    ("clip", (0, 0, 1), (1, 0, 0)),
    ("clip", (1, 0, 1), (1, 0, 0)),
    ("relu", (0,), (0,)),
    ("leaky_relu", (0, 0.01), (0.01, 0)),
    ("floor", (2,), (0,)),
    ("ceil", (2,), (0,)),
    ("round", (2.5,), (0,)),
    ("trunc", (2,), (0,)),
    ("step", (0,), (0,)),
    ("eq", (1, 1), (0, 0)),
    ("sqrt", (0,), (INF,)),
    ("cbrt", (0,), (INF,)),
    ("nthroot", (0, 3), (INF, 0)),
    ("log", (0,), (INF,)),
    ("asin", (1,), (INF,)),
    ("acos", (-1,), (-INF,)),
    ("acosh", (1,), (INF,)),
    ("hypot", (0, 0), (0, 0)),
    ("pow", (0, 2), (0, 0)),
    ("pow", (0, 1), (1, 0)),
    ("pow", (0, 0.5), (INF, 0)),
    ("pow", (0, 0), (0, -INF)),
    ("pow", (0, -1), (-INF, -INF)),
    ("pow", (-2, 3), (12, NAN)),
    ("log", (-1,), (NAN,)),
    ("sqrt", (-1,), (NAN,)),
    ("acosh", (0.5,), (NAN,)),
    ("where", (NAN, 1, 2), (NAN, NAN, NAN)),
]


@pytest.mark.parametrize(("name", "arguments", "expected"), CONVENTIONS)
def test_convention(name: str, arguments: tuple[float, ...], expected: tuple[float, ...]) -> None:
    operation, count = OPERATIONS[name], len(arguments)
    numbers = tuple(map(float, arguments))
    result = floats.function(operation, count)(*numbers)
    partials = floats.pullback(operation, count, (True,) * count)(1.0, result, *numbers)
    assert [partial or 0.0 for partial in partials] == pytest.approx(expected, nan_ok=True)


@pytest.mark.slow
@every_operation
def test_singular_is_true_exactly_where_slopes_differ_or_are_infinite(operation: Operation, count: int) -> None:
    numbers = (-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0)
    domain = operation.domain if len(operation.domain) == count else (REAL,) * count
    for arguments in product(*([x for x in numbers if low <= x <= high] for low, high in domain)):
        broken = _is_broken(operation, arguments)
        result = floats.function(operation, count)(*arguments)
        assert broken in (None, bool(floats.singular(operation, count)(result, *arguments))), arguments


def _is_broken(operation: Operation, arguments: tuple[float, ...]) -> bool | None:
    """Do slopes differ in some direction, or is a slope or the value infinite? None at the edge of the domain."""
    exact = Multiprecision(300)
    function = exact.function(operation, len(arguments))
    at = [exact.number(a) for a in arguments]
    middle, step = function(*at), exact.number("1e-80")
    if exact.context.isinf(middle):
        return True
    smooth: bool | None = True
    for direction in _directions(operation, len(arguments)):
        after, before = (
            function(*[a + sign * step * d for a, d in zip(at, direction, strict=True)]) for sign in (1, -1)
        )
        right, left = (after - middle) / step, (middle - before) / step
        if abs(right) > 1e30 or abs(left) > 1e30 or abs(right - left) > 1e-30:
            return True
        if right != right or left != left:
            smooth = None
    return None if smooth is None else False


def _directions(operation: Operation, count: int) -> list[tuple[int, ...]]:
    """Along each argument, and along all of them; not along a condition, whose jumps are the comparison's."""
    axes = [tuple(int(i == place) for i in range(count)) for place in range(count)]
    if operation.literal or operation.name == "where":
        return axes[1:]
    return [*axes, (1,) * count]


# ---- Strong zero -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "where(x > 0, sqrt(x), 0)",
        "where(x <= 0, 0, sqrt(x))",
        "where(x > 0, where(x < 1, sqrt(x), x), 0)",
        "where(x > 0, -3*sqrt(x)/2, 0)",
        "sqrt(relu(x))*relu(x)",
        "where(x != 0, x^2*log(x), 0)",
        "where(x > 0, exp(-1/x), 0)",
        "where(x, 1/x, 0)",
    ],
)
def test_branch_not_taken_adds_nothing_to_first_and_second_derivative(text: str) -> None:
    assert gradient(text, {"x": 0.0}) == {"x": 0.0}
    assert _derivatives(text, 0.0) == (0.0, 0.0)


def test_undefined_value_makes_an_undefined_gradient() -> None:
    assert math.isnan(gradient("log(x)", {"x": -1.0})["x"])
    assert math.isnan(gradient("where(x > 0, sqrt(x), sqrt(x - 1))", {"x": -1.0})["x"])


def test_infinities_follow_ieee_arithmetic() -> None:
    assert gradient("1/(1 + 1/x)", {"x": 0.0}) == {"x": 1.0}
    assert gradient("1/x", {"x": 0.0}) == {"x": -INF}


def test_derivatives_of_a_power_exist_at_zero() -> None:
    assert _derivatives("x^2", 0.0) == (0.0, 2.0)
    assert _derivatives("x^3 - x^1 + x^0", 0.0) == (-1.0, 0.0)


def _derivatives(text: str, x: float) -> tuple[float, float]:
    program = parse(text)
    graph, nodes = program.graph, [program.inputs["x"]]
    (first,) = derivative(graph, program.output, nodes)
    (second,) = derivative(graph, first, nodes)
    values = [graph.numbers.get(node, x) for node in range(len(graph))]
    forward(graph, graph.needed([first, second]), values, floats)
    return values[first], values[second]
