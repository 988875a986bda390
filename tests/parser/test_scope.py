"""Names and functions: what stands for what, and what a call copies."""

import pytest

from autodiff_cli import evaluate, parse
from autodiff_cli.operations import PARAMETER


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a = 5; f(a) = a^2; f(3) + a", 14.0),
        ("f(e) = e^2; f(3) + (e > 2.7)", 10.0),
        ("f(x) = x + 1; g(x) = f(f(x)); g(1)", 3.0),
        ("f(x) = x + 1; f(x) = 2*f(x); f(1)", 4.0),
        ("f(x, y) = x - y; f(f(5, 3), f(1, 2))", 3.0),
        ("f(x) = 7; f(1)", 7.0),
        ("f(x) = x; f(2) + f(3)", 5.0),
        ("k = 2; f(x) = k*x; k = 3; f(1) + k", 5.0),
        ("max(a) = 10*a; max(1)", 10.0),
        ("ｆ(ｘ) = x + 1; f(1)", 2.0),
    ],
)
def test_functions_see_the_names_before_them_and_their_parameters_hide_others(text: str, value: float) -> None:
    assert evaluate(text) == value


def test_a_call_copies_what_depends_on_its_arguments_and_shares_the_rest() -> None:
    graph = parse("f(x) = sin(a)*x + exp(a); f(1) + f(2)").graph
    names = [operation.name for operation in graph.operations]
    assert (names.count("sin"), names.count("exp"), names.count("mul")) == (1, 1, 3)


def test_no_parameter_is_left_in_what_is_computed() -> None:
    program = parse("f(x, unused) = x^2; g(x) = f(x, x)*x; g(a) + f(b, c)")
    needed = program.graph.needed([program.output])
    assert all(program.graph.operations[node] is not PARAMETER for node in needed)
    assert "x" not in program.names
