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


@pytest.mark.parametrize(
    ("written", "same"),
    [
        ("DSQRT(x)", "sqrt(x)"), ("datan2(x, 2)", "atan2(x, 2)"), ("ALOG10(x)", "log10(x)"), ("DABS(-x)", "abs(-x)"),
        ("AMAX1(x, 1)", "max(x, 1)"), ("dmin1(x, 1)", "min(x, 1)"), ("float_power(x, 2)", "pow(x, 2)"),
        ("absolute(-x)", "abs(-x)"), ("maximum(x, 1)", "max(x, 1)"), ("tgamma(x)", "gamma(x)"), ("LN(x)", "log(x)"),
        ("arctan2(x, 2)", "atan2(x, 2)"), ("reciprocal(x)", "1/x"), ("deg2rad(x)", "radians(x)"),
        ("AVERAGE(x, 3)", "(x + 3)/2"), ("fabs(-x)", "abs(-x)"), ("fmin(x, 3)", "min(x, 3)"),
        ("expit(x)", "sigmoid(x)"),
    ],
)  # fmt: skip
def test_names_of_other_languages_mean_the_same(written: str, same: str) -> None:
    assert evaluate(parse(written), {"x": 0.7}) == evaluate(parse(same), {"x": 0.7})
