"""Names from Python: in every form that they have in a formula."""

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


def test_a_key_that_is_no_text_is_no_name() -> None:
    assert autodiff.evaluate("x", {"x": 1, 2: 3}) == 1
    assert autodiff.compile("x")({"x": 1, 2: "three"}).value == 1


def test_derivatives_by_a_list_are_those_by_its_entries() -> None:
    assert str(autodiff.diff("x = [a, b]; dot(x, x)", "x")) == "df_dx[1] = 2*a\ndf_dx[2] = 2*b"
