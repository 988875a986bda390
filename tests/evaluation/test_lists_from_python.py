"""Lists in points and gradients, from Python."""

import numpy
import pytest

from autodiff_cli import AutodiffError, check, evaluate, gradient, hessian, parse
from autodiff_cli.data.columns import list_entries


def test_a_list_that_the_formula_uses_as_a_list_is_given_as_one() -> None:
    point = {"w": [1, 2], "x": numpy.array([3.0, 4.0])}
    assert evaluate("dot(w, x)", point) == 11
    assert gradient("dot(w, x)", point) == {"w": [3, 4], "x": [1, 2]}
    assert gradient("dot(w, x)", point, wrt=["x"]) == {"x": [1, 2]}
    assert gradient("dot(w, x)", point, wrt=["x[2]"]) == {"x[2]": 2}


def test_the_gradient_of_a_matrix_has_its_shape() -> None:
    assert gradient("W = [[1, 2], [3, 4]]; sum(matvec(W, x))", {"x": [5, 6]}) == {"W": [[5, 6], [5, 6]], "x": [4, 6]}


def test_a_sequence_for_a_number_is_still_many_points() -> None:
    assert evaluate("x^2 + y", {"x": [1, 2], "y": 1}).tolist() == [2, 5]
    partials = gradient("a*sum(x)", {"x": [numpy.array([1.0, 2.0]), 3], "a": 2})
    assert partials["a"].tolist() == [4, 5]
    assert [entry.tolist() for entry in partials["x"]] == [[2, 2], [2, 2]]


def test_entries_and_programs_take_lists_too() -> None:
    assert evaluate("x[1]*x[2]", {"x": [3, 4]}) == 12
    assert evaluate(parse("w = [1, 2]; sum(w)"), {"w": [3, 4]}) == 7
    assert [verdict.verdict for verdict in check("norm(x)", {"x": [3, 4]})] == ["ok", "ok"]
    assert hessian("x[1]*x[2]", {"x": [3, 4]})["x[1]"] == {"x[1]": 0, "x[2]": 1}


def test_another_shape_is_an_error() -> None:
    with pytest.raises(AutodiffError, match="`w` has 2 numbers in the formula, and 3 are given"):
        evaluate("w = [1, 2]; sum(w)", {"w": [1, 2, 3]})
    with pytest.raises(AutodiffError, match="pass a list for `x` in the point"):
        evaluate("sum(x)", {"x": 1})


def test_columns_with_a_number_can_be_entries_of_a_list() -> None:
    assert list_entries(["y", "x2", "x1", "a_1", "b[1]", "2d", "x[2]"]) == {
        "x[1]": "x1",
        "x[2]": "x2",
        "a[1]": "a_1",
        "b[1]": "b[1]",
    }
