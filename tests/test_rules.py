"""The rules of the table as small graphs."""

import pytest

from autodiff_cli import gradient
from autodiff_cli.arithmetic import floats
from autodiff_cli.arithmetic.multiprecision import Multiprecision
from autodiff_cli.operations import OPERATIONS


def test_constants_of_rules_have_all_digits() -> None:
    exact = Multiprecision(50)
    mp = exact.context
    for name, expected in [("erf", 2 / mp.sqrt(mp.pi)), ("degrees", 180 / mp.pi), ("exp2", mp.log(2))]:
        operation = OPERATIONS[name]
        floats.pullback(operation, 1, (True,))  # which may not put its rounded constants into the rule that both read
        value = exact.function(operation, 1)(mp.zero)
        (partial,) = exact.pullback(operation, 1, (True,))(mp.one, value, mp.zero)
        assert abs(partial - expected) < mp.mpf("1e-49")


@pytest.mark.parametrize("reciprocal", ["1/(1 + exp(x))", "recip(1 + exp(x))"])
def test_a_slope_too_small_for_a_double_is_not_lost_beside_a_large_adjoint(reciprocal: str) -> None:
    assert gradient(f"exp(x)*{reciprocal}", {"x": 400.0})["x"] == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize(
    ("text", "a", "b", "expected"),
    [
        ("exp(a/b)", 709000.0, 1000.0, -5.826850890242476e307),
        ("(a/b)^2", 1e-270, 1e-100, -2e-240),
        ("sqrt(a/b)", 1e260, 1e-40, -5e189),
    ],
)
def test_the_slope_by_a_divisor_is_finite_where_that_by_the_dividend_is(
    text: str, a: float, b: float, expected: float
) -> None:
    assert gradient(text, {"a": a, "b": b})["b"] == pytest.approx(expected, rel=1e-14)
