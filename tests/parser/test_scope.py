"""Names and functions: what stands for what, and what a call copies."""

import pytest

from autodiff_cli import AutodiffError, evaluate, parse
from autodiff_cli.operations import OWN_CALL, PARAMETER


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
        ("f(x) = x^3; g(x) = f(x) + 1; h(x) = D(g(x)*f(x), x); h(1)", 9.0),
        ("f(x) = x^2; g(a) = sum(i, 1, 3, f(a*i)); g(f(1))", 14.0),
    ],
)
def test_functions_see_the_names_before_them_and_their_parameters_hide_others(text: str, value: float) -> None:
    assert evaluate(text) == value


def test_a_call_copies_what_depends_on_its_arguments_and_shares_the_rest() -> None:
    graph = parse("f(x) = sin(a)*x + exp(a); f(1) + f(2)").graph
    names = [operation.name for operation in graph.operations]
    assert (names.count("sin"), names.count("exp"), names.count("mul")) == (1, 1, 3)


def test_functions_that_call_one_another_share_what_depends_on_no_argument_too() -> None:
    program = parse("f(x, k) = exp(k*a)*x; g(x) = f(x, 2); g(1) + g(3)")
    needed = [program.graph.operations[node].name for node in program.graph.needed([program.output])]
    assert (needed.count("exp"), needed.count("mul")) == (1, 3)


def _chain(count: int, step: str, output: str) -> str:
    steps = (f"f{i}(x) = {step.format(f'f{i - 1}')}" for i in range(1, count))
    return "\n".join(["f0(x) = sin(x)", *steps, output])


@pytest.mark.parametrize("output", ["f1(a)", "f999(a)", "f999(a) + sum([a, a])"])
def test_a_chain_of_functions_unfolds_only_where_a_statement_calls_it(output: str) -> None:
    assert len(parse(_chain(1000, "{0}(x)*0.5 + x", output)).graph) < 10_000


def test_functions_that_would_unfold_to_too_much_are_refused_only_where_they_are_called() -> None:
    doubled = "{0}({0}(x))"
    assert evaluate(_chain(200, doubled, "f2(0)")) == 0
    with pytest.raises(AutodiffError, match=r"unfold to more than 10,000,000 nodes") as caught:
        parse(_chain(200, doubled, "f199(0)"))
    assert caught.value.column == 1


def test_the_hint_to_a_call_lists_the_first_of_very_many_parameters() -> None:
    def hint(count: int) -> str:
        names = ", ".join(f"p{number}" for number in range(count))
        with pytest.raises(AutodiffError, match=f"`f` takes {count} arguments, got 1") as raised:
            parse(f"f({names}) = p0; f(x)")
        return raised.value.hint

    assert hint(4) == "write f(p0, p1, p2, p3)"
    assert hint(3000).startswith("write f(p0, p1, p2, p3, ") and hint(3000).endswith(", …)") and len(hint(3000)) < 120


def test_no_parameter_and_no_call_is_left_in_what_is_computed() -> None:
    program = parse("f(x, unused) = x^2; g(x) = f(x, x)*x; g(a) + f(b, c)")
    needed = program.graph.needed([program.output])
    assert {PARAMETER, OWN_CALL}.isdisjoint(program.graph.operations[node] for node in needed)
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
