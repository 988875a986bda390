"""The two sweeps: branches that were not taken stay out of the gradient, and all arithmetics give the same."""

import math
from typing import Any

import pytest

from autodiff_cli import gradient, parse
from autodiff_cli.arithmetic import floats
from autodiff_cli.arithmetic.multiprecision import Multiprecision
from autodiff_cli.engine import backward, forward
from autodiff_cli.program import Program
from autodiff_cli.transforms import derivative


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
    assert gradient("1/x", {"x": 0.0}) == {"x": -math.inf}


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


def test_sweeps_over_more_digits_agree_with_doubles() -> None:
    program = parse("s = sigmoid(a*b) + 0.1; tanh(s)^b/log10(a) + max(a, b, s)*gelu(s)")
    point = {"a": 1.5, "b": -0.7}
    found = [_sweeps(program, point, arithmetic) for arithmetic in (floats, Multiprecision(30))]
    assert [float(number) for number in found[1]] == pytest.approx(found[0], rel=1e-14)


def _sweeps(program: Program, point: dict[str, float], arithmetic: Any) -> list[Any]:
    """The value and the gradient."""
    graph, nodes = program.graph, [program.inputs[name] for name in point]
    number = getattr(arithmetic, "number", float)
    values = [number(graph.numbers.get(node, 0.0)) for node in range(len(graph))]
    for name, node in program.inputs.items():
        values[node] = number(point[name])
    order = graph.needed([program.output])
    forward(graph, order, values, arithmetic)
    active = graph.dependent(order, nodes)
    adjoints = backward(graph, order, values, program.output, active, arithmetic, number(1.0))
    return [values[program.output], *(adjoints[node] for node in nodes)]
