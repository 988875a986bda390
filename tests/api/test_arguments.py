"""Numbers of a wrong kind from Python: every function says what is wrong with them, as an AutodiffError."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from math import inf, isnan, nan
from typing import Any

import pytest

numpy = pytest.importorskip("numpy", reason="arrays need NumPy")
pytest.importorskip("scipy", reason="arrays need SciPy")

import autodiff_cli as autodiff
from autodiff_cli import AutodiffError
from autodiff_cli.types import MeasuredValue

HUGE = 10**400
LINE = {"x": [1, 2, 4], "y": [1, 2, 3]}

WRONG: dict[str, Callable[[Any], Any]] = {
    "`x` ": lambda wrong: autodiff.evaluate("x", {"x": wrong}),
    "`x`  ": lambda wrong: autodiff.evaluate("x*y", {"x": wrong, "y": [1, 2]}),
    "`x[2]` ": lambda wrong: autodiff.evaluate("dot(x, x)", {"x": [1, wrong]}),
    "`x`   ": lambda wrong: autodiff.gradient("x", {"x": wrong}),
    "`x`    ": lambda wrong: autodiff.hessian("x", {"x": wrong}),
    "`x`     ": lambda wrong: autodiff.taylor("x", {"x": wrong}),
    "`x`      ": lambda wrong: autodiff.check("x", {"x": wrong}),
    "`x`       ": lambda wrong: autodiff.compile("x")({"x": wrong}),
    "`x`        ": lambda wrong: autodiff.draw("x", {"x": wrong}),
    "`x`         ": lambda wrong: autodiff.minimize("x^2", {"x": wrong}),
    "`a` ": lambda wrong: autodiff.minimize("x^2 + a", {"x": 1}, fixed={"a": wrong}),
    "an end of `x` ": lambda wrong: autodiff.minimize("x^2", {"x": 1}, bounds={"x": (0, wrong or "None")}),
    "`x`          ": lambda wrong: autodiff.solve("x = 2", start={"x": wrong}),
    "`a`  ": lambda wrong: autodiff.solve("x = a", start={"x": 1}, fixed={"a": wrong}),
    "an end of `between` ": lambda wrong: autodiff.solve("x = 2", between=(0, wrong)),
    "an end of `all_between` ": lambda wrong: autodiff.solve("x = 2", all_between=(0, wrong)),
    "`a`   ": lambda wrong: autodiff.fit("a*x", LINE, "y", {"a": wrong}),
    "`b` ": lambda wrong: autodiff.fit("a*x + b", LINE, "y", {"a": 1}, fixed={"b": wrong}),
    "an end of `a` ": lambda wrong: autodiff.fit("a*x", LINE, "y", {"a": 1}, bounds={"a": (wrong or "None", 3)}),
    "`V` ": lambda wrong: autodiff.uncertainty("V/I", {"V": wrong, "I": 2}),
    "`V, I` ": lambda wrong: autodiff.uncertainty("V/I", {"V": "5(1)", "I": "2(1)"}, {("V", "I"): wrong}),
}
"""the words of the message, with blanks to tell them apart → the call"""


@pytest.mark.parametrize("words", WRONG)
@pytest.mark.parametrize(
    ("wrong", "is_what"), [(None, "None"), (1j, "1j"), (numpy.complex64(1j), "1j"), ("one", "one"), (HUGE, "large")]
)
def test_a_number_that_is_none_is_named(words: str, wrong: Any, is_what: str) -> None:
    with pytest.raises(AutodiffError) as raised:
        WRONG[words](wrong)
    assert words.strip() in raised.value.message
    assert is_what in raised.value.message
    assert raised.value.hint


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([1, "one"], "entry 2 of `x` is 'one', not a number"),
        ("1_000", "`x` is '1_000', not a number"),
        ([1, "１２"], "entry 2 of `x` is '１２', not a number"),
        (["1.5", "1e400"], "entry 2 of `x` is too large for double precision"),
        ("1e-400", "`x` is too small for double precision"),
        ([1.0, HUGE], "entry 2 of `x` is too large for double precision"),
        ([1, 2j], "`x` holds complex128, not numbers"),
        ([[1, 2], [3]], "the lists in `x` have different lengths"),
        ({"a": 1}, "`x` is {'a': 1}, not a number"),
        (numpy.array(["2020-01-01"], "M8[D]"), "`x` holds datetime64[D], not numbers"),
        (numpy.ma.array(["a"]), "entry 1 of `x` is 'a', not a number"),
    ],
)
def test_an_entry_that_is_no_number_is_named(given: Any, message: str) -> None:
    for function in (autodiff.evaluate, autodiff.gradient, autodiff.hessian):
        with pytest.raises(AutodiffError) as raised:
            function("x", {"x": given})
        assert raised.value.message == message


@pytest.mark.parametrize(
    "given",
    [
        [1, None],
        [1, nan],
        numpy.ma.array([1.0, 2.0], mask=[0, 1]),
        numpy.ma.array([1, 2], mask=[0, 1]),
        [1, numpy.ma.masked],
        [numpy.ma.array(1), numpy.ma.array(2, mask=True)],
    ],
)
def test_masked_and_missing_numbers_are_nan(given: Any) -> None:
    first, second = autodiff.evaluate("3*x", {"x": given})
    assert first == 3
    assert isnan(second)
    assert isnan(autodiff.evaluate("3*x", {"x": nan}))


@pytest.mark.parametrize(("data", "hint"), [({}, "it has no columns"), ({"x": [1]}, "its columns are `x`")])
def test_the_hint_for_an_absent_response_has_the_columns(data: dict[str, Any], hint: str) -> None:
    with pytest.raises(AutodiffError) as raised:
        autodiff.fit("a*x", data, "response", {"a": 1})
    assert raised.value.hint == hint


def test_masks_in_a_list_of_any_depth_count() -> None:
    rows = numpy.ma.masked_equal([[1, 2], [3, -9]], -9)
    for given in (list(rows), [list(row) for row in rows]):
        assert numpy.array_equal(autodiff.evaluate("2*x", {"x": given}), [[2, 4], [6, nan]], equal_nan=True)
    with pytest.raises(AutodiffError, match=r"`x\[2\]` has no number in row 2 of the data"):
        autodiff.fit("dot(w, x)", {"x": list(rows), "y": [1, 2]}, "y", {"w": [1, 1]})


def test_the_missing_numbers_of_pandas_are_nan_in_lists_too() -> None:
    pandas: Any = pytest.importorskip("pandas")
    for given in ([1, pandas.NA], [["1", pandas.NA]], numpy.array([1, pandas.NA]), [1, pandas.NaT]):
        assert numpy.isnan(numpy.ravel(autodiff.evaluate("3*x", {"x": given}))).tolist() == [False, True]


@pytest.mark.parametrize("x", [2, [2, 3]])
@pytest.mark.parametrize("unused", ["a", ["a", "b"]])
def test_what_is_given_for_a_name_that_the_formula_lacks_need_not_be_a_number(x: Any, unused: Any) -> None:
    point = {"x": x, "run": unused}
    assert numpy.array_equal(autodiff.evaluate("x^2", point), numpy.square(x))
    assert numpy.array_equal(autodiff.gradient("x^2", point, "run")["run"], numpy.zeros_like(x))


@pytest.mark.parametrize("number", [str, Decimal, Fraction])
def test_numbers_of_any_kind_are_levels_and_measured_values(number: Callable[[str], Any]) -> None:
    level = number("0.9")
    for absolute in (False, True):
        given, same = (autodiff.fit("a*x", LINE, "y", {"a": 1}, absolute=absolute, level=it) for it in (level, 0.9))
        assert given.statistics.factor == same.statistics.factor
    measured = MeasuredValue(number("2"), number("0.5"), number("9"), "uniform", (number("0.75"),))
    same = MeasuredValue(2, 0.5, 9, "uniform", (0.75,))
    result = autodiff.uncertainty("V^2", {"V": measured}, level=level, draws=100)
    assert repr(result) == repr(autodiff.uncertainty("V^2", {"V": same}, level=0.9, draws=100))


def test_shapes_that_do_not_fit_together_are_named() -> None:
    point = {"x": [1, 2], "y": [1, 2, 3], "z": 1}
    for call in (lambda: autodiff.evaluate("x*y*z", point), lambda: autodiff.compile("x*y*z")(point)):
        with pytest.raises(AutodiffError, match=r"do not fit together: `x` \(2,\), `y` \(3,\)"):
            call()


def test_a_column_has_a_number_for_each_row() -> None:
    with pytest.raises(AutodiffError, match=r"`x` is not a column: its shape is \(\)"):
        autodiff.fit("a*x", {"x": 1, "y": [1, 2]}, "y", {"a": 1})
    with pytest.raises(AutodiffError, match=r"`a` is not a column: its shape is \(1, 1, 2\)"):
        autodiff.minimize("(x - a)^2", {"x": 1}, data={"a": [[[1, 2]]]})


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: autodiff.taylor("1/x", {"x": 1}, order=-1), "`order` is -1"),
        (lambda: autodiff.diff("x^3", "x", order=0), "`order` is 0"),
        (lambda: autodiff.diff("x^3", "x", order=1.5), "`order` is 1.5"),
        (lambda: autodiff.minimize("x^2", {"x": 1}, starts=0), "`starts` is 0"),
        (lambda: autodiff.minimize("x^2", {"x": 1}, starts=10_001), "`starts` is 10001"),
        (lambda: autodiff.minimize("x^2", {"x": 1}, mean=True), "`mean` needs rows"),
        (lambda: autodiff.solve([]), "there is no equation to solve"),
        (lambda: autodiff.solve(""), "an equation is empty"),
        (lambda: autodiff.uncertainty("V", {"V": "5(1)"}, draws=10**12), "`draws` is 1000000000000"),
        (lambda: autodiff.uncertainty("V", {"V": "5(1)"}, draws=99), "`draws` is 99"),
        (lambda: autodiff.uncertainty("V", {"V": "5(1)"}, draws=True), "`draws` is True"),
        (
            lambda: autodiff.fit("a*x", LINE, "y", {"a": 1}, weights=3),
            "`weights=` is not a column: its shape is ()",
        ),
        (lambda: autodiff.fit("a*x", LINE, "y", {"a": 1}, weights=[1, 2]), "`y` has 3 rows, but `weights=` has 2"),
        (lambda: autodiff.taylor("exp(x)", {"x": 1}, order=1001), "`order` is 1001"),
        (lambda: autodiff.diff("exp(x)", "x", order=51), "`order` is 51"),
        (lambda: autodiff.draw("a*b", max_nodes="a"), "`max_nodes` is 'a'"),  # type: ignore[arg-type]
        (
            lambda: autodiff.uncertainty("V", {"V": MeasuredValue(2, None)}),  # type: ignore[arg-type]
            "the uncertainty of `V` is None, not a number",
        ),
        (lambda: autodiff.minimize("x^2", {"x": 1}, method="foo"), "there is no method `foo`"),
        (lambda: autodiff.minimize("x^2", {"x": 1}, seed=None), "`seed` is None"),  # type: ignore[arg-type]
        (lambda: autodiff.fit("a*x", LINE, "y", {"a": 1}, seed=1.5), "`seed` is 1.5"),  # type: ignore[arg-type]
        (lambda: autodiff.uncertainty("V", {"V": "5(1)"}, seed="1"), "`seed` is '1'"),  # type: ignore[arg-type]
        (lambda: autodiff.fit("a*x", LINE, "y", {"a": 1}, starts=0), "`starts` is 0"),
        (lambda: autodiff.fit("a*x", LINE, "y", {"a": 1}, level=2), "`level` is 2"),
        (lambda: autodiff.uncertainty("V", {"V": "5(1)"}, level=1), "`level` is 1"),
        (lambda: autodiff.uncertainty("V", {"V": "5(1)"}, draws=-1), "`draws` is -1"),
        (lambda: autodiff.uncertainty("V", {"V": "5+-x"}), "`V` is 'x', not a number"),
        (lambda: autodiff.uncertainty("V", {"V": MeasuredValue(5, -1)}), "`V`: an uncertainty is 0 or more, not -1"),
        (
            lambda: autodiff.uncertainty("V", {"V": MeasuredValue(5, distribution="Uniform")}),
            "`V`: there is no distribution `Uniform`",
        ),
        (lambda: autodiff.uncertainty("V", {"V": MeasuredValue(5, 1, 3, "t")}), "`V`: `t` has other parameters"),
        (lambda: autodiff.uncertainty("V", {"V": "5(1)"}, {("V",): 0.1}), "a correlation is given for `V`"),
        (lambda: autodiff.uncertainty("V", {"V": "5(1)"}, numpy.eye(1)), "correlations are given by pairs of names"),
        (
            lambda: autodiff.uncertainty("a = V; b = 2*V", {"V": "5(1)"}, outputs=["a", "b"]).single,
            "there are 2 results: `a`, `b`",
        ),
        (
            lambda: autodiff.fit("a*x", {**LINE, "x": [1, nan, 4]}, "y", {"a": 1}),
            "`x` has no number in row 2 of the data",
        ),
        (
            lambda: autodiff.minimize("(a*x - y)^2", {"a": 1}, data={"z": [nan, 1, 1], **LINE, "x": [1, nan, 4]}),
            "`x` has no number in row 2 of the data",
        ),
        (
            lambda: autodiff.minimize("(a*x - y)^2/a", {"a": 0}, data={**LINE, "x": [nan, 1, 4]}),
            "the value or the gradient is not finite in some row",
        ),
        (
            lambda: autodiff.minimize(
                "unused = z; (where(x == x, a*x, 1) - y)^2",
                {"a": 1},
                data={"z": [nan, 1, 1], "x": [1, nan, 4], "y": [1, 2, nan]},
            ),
            "`y` has no number in row 3 of the data",
        ),
        (
            lambda: autodiff.minimize("x^2", {"x": 1}, bounds={"x": (2, 1)}),
            "the interval for `x` is empty: it goes from 2.0 to 1.0",
        ),
        (
            lambda: autodiff.minimize("x^2", {"x": 1}, bounds={"x": (nan, 1)}),
            "the interval for `x` is empty: it goes from nan to 1.0",
        ),
        (lambda: autodiff.minimize("x^2", {"x": 1}, bounds={"x": 1}), "`x` is 1, not two numbers"),
        (
            lambda: autodiff.fit("a*x", LINE, "y", {"a": 1}, bounds={"a": (2, 1)}),
            "the interval for `a` is empty: it goes from 2.0 to 1.0",
        ),
        (
            lambda: autodiff.solve("x = 2", all_between=(3, 1)),
            "the interval for `all_between` is empty: it goes from 3.0 to 1.0",
        ),
        (lambda: autodiff.solve("x = 2", between=(3, 1, 2)), "`between` is (3, 1, 2), not two numbers"),
        (lambda: autodiff.draw("a*b", depth=-1), "`depth` is -1"),
        (lambda: autodiff.draw("a*b", precision=-1), "`precision` is -1"),
        (lambda: autodiff.draw("a*b", nodes="some"), "`nodes` is 'some'"),  # type: ignore[arg-type]
        (lambda: autodiff.draw("a*b", direction="RL"), "`direction` is 'RL'"),  # type: ignore[arg-type]
        (lambda: autodiff.draw("a*b", color="red"), "`color` is 'red'"),  # type: ignore[arg-type]
        (lambda: autodiff.gradient(None, {}), "a formula is needed, not `NoneType`"),  # type: ignore[call-overload]
        (lambda: autodiff.gradient(None, {"x": [1, 2]}), "a formula is needed, not `NoneType`"),  # type: ignore[call-overload]
        (lambda: autodiff.fit(3, LINE, "y"), "a formula is needed, not `int`"),  # type: ignore[arg-type]
        (lambda: autodiff.minimize(b"x^2", {"x": 1}), "a formula is needed, not `bytes`"),  # type: ignore[arg-type]
        (lambda: autodiff.parse(3), "a formula is needed, not `int`"),  # type: ignore[arg-type]
        (lambda: autodiff.gradient("x", {"x": 1}, wrt=[0]), "a text is needed, not 0"),  # type: ignore[call-overload]
    ],
)
def test_an_argument_outside_of_its_range_is_named(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(AutodiffError) as raised:
        call()
    assert raised.value.message == message
    assert raised.value.hint


def test_the_ends_of_a_bracket_may_be_in_either_order_and_bounds_infinite() -> None:
    assert autodiff.solve("x = 2", between=(3, 1)).roots[0].point == {"x": 2.0}
    assert autodiff.minimize("x^2", {"x": 5}, bounds={"x": (2, inf)}).point == {"x": 2.0}
    assert autodiff.minimize("x^2", {"x": 5}, bounds={"x": (2, None)}).point == {"x": 2.0}


def test_a_seed_may_be_an_integer_of_numpy() -> None:
    def drawn(seed: int) -> float:
        return autodiff.uncertainty("V^2", {"V": "5(1)"}, draws=100, seed=seed).monte_carlo["value"].mean

    assert [drawn(numpy.int64(seed)) for seed in (3, -3)] == [drawn(3), drawn(-3)]


def test_the_hint_for_an_input_without_a_number_names_the_argument() -> None:
    for call, hint in (
        (lambda: autodiff.evaluate("a*x", {"x": 1}), "pass `a` in the point"),
        (lambda: autodiff.solve("a*x^2 = 4", "x", start={"x": 1}), "pass `a` in `fixed`"),
        (lambda: autodiff.uncertainty("a*x", {"x": "5(1)"}), "pass `a` in `inputs`"),
    ):
        with pytest.raises(AutodiffError) as raised:
            call()
        assert raised.value.hint == hint


def test_a_program_is_a_formula_wherever_a_text_is() -> None:
    program = autodiff.parse("log(y)")
    assert autodiff.parse(program) is program
    data = {"x": [1, 2, 4], "y": [3, 5, 9]}
    assert autodiff.fit("a*x", data, program, {"a": 1}).point == autodiff.fit("a*x", data, "log(y)", {"a": 1}).point
    weighted = [autodiff.fit("a*x", data, "y", {"a": 1}, weights=weights).point for weights in (program, "log(y)")]
    assert weighted[0] == weighted[1]


def test_a_text_is_one_name() -> None:
    point = {"x": 2, "y": 3, "xy": 5}
    assert autodiff.gradient("x*y*xy", point, wrt="xy") == {"xy": 6}
    assert autodiff.hessian("x*y*xy^2", point, wrt="xy") == {"xy": {"xy": 12}}
    assert [verdict.name for verdict in autodiff.check("x*y*xy", point, wrt="xy")] == ["xy"]
    assert list(autodiff.compile("x*y*xy", wrt="xy")(point).gradient) == ["xy"]
    assert [*autodiff.uncertainty("xy = 2*x; xy + 1", {"x": "1±0.1"}, outputs="xy").outputs] == ["xy"]


def test_measured_values_have_names_in_any_letters() -> None:
    measured = {"\u03c0": "3±1", "x\u2081": "1±0.1", "\u00b5": "1±0.1"}
    assert autodiff.uncertainty("\u03c0*x\u2081", measured).single.u == pytest.approx(1.09**0.5)
    correlated = autodiff.uncertainty(
        "y\u2081 = \u00b5 + x\u2081; 2", measured, {("\u00b5", "x\u2081"): 1}, outputs=["y\u2081"]
    )
    assert correlated.single.u == pytest.approx(0.2)
