"""Taylor series: of each operation, of quotients of zeros, at kinks and where there is none."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from operator import mul
from random import Random
from typing import Any

import mpmath
import pytest
import random_programs
from referee import Arguments, every_operation

import autodiff_cli
from autodiff_cli import AutodiffError, parse
from autodiff_cli.arithmetic.multiprecision import Multiprecision, with_digits
from autodiff_cli.arithmetic.power_series import PowerSeries
from autodiff_cli.arithmetic.sinc import slope_of_sinc
from autodiff_cli.derivatives.forward import directional
from autodiff_cli.derivatives.hessian import hessian
from autodiff_cli.derivatives.taylor import taylor
from autodiff_cli.evaluation import evaluate
from autodiff_cli.operations import REAL, TABLE, Operation
from autodiff_cli.work_budget import WorkBudget

ORDER = 6


@pytest.mark.parametrize(
    ("text", "third"), [("relu(x)*sqrt(x)", math.inf), ("sqrt(x)*relu(x)^2", 0.0), ("relu(x)*x", 0.0)]
)
def test_a_series_at_a_kink_is_that_of_the_domain_where_an_infinite_slope_meets_zero(text: str, third: float) -> None:
    evaluation = evaluate(parse(text), {"x": 0.0})
    assert taylor(evaluation, 2).derivatives == [0.0, 0.0, third]
    assert hessian(evaluation).matrix == [[third]]


@every_operation
def test_taylor_series_of_an_operation_agrees_with_mpmath(operation: Operation, count: int) -> None:
    exact = Multiprecision(60)
    function, number = exact.function(operation, count), exact.number
    for start, direction in _lines(operation, count):
        lines = list(zip(start, direction, strict=True))
        along = partial(_along, function, [(number(a), number(d)) for a, d in lines])
        true = exact.context.taylor(along, 0, ORDER)
        for digits in (None, exact):
            net = PowerSeries(digits)
            series = net.apply(operation, *(net.line(a, d) if d else net.constant(a) for a, d in lines))
            net.compute([series], ORDER)
            found = [*series.coefficients, *[0.0] * ORDER][: ORDER + 1]
            for actual, expected in zip(found, true, strict=True):
                assert abs(actual - expected) <= 1e-12 * abs(expected) + 1e-30, (start, direction, actual, expected)


def _along(function: Callable[..., Any], lines: Sequence[tuple[Any, Any]], t: Any) -> Any:
    return function(*[start + t * speed for start, speed in lines])


def _lines(operation: Operation, count: int) -> list[tuple[Arguments, Arguments]]:
    """Ordinary points in the operation's domain, each with a direction in which all arguments move."""
    chance = Random(f"{operation.name} {count}")
    found = []
    for _ in range(3):
        intervals = [(max(low, -3), min(high, 3)) for low, high in (operation.domain or (REAL,) * count)]
        start = [chance.uniform(0.9 * low + 0.1 * high, 0.1 * low + 0.9 * high) for low, high in intervals]
        direction = [chance.uniform(0.2, 1) * chance.choice((1, -1)) for _ in range(count)]
        if operation.literal:
            start[0], direction[0] = float(chance.randint(0, 3)), 0.0
        found.append((tuple(start), tuple(direction)))
    return found


@pytest.mark.parametrize(
    ("text", "x", "coefficients"),
    [
        ("exp(sin(x))", 0, "1 1 1/2 0 -1/8 -1/15 -1/240 1/90 31/5760"),
        ("tan(x)", 0, "0 1 0 1/3 0 2/15 0 17/315"),
        ("1/(1 - x)", 0, "1 1 1 1 1 1"),
        ("log(x)", 1, "0 1 -1/2 1/3 -1/4 1/5"),
        ("sqrt(1 + x)", 0, "1 1/2 -1/8 1/16 -5/128"),
        ("x^3", 0, "0 0 0 1 0 0"),
        ("x^2*sin(x)", 0, "0 0 0 1 0 -1/6"),
        ("x^0 + x^1", 0, "1 1 0"),
        ("(x - 1)^2*(x + 2)", 1, "0 0 3 1 0"),
        ("sin(x)^2 + cos(x)^2", 0.3, "1 0 0 0 0 0"),
        ("cosh(x)^2 - sinh(x)^2", 3, "1 0 0 0 0 0"),
        ("where(x > 0, sqrt(x), 2*x)", 0, "0 2 0 0"),
        ("max(x, x^2 - 1)", 0, "0 1 0"),
        ("abs(x)^3", -2, "8 -12 6 -1 0"),
        ("atan(x) + acot(x)", -0.5, None),
        ("gamma(x + 1) - x*gamma(x)", 1.5, "0 0 0 0"),
        ("7", 1, "7 0 0"),
    ],
)
def test_taylor_series_that_are_known(text: str, x: float, coefficients: str | None) -> None:
    expected = [float(Fraction(word)) for word in (coefficients or "0 0 0 0").split()]
    if coefficients is None:
        expected[0] = -math.pi / 2
    found = taylor(evaluate(parse(text), {"x": x}, ["x"]), len(expected) - 1)
    assert found.coefficients == expected
    assert found.derivatives == pytest.approx([c * math.factorial(k) for k, c in enumerate(expected)], rel=1e-15)


def test_taylor_series_of_sinc_where_its_argument_is_nan_are_nan() -> None:
    found = taylor(evaluate(parse("x + sinc(log(x - 2))"), {"x": 1.0}), 2)
    assert [number == number for number in found.coefficients] == [False] * 3


@pytest.mark.slow
@pytest.mark.parametrize("x", [0.0, 1e-160, 1e-5, 0.2, 0.3, 1.0, -2.0, 2.5, 12.0])
def test_taylor_series_of_sinc_has_no_special_points(x: float) -> None:
    found = taylor(evaluate(parse("sinc(x)"), {"x": x}), 9).coefficients
    mp = Multiprecision(400).context
    for k, actual in enumerate(found):  # the integral of cos(pi*x*s) over s from 0 to 1, term by term
        powers = (mp.binomial(2 * m, k) * mp.mpf(x) ** (2 * m - k) for m in range((k + 1) // 2, 400))
        factors = ((-1) ** m * mp.pi ** (2 * m) / mp.factorial(2 * m + 1) for m in range((k + 1) // 2, 400))
        true = mp.fsum(map(mul, powers, factors))
        assert abs(actual - true) <= 1e-15 * abs(true) + 1e-300


@pytest.mark.parametrize(
    ("text", "x", "numerator", "denominator"),
    [
        ("sin(x)/x", 0, lambda mp, x: mp.sin(x), lambda mp, x: x),
        ("(1 - cos(x))/x^2", 0, lambda mp, x: 1 - mp.cos(x), lambda mp, x: x * x),
        ("x^3/(exp(x) - 1)", 0, lambda mp, x: x**3, lambda mp, x: mp.expm1(x)),
        ("(tan(x) - sin(x))/x^3", 0, lambda mp, x: mp.tan(x) - mp.sin(x), lambda mp, x: x**3),
        ("log(x)/(x^2 - 1)", 1, lambda mp, x: mp.log(x), lambda mp, x: x * x - 1),
        ("sin(x - pi)/(x - pi)", math.pi, lambda mp, x: mp.sin(x - math.pi), lambda mp, x: x - math.pi),
        ("(sin(x)/x - 1)/x", 0, lambda mp, x: mp.sin(x) - x, lambda mp, x: x * x),  # a quotient of zeros in another
        ("0/x", 0, lambda mp, x: mp.zero, lambda mp, x: x),
    ],
)
@pytest.mark.parametrize("order", [0, 1, 12])
def test_a_quotient_of_zeros_has_the_series_of_what_follows_them(
    text: str, x: float, numerator: Callable[..., Any], denominator: Callable[..., Any], order: int
) -> None:
    mp = mpmath.mp.clone()
    mp.dps = 60
    a, b = (mp.taylor(partial(function, mp), x, order + 3) for function in (numerator, denominator))
    zeros = next(index for index, number in enumerate(b) if abs(number) > 1e-30)
    true: list[Any] = []
    for k in range(order + 1):
        true.append((a[zeros + k] - sum(b[zeros + k - j] * true[j] for j in range(k))) / b[zeros])
    assert autodiff_cli.taylor(text, {"x": x}, order) == pytest.approx(list(map(float, true)), rel=4e-16, abs=1e-40)


@pytest.mark.parametrize(
    "text",
    [
        "x/x^2",
        "x^4/(sin(x)^2 + cos(x)^2 - 1)",
        "x^21/sin(x)^21",
        "x^9/(tan(x) - x - x^3/3 - 2*x^5/15 - 17*x^7/315)",  # rounding leaves an x^7 in the denominator
        "abs(x)/x",
        "x % x",
        "abs(sin(x)/x - 1)",
        "max(sin(x)/x, 1)",
        "leaky_relu(1 - sin(x)/x, 0.1)",
        "(sin(x)/x)^(1/x^2)",
        "atan(1/(sin(x)/x - 1))",
    ],
)
def test_a_quotient_of_zeros_without_a_certain_series_has_none(text: str) -> None:
    assert math.isnan(autodiff_cli.taylor(text, {"x": 0}, 0)[0])


def test_the_work_of_quotients_of_zeros_grows_with_their_number() -> None:
    def work(count: int) -> float:
        with WorkBudget(60) as budget:
            autodiff_cli.taylor(f"sum(i, 1, {count}, sin(i*x)/x)", {"x": 0}, 4)
        return budget.granted - budget.left

    assert work(40) < 3 * work(20)


@pytest.mark.parametrize(("text", "x", "second"), [
    ("nthroot(x, 0.5)", 0.0, 1.0),
    ("beta(x, 0.5)", -1.5, -1.1744207671677126),
])  # fmt: skip
def test_where_a_rule_holds_at_one_point_alone_the_series_is_a_limit(text: str, x: float, second: float) -> None:
    evaluation = evaluate(parse(text), {"x": x})
    assert math.isfinite(evaluation.gradient["x"])
    assert taylor(evaluation, 2).coefficients[2] == pytest.approx(second, rel=1e-15)


@pytest.mark.parametrize(("text", "x", "derivatives"), [
    ("acos(x)^2", 1.0, [0.0, -2.0, 2 / 3, -8 / 15]),
    ("cos(sqrt(x))", 0.0, [1.0, -1 / 2, 1 / 12, -1 / 120]),
    ("cbrt(x)^3", 0.0, [0.0, 1.0, 0.0, 0.0]),
    ("sqrt(x^4)", 0.0, [0.0, 0.0, 2.0, 0.0]),
])  # fmt: skip
def test_what_the_chain_rule_leaves_open_is_a_limit_in_every_order(
    text: str, x: float, derivatives: list[float]
) -> None:
    evaluation = evaluate(parse(text), {"x": x})
    assert taylor(evaluation, 3).derivatives == pytest.approx(derivatives, rel=1e-15)
    assert hessian(evaluation).matrix[0][0] == pytest.approx(derivatives[2], rel=1e-15)
    assert directional(parse(text), {"x": x}, {"x": 3.0}).slope == pytest.approx(3 * derivatives[1], rel=1e-15)


@every_operation
def test_partials_of_partials_come_to_an_end_or_grow_with_the_order(operation: Operation, count: int) -> None:
    ((start, direction), *_) = _lines(operation, count)
    sizes = []
    for order in (10, 20):
        net = PowerSeries()
        lines = (net.line(a, d) if d else net.constant(a) for a, d in zip(start, direction, strict=True))
        net.compute([net.apply(operation, *lines)], order)
        sizes.append(len(net._all))
    chain = operation.name in ("sinc", "gamma", "lgamma", "digamma", "trigamma", "polygamma", "beta", "factorial")
    assert sizes[1] <= (2 * sizes[0] if chain else sizes[0])


@pytest.mark.parametrize("number", range(0, 3 * len(TABLE), 3))
def test_first_coefficients_are_the_value_and_the_gradient(number: int) -> None:
    case = random_programs.case(17, number)
    evaluation = evaluate(parse(case.formula), case.point, [case.wrt])
    slope = evaluation.gradient[case.wrt]
    if case.ordinary and math.isfinite(evaluation.value) and math.isfinite(slope):
        value, first = taylor(evaluation, 1).coefficients
        assert value == pytest.approx(evaluation.value, rel=1e-9, abs=1e-12)
        assert first == pytest.approx(slope, rel=1e-9, abs=1e-9)


def test_series_of_a_deep_program_needs_no_recursion() -> None:
    program = parse("a = x\n" + "a = sin(a) + 0.5*a\n" * 2500)
    evaluation = evaluate(program, {"x": 0.25}, ["x"])
    found = taylor(evaluation, 2)
    assert found.coefficients[:2] == pytest.approx([evaluation.value, evaluation.gradient["x"]], rel=1e-12)
    assert found.derivatives[2] == pytest.approx(hessian(evaluation).matrix[0][0], rel=1e-9)


def test_series_in_several_variables_is_refused() -> None:
    with pytest.raises(AutodiffError, match="in one variable, not in `x`, `y`"):
        autodiff_cli.taylor("x*y", {"x": 1, "y": 2})
    assert autodiff_cli.taylor("x*y", {"x": 1, "y": 2}, 2, wrt="y") == [2.0, 1.0, 0.0]


@pytest.mark.parametrize(("text", "x"), [("x^2", 3.0), ("log(x)", -1.0), ("sqrt(x)", 0.0)])
def test_a_series_is_longer_than_the_last_factorial_in_double_precision(text: str, x: float) -> None:
    assert len(autodiff_cli.taylor(text, {"x": x}, order=172)) == 173


def test_the_slope_of_sinc_past_the_range_of_doubles_is_its_limit() -> None:
    assert slope_of_sinc(1, with_digits(60).number("1e100000"), with_digits(60)) == 0
    evaluation = evaluate(parse("sinc(sinh(z))"), {"z": 1e30})
    assert taylor(evaluation, 2).coefficients == [0.0, 0.0, 0.0]  # below the smallest double
