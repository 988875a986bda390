"""Formulas in data frames and in SQL: the columns that `eval --data` would add."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy
import pytest

pyarrow: Any = pytest.importorskip("pyarrow", reason="data frames need PyArrow")

import autodiff_cli
from autodiff_cli import AutodiffError, evaluate, fit, gradient, minimize, parse, with_results
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
    with pytest.raises(AutodiffError, match="`prefix` is 3"):
        with_results(frame, FORMULA, {"k": 2}, prefix=3)  # type: ignore[arg-type]
    with pytest.raises(AutodiffError, match="uses none of the columns"):
        with_results(frame, "k^2", {"k": 2})
    with pytest.raises(AutodiffError, match=r"the value has the shape \(3,\), and the frame 1 row"):
        with_results(frame[:1], "a*k", {"k": [1, 2, 3]})
    with pytest.raises(AutodiffError, match="`a` has both a column and a number"):
        with_results(frame, "sum(a)", {"a": [1, 2, 3]})
    with pytest.raises(AutodiffError, match="hint: rename `a b` to `a_b`"):
        with_results(frames.DataFrame({"a b": [1.0], "c": [2.0]}), "a_b*c")
    with pytest.raises(AutodiffError, match="separated by blanks: split or rename its column `spot price`"):
        with_results(frames.DataFrame({"spot price": [1.0]}), "2*spot")
    with pytest.raises(AutodiffError, match="its columns are `0`, `1`; a number in the point holds for all rows"):
        with_results(frames.DataFrame({"0": [1.0], "1": [2.0]}), "x*y")


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_points_and_rows_may_be_a_data_frame(package: str) -> None:
    frame = pytest.importorskip(package).DataFrame({"x": [1.0, 2.0, 3.0], "n": ["x", "y", "z"], "y": [2.0, 4.0, 6.0]})
    assert evaluate("n = x*y; n + 1", frame).tolist() == [3, 9, 19]
    assert gradient("x^2*y", frame, "y")["y"].tolist() == [1, 4, 9]
    assert fit("a*x", frame, "y", {"a": 1}, weights="x").point == pytest.approx({"a": 2})
    assert minimize("(a*x - y)^2", {"a": 1}, data=frame).point == pytest.approx({"a": 2})
    for search in (lambda: fit("a*n", frame, "y", {"a": 1}), lambda: minimize("(a*n)^2", {"a": 1}, data=frame)):
        with pytest.raises(AutodiffError, match="entry 1 of `n` is 'x', not a number"):
            search()


def test_a_name_that_two_columns_of_pandas_have_is_no_input() -> None:
    frame: Any = pytest.importorskip("pandas").DataFrame([[1.0, 2, 5], [2.0, 4, 10]], columns=["x", "y", "y"])
    for call in (
        lambda: gradient("x*y", frame),
        lambda: autodiff_cli.compile("x*y")(frame),
        lambda: with_results(frame, "x*y"),
        lambda: fit("a*x", frame, "y", {"a": 1}),
        lambda: fit("a*x", frame, "x", {"a": 1}, weights="y"),
        lambda: minimize("(a*x - y)^2", {"a": 1}, data=frame),
    ):
        with pytest.raises(AutodiffError, match="there are two columns `y`"):
            call()
    assert evaluate("x^2", frame).tolist() == autodiff_cli.compile("x^2")(frame).value.tolist() == [1, 4]
    assert minimize("(a - x)^2", {"a": 1}, data=frame).point == pytest.approx({"a": 1.5})
    assert evaluate("2*x", {"x": frame["y"].set_axis(["a", "b"], axis=1)}).tolist() == [[4, 10], [8, 20]]


def test_many_results_are_added_to_a_frame_of_pandas_at_once() -> None:
    pandas: Any = pytest.importorskip("pandas")
    columns = pandas.Index([f"c{place}" for place in range(1, 121)], name="year")
    frame = pandas.DataFrame([[2.0] * 120] * 2, [7, 7], columns)
    frame.attrs["source"] = "survey"
    added = with_results(frame, "dot(c, c)")  # a warning would be an error
    assert added.shape == (2, 241)
    assert (list(added.index), added.columns.name, added.attrs) == ([7, 7], "year", frame.attrs)


@pytest.mark.slow
def test_the_types_of_points_and_rows_allow_a_data_frame(tmp_path: Path) -> None:
    pytest.importorskip("polars")
    mypy: Any = pytest.importorskip("mypy.api")
    calls = tmp_path / "calls.py"
    calls.write_text("""
import polars
from autodiff_cli import check, compile, evaluate, fit, gradient, hessian, minimize, taylor
frame = polars.DataFrame({"x": [1.0]})
evaluate("x^2", frame), gradient("x^2", frame), hessian("x^2", frame), compile("x^2")(frame)
fit("a*x", frame, "x"), minimize("(a - x)^2", data=frame)
number: float = evaluate("x", {"x": 1})
check("dot(x, x)", {"x": [1, 2]}), taylor("dot(x, x)*t", {"x": [1, 2], "t": 0}, 2, "t")
""")
    assert mypy.run(["--strict", str(calls)]) == ("Success: no issues found in 1 source file\n", "", 0)


@pytest.mark.parametrize("kind", ["LazyFrame", "Table", "dict"])
def test_what_is_no_data_frame_is_refused(kind: str) -> None:
    columns: Any = {"x": [1.0, 2.0]}
    if kind != "dict":
        columns = {"LazyFrame": pytest.importorskip("polars").LazyFrame, "Table": pyarrow.table}[kind](columns)
        with pytest.raises(AutodiffError, match=f"numbers are given by name, not as `{kind}`"):
            evaluate("x^2", columns)
    with pytest.raises(AutodiffError, match=f"a data frame is needed, not `{kind}`"):
        with_results(columns, "x^2")


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_missing_numbers_of_a_data_frame_are_nan(package: str) -> None:
    frames: Any = pytest.importorskip(package)
    columns: list[Any] = [[1, None]]
    if package == "pandas":
        columns += [frames.array([1, None], "Int64"), frames.Series([1, frames.NA], dtype=object)]
    for column in columns:
        frame = frames.DataFrame({"a": column})
        for value in (with_results(frame, "a^2")["value"], evaluate("a^2", frame)):
            assert [number == number for number in value] == [True, False]


def test_a_data_frame_may_be_the_value_of_an_input() -> None:
    pandas: Any = pytest.importorskip("pandas")
    for column in (pandas.Series(["3", pandas.NA], dtype=object), pandas.array([3, None], "Int64"), [3, None]):
        frame = pandas.DataFrame({"a": pandas.array([1, 2], "Int64"), "b": column})
        assert numpy.array_equal(evaluate("x*2", {"x": frame}), [[2, 6], [4, numpy.nan]], equal_nan=True)


def test_columns_of_lists_that_are_no_inputs_are_not_converted(monkeypatch: pytest.MonkeyPatch) -> None:
    pandas: Any = pytest.importorskip("pandas")
    monkeypatch.setattr(pandas.Series, "to_list", None)
    frame = pandas.DataFrame({"x": [1, 2], "lists": [[1, 2], [3, 4]]})
    assert autodiff_cli.compile("2*x")(frame).value.tolist() == [2, 4]


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_a_column_without_numbers_is_no_input(package: str) -> None:
    frames: Any = pytest.importorskip(package)
    time = datetime(2020, 1, 1, tzinfo=UTC)
    for column, message in (
        (["1", "x"], "entry 2 of `a` is 'x', not a number"),
        (["1", "1_000"], "entry 2 of `a` is '1_000', not a number"),
        ([True, None], "`a` holds booleans, not numbers"),
        ([None, False], "`a` holds booleans, not numbers"),
        ([time, time], "`a` holds .*, not numbers"),
        ([time - time] * 2, "`a` holds .*, not numbers"),
    ):
        series = frames.array(column, "boolean") if package == "pandas" and column[-1] is None else column
        with pytest.raises(AutodiffError, match=message):
            with_results(frames.DataFrame({"a": series}), "a^2")
        kept = with_results(frames.DataFrame({"a": series, "b": [1.0, 2.0]}), "b^2")
        assert list(kept["value"]) == [1, 4]
    if package == "pandas":
        with pytest.raises(AutodiffError, match="`a` holds booleans, not numbers"):
            with_results(frames.DataFrame({"a": frames.Categorical([True, False])}), "a^2")
    assert list(with_results(frames.DataFrame({"a": ["1", "2"]}), "a^2")["value"]) == [1, 4]


def test_columns_of_pandas_whose_labels_are_no_texts_go_along() -> None:
    pandas: Any = pytest.importorskip("pandas")
    with pytest.raises(AutodiffError, match="the data has no column `a`"):
        with_results(pandas.DataFrame([[1, 2]]), "a^2")
    frame = pandas.DataFrame([[2.0, "x", 3, 4]] * 2, pandas.date_range("2020", periods=2), ["a", 0, "n", "n"])
    added = with_results(frame, "a^2")
    assert list(added.columns) == ["a", 0, "n", "n", "value", "grad_a"]
    assert added.iloc[0].tolist() == [2, "x", 3, 4, 4, 4]
    levels = pandas.MultiIndex.from_tuples([("a", ""), ("b", "c")])
    frame = pandas.DataFrame([[2.0, 3.0]], columns=levels)
    assert evaluate("a^2", frame).tolist() == autodiff_cli.compile("a^2")(frame).value.tolist() == [4]
    added = with_results(frame, "a^2")
    assert list(added.columns) == [*levels, ("value", ""), ("grad_a", "")]
    with pytest.raises(AutodiffError, match="columns of the data have the names of results"):
        with_results(added, "a^2")
    numbered = pandas.MultiIndex.from_tuples([("a", 0), ("a", 1)])
    with pytest.raises(AutodiffError, match="the data has no column `a`"):
        with_results(pandas.DataFrame([[2.0, 3.0]], columns=numbered), "a^2")


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
    for cell, message in ((True, "`a` holds booleans"), (datetime(2020, 1, 1), "`a` holds Datetime")):
        with pytest.raises(AutodiffError, match=message):
            polars.DataFrame({"a": [cell]}).lazy().select(expression("a^2")).collect()


def test_an_accessor_of_pandas() -> None:
    pandas: Any = pytest.importorskip("pandas")
    import autodiff_cli.pandas  # noqa: F401  # adds it

    frame = pandas.DataFrame({"a": [1.0, 2.0], "b": [3, 4]})
    assert frame.autodiff.with_results(FORMULA, {"k": 2}, prefix="d_").equals(
        with_results(frame, FORMULA, {"k": 2}, prefix="d_")
    )


def test_columns_are_the_entries_of_lists() -> None:
    pandas: Any = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"x1": [1.0, 2.0], "x_2": [3.0, 4.0]})
    added = with_results(frame, "k*sum(x)", {"k": 2})
    assert list(added.columns) == ["x1", "x_2", "value", "grad_x[1]", "grad_x[2]"]
    assert list(added["value"]) == [8, 12]
    assert evaluate("2*sum(x)", frame).tolist() == [8, 12]
    assert [slope.tolist() for slope in gradient("dot(x, x)", frame)["x"]] == [[2, 4], [6, 8]]
    assert gradient("x[2]^2*x[1]", frame, "x[2]")["x[2]"].tolist() == [6, 16]
    product = autodiff_cli.compile("x[1]*x[2]")
    assert product(frame).value.tolist() == product(dict(frame)).value.tolist() == [3, 8]
    lists = frame.assign(x=[[1, 2], [3, 4]], odd=[[1], ["two"]])[["x", "odd"]]
    assert evaluate("dot([2, 3], x)", lists).tolist() == [8, 18]
    assert minimize("(dot(w, x) - 1)^2", {"w": [0, 0]}, data=lists).value == pytest.approx(0)
    assert list(with_results(frame[["x1"]], "sum(x)", {"x[2]": 1})["value"]) == [2, 3]
    with pytest.raises(AutodiffError, match="the column `x_0` would be left out"):
        with_results(frame.assign(x_0=5.0), "sum(x)")
    named = pandas.DataFrame({"x[1]": [1.0, 2.0], "x[2]": [3.0, 4.0]})
    assert list(with_results(named, "sum((x - [1, 3])^2)")["value"]) == [0, 2]
    assert list(with_results(frame, "x = [x1, x_2]; sum(x)").columns)[-2:] == ["grad_x1", "grad_x_2"]


def test_entries_of_a_list_are_parameters_in_sql() -> None:
    connection = pytest.importorskip("duckdb").connect()
    program = parse("3*x[2] + sum(x)", entries=["x[1]", "x[2]"])
    assert register(connection, "f", program) == ["x[2]", "x[1]"]
    assert connection.sql("select f(5, 1)").fetchall() == [({"value": 21.0, "grad_x[2]": 4.0, "grad_x[1]": 1.0},)]


def test_lists_and_names_in_other_letters_have_numbers_in_the_point() -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    connection = pytest.importorskip("duckdb").connect()
    import autodiff_cli.pandas  # noqa: F401  # adds the accessor
    from autodiff_cli.polars import expression

    frame: Any = pandas.DataFrame({"a": [1.0, 2.0]})
    for number, (text, point) in enumerate(
        [
            ("dot(w, w)*a", {"w": [1, 2]}),
            ("w = [1, 2]; sum(w)*a", {"w": [2, 3]}),
            ("\u03c0*\u00b5*a", {"\u03c0": 1, "\u00b5": 5}),
        ]
    ):
        assert list(with_results(frame, text, point)["grad_a"]) == [5, 5]
        assert list(frame.autodiff.with_results(text, point)["grad_a"]) == [5, 5]
        struct = polars.DataFrame({"a": [2.0]}).select(expression(text, point).alias("f")).unnest("f")
        assert struct.to_dicts() == [{"value": 10.0, "grad_a": 5.0}]
        assert register(connection, f"h{number}", text, point) == ["a"]
        assert connection.sql(f"select h{number}(2).value").fetchall() == [(10.0,)]
    with pytest.raises(AutodiffError, match="`w` has 2 numbers in the formula, and 3 are given"):
        with_results(frame, "w = [1, 2]; sum(w)*a", {"w": [1, 2, 3]})


def test_an_error_of_an_expression_reads_as_any_other() -> None:
    polars: Any = pytest.importorskip("polars")
    from autodiff_cli.polars import expression

    frame = polars.DataFrame({"a": ["1", "x"]})
    with pytest.raises(AutodiffError) as raised:
        frame.select(expression("a^2"))
    assert str(raised.value).startswith("error: entry 2 of `a` is 'x', not a number\n\nhint: give a real number\n")


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_a_column_of_lists_is_to_be_columns_of_entries(package: str) -> None:
    frame = pytest.importorskip(package).DataFrame({"a": [[1.0, 2.0], [3.0, 4.0]]})
    with pytest.raises(AutodiffError, match="hint: name the columns of its entries a1, a2 and so on"):
        with_results(frame, "sum(a)^2")


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_rows_are_points_and_no_list(package: str) -> None:
    frame = pytest.importorskip(package).DataFrame({"a": [1.0, 2.0], "b": [1.0, 10.0]})
    calls = evaluate, gradient, lambda text, data: fit(text, data, "b"), lambda text, data: with_results(data, text)
    for call in calls:
        for text in ("sum(a^2)*b", "dot(a, b)"):
            with pytest.raises(AutodiffError, match="hint: name the columns of its entries a1, a2 and so on"):
                call(text, frame)


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_a_column_of_lists_with_one_entry_is_a_list_in_each_row_or_a_number(package: str) -> None:
    frame = pytest.importorskip(package).DataFrame({"a": [[1.0], [10.0]], "y": [2.0, 20.0]})
    assert evaluate("sum(a)*y", frame).tolist() == [2, 200]
    assert [slope.tolist() for slope in gradient("dot(a, a)", frame)["a"]] == [[2, 20]]
    assert evaluate("2*a", frame).tolist() == [2, 20]
    assert fit("dot(w, a)", frame, "y", {"w": [1]}).point == pytest.approx({"w[1]": 2})
    assert fit("w*a", frame, "y", {"w": 1}).point == pytest.approx({"w": 2})


@pytest.mark.parametrize("package", ["pandas", "polars"])
@pytest.mark.parametrize("text", ["sum(a)", "sum(i, 1, len(a), sum(a[i]))", "2*a"])
def test_a_column_of_lists_with_different_lengths_is_called_so(package: str, text: str) -> None:
    frame = pytest.importorskip(package).DataFrame({"a": [[1.0, 2.0], [3.0]], "y": [1, 2]})
    for call in (evaluate, lambda text, data: fit(text, data, "y")):
        with pytest.raises(AutodiffError, match="the lists in `a` have different lengths"):
            call(text, frame)


def test_integers_of_128_bits_are_numbers() -> None:
    polars: Any = pytest.importorskip("polars")
    from autodiff_cli.polars import expression

    frame = polars.DataFrame({"a": polars.Series([1, 2**100], dtype=polars.Int128), "y": [1.0, 2.0]})
    assert evaluate("2*a", frame).tolist() == autodiff_cli.compile("2*a")(frame).value.tolist() == [2, 2.0**101]
    assert with_results(frame, "2*a")["value"].to_list() == [2, 2.0**101]
    assert frame.select(expression("2*a")).unnest("a")["value"].to_list() == [2, 2.0**101]
    assert fit("k", frame, "y", {"k": 1}).point == pytest.approx({"k": 1.5})


def test_a_misspelt_name_is_warned_of_in_expressions_and_functions_of_sql() -> None:
    pytest.importorskip("polars")
    from autodiff_cli.polars import expression

    connection = pytest.importorskip("duckdb").connect()
    for call in (
        lambda: expression("t = 2; exp(-t*x)", {"T": 3}),
        lambda: register(connection, "f", "t = 2; exp(-t*x)", {"T": 3}),
    ):
        with pytest.warns(match="`T` is set, but the formula does not use it: did you mean `t`?") as warned:
            call()
        assert [warning.filename for warning in warned] == [__file__]
