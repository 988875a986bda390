"""Lists in points and gradients, from Python."""

from array import array
from collections.abc import Callable
from typing import Any

import numpy
import polars
import pytest

import autodiff_cli
from autodiff_cli import (
    AutodiffError,
    check,
    diff,
    draw,
    evaluate,
    fit,
    gradient,
    hessian,
    minimize,
    parse,
    solve,
    uncertainty,
)
from autodiff_cli.data.columns import list_entries
from autodiff_cli.language import given_lists


def test_a_list_that_the_formula_uses_as_a_list_is_given_as_one() -> None:
    point = {"w": [1, 2], "x": numpy.array([3.0, 4.0])}
    assert evaluate("dot(w, x)", point) == 11
    assert gradient("dot(w, x)", point) == {"w": [3, 4], "x": [1, 2]}
    assert gradient("dot(w, x)", point, wrt=["x"]) == {"x": [1, 2]}
    assert gradient("dot(w, x)", point, wrt=["x[2]"]) == {"x[2]": 2}


@pytest.mark.parametrize("x", [range(2, 4), array("d", [2, 3]), polars.Series([2, 3])], ids=lambda x: type(x).__name__)
def test_a_sequence_of_any_kind_may_be_the_list(x: Any) -> None:
    assert gradient("dot(x, x)", {"x": x}) == {"x": [4, 6]}
    assert gradient("x[2]^2", {"x": x}) == {"x[2]": 6}
    assert minimize("dot(x, x)", {"x": x}).point == {"x[1]": 0, "x[2]": 0}


def test_the_gradient_of_a_matrix_has_its_shape() -> None:
    assert gradient("W = [[1, 2], [3, 4]]; sum(matvec(W, x))", {"x": [5, 6]}) == {"W": [[5, 6], [5, 6]], "x": [4, 6]}


def test_a_sequence_for_a_number_is_still_many_points() -> None:
    assert evaluate("x^2 + y", {"x": [1, 2], "y": 1}).tolist() == [2, 5]
    partials = gradient("a*sum(x)", {"x": [numpy.array([1.0, 2.0]), 3], "a": 2})
    assert partials["a"].tolist() == [4, 5]
    assert [entry.tolist() for entry in partials["x"]] == [[2, 2], [2, 2]]


@pytest.mark.parametrize("given", [[1, 2, 5], (1, 2, 5)])
def test_a_sequence_beside_a_list_of_the_text_is_a_list_where_the_result_is_a_number(given: Any) -> None:
    text = "sum((x - [1, 2, 3])^2)"
    assert evaluate(text, {"x": given}) == 4
    assert gradient(text, {"x": given}) == {"x": [0, 0, 4]}
    assert evaluate(f"t*{text}", {"x": given, "t": [1, 2]}).tolist() == [4, 8]
    assert [verdict.verdict for verdict in check(text, {"x": given})] == ["ok"] * 3
    assert minimize(text, {"x": given}).point == pytest.approx({"x[1]": 1, "x[2]": 2, "x[3]": 3})
    with pytest.raises(AutodiffError, match=r"lists of different lengths: `x` has 2 entries and `\[1, 2, 3\]` has 3"):
        evaluate(text, {"x": given[:2]})


def test_beside_a_list_of_the_text_an_array_is_many_points_and_so_is_a_sequence_that_can_be_no_list() -> None:
    assert evaluate("sum((x - [1, 2, 3])^2)", {"x": numpy.array([1, 2, 5])}).tolist() == [5, 2, 29]
    assert evaluate("w = [1, 2]; w[1]*x", {"x": [3, 4]}).tolist() == [3, 4]
    assert evaluate("norm([x, y])", {"x": [3, 6], "y": [4, 8]}).tolist() == [5, 10]


def test_entries_and_programs_take_lists_too() -> None:
    assert evaluate("x[1]*x[2]", {"x": [3, 4]}) == 12
    assert evaluate(parse("w = [1, 2]; sum(w)"), {"w": [3, 4]}) == 7
    assert [verdict.verdict for verdict in check("norm(x)", {"x": [3, 4]})] == ["ok", "ok"]
    assert hessian("x[1]*x[2]", {"x": [3, 4]})["x[1]"] == {"x[1]": 0, "x[2]": 1}


def test_another_shape_is_an_error() -> None:
    with pytest.raises(AutodiffError, match="`w` has 2 numbers in the formula, and 3 are given"):
        evaluate("w = [1, 2]; sum(w)", {"w": [1, 2, 3]})
    with pytest.raises(AutodiffError, match="`w` has 2 numbers in the formula, and 1 is given"):
        evaluate("w = [1, 2]; sum(w)", {"w": [5]})
    with pytest.raises(AutodiffError, match="hint: pass a list for `x`"):
        evaluate("sum(x)", {"x": 1})
    for call in (gradient, lambda text, point: autodiff_cli.compile(text)(point).gradient):
        with pytest.raises(AutodiffError, match=r"`x` has numbers .*\s+hint: .* list\(x\), or list\(x.T\)"):
            call("x[1]*x[2]", {"x": X[:2]})
        assert call("x[1]*x[2]", {"x": list(X[:2])})["x[1]"].tolist() == X[1].tolist()


@pytest.mark.parametrize(
    ("function", "value"), [("max", 3), ("min", 1), ("logsumexp", numpy.log(numpy.exp([1, 2, 3]).sum()))]
)
def test_a_function_of_one_list_is_that_of_its_entries(function: str, value: float) -> None:
    assert evaluate(f"{function}(x)", {"x": [1, 2, 3]}) == pytest.approx(value)
    assert evaluate(f"{function}(x)*y", {"x": [1, 2, 3], "y": numpy.array([1, 2])}) == pytest.approx([value, 2 * value])
    assert evaluate(f"{function}(x, 2)", {"x": [2, 2]}).shape == (2,)
    assert gradient("max(x)", {"x": [1, 2, 3]}) == {"x": [0, 0, 1]}


@pytest.mark.parametrize(
    ("text", "point", "values"),
    [
        ("sum(x)*y", {"x": [1, 2]}, [3, 6, 9]),
        ("sum(x*z)*y", {"x": [1, 2], "z": [3, 4]}, [11, 22, 33]),
        ("sum(matvec(W, x))*y", {"W": [[1, 2], [3, 4]], "x": [1, 2]}, [16, 32, 48]),
    ],
)
def test_a_list_and_an_array_of_points_go_together(text: str, point: dict[str, Any], values: list[float]) -> None:
    assert evaluate(text, {**point, "y": numpy.array([1.0, 2.0, 3.0])}).tolist() == values


@pytest.mark.parametrize("text", ["tanh(matvec(W, x))", "h = matvec(W, x); h"])
@pytest.mark.parametrize("rows", [[[1, 2], [3, 4]], numpy.eye(2)])
def test_a_result_that_is_a_list_is_called_so(text: str, rows: Any) -> None:
    with pytest.raises(AutodiffError, match="the result is a list of 2 entries"):
        evaluate(text, {"W": rows, "x": [1, 2]})
    with pytest.raises(AutodiffError, match="the result is a list of 2 entries"):
        minimize(text, {"x": [1, 2]}, fixed={"W": rows})


def test_a_result_of_one_entry_has_no_brackets_to_replace() -> None:
    with pytest.raises(AutodiffError, match="hint: write sum"):
        minimize("x^2", {"x": 3}, fixed={"k": [2]}, subject_to="x >= k")


def test_lists_of_different_lengths_are_still_an_error() -> None:
    with pytest.raises(AutodiffError, match="lists of different lengths"):
        evaluate("sum(x*z)", {"x": [1, 2], "z": [1, 2, 3]})


@pytest.mark.parametrize(("text", "lists"), [("sum(w)*x", {"w": [1, 2]}), ("y^2*x", {"y": 2.0})])
def test_the_entries_of_many_points_are_not_listed(
    text: str, lists: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, by_entry = list[str](), given_lists.by_entry
    monkeypatch.setattr(given_lists, "by_entry", lambda point: (asked.extend(point), by_entry(point))[1])
    assert evaluate(text, {**lists, "x": numpy.ones(2_000)}).shape == (2_000,)
    assert "x" not in asked


def test_a_masked_entry_is_nan() -> None:
    assert numpy.isnan(evaluate("sum(x)", {"x": numpy.ma.array([1.0, 2.0], mask=[0, 1])}))


def test_searches_fits_measured_values_and_pictures_take_lists() -> None:
    assert minimize("dot(w - 1, w - 1) + k[1]", {"w": [3, 4]}, fixed={"k": [1]}).point == {"w[1]": 1, "w[2]": 1}
    constrained = minimize("sum(w^2)", {"w": [3, 4]}, subject_to="sum(w) >= 2").point
    assert constrained == pytest.approx({"w[1]": 1, "w[2]": 1})
    constrained = minimize("dot(w, w)", {"w": [3, 4]}, fixed={"k": [1, 2]}, subject_to="dot(k, w) = 5").point
    assert constrained == pytest.approx({"w[1]": 1, "w[2]": 2})
    line = fit("w[1]*x + w[2]*sum(k)", {"x": [0, 1, 2], "y": [3, 5, 7]}, "y", {"w": [0, 0]}, fixed={"k": [1, 2]})
    assert line.point == pytest.approx({"w[1]": 2, "w[2]": 1})
    assert uncertainty("dot(w, w)", {"w": ["1±0.1", 2]}).single.u == pytest.approx(0.2)
    assert solve("sum(x) = k[1]", "x[2]", start={"x[2]": 0}, fixed={"x[1]": 1, "k": [3]}).roots[0].point == {"x[2]": 2}
    assert solve(["sum(x) = 3", "x[1] = 1"], start={"x": [0, 0]}).roots[0].point == pytest.approx(
        {"x[1]": 1, "x[2]": 2}
    )
    assert "x[2]" in str(draw("sum(x)", {"x": [1, 2]}))


X = numpy.array([[1.0, 2.0], [2.0, 1.0], [3.0, 3.0], [1.0, 4.0]])


@pytest.mark.parametrize(
    ("x", "product"),
    [
        ({"x": X}, "dot(w, x)"),
        ({"x": X}, "sum(w*x)"),
        ({"x": X.tolist()}, "dot(w, x)"),
        ({"x[1]": X[:, 0], "x[2]": X[:, 1]}, "sum(w*x)"),
        ({"x1": X[:, 0], "x_2": X[:, 1]}, "dot(w, x)"),
    ],
)
def test_columns_of_data_are_the_entries_of_a_list(x: dict[str, Any], product: str) -> None:
    data, weights = {**x, "y": X @ [2, 3]}, {"w[1]": 2, "w[2]": 3}
    assert fit(product, data, "y", {"w": [1, 1]}).point == pytest.approx(weights)
    assert minimize(f"({product} - y)^2", {"w": [1, 1]}, data=data).point == pytest.approx(weights)
    if "x" not in x:
        assert evaluate(product, {**x, **weights}) == pytest.approx(data["y"])


def test_a_matrix_of_one_column_is_a_column() -> None:
    assert fit("w*x", {"x": X[:, :1], "y": 2 * X[:, 0]}, "y", {"w": 1}).point == pytest.approx({"w": 2})


def test_two_columns_for_one_entry_are_an_error() -> None:
    with pytest.raises(AutodiffError, match=r"two columns `x\[1\]`"):
        fit("dot(w, x)", {"x1": X[:, 0], "x_1": X[:, 1], "y": X[:, 0]}, "y", {"w": [1]})


@pytest.mark.parametrize("product", ["dot(w, x)", "sum(w*x)"])
def test_entries_in_a_point_are_a_list(product: str) -> None:
    point = {"w[1]": 2, "w[2]": 3, "x": [1, 4]}
    assert evaluate(product, point) == 14
    assert gradient(product, point) == {"w": [1, 4], "x": [2, 3]}
    assert gradient("w[2]*x", {"w[2]": 3, "x": 2}) == {"w[2]": 2, "x": 3}
    assert evaluate("sum(w)", {"w": [2, 3], "w1": [8, 9]}) == 5
    assert evaluate("sum(w)", {"w[1]": 2, "w[2]": 3, "w1": [8, 9]}) == 5


def test_numbers_are_entries_of_a_list_as_arrays_are() -> None:
    point = {"x1": numpy.array([1.0, 2.0]), "x2": 5}
    assert evaluate("sum(x)", point).tolist() == [6, 7]
    assert evaluate("dot(x, w)", {**point, "w1": 1, "w2": 10}).tolist() == [51, 52]
    assert numpy.array_equal(gradient("dot(x, x)", point)["x"], [[2, 4], [10, 10]])
    assert autodiff_cli.hessian("dot(x, x)", point, "x[2]")["x[2]"]["x[2]"].tolist() == [2, 2]
    with pytest.raises(AutodiffError, match="`x` is a list without an entry 2"):
        evaluate("sum(x)", {"x1": [1, 2], "x3": 5})


@pytest.mark.parametrize("function", [autodiff_cli.compile, diff])
def test_where_there_is_no_point_a_list_is_to_be_written(function: Callable[[str], Any]) -> None:
    with pytest.raises(AutodiffError) as raised:
        function("sum(x)")
    assert raised.value.hint == "a list of inputs is written x = [x1, x2]"


def test_columns_with_a_number_can_be_entries_of_a_list() -> None:
    assert list_entries(["y", "x2", "x1", "a_1", "b[1]", "2d", "x[2]"]) == {
        "x[1]": "x1",
        "x[2]": "x2",
        "a[1]": "a_1",
        "b[1]": "b[1]",
    }


@pytest.mark.parametrize("point", [{"x": [1, 2], "x[1]": 5}, {"x[2]": 5, "x": numpy.array([1, 2])}])
def test_a_list_beside_one_of_its_entries_is_refused(point: dict[str, Any]) -> None:
    for call in (
        lambda: evaluate("x[1]*x[2]", point),
        lambda: evaluate("sum(x)", point),
        lambda: minimize("sum(x^2)", point),
        lambda: autodiff_cli.uncertainty("sum(x^2)", point),
    ):
        with pytest.raises(AutodiffError, match=r"`x\[[12]\]` is set twice"):
            call()


def test_columns_of_a_frame_that_are_one_entry_are_refused() -> None:
    frame = pytest.importorskip("pandas").DataFrame({"x1": [7.0], "x2": [1.0], "x[1]": [5.0]})
    with pytest.raises(AutodiffError, match=r"there are two columns `x\[1\]`"):
        evaluate("sum(x)", frame)


@pytest.mark.parametrize("empty", [[], (), numpy.ones(0)])
def test_a_list_is_not_empty(empty: Any) -> None:
    for text in ("sum(x)", "dot(x, x)*y"):
        with pytest.raises(AutodiffError, match="`x` is empty, and a list has at least one entry"):
            evaluate(text, {"x": empty, "y": 1})
    assert evaluate("2*x", {"x": empty}).tolist() == []
