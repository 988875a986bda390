"""Series where doubles lose digits: more digits settle them, but no more than that takes."""

import math

import mpmath
import pytest

import autodiff_cli
from autodiff_cli import parse
from autodiff_cli.arithmetic.multiprecision import Multiprecision, with_digits
from autodiff_cli.derivatives import settled_series
from autodiff_cli.derivatives.hessian import hessian
from autodiff_cli.derivatives.taylor import nonfinite_error, rounding_warning, taylor
from autodiff_cli.evaluation import evaluate
from autodiff_cli.evaluation.nonfinite import nonfinite_warning
from autodiff_cli.work_budget import WorkBudget


def test_taylor_series_is_right_where_doubles_cancel() -> None:
    found = taylor(evaluate(parse("(1 - cos(x))/x^2"), {"x": 1e-3}), 8).coefficients
    mp = mpmath.mp.clone()
    mp.dps = 100
    true = mp.taylor(lambda x: (1 - mp.cos(x)) / x**2, mp.mpf(1e-3), 8)
    assert found == pytest.approx(list(map(float, true)), rel=1e-15, abs=0)


@pytest.mark.parametrize(
    ("text", "x", "coefficients"),
    [
        ("sqrt(1 - cos(x)^2)", 1e-8, [1e-8, 1, -5e-9, -1 / 6]),
        ("acos(cos(x))", 1e-8, [1e-8, 1, 0, 0]),
        ("hypot(1 - cos(x), 1 - cos(2*x))", 1e-8, [17**0.5 / 2 * 1e-16, 17**0.5 * 1e-8, 17**0.5 / 2]),
        ("atan2(1 - cos(x), 1 - cos(3*x))", 1e-8, [math.atan(1 / 9), 6 / 41 * 1e-8, 3 / 41]),
        ("(1 - cos(1e-8)^2)^x", 1, [1e-16, 1e-16 * math.log(1e-16), 5e-17 * math.log(1e-16) ** 2]),
        ("(1 - cos(x))/x^2", 1e-100, [0.5, -1e-100 / 12, -1 / 24]),
        ("log(exp(x))", 1e-60, [1e-60, 1, 0]),
        ("x/(exp(x) - 1)", 1e-30, [1, -0.5, 1 / 12]),
        ("asin(1 - x)", 1e-100, [math.pi / 2, -(0.5e100**0.5)]),
    ],
)
def test_what_doubles_round_to_zero_on_the_way_has_its_series(text: str, x: float, coefficients: list[float]) -> None:
    evaluation = evaluate(parse(text), {"x": x})
    found = taylor(evaluation, len(coefficients) - 1)
    assert found.coefficients == pytest.approx(coefficients, rel=1e-12, abs=0)
    assert nonfinite_error(evaluation, found) is None
    assert nonfinite_warning(evaluation) is None


@pytest.mark.parametrize(
    ("text", "x", "coefficients"),
    [
        ("x/(1 + x)", 1e35, [1, 1e-70]),
        ("x/silu(x)", 188, [1, -math.exp(-188), math.exp(-188) / 2]),
        ("x^2/(x + 1)", 1e18, [1e18, 1, 1e-54]),
        ("(x + 1)/(x + 2)", 1e60, [1, 1e-120, -1e-180, 1e-240]),
        ("hypot(x, 2)", 1e16, [1e16, 1, 2e-48]),
        ("log(exp(x), x)", 1e100, [4.342944819032518e97, 0.004324083649331357, -1.869734366269229e-105 / 2]),
        ("logaddexp(x, -x)", 1e-100, [math.log(2), 1e-100, 0.5, -1e-100 / 3]),
        ("acos(x)", 1e-107, [math.pi / 2, -1, -0.5e-107, -1 / 6, -9e-107 / 24]),
        ("asin(x)", 1e-100, [1e-100, 1, 0.5e-100]),
        ("atanh(x)", 1e-100, [1e-100, 1, 1e-100]),
        ("sigmoid(x)", 1e-40, [0.5, 0.25, -1e-40 / 16]),
        ("softplus(x)", 1e-83, [math.log(2), 0.5, 0.125, -1e-83 / 48]),
    ],
)
def test_a_term_that_all_few_digits_lose_is_no_zero(text: str, x: float, coefficients: list[float]) -> None:
    found = taylor(evaluate(parse(text), {"x": x}), len(coefficients) - 1)
    assert found.coefficients == pytest.approx(coefficients, rel=1e-12, abs=0)


def test_a_coefficient_that_is_not_settled_is_nan_and_said() -> None:
    evaluation = evaluate(parse("(1 - cos(x))/x^2"), {"x": 1e-150})
    found = taylor(evaluation, 5)
    assert found.coefficients[2] == pytest.approx(-1 / 24, rel=1e-15)
    assert found.unsettled == 5
    assert math.isnan(found.coefficients[5])
    error = nonfinite_error(evaluation, found)
    assert error is not None
    assert "is not settled" in error.message


_CANCELS = "(1 - cos(x))/x^2 + sum(i, 1, 700, i*x/1e9)"  # more than 2,000 nodes
_SERIES = [0.5000002036833348, 0.00016201667222222208, -0.0416666583333337, 5.555555059523825e-06]


def test_a_large_program_has_its_digits_too() -> None:
    found = taylor(evaluate(parse(_CANCELS), {"x": 1e-3}), 3)
    assert found.coefficients == pytest.approx(_SERIES, rel=1e-15, abs=0)
    assert rounding_warning(found) is None


def test_a_large_program_without_enough_work_is_computed_in_doubles_and_that_is_said() -> None:
    evaluation = evaluate(parse(_CANCELS), {"x": 1e-3})
    with WorkBudget(0.5) as budget:
        found = taylor(evaluation, 3)
        assert budget.left > 0.1
    assert found.coefficients[0] == pytest.approx(_SERIES[0], rel=1e-9)
    assert found.coefficients[3] != pytest.approx(_SERIES[3], rel=0.1)
    warning = rounding_warning(found)
    assert warning is not None
    assert "more digits" in warning.message


@pytest.mark.slow
@pytest.mark.parametrize(("text", "x", "slope", "second"), [
    ("beta(x, 1e-300)", 1.3, -1.1342534349966193, 1.1984625146519565),
    ("beta(x, 1e-30)", 0.1, -101.43329915079275, 2001.8614573783436),
    ("beta(1, csch(x)^2)", 1e-30, 2e-30, 2.0),
    ("beta(1, x)", 1e60, -1e-120, 2e-180),
])  # fmt: skip
def test_arguments_of_beta_may_be_far_apart(text: str, x: float, slope: float, second: float) -> None:
    evaluation = evaluate(parse(text), {"x": x})
    assert taylor(evaluation, 2).derivatives[1:] == pytest.approx([slope, second], rel=1e-15, abs=0)
    assert hessian(evaluation).matrix == [[pytest.approx(second, rel=1e-12, abs=0)]]


@pytest.mark.parametrize(("text", "x", "digits"), [("x^x", 1e300, 960), ("gamma(x)", 1e-5, 240)])
def test_numbers_beyond_doubles_take_no_more_digits(
    text: str, x: float, digits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[int] = []
    monkeypatch.setattr(settled_series, "with_digits", lambda digits: (tried.append(digits), with_digits(digits))[1])
    assert taylor(evaluate(parse(text), {"x": x}), 80).coefficients[80] == math.inf
    assert tried[-1] == digits


def test_beta_of_arguments_far_apart_takes_no_more_digits_than_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(settled_series, "with_digits", lambda digits: (asked.append(digits), with_digits(digits))[1])
    at = evaluate(parse("beta(u, v)"), {"u": 1e-300, "v": 1e300}, ["u"])
    assert taylor(at, 2).derivatives[1:] == [-math.inf, math.inf]
    assert max(asked) < 1100


def test_digits_that_an_operation_loses_are_found_again() -> None:
    found = autodiff_cli.taylor("elu(y, x)", {"x": -1.25e-94, "y": -1.25e-94}, 2, wrt="y")
    assert found == pytest.approx([1.5625e-188, -1.25e-94, -0.625e-94], rel=1e-15, abs=0)


def test_series_stays_in_the_piece_that_doubles_are_in() -> None:
    remainder, slope = autodiff_cli.taylor("(10*x) % 1", {"x": 0.7}, 1)  # a little below 7, but for doubles 7
    assert evaluate(parse("(10*x) % 1"), {"x": 0.7}).value == 0
    assert remainder == pytest.approx(0, abs=1e-15)
    assert slope == 10


def test_an_infinity_of_few_digits_alone_is_not_believed() -> None:
    inf, finite = Multiprecision(60).context.inf, Multiprecision(30).number(1.6e153)
    assert not settled_series._is_settled(finite, inf, inf, 60)
    assert settled_series._is_settled(finite, inf, inf, 480)
    assert settled_series._is_settled(inf, inf, inf, 60)


def test_a_remainder_of_which_doubles_know_no_digit_is_smaller_than_the_divisor() -> None:
    value, slope = taylor(evaluate(parse("csch(y) % -1e-9"), {"y": 1e-30}), 1).derivatives
    assert -1e-9 <= value <= 0
    assert slope == pytest.approx(-1e60)
