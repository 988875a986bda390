"""Uncertainties of rows are those of single points."""

import math

import pytest

numpy = pytest.importorskip("numpy", reason='rows need: pip install "autodiff-cli[data]"')
pytest.importorskip("scipy", reason='uncertainties need: pip install "autodiff-cli[data]"')

from hypothesis import given
from hypothesis import strategies as st

from autodiff_cli import AutodiffError, parse, uncertainty
from autodiff_cli.many_points.computation import Computation
from autodiff_cli.many_points.quantities import NamedValues
from autodiff_cli.uncertainty_propagation.measured_values import MeasuredValue
from autodiff_cli.uncertainty_propagation.rows import RESULTS, with_uncertainty

FORMULA = "a*exp(b) - c/a"
NUMBERS = st.floats(0.5, 3)


@given(st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), min_size=1, max_size=4), st.floats(-0.9, 0.9))
def test_rows_have_the_uncertainties_of_points(rows: list[tuple[float, float, float]], coefficient: float) -> None:
    program, correlations = parse(FORMULA), {("a", "b"): coefficient} if coefficient else {}
    known = {"c": MeasuredValue(1.5, 0.2)}
    columns = {name: numpy.array(column) for name, column in zip("ab", list(zip(*rows, strict=True))[:2], strict=True)}
    columns |= {"u_a": columns["a"] / 10, "u_b": numpy.array([row[2] / 20 for row in rows])}
    computation = Computation(
        with_uncertainty(program, known, correlations), list(columns), {"c": 1.5}, (), NamedValues(RESULTS)
    )
    values, deviations = computation(columns).columns
    for row in range(len(rows)):
        inputs = {
            name: MeasuredValue(float(columns[name][row]), float(columns[f"u_{name}"][row])) for name in "ab"
        } | known
        budget = uncertainty(program, inputs, correlations).single
        assert values[row] == pytest.approx(budget.value, rel=1e-12)
        assert deviations[row] == pytest.approx(budget.u, rel=1e-9, abs=1e-12)


def test_an_input_without_an_uncertainty_is_exact() -> None:
    program = with_uncertainty(parse("x*y"), {}, {})
    columns = {"x": numpy.array([2.0]), "u_x": numpy.array([0.1])}
    value, u = Computation(program, list(columns), {"y": 3.0}, (), NamedValues(RESULTS))(columns).columns
    assert (value[0], u[0]) == (6.0, pytest.approx(0.3))
    assert not math.isnan(u[0])


def test_a_formula_that_names_an_uncertainty_is_refused() -> None:
    with pytest.raises(AutodiffError, match="u_x"):
        with_uncertainty(parse("x + u_x"), {}, {})


def test_a_constant_that_is_a_column_has_an_uncertainty() -> None:
    program, columns = with_uncertainty(parse("e*V"), {}, {}), {"e": [2.0], "u_e": [0.1], "V": [3.0]}
    arrays = {name: numpy.array(column) for name, column in columns.items()}
    assert Computation(program, list(columns), {}, (), NamedValues(RESULTS))(arrays).columns[1] == [pytest.approx(0.3)]


def test_a_constant_without_a_slope_leaves_an_uncertainty() -> None:
    program = with_uncertainty(parse("x^pi + 2*x + u_e*e"), {}, {})
    columns = {"x": numpy.array([0.0]), "u_x": numpy.array([0.1]), "u_e": numpy.array([5.0])}
    assert Computation(program, list(columns), {}, (), NamedValues(RESULTS))(columns).columns[1] == [0.2]


@pytest.mark.parametrize("unit", [0.0, 1e-320, 1e-170, 1.0, 1e170, 1e307])
def test_correlated_uncertainties_of_any_size_are_added(unit: float) -> None:
    program = with_uncertainty(parse("x - y"), {}, {("x", "y"): 0.5})
    columns = {
        name: numpy.array([number]) for name, number in (("x", 1.0), ("y", 1.0), ("u_x", 3 * unit), ("u_y", unit))
    }
    u = Computation(program, list(columns), {}, (), NamedValues(RESULTS))(columns).columns[1]
    assert u == [pytest.approx(math.sqrt(7) * unit, rel=1e-3 if unit < 1e-300 else 1e-15, abs=0)]


def test_correlated_uncertainties_are_infinite_where_a_slope_is() -> None:
    program = with_uncertainty(parse("sqrt(x) + y"), {}, {("x", "y"): 0.5})
    columns = {name: numpy.array([number]) for name, number in (("x", 0.0), ("y", 1.0), ("u_x", 0.1), ("u_y", 0.1))}
    assert Computation(program, list(columns), {}, (), NamedValues(RESULTS))(columns).columns[1] == [math.inf]
