"""Derivatives as programs: they are right, can be read again, keep names apart, and are printed at any size."""

import math
import re
from collections.abc import Mapping
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from places import corpus, each_example, records
from shapes import assert_read_back
from table_text import entries

import autodiff_cli
from autodiff_cli import AutodiffError, parse
from autodiff_cli.derivatives import formula_report
from autodiff_cli.derivatives.differentiate import differentiate
from autodiff_cli.evaluation import evaluate
from autodiff_cli.gradient_check.verify import verify

# ---- Formulas --------------------------------------------------------------------------------------------------------


SHAPES = """
{} + {}|{} - {}|{}*{}|{}/{}|{}^2|{}^3|1/{}|-{}|{}^(1/2)|{}^{}|sqrt({})|exp({})|log({})|sin({})|cos({})|tanh({})|abs({})
atan({})|max({}, {})|where({} < {}, {}, {})
"""
algebraic = st.recursive(
    st.sampled_from(["x", "y", "2", "0.5", "1", "3"]),
    lambda inner: st.sampled_from(entries(SHAPES)).flatmap(
        lambda shape: st.lists(inner, min_size=shape.count("{}"), max_size=shape.count("{}")).map(
            lambda parts: shape.format(*(f"({part})" for part in parts))
        )
    ),
    max_leaves=10,
)


# ---- Right -----------------------------------------------------------------------------------------------------------

POINTS = [{"x": x, "y": y} for x, y in ((0.7, 1.3), (-1.6, 0.4), (2.3, -0.9), (0.31, 3.7))]


@pytest.mark.slow
@settings(max_examples=150)
@given(algebraic)
def test_a_derivative_is_the_true_one_at_random_points(text: str) -> None:
    program = parse(text)
    if "x" in program.inputs:
        derivative = parse(differentiate(program, ["x"]).text)
        defined = [point for point in POINTS if not any(map(math.isnan, evaluate(program, point).values))]
        assert verify(program, {"x": derivative}, defined).counterexample is None, derivative.source.text


@pytest.mark.slow
@settings(max_examples=150)
@given(algebraic)
def test_a_second_derivative_is_the_derivative_of_the_first(text: str) -> None:
    program = parse(text)
    if "x" in program.inputs:
        first, second = (parse(differentiate(program, ["x"], order=order).text) for order in (1, 2))
        if "x" in first.inputs:
            inside = [point for point in POINTS if math.isfinite(evaluate(program, point).value)]
            assert verify(first, {"x": second}, inside).counterexample is None, second.source.text


@settings(max_examples=150)
@given(algebraic)
def test_what_is_printed_is_read_as_the_graph_that_was_printed(text: str) -> None:
    program = parse(text)
    if program.inputs:
        found = differentiate(program)
        assert_read_back(found)


def _assert_equal_gradients(text: str, at: Mapping[str, float], names: list[str], order: int = 1) -> None:
    """Within 1e-10 of the engine's gradient, or both as far off as the formula loses digits."""
    program = parse(text)
    found = differentiate(program, names)
    derivative = parse(found.text)
    gradient = evaluate(program, at, names).gradient
    for name, statement in found.results.items():
        selected = derivative.select(statement.name) if statement.name else derivative
        value = evaluate(selected, {key: at[key] for key in selected.inputs if key in at}, ()).value
        if not abs(value - gradient[name]) <= 1e-10 * abs(gradient[name]):
            answer = verify(program, {name: selected}, [at])
            assert answer.counterexample is None, (text, name, value, gradient[name])


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("max(log(exp(x)), 0, y)", [0.3, 0.7, 1.1]),
        ("max(nthroot(x, 3), 0.1, y)", [0.3, 0.7, 1.1]),
        ("max(nthroot(x, 3)^2, 0.1, y)", [0.3, 0.7, 1.1]),
        ("where(abs(x)/acosh(x) >= x, 9007199254740993, 2*x^trigamma(x))", [0.5, 1.5]),
        ("where(log(x) < y, 3, x)*x", [-2.0, 2.0]),
        ("where(not log(x) < y, 3, x)*x", [-2.0, 2.0]),
        ("max(x, silu(x))", [-360.0, -30.0, -2.0]),
        ("sinc(max(x*1.7060035777047018, leaky_relu(x)))", [2.560325786198735, 0.7, -0.3]),
    ],
)
def test_choices_are_made_as_the_formula_makes_them(text: str, points: list[float]) -> None:
    first = parse(differentiate(parse(text), ["x"]).text)
    for x in points:
        at = {"x": x, "y": -3.0}
        for formula in (text, str(first)):
            inputs = {name: at[name] for name in parse(formula).inputs}
            _assert_equal_gradients(formula, inputs, ["x"] if "x" in inputs else [])


def test_a_constant_that_is_differentiated_by_is_not_the_one_in_the_rules() -> None:
    program = parse(differentiate(parse("pi*erf(x)"), ["x", "pi"]).text).select("df_dx")
    assert evaluate(program, {"x": 0.5, "pi": 3}).value == evaluate(parse("3*erf(x)"), {"x": 0.5}).gradient["x"]


@pytest.mark.slow
@each_example
def test_the_gradient_of_every_example(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    program = parse(text)
    at = {name: program.graph.numbers[node] for name, node in program.inputs.items()}
    _assert_equal_gradients(text, at, list(evaluate(program, {}).gradient))
    assert_read_back(differentiate(program))


@pytest.mark.slow
def test_formulas_of_physics() -> None:
    for record in records("feynman.jsonl")[::9]:
        _assert_equal_gradients(record["text"], record["at"], list(record["grad"]))


def test_the_derivatives_that_peers_expect() -> None:
    wrong = {"peer-0063"}  # mathjs has a sign wrong in acoth
    for record in records("peer_derivatives.jsonl"):
        text = record["text"].replace("nthRoot", "nthroot")
        derivative = parse(differentiate(parse(text), [record["wrt"]]).text)
        at = {name: record["at"][name] for name in derivative.inputs}
        value, true = evaluate(derivative, at, ()).value, float(record["derivative"])
        assert abs(value - true) <= 1e-10 * abs(true) or record["id"] in wrong, record["id"]


@pytest.mark.slow
def test_sums_of_squares_with_named_intermediates() -> None:
    for record in records("nist_strd.jsonl")[::4]:
        start = {name: float(text) for name, text in record["start2"].items()}
        _assert_equal_gradients(corpus(f"nist_strd_sse/{record['name']}.expr"), start, list(start))


# ---- Names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "t1 = 2; t2 = x*t1; sin(t2)*exp(sin(t2))*cos(exp(sin(t2)))*t2^2",
        "df_dx = 3; df_dx*x^2*y",
        "f = x^3*df_dx; df_dx_ = 4; f*df_dx_",
        "pi = 3; degrees(x*pi)*y",
        "e = 2; e^x*exp(x)*x",
        "c = a + b; c = c^2; c = c*a; c*b",
        "x = 2; x = x*y; x^2*y",
        "sin = 2; cos(sin*x)*x",
        "g(x) = x^2; g(y)*g(x)*x",
        "n = x*w; n*tanh(n)*sin(tanh(n)*n)/(1 + tanh(n)^2)",
        "x[1]^3*x[2]*y",
        "df_dx = 3; df_dx*x[1]^2*x[2]",
        "W[1][2]*W[1][1]^2",
        "dy_1_da = 2; y = [a^2*dy_1_da, b]; y[1]",
    ],
)
def test_names_stay_apart(text: str) -> None:
    program = parse(text)
    at = {
        name: program.graph.numbers.get(node, 0.7 + 0.1 * place)
        for place, (name, node) in enumerate(program.inputs.items())
    }
    _assert_equal_gradients(text, at, list(evaluate(program, at).gradient))
    assert_read_back(differentiate(program))


def test_a_named_value_can_be_differentiated_by() -> None:
    text = "n = x*w; o = tanh(n)*x"
    found = differentiate(parse(text), ["n", "x"])
    program = parse(found.text)
    at = {"x": 0.3, "w": 1.7}
    gradient = evaluate(parse(text), at, ["n", "x"]).gradient
    for name in ("n", "x"):
        assert math.isclose(evaluate(program.select(f"do_d{name}"), at, ()).value, gradient[name], rel_tol=1e-12)


def test_two_equal_values_with_names_are_two_variables() -> None:
    found = differentiate(parse("b = a*2; c = a*2; b^2*c"), ["c"])
    assert found.statements[-1].text == "(a*2)^2"


def test_a_long_product_needs_no_recursion() -> None:
    slope = autodiff_cli.diff("x*" * 1000 + "f", "x")
    assert autodiff_cli.evaluate(slope, {"x": 1, "f": 2}) == 2000


def test_defaults_are_carried_along() -> None:
    assert differentiate(parse("a = 3; b = -2; x = 1; a*x^2"), ["x"]).text == "a = 3\nx = 1\ndf_dx = 2*a*x\n"


def test_a_number_that_is_fixed_is_a_number() -> None:
    assert differentiate(parse("a = 3; a*x^2"), fixed={"a": 5}).text == "10*x\n"


@pytest.mark.parametrize(
    ("text", "wrt", "message"),
    [("x^2", ["y"], "`y` is not in the formula"), ("2", None, "the formula has no inputs to differentiate by")],
)
def test_what_cannot_be_differentiated_by(text: str, wrt: list[str] | None, message: str) -> None:
    with pytest.raises(AutodiffError, match=message):
        differentiate(parse(text), wrt)


def test_a_formula_without_names_has_the_derivative_zero() -> None:
    assert differentiate(parse("1 + 2"), ["x"]).text == "0\n"


# ---- Size ------------------------------------------------------------------------------------------------------------

LARGE = {
    "nested": ("sin(" * 10_000 + "x" + ")" * 10_000, ["x"]),
    "minus": ("-(" * 100_000 + "x" + ")" * 100_000, ["x"]),
    "sum": ("+".join(f"x{i}*y" for i in range(20_000)), ["y"]),
    "squares": ("+".join(f"x{i}^2" for i in range(10_000)), None),
    "polynomial": ("(" * 5_000 + "x" + "*x + 1)" * 5_000, ["x"]),
    "iterated": ("x0 = x\n" + "\n".join(f"x{i + 1} = r*x{i}*(1 - x{i})" for i in range(300)), ["x", "r"]),
    "unreadable": ("sin(" * 40_000 + "x" + ")" * 40_000, ["x"]),
    "doubled": ("f(a) = a + a*sin(a)\n" + "f(" * 30 + "x" + ")" * 30, ["x"]),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_large_derivatives_do_not_explode(name: str) -> None:
    text, wrt = LARGE[name]
    program = parse(text)
    found = differentiate(program, wrt)
    needed = len(program.graph.needed([program.output]))
    assert len(found.text) < 60 * needed
    assert max(len(statement.text) for statement in found.statements) < 400
    at = {key: 0.1 + 1e-5 * place for place, key in enumerate(program.inputs)}
    names = list(found.results)
    gradient = evaluate(program, at, names).gradient
    derivative = parse(found.text)
    for wanted in {names[0], names[-1]}:
        statement = found.results[wanted]
        selected = derivative.select(statement.name) if statement.name else derivative
        value = evaluate(selected, {key: at[key] for key in selected.inputs}, ()).value
        assert math.isclose(value, gradient[wanted], rel_tol=1e-9, abs_tol=1e-300)


def test_equal_subexpressions_of_a_large_result_are_written_once() -> None:
    inner = "exp(-(x - a)^2/(2*s^2))"
    found = differentiate(parse(f"log(1 + {inner} + sin({inner})*cos({inner})/(2 + tanh({inner})))"), ["a", "s", "x"])
    assert sum(statement.text.count("exp(") for statement in found.statements) == 1


def test_a_long_result_that_several_derivatives_have_is_written_once() -> None:
    found = differentiate(parse("log(1 + exp(x + y)*sin(x + y))*tanh(x + y)^3"))
    assert found.results["x"].text == found.results["y"].text == found.steps[-1].name
    assert differentiate(parse("sin(x + y)")).text == "df_dx = cos(x + y)\ndf_dy = cos(x + y)\n"
    shared = "w*exp(x + y)*(cos(x + y) + sin(x + y))"  # short enough to be read twice
    assert f"df_dx = {shared}\ndf_dy = {shared}\n" in differentiate(parse("w*sin(x + y)*exp(x + y)")).text


def test_an_order_whose_derivatives_are_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autodiff_cli.derivatives.differentiate._MOST_NODES", 2000)
    with pytest.raises(AutodiffError, match="the derivative of order 8 takes more than 2,950 operations") as refused:
        differentiate(parse("x^x"), order=20)
    assert refused.value.hint == "order 7 is possible"


@pytest.mark.slow
def test_a_high_derivative_of_a_fraction_stays_short() -> None:
    assert differentiate(parse("1/(1 + x^2)"), order=30).text.count("x") < 20


@pytest.mark.slow
def test_forms_that_are_shorter_in_terms_of_each_other_are_written() -> None:
    assert differentiate(parse("exp(sin(x)*x)"), order=9).text


# ---- On a terminal ---------------------------------------------------------------------------------------------------


class _Screen(StringIO):
    def isatty(self) -> bool:
        return True


def test_colours_do_not_change_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.delenv("NO_COLOR", raising=False)
    found = differentiate(parse("n = x*w1; sin(n)^2*exp(n) + 1.5e-7*x1"))
    screen = _Screen()
    formula_report.write(found, "text", screen)
    assert "\x1b[" in screen.getvalue()
    assert re.sub(r"\x1b\[[0-9;]*m", "", screen.getvalue()) == found.text


@pytest.mark.parametrize(
    "text", ["x^2", "where(x > 0, 1/x, (x + 1/x)^(1/x))", "abs(x/y)^z - max(x, y, z)", "not x + -(-x)"]
)
def test_a_drawing_holds_every_name_of_the_formula(text: str) -> None:
    screen = StringIO()
    found = differentiate(parse(text))
    formula_report.write(found, "pretty", screen)
    assert set("xyz") & set(found.text.replace("df_dx", "")) <= set(screen.getvalue())


@pytest.mark.parametrize("width", [45, 60, 80])
def test_sums_of_a_drawing_go_on_in_further_rows_where_the_terminal_ends(
    width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    screen = StringIO()
    formula_report.write(differentiate(parse("a*exp(-(x - m)^2/s) + b*x/(1 + x^2)*sin(w*x)"), ["x"]), "pretty", screen)
    lines = screen.getvalue().splitlines()
    assert "─" in screen.getvalue()
    assert max(map(len, lines)) <= width


# ---- From Python -----------------------------------------------------------------------------------------------------


def test_diff_gives_a_program() -> None:
    assert str(autodiff_cli.diff("x^3*y", "x")) == "3*x^2*y"
    assert str(autodiff_cli.diff("x^3*y", ["x", "y"])) == "df_dx = 3*x^2*y\ndf_dy = x^3"
    assert str(autodiff_cli.diff(autodiff_cli.diff("x^5"), order=2)) == "60*x^2"
    assert autodiff_cli.evaluate(autodiff_cli.diff("x^3"), {"x": 2}) == 12.0


def test_diff_leaves_the_program_as_it_was() -> None:
    program = parse("x^2*sin(x)")
    before = len(program.graph)
    autodiff_cli.diff(program, "x")
    assert len(program.graph) == before


@pytest.mark.parametrize(
    ("text", "derivative"),
    [
        ("-x*1e200*1e200", "-1e+200*1e+200"),
        ("x/(1e-200*1e-200)", "1e+200*1e+200"),
        ("atan2(x, 1e300)", "1e+300/(x^2 + 1e+300*1e+300)"),
    ],
)
def test_a_number_that_no_double_can_be_is_written_as_a_product(text: str, derivative: str) -> None:
    assert differentiate(parse(text)).text == f"{derivative}\n"
