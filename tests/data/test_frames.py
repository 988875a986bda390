"""Formulas in data frames and in SQL: the columns that `eval --data` would add."""

from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="data frames need PyArrow")

from autodiff_cli import AutodiffError, with_results
from autodiff_cli.duckdb import register

FORMULA = "r = 2; a*b^2*k + r"


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_a_data_frame_has_the_results_as_further_columns(package: str) -> None:
    frames: Any = pytest.importorskip(package)
    frame = frames.DataFrame({"a": [1.0, 2.0], "n": ["x", "y"], "b": [3, 4]})
    added = with_results(frame, FORMULA, {"k": 2}, prefix="d_")
    assert list(frame.columns) == ["a", "n", "b"]
    assert list(frame.pipe(with_results, FORMULA, {"k": 2})["value"]) == list(added["d_value"])
    assert list(added.columns) == ["a", "n", "b", "d_value", "d_grad_a", "d_grad_b"]
    assert [list(added[name]) for name in ("n", "d_value", "d_grad_b")] == [["x", "y"], [20, 66], [12, 32]]
    with pytest.raises(AutodiffError, match="the data has no column `k`"):
        with_results(frame, FORMULA)
    with pytest.raises(AutodiffError, match="columns of the data have the names of results"):
        with_results(added, FORMULA, {"k": 2}, prefix="d_")
    with pytest.raises(AutodiffError, match="uses none of the columns"):
        with_results(frame, "k^2", {"k": 2})


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_missing_numbers_of_a_data_frame_are_nan(package: str) -> None:
    frames: Any = pytest.importorskip(package)
    column = frames.array([1, None], "Int64") if package == "pandas" else [1, None]
    value = with_results(frames.DataFrame({"a": column}), "a^2")["value"]
    assert [number == number for number in value] == [True, False]


def test_a_formula_is_a_function_of_sql() -> None:
    connection = pytest.importorskip("duckdb").connect()
    assert register(connection, "f", FORMULA, {"k": 2}) == ["a", "b"]
    rows = connection.sql("select f(i, 2).grad_b, f(null, i).value from range(5000) t(i)").fetchall()
    assert rows == [(8.0 * i, None) for i in range(5000)]
    with pytest.raises(AutodiffError, match="the formula uses no columns"):
        register(connection, "constant", "k^2", {"k": 2})
    assert register(connection, "g", "x^2") == ["x"]
    assert connection.sql("select g(3)").fetchall() == [({"value": 9.0, "grad_x": 6.0},)]


def test_a_formula_is_an_expression_of_polars() -> None:
    polars: Any = pytest.importorskip("polars")
    from autodiff_cli.polars import expression

    frame = polars.DataFrame({"b": [3, None], "a": [1.0, 2.0], "n": ["x", "y"]}).lazy()
    rows = frame.with_columns(expression(FORMULA, {"k": 2}).alias("f")).unnest("f").collect()
    assert rows.columns == ["b", "a", "n", "value", "grad_a", "grad_b"]
    assert rows.row(0) == (3, 1.0, "x", 20.0, 18.0, 12.0)
    assert rows["grad_a"].is_nan().to_list() == [False, True]
    point = {"k": 2.0}
    squared = expression("unused = b^2; a^k", point)
    point["k"] = 3.0
    assert polars.select(a=3.0).select(squared.alias("f")).unnest("f").to_dicts() == [{"value": 9.0, "grad_a": 6.0}]
    with pytest.raises(AutodiffError, match="the formula uses no columns"):
        expression("k^2", {"k": 2})


def test_an_accessor_of_pandas() -> None:
    pandas: Any = pytest.importorskip("pandas")
    import autodiff_cli.pandas  # noqa: F401  # adds it

    frame = pandas.DataFrame({"a": [1.0, 2.0], "b": [3, 4]})
    assert frame.autodiff.with_results(FORMULA, {"k": 2}, prefix="d_").equals(
        with_results(frame, FORMULA, {"k": 2}, prefix="d_")
    )
