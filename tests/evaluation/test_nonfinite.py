"""What is told of a point where a value or a derivative is a convention, or none."""

import pytest

from autodiff_cli import parse
from autodiff_cli.evaluation import Sweeper, evaluate
from autodiff_cli.evaluation.nonfinite import kink_warning


@pytest.mark.parametrize(
    ("text", "x", "warned"),
    [
        ("abs(x)", 0, True),
        ("abs(x)", 1, False),
        ("where(x == 0, 1, sin(x)/x)", 0, True),
        ("where(x > 0 and x < 1, x, 0)", 2, False),
        ("where(x > 0 and x < 1, x, 0)", 1, True),
        ("where(n > 0, x^2, x)", 1, False),
        ("where(x > 1, 1, abs(x - 2))", 2, False),
        ("x^0 + x^1", 0, False),
        ("where(x and x > 5, x^2, 1)", 1, False),
        ("floor(x)*x", 2, True),
        ("hypot(x, n)", 0, True),
    ],
)
def test_a_convention_is_told(text: str, x: float, warned: bool) -> None:
    evaluation = evaluate(parse(f"n = 0; {text}"), {"x": x}, ["x"])
    assert (kink_warning(evaluation, "derivatives") is not None) == warned


@pytest.mark.parametrize(("text", "x", "order", "warned"), [
    ("elu(x)", 0, 1, False),
    ("elu(x)", 0, 2, True),
    ("elu(x)", 1, 2, False),
    ("elu(x, 2)", 0, 1, True),
])  # fmt: skip
def test_a_kink_of_the_first_derivative_is_told_of_higher_ones(text: str, x: float, order: int, warned: bool) -> None:
    evaluation = evaluate(parse(text), {"x": x})
    assert (kink_warning(evaluation, "derivatives", order=order) is not None) == warned


def test_a_name_that_the_output_does_not_depend_on_has_the_slope_0_where_there_is_no_value() -> None:
    program, point = parse("b = y; log(x)"), {"x": -1.0, "y": 2.0}
    assert evaluate(program, point, ["y", "b"]).gradient == {"y": 0.0, "b": 0.0}
    swept = Sweeper(program, point, ["x"], ["y"]).at([-2.0])
    swept.settle()
    assert swept.gradient == {"y": 0.0}
