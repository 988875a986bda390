"""Lists, sums over an index and derivatives: what they unfold to."""

import math
from typing import Any

import pytest

from autodiff_cli import AutodiffError, evaluate, gradient, parse
from autodiff_cli.language.list_functions import ListFunctions
from autodiff_cli.operations import CONSTANT, INPUT
from autodiff_cli.parser import scope
from autodiff_cli.parser.scope import LIST_FUNCTIONS

POINT = {"a": 0.5, "b": -1.25, "c": 2.0, "x": 0.75, "y": 3.0}


@pytest.mark.parametrize(
    ("text", "same"),
    [
        # ---- Sums and products
        ("sum(i, 1, 3, x^i)", "x + x^2 + x^3"),
        ("prod(i, 1, 3, x + i)", "(x + 1)*(x + 2)*(x + 3)"),
        ("sum(i, 1, 3, sum(j, i + 1, 3, x*i*j))", "x*2 + x*3 + x*6"),
        ("sum(i, 1, 2, prod(i, 1, 3, x + i)/i)", "(x + 1)*(x + 2)*(x + 3)*1.5"),
        ("i = 7; sum(i, 1, 3, x*i) + i*y", "x*6 + 7*y"),
        ("sum(e, 1, 2, x^e) + e", "x + x^2 + e"),
        ("n = (3); sum(i, 1, n, i)*x", "6*x"),
        ("sum(k, -1, 1, x*k^2) + sum(\n  i, 1, # first\n  2, i*y)", "2*x + 3*y"),
        ("sum(i, 1, 0, x*i) + prod(i, 1, 0, x*i) + y", "1 + y + 0*x"),
        ("w = [x]; sum(i, 1, len(w) - 1, w[i + 1] - w[i]) + y", "y + 0*x"),
        ("w = [x]; sum(i, 1, len(w) - 1, sum(j, 1, 2, w[i + j])) + y", "y + 0*x"),
        ("sum(i, 1, 3, polygamma(i, x))", "polygamma(1, x) + polygamma(2, x) + polygamma(3, x)"),
        ("sum(a, b, c) + prod(a, b) + mean(a, c)", "a + b + c + a*b + (a + c)/2"),
        ("sum(a, x, y, b)", "a + x + y + b"),
        ("sum(u, v) = u*v; sum(a, b)", "a*b"),
        ("sum = a + b; sum^2", "(a + b)^2"),
        ("SUM(a, b) + AVERAGE(a, c) + SUM(i, 1, 2, i*x)", "a + b + (a + c)/2 + 3*x"),
        # ---- Lists
        ("w = [0.5, -1, 2]; v = [a, b, c]; dot(w, v)", "0.5*a - b + 2*c"),
        ("v = [a, b, c]; sum(i, 1, len(v) - 1, (v[i + 1] - v[i])^2)", "(b - a)^2 + (c - b)^2"),
        ("v = [a, b, c]; norm(v) + mean(v) + max(v) + min(v)",
         "hypot(a, b, c) + (a + b + c)/3 + max(a, b, c) + min(a, b, c)"),
        ("v = [a, b]; sum(2*tanh(v) - v^2/y + -v)", "2*tanh(a) - a^2/y - a + 2*tanh(b) - b^2/y - b"),
        ("v = [a, b]; sum(max(v, 0)) + sum(log(v + 9, 2))", "max(a, 0) + max(b, 0) + log(a + 9, 2) + log(b + 9, 2)"),
        ("softmax([a, b])[2] + logsumexp([a, b])", "exp(b)/(exp(a) + exp(b)) + log(exp(a) + exp(b))"),
        ("W = [[a, b], [c, x]]; h = matvec(W, [x, y]); h[2]/W[1][2]", "(c*x + x*y)/b"),
        ("W = [[a, b], [c, x]]; sum(i, 1, 2, W[i][i])", "a + x"),
        ("v = [a, b]²; sum(v)", "a^2 + b^2"),
        ("v = [a,\n  b]  # broken\nsum(v)", "a + b"),
        ("h[1] = a*x; h[2] = h[1]^2; sum(h)", "a*x + (a*x)^2"),
        ("v = [a, b]; v[2] = v[1]*x; sum(v)", "a + a*x"),
        ("v = [a, b]; v = v*x; v[1]", "a*x"),
        ("θ = [a, b]; θ[2]", "b"),
        ("v = [a, b]; u = [b, a]; u[1] + v[2]*x", "b + b*x"),
        # ---- Functions of one's own
        ("f(v) = sum(i, 1, len(v), v[i]^2); f([a, b]) + f([c])", "a^2 + b^2 + c^2"),
        ("f(u) = u^2*x; sum(f([a, b])) + f(c)", "a^2*x + b^2*x + c^2*x"),
        ("f(W, v) = tanh(matvec(W, v)); sum(f([[a, b]], f([[b, c], [x, a]], [x, y])))",
         "tanh(a*tanh(b*x + c*y) + b*tanh(x*x + a*y))"),
        ("s = 2*x; f(v) = s*sum(v); s = y; f([a, b]) + s", "2*x*(a + b) + y"),
        ("f(v, n) = sum(i, 1, n, v[i]); f([a, b, c], 2)", "a + b"),
        ("f(v) = norm(v); g(v) = f(v) + f([v[1], 3]); g([a, b])", "hypot(a, b) + hypot(a, 3)"),
        # ---- Derivatives
        ("D(x^3*y, x)", "3*x^2*y"),
        ("u = sin(x); D(u, x, 2) + u", "0*x"),
        ("D(D(x^3*y^2, x), y)", "6*x^2*y"),
        ("q = x*y; D(exp(q)*x, q)", "exp(x*y)*x"),
        ("f(u, v) = u^2*v; D(f(a, b), a)", "2*a*b"),
        ("u = 2*x; D(D(u*x, u), u) + D(3, u) + y", "y + 0*x"),
        ("f(u) = D(u^3, u); f(x*y)", "3*(x*y)^2"),
        ("f(s, t) = D(s*t, t); f(x, x)", "x"),
        ("f(s, t) = D((s + t)*t^2 - sin(s), t); f(x, y)", "y^2 + 2*y*(x + y)"),
        ("f(v, t) = D((v[1] - v[2])*t, t); f([x, y], a)", "x - y + 0*a"),
        ("f(s, t) = D(sum([s*t, t]), t); f(x, x) + f(3, 3)", "x + 1 + 4"),
        ("f(v, t) = D(norm(v)*t, t); f([x, y], x)", "hypot(x, y)"),
        ("v = [x, y]; g = D(x^2*y, v); g[1]/g[2]", "2*y/x"),
        ("sum(i, 1, 3, D(x^i, x))", "1 + 2*x + 3*x^2"),
        ("D([x^2, x*y], x)[2]", "y + 0*x"),
    ],
)  # fmt: skip
def test_a_text_unfolds_to_operations_on_numbers(text: str, same: str) -> None:
    assert evaluate(text, POINT) == pytest.approx(evaluate(same, POINT), rel=1e-14, abs=1e-14)
    mine, other = gradient(text, POINT), gradient(same, POINT)
    for name in POINT:
        assert mine.get(name, 0) == pytest.approx(other.get(name, 0), rel=1e-13, abs=1e-14), name


def test_a_list_of_numbers_is_an_input_with_defaults() -> None:
    program = parse("w = [0.5, -1]; c = ([1, 2]); k = [1 + 1, 2]; dot(w, [x, y])*sum(c)*k[1]")
    assert list(program.inputs) == ["w[1]", "w[2]", "x", "y"]
    assert {name: program.graph.numbers.get(node) for name, node in program.inputs.items()}["w[2]"] == -1
    assert parse("w = [1, 2]; w = [3, 4]; sum(w)").inputs == {}
    assert set(program.lists) == {"w", "c", "k"}
    assert list(parse("w = [1,  # one (of two)\n  2]\nsum(w)").inputs) == ["w[1]", "w[2]"]


def test_a_length_and_a_slope_that_are_numbers_are_no_inputs() -> None:
    assert list(parse("w = [1, 2]; n = len(w); k = -len(w); sum(w)/n/k").inputs) == ["w[1]", "w[2]"]
    assert list(parse("f = x + 5; u = D(f, x); u*x").inputs) == ["x"]


def test_a_number_whose_name_becomes_that_of_a_list_is_no_input() -> None:
    program = parse("a = 0.1; a = [a, b]; sum(a)")
    assert list(program.inputs) == ["b"]
    assert program.graph.operations[program.names["a[1]"]] is CONSTANT


@pytest.mark.parametrize(
    ("text", "point", "value", "slopes"),
    [
        ("f(a) = sum(a)*x[1]; f([1, 2]) + f([3, 4])", {"x[1]": 5}, 50, {"x[1]": 10}),
        ("x[1] = 2; f(a) = sum(a)*x[1]; f([1, 3])", {}, 8, {"x[1]": 4}),
        ("x[1] = 2*k; f(a) = sum(a)*x[1]; f([1, 3])", {"k": 1}, 8, {"k": 8}),
        ("f(n) = sum(i, 1, n, x[i]); f(1) + f(2)", {"x[1]": 3, "x[2]": 4}, 10, {"x[1]": 2, "x[2]": 1}),
        ("f(n) = x[n]^2; f(1) + x[1]", {"x[1]": 3}, 12, {"x[1]": 7}),
        ("x[1] = 2; f(n) = sum(i, 1, n, x[i]); f(1)", {}, 2, {"x[1]": 1}),
        ("f(n) = sum(i, 1, n, i); i*f(3)", {"i": 2}, 12, {"i": 6}),
        ("f(n) = sum(i, 1, n, i); i = 4*k; i*f(3)", {"k": 1}, 24, {"k": 24}),
        ("W = [[1, 2], [3, 4]]; W[1] = [5, k]; sum(W[1])", {"k": 6}, 11, {"k": 1}),
        ("W[1] = [[1, 2], [3, 4]]; W[1] = [5, k]; sum(W[1])", {"k": 6}, 11, {"k": 1}),
        ("W[1] = 5*k; f(n) = W[n]; W[1] = [k, 6]; f(1)", {"k": 1}, 5, {"k": 5}),
        ("W[1] = [7, k]; f(n) = sum(W[n]); W[1] = 5; f(1)", {"k": 8}, 15, {"k": 1}),
        ("W[1] = [a, 2]; W[2] = [3, 4]; sum(matvec(W, [5, 6]))", {"a": 1}, 56, {"a": 5}),
        ("\u00b5 = [1, k]; \u00b5[1] = 5; sum(\u00b5)", {"k": 2}, 7, {"k": 1}),
        ("x = 3; y = x^2; x = [1, k]; y + sum(x)", {"k": 2}, 12, {"k": 1}),
        ("product(a, b, c, d) = a*b*c*d; v = [1, 1]; product(x, 1, 3, y)*v[1]", {"x": 2, "y": 5}, 30, {"x": 15}),
        ("f(x, n) = D(sum(i, 1, n, x^i), x); f(y, 1 + 1)", {"y": 2}, 5, {"y": 2}),
        ("f = norm(x)^2; g = D(f, x); sum(g)", {"x[1]": 1, "x[2]": 2}, 6, {"x": [2, 2]}),
        ("f = sum(x)^2; g = D(f, x); g[1]*g[2]", {"x[1]": 1, "x[2]": 2}, 36, {"g": [6, 6]}),
        ("sum(n\u0302, 1, 3, k*n\u0302^2)", {"k": 1}, 14, {"k": 14}),
    ],
)
def test_names_of_lists_and_entries_mean_one_thing(
    text: str, point: dict[str, float], value: float, slopes: dict[str, Any]
) -> None:
    program = parse(text, entries=[name for name in point if "[" in name])
    assert evaluate(program, point) == pytest.approx(value)
    partials = gradient(program, point, list(slopes))
    assert list(partials) == list(slopes)
    assert all(partials[name] == pytest.approx(slope) for name, slope in slopes.items())


def test_entries_are_named_after_their_list() -> None:
    program = parse("W = [[a, 2*a]]; h = tanh(2*[x, y]); h[1] + W[1][2]")
    assert program.graph.labels[program.names["h[2]"]] == "h[2]"
    assert program.text(program.names["W[1][2]"]) == "W[1][2]"
    assert program.text(program.names["W[1][1]"]) == "a"


def test_a_list_beside_one_of_its_entries_names_that_once() -> None:
    assert parse("x = [a, b]; sum(x)").entries(["x[2]", "x", "a"]) == ["x[2]", "x[1]", "a"]
    assert parse("x[1]*x[2]").entries(["x", "x[1]"]) == ["x[1]", "x[2]"]


def test_an_entry_of_a_list_that_is_not_defined_is_an_input() -> None:
    program = parse("x[1]*x[2]")
    assert all(program.graph.operations[node] is INPUT for node in program.inputs.values())
    assert gradient(program, {"x[1]": 3, "x[2]": 4}) == {"x[1]": 4, "x[2]": 3}


def test_a_list_whose_entries_are_given_is_known_by_its_name() -> None:
    program = parse("dot(x, x)/len(x)", entries=["x[1]", "x[2]", "x[3]"])
    assert list(program.inputs) == ["x[1]", "x[2]", "x[3]"]
    assert evaluate(program, {"x[1]": 1, "x[2]": 2, "x[3]": 3}) == pytest.approx(14 / 3)


def test_nodes_of_a_sum_are_called_by_what_is_added() -> None:
    program = parse("x = [a, b, c]; sum(i, 1, 3, i*x[i]^2)")
    texts = [program.text(node) for node in program.graph.needed([program.output])]
    assert texts[-1] == "sum(i, 1, 3, i*x[i]^2)"
    assert "2*b^2" in texts
    assert "1*a^2 + 2*b^2" in texts


@pytest.mark.slow
def test_a_thousand_sums_of_a_thousand_terms_take_linear_time() -> None:
    program = parse("sum(i, 1, 300, sum(j, 1, 300, i*j*x))")
    assert evaluate(program, {"x": 1}) == (300 * 301 / 2) ** 2
    assert len(program.graph) < 8 * 300 * 300


def test_too_many_terms_are_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AutodiffError, match="unfold to more than 10,000,000 nodes"):
        parse("sum(i, 1, 1e12, i*x)")
    monkeypatch.setattr(scope, "_MOST_INLINED", 10_000)
    with pytest.raises(AutodiffError, match="unfold to more than 10,000 nodes"):
        parse("sum(i, 1, 2000, sum(j, 1, 2000, i*j*x))")


@pytest.mark.parametrize("depth", [11, 100_000])
def test_lists_nest_ten_deep(depth: int) -> None:
    indices = "[1]" * depth
    for text in ("[" * depth + "1" + "]" * depth, f"x{indices} = 2; sum(x)", f"2*x{indices}"):
        with pytest.raises(AutodiffError, match="nested more than 10 deep"):
            parse(text)
    assert evaluate("x = " + "[" * 10 + "a" + "]" * 10 + "; x" + "[1]" * 10, {"a": 2}) == 2


def test_sums_that_are_nested_deep_need_no_recursion() -> None:
    depth = 5000
    assert evaluate("sum(i, 1, 1, i*" * depth + "x" + ")" * depth, {"x": 3}) == 3


def test_sums_of_four_numbers_that_are_nested_deep_take_linear_time() -> None:
    assert evaluate("sum(1, 1, 1, " * 10_000 + "x" + ")" * 10_000, {"x": 3}) == 30_003
    assert evaluate("sum(.5, 1, 1, " * 10_000 + "x" + ")" * 10_000, {"x": 3}) == 25_003


@pytest.mark.parametrize("given", ["4", "y"])
def test_an_index_in_another_place_is_refused_whatever_a_function_is_called_with(given: str) -> None:
    with pytest.raises(AutodiffError, match="the index of a sum comes first"):
        parse(f"f(i) = sum(1, 2, i, i*3); f({given})")


def test_arguments_that_are_computed_from_each_other_take_linear_time() -> None:
    steps = "".join(f"w{k} = w{k - 1} + 1\n" for k in range(1, 10_000))
    numbers = ", ".join(f"w{k}" for k in range(10_000))
    program = parse(f"f(v, t) = D(sum(v)*t, t)\nw0 = (1)\n{steps}f([{numbers}], x)")
    assert evaluate(program, {"x": 2}) == 10_000 * 10_001 / 2


@pytest.mark.parametrize("depth", [99, 250])
def test_terms_that_are_read_again_nest_a_hundred_deep(depth: int) -> None:
    terms = "".join(f"sum(i{k}, 1, i{k - 1}, " for k in range(1, depth + 1))
    text = f"i0 = (2); {terms}x*i{depth}{')' * depth}"
    if depth < 100:
        assert evaluate(text, {"x": 1}) == depth + 2
    else:
        with pytest.raises(AutodiffError, match="sums and functions with lists are nested more than 100 deep"):
            parse(text)


def test_sums_in_functions_with_lists_nest_a_hundred_deep_with_them() -> None:
    functions = "".join(f"f{k}(v, n) = sum(i, 1, n, f{k - 1}(v, i))\n" for k in range(1, 200))
    text = f"f0(v, n) = sum(v)*n\n{functions}"
    assert evaluate(f"{text}f48([a, b], 2)", {"a": 1, "b": 2}) == 3 * 50
    with pytest.raises(AutodiffError, match="sums and functions with lists are nested more than 100 deep"):
        parse(f"{text}f199([a, b], 2)")


def test_functions_with_lists_may_call_one_another_a_hundred_deep() -> None:
    text = "f0(v) = sum(v)\n" + "".join(f"f{k}(v) = f{k - 1}(v)\n" for k in range(1, 300))
    assert evaluate(text + "f99([a, b])", {"a": 1, "b": 2}) == 3
    with pytest.raises(AutodiffError, match="more than 100 deep"):
        parse(text + "f299([a, b])")


def test_a_derivative_is_simplified_and_shares_what_the_formula_has() -> None:
    program = parse("D(exp(x)*sin(x), x)")
    names = [program.graph.operations[node].name for node in program.graph.needed([program.output])]
    assert names.count("exp") == 1
    assert len(names) <= 7
    assert math.isclose(evaluate(program, {"x": 1}), math.e * (math.sin(1) + math.cos(1)))


@pytest.mark.parametrize(
    ("text", "slope"),
    [
        ("D(e^2*x^3, x)", "3*e^2*x^2"),
        ("D(e^x, x)", "e^x*log(e)"),
        ("D(e^3*x, e, 2)", "6*e*x"),
        ("D(sin(pi*x), x)", "pi*cos(pi*x)"),
        ("f(v, t) = D(sum(v)*t, t); f([2*pi, x], 1)", "2*pi + x"),
    ],
)
@pytest.mark.parametrize("given", [{}, {"e": 0.5, "pi": 3.0}])
def test_a_derivative_depends_on_the_constants_in_it(text: str, slope: str, given: dict[str, float]) -> None:
    names = [name for name in ("e", "pi") if name in text and given]
    point = {"x": 0.75} | {name: given[name] for name in names}
    assert evaluate(parse(text), point) == pytest.approx(evaluate(parse(slope), point), rel=1e-14)
    assert gradient(parse(text), point) == pytest.approx(gradient(parse(slope), point), rel=1e-14)


def test_derivatives_by_the_entries_of_a_list_share_what_they_have_in_common() -> None:
    x = ", ".join(f"x{i}" for i in range(50))
    program = parse(f"x = [{x}]; f = sum(i, 1, 50, x[i]^2*sin(x[i]))^2; g = D(f, x); sum(g)")
    assert len(program.graph) < 50 * 25


def test_every_function_of_lists_has_a_method() -> None:
    assert set(ListFunctions._METHODS) == set(LIST_FUNCTIONS)
