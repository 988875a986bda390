"""Sensitivities: slopes and elasticities, results with an input changed, and their order."""

import io
import math

import pytest

from autodiff_cli import AutodiffError, evaluate, parse
from autodiff_cli.plot.tornado import Tornado, tornado_drawing
from autodiff_cli.sensitivity.analysis import Sensitivity, sensitivity

PROFIT = "price*units - wages"
POINT = {"price": 12.0, "units": 1000.0, "wages": 9000.0}


def _found(text: str, point: dict[str, float], share: float = 0.1) -> Sensitivity:
    return sensitivity(parse(text), point, None, share)


def test_the_result_is_computed_anew_for_each_change() -> None:
    found = _found(PROFIT, POINT)
    for name, part in found.inputs.items():
        for changed, factor in ((part.low, 0.9), (part.high, 1.1)):
            assert changed == pytest.approx(evaluate(PROFIT, {**POINT, name: POINT[name] * factor}))


def test_the_input_that_changes_the_result_most_comes_first() -> None:
    assert list(_found("a + 10*b + 3*c", {"a": 1, "b": 1, "c": -1}).inputs) == ["b", "c", "a"]


def test_an_input_is_ranked_by_its_finite_results_and_by_changes_to_one_side() -> None:
    assert list(_found("sqrt(x - 1)*y", {"y": 2.0, "x": 1.05}).inputs) == ["x", "y"]
    assert list(_found("y + (x - 10)^2", {"y": 1.0, "x": 10.0}).inputs) == ["x", "y"]


def test_a_bar_with_one_end_is_drawn_from_the_centre() -> None:
    out, drawn = io.StringIO(), tornado_drawing(Tornado("f", 1.0, ["a", "b"], [math.nan, math.nan], [3.0, math.nan]))
    drawn.text(out, (40, 20))
    (bar,) = [line for line in out.getvalue().splitlines() if line.startswith(("a", "b"))]
    assert "█" in bar and "░" not in bar
    assert drawn.picture("svg")


def test_the_elasticity_of_a_power_is_its_exponent() -> None:
    found = _found("3*x^2.5/y", {"x": 2.0, "y": 7.0})
    assert found.inputs["x"].elasticity == pytest.approx(2.5)
    assert found.inputs["y"].elasticity == pytest.approx(-1.0)
    assert found.condition == pytest.approx(3.5)


def test_cancellation_loses_digits() -> None:
    found = _found("a - b", {"a": 1.0, "b": 0.999})
    assert found.condition == pytest.approx(1999, rel=1e-9)
    assert found.digits_lost == pytest.approx(math.log10(1999), rel=1e-9)


def test_elasticities_whose_sum_is_too_large_for_a_double_have_an_infinite_condition() -> None:
    found = _found("x - y + 1e-308", {"x": 1.0, "y": 1.0})
    assert found.condition == found.digits_lost == math.inf


def test_there_is_no_elasticity_where_a_value_is_zero() -> None:
    found = _found("x + y", {"x": 0.0, "y": 2.0})
    assert math.isnan(found.inputs["x"].elasticity)
    assert found.inputs["y"].elasticity == 1.0


def test_rows_have_the_elasticities_of_points() -> None:
    numpy = pytest.importorskip("numpy")
    pytest.importorskip("scipy")
    from autodiff_cli.many_points.computation import Computation
    from autodiff_cli.many_points.quantities import NamedValues
    from autodiff_cli.sensitivity.rows import with_elasticities

    program, names = with_elasticities(parse("a*exp(b) - c"), None)
    assert names == ["value", "elasticity_a", "elasticity_b", "elasticity_c"]
    columns = {"a": numpy.array([1.0, 2.0]), "b": numpy.array([0.5, -1.0])}
    found = Computation(program, ["a", "b"], {"c": 3.0}, (), NamedValues(tuple(names)))(columns).columns
    for row in range(2):
        point = {"a": float(columns["a"][row]), "b": float(columns["b"][row]), "c": 3.0}
        expected = _found("a*exp(b) - c", point).inputs
        for name, column in zip("abc", found[1:], strict=True):
            assert column[row] == pytest.approx(expected[name].elasticity, rel=1e-12)


def test_rows_have_no_elasticity_where_points_have_none() -> None:
    numpy = pytest.importorskip("numpy")
    pytest.importorskip("scipy")
    from autodiff_cli.many_points.computation import Computation
    from autodiff_cli.many_points.quantities import NamedValues
    from autodiff_cli.sensitivity.rows import with_elasticities

    program, results = with_elasticities(parse("x^2 + y"), None)
    columns = {"x": numpy.array([0.0, 1.0, 2.0]), "y": numpy.array([2.0, 2.0, -4.0])}
    found = Computation(program, ["x", "y"], {}, (), NamedValues(tuple(results)))(columns).columns
    assert numpy.isnan(found[1]).tolist() == [True, False, True]
    assert found[2][:2].tolist() == [1.0, 2 / 3]
    assert numpy.isnan(found[2][2])


def test_a_constant_that_is_named_is_an_input() -> None:
    found = sensitivity(parse("2*pi*r"), {"r": 3.0}, ["pi", "r"], 0.1)
    assert {name: part.elasticity for name, part in found.inputs.items()} == pytest.approx({"pi": 1, "r": 1})
    assert found.inputs["pi"].value == math.pi


def test_rows_may_have_the_elasticity_of_a_constant() -> None:
    pytest.importorskip("numpy")
    from autodiff_cli.sensitivity.rows import with_elasticities

    named, column, neither = (
        with_elasticities(parse("e*x"), wrt, columns)[1]
        for wrt, columns in ((["e"], ()), (None, ["x", "e"]), (None, ["x"]))
    )
    assert named == ["value", "elasticity_e"]
    assert column == ["value", "elasticity_e", "elasticity_x"]
    assert neither == ["value", "elasticity_x"]


def test_names_of_the_formula_are_no_elasticities() -> None:
    pytest.importorskip("numpy")
    from autodiff_cli.sensitivity.rows import with_elasticities

    assert with_elasticities(parse("2^elasticity_k"), None)[1] == ["value", "elasticity_elasticity_k"]
    assert with_elasticities(parse("elasticity_x = 2*x; y*elasticity_x"), ["y"])[1] == ["value", "elasticity_y"]
    for text in ("k + elasticity_k", "elasticity_k = 2; k*elasticity_k"):
        with pytest.raises(AutodiffError, match="`elasticity_k` is a name of the formula"):
            with_elasticities(parse(text), ["k"])


def test_a_tornado_in_the_terminal_has_its_longest_bar_at_the_top() -> None:
    pytest.importorskip("rich")
    out = io.StringIO()
    tornado_drawing(Tornado("f", 10.0, ["a", "b"], [5.0, 9.0], [15.0, 11.0])).text(out, (80, 20))
    first, second = (line.count("█") + line.count("░") for line in out.getvalue().splitlines()[1:3])
    assert first > second > 0
    falling = io.StringIO()
    tornado_drawing(Tornado("f", 10.0, ["a"], [15.0], [5.0])).text(falling, (80, 20))
    assert falling.getvalue().splitlines()[1].split()[1::2] == ["5", "15"]
    assert all(len(line) <= 80 for line in out.getvalue().splitlines())


def test_a_tornado_has_no_bars_around_a_centre_that_is_not_finite() -> None:
    pytest.importorskip("matplotlib")
    out, drawn = io.StringIO(), tornado_drawing(Tornado("f", math.inf, ["a"], [-10.0], [10.0]))
    drawn.text(out, (80, 20))
    assert out.getvalue().splitlines() == ["f", "░ made smaller   █ made larger   centre inf"]
    assert drawn.picture("svg")
