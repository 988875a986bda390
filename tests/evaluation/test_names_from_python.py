"""Names from Python: in every form that they have in a formula."""

from collections.abc import Callable
from typing import Any

import pytest

numpy: Any = pytest.importorskip("numpy", reason="arrays need NumPy")
pytest.importorskip("scipy", reason="minima need SciPy")

import autodiff_cli as autodiff


@pytest.mark.parametrize(("written", "name"), [("π", "pi"), ("x₁", "x1"), ("ﬁt", "fit")])
def test_a_name_has_its_normal_form(written: str, name: str) -> None:
    text, point = f"3*{written}^2", {written: 2}
    assert autodiff.evaluate(text, point) == 12
    assert autodiff.evaluate(text, {written: [1, 2]}).tolist() == [3, 12]
    assert autodiff.gradient(text, point, [written]) == {name: 12}
    assert autodiff.hessian(text, point, [written]) == {name: {name: 6}}
    assert autodiff.taylor(text, point, 2, wrt=written) == [12, 12, 3]
    assert autodiff.check(text, point, [written])[0].name == name
    assert autodiff.compile(text, [written])(point).gradient[name] == 12
    assert str(autodiff.diff(text, written)).endswith(f"6*{name}")


def test_searches_know_names_by_their_normal_forms() -> None:
    found = autodiff.minimize("(x₁ - x₂)^2", {"x₁": 3}, fixed={"x₂": 1}, bounds={"x₁": (2, 5)})
    assert found.point == {"x1": 2}
    assert autodiff.solve("x₁ = 2*x₂", "x₁", start={"x₁": 3}, fixed={"x₂": 1}).roots[0].point == {"x1": 2}
    line = autodiff.fit("a₁*x₁", {"x₁": [1, 2], "y": [2, 4]}, "y", {"a₁": 1})
    assert line.point == {"a1": pytest.approx(2)}


@pytest.mark.parametrize("given", [5, [1, 2], "x=1", numpy.ones(2)])
def test_what_gives_nothing_by_name_is_refused(given: Any) -> None:
    for call in (
        lambda: autodiff.evaluate("x", given),
        lambda: autodiff.compile("x")(given),
        lambda: autodiff.minimize("x", given),
        lambda: autodiff.solve("x = 1", start=given),
        lambda: autodiff.fit("a*x", given, "y", {"a": 1}),
    ):
        with pytest.raises(autodiff.AutodiffError, match="numbers are given by name, not as `"):
            call()


@pytest.mark.parametrize(
    "call",
    [
        lambda text: autodiff.evaluate(text, {"T": 3}),
        lambda text: autodiff.evaluate(text, {"T": [3, 4]}),
        lambda text: autodiff.gradient(autodiff.parse(text), {"T": 3}),
        lambda text: autodiff.hessian(text, {"T": 3}),
        lambda text: autodiff.taylor(text, {"T": 3}),
        lambda text: autodiff.check(text, {"T": 3}),
        lambda text: autodiff.compile(text)({"T": 3}),
        lambda text: autodiff.uncertainty(text, {"T": "3±0.1"}),
        lambda text: autodiff.fit(text + "*a", {"y": [1, 2]}, "y", {"a": 1}, fixed={"T": 3}),
        lambda text: autodiff.minimize(text + "*a^2", {"a": 1}, fixed={"T": 3}),
        lambda text: autodiff.solve(text + " = a", "a", start={"a": 1}, fixed={"T": 3}),
    ],
)
def test_a_name_that_almost_is_an_input_at_its_default_is_warned_of(call: Callable[[str], Any]) -> None:
    with pytest.warns(match="`T` is set, but the formula does not use it: did you mean `t`?") as warned:
        call("t = 2; exp(-t)")
    assert [warning.filename for warning in warned] == [__file__]


def test_a_point_may_have_numbers_for_other_formulas() -> None:
    point = {"t": 3, "T": 300, "pressure": 1}
    assert autodiff.evaluate("t = 2; k = 1; k*t", point) == 3
    assert autodiff.compile("t = 2; k = 1; k*t")(point).value == 3
    assert autodiff.evaluate("w = [1, 2]; sum(w)", {"w": [3, 4]}) == 7
    assert autodiff.fit("t = 2; a*t", {"t": [1, 2], "y": [2, 4]}, "y", {"a": 1}, fixed={"T": 3}).converged


def test_a_key_that_is_no_text_is_no_name() -> None:
    assert autodiff.evaluate("x", {"x": 1, 2: 3}) == 1
    assert autodiff.compile("x")({"x": 1, 2: "three"}).value == 1


def test_derivatives_by_a_list_are_those_by_its_entries() -> None:
    assert str(autodiff.diff("x = [a, b]; dot(x, x)", "x")) == "df_dx[1] = 2*a\ndf_dx[2] = 2*b"


X = {"x1": [1.0, 2.0], "x₁": [3.0, 4.0], "y": [1.0, 2.0]}


@pytest.mark.parametrize(
    "call",
    [
        lambda: autodiff.evaluate("x1*2", X),
        lambda: autodiff.compile("x1*2")(X),
        lambda: autodiff.fit("a*x1", X, "y", {"a": 1}),
        lambda: autodiff.minimize("a^2", {"a": 1, " a": 2}),
        lambda: autodiff.minimize("a^2", {"a": 1}, bounds={"a": (0, 1), " a": (1, 2)}),
        lambda: autodiff.uncertainty("x1", {"x1": "5±1", "x₁": "6±1"}),
    ],
)
def test_a_name_that_is_given_in_two_forms_is_refused(call: Callable[[], Any]) -> None:
    with pytest.raises(autodiff.AutodiffError, match=r"is given twice, as `.*` and as `"):
        call()


def test_columns_with_one_name_in_two_forms_are_refused() -> None:
    frame = pytest.importorskip("pandas").DataFrame(X)
    with pytest.raises(autodiff.AutodiffError, match="`x1` is given twice, as `x1` and as `x₁`"):
        autodiff.evaluate("x1*2", frame)


def test_an_array_for_a_name_that_the_formula_lacks_does_not_matter() -> None:
    for unused in (numpy.ones(4), ["a", "b"]):
        assert autodiff.evaluate("x", {"x": 1.0, "z": unused}) == 1
        assert autodiff.evaluate("x", {"x": numpy.ones(3), "z": unused}).tolist() == [1, 1, 1]
        assert autodiff.gradient("x", {"x": numpy.ones(3), "z": unused}, "z")["z"].tolist() == [0, 0, 0]
    with pytest.raises(autodiff.AutodiffError, match="`y` is computed by the program"):
        autodiff.evaluate("y = 2*x; y", {"x": 1, "y": [1, 2]})


def test_the_traceback_of_an_error_names_no_other_one() -> None:
    for formula in ("sum([x, 2]) + tahn(x)", "dot(x, y) +", "sum(tahn(x), x)"):
        with pytest.raises(autodiff.AutodiffError) as raised:
            autodiff.evaluate(formula, {"x": 1, "y": [1, 2]})
        assert raised.value.__suppress_context__ or raised.value.__context__ is None


def test_the_hint_for_bounds_without_names_has_bounds() -> None:
    pairs: Any = [(0, 1)]
    with pytest.raises(autodiff.AutodiffError, match="bounds are given by name, not as `list`") as raised:
        autodiff.minimize("(x - 2)^2", {"x": 0}, bounds=pairs)
    assert '{"x": (0, 1)}' in raised.value.hint
    assert autodiff.minimize("(x - 2)^2", {"x": 0}, bounds={"x": (0, 1)}).point == {"x": 1.0}
