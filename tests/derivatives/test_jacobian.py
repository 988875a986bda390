"""Jacobians: their rows are the gradients of the outputs."""

import math

import pytest

import autodiff_cli as autodiff
from autodiff_cli import AutodiffError, parse
from autodiff_cli.derivatives.jacobian import jacobian
from autodiff_cli.evaluation import evaluate

SEVERAL = parse("a = x*y; b = sin(x) + z; c = a/b; d = c^2 + y; e = d*a; f = exp(-b)")


@pytest.mark.parametrize("outputs", [["a", "b"], ["f", "c", "a"], list("abcdef")])
def test_rows_of_a_jacobian_are_the_gradients_of_the_outputs(outputs: list[str]) -> None:
    point = {"x": 0.7, "y": -1.2, "z": 2.0}
    found = jacobian(SEVERAL, point, outputs)
    assert found.names == ("x", "y", "z")
    for output, row in zip(outputs, found.rows, strict=True):
        evaluation = evaluate(SEVERAL.select(output), point, found.names)
        assert found.outputs[output] == evaluation.value
        assert row == pytest.approx(list(evaluation.gradient.values()), rel=1e-14, abs=1e-16)


@pytest.mark.parametrize("terms", [300, 20])
def test_many_outputs_that_share_little_have_sweeps_of_their_own(terms: int, monkeypatch: pytest.MonkeyPatch) -> None:
    outputs = [f"o{row}" for row in range(terms + 5)]
    lines = (f"{name} = " + " + ".join(f"s*x{k}^2*{row}" for k in range(20)) for row, name in enumerate(outputs))
    program = parse("s = sin(x0)\n" + "\n".join(lines) + "\nlonely = 2*y")
    point = {"y": 1.0} | {f"x{k}": 0.1 + k for k in range(20)}
    wrt = [*point, "s"]
    monkeypatch.setattr("autodiff_cli.derivatives.jacobian._LARGE", 1000)
    several = jacobian(program, point, [*outputs, "lonely"], wrt)
    for name, row in [*zip(several.outputs, several.rows, strict=True)][:: terms // 4]:
        evaluation = evaluate(program.select(name), point, wrt)
        assert several.outputs[name] == evaluation.value
        assert row == list(evaluation.gradient.values())


def test_a_jacobian_names_the_outputs_that_are_not_finite() -> None:
    program = parse("a = sqrt(x); b = x; c = log(x)")
    found = jacobian(program, {"x": 0.0}, ["a", "b", "c"])
    assert found.rows == [[math.inf], [1.0], [math.inf]]
    assert [evaluation.program.output_name for evaluation in found.suspects] == ["a", "c"]


def test_a_number_that_is_no_double_is_named_by_a_jacobian_too() -> None:
    with pytest.raises(AutodiffError, match="`x` is too large for double precision"):
        jacobian(parse("a = x; b = 2*x"), {"x": 10**400}, ["a", "b"])


def test_from_python_a_row_is_the_gradient_of_its_output() -> None:
    text, point = "n = x*w; h = [n, tanh(n)*x, w]", {"x": 0.5, "w": 3.0, "unused": "any text"}
    rows = autodiff.jacobian(text, point, ["h", "n"])
    assert list(rows) == ["h[1]", "h[2]", "h[3]", "n"]
    for output, row in rows.items():
        assert row == autodiff.gradient(f"{text}; 1*{output}", point, ["x", "w"])
    assert autodiff.jacobian(parse("a = x; b = 2*x"), {"x": 1}, "b", "x") == {"b": {"x": 2.0}}


def test_from_python_a_list_in_the_point_is_one_of_the_program() -> None:
    point = {"x": [1.0, 2.0], "W": [[1.0, 2.0], [0.0, 3.0]]}
    rows = autodiff.jacobian("h = matvec(W, x)*x", point, "h", ["x", "W"])
    assert rows["h[2]"] == {"x": [0.0, 12.0], "W": [[0.0, 0.0], [2.0, 4.0]]}
    with pytest.raises(AutodiffError, match="no value for the input `x`"):
        autodiff.jacobian("h = [x, y]", {"y": 1}, "h")
