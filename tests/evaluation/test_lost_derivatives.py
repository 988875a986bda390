"""Tests of gradients with a number too small or too large for a double on the way: never a quiet zero."""

import mpmath
import pytest

from autodiff_cli import Value, gradient, hessian
from autodiff_cli.derivatives.forward import directional
from autodiff_cli.derivatives.jacobian import jacobian
from autodiff_cli.language import parse

FORMULAS = [
    ("1/(1/x)", {"x": 1e-200}),
    ("1/(1/x)", {"x": 1e-160}),
    ("x + 1/(1/x)", {"x": 1e-200}),
    ("atan(y/x)", {"x": 1e-170, "y": 1.0}),
    ("1/sqrt(1 + 1/x^2)", {"x": 1e-150}),
    ("1/(1 + exp(x))", {"x": 400.0}),
    ("x^-60*y - 1/(x^-60)", {"x": 1e-5, "y": 1e-300}),
    ("1e300*atan(x)", {"x": 1e170}),
]


@pytest.mark.parametrize(("formula", "point"), FORMULAS)
def test_gradient_is_that_of_many_digits(formula: str, point: dict[str, float]) -> None:
    with mpmath.workdps(400):
        numbers = list(map(mpmath.mpf, point.values()))
        code = compile(formula.replace("^", "**"), "<formula>", "eval")
        names = {"exp": mpmath.exp, "atan": mpmath.atan, "sqrt": mpmath.sqrt, "log": mpmath.log}

        def function(*arguments: mpmath.mpf) -> mpmath.mpf:
            return mpmath.mpf(eval(code, names | dict(zip(point, arguments, strict=True))))  # noqa: S307

        partials = gradient(formula, point)
        for place, name in enumerate(point):
            step = numbers[place] * mpmath.mpf("1e-120")
            moved = [[*numbers[:place], numbers[place] + sign * step, *numbers[place + 1 :]] for sign in (-1, 1)]
            expected = (function(*moved[1]) - function(*moved[0])) / (2 * step)
            assert partials[name] == pytest.approx(float(expected), rel=1e-12, abs=0), name


def test_values_and_jacobians_have_the_same_gradient() -> None:
    x = Value(1e-200)
    (1 / (1 / x)).backward()
    assert x.grad == pytest.approx(1, rel=1e-15)
    program = parse("y = 1/x; z = 1/y")
    matrix = jacobian(program, {"x": 1e-200}, ["z"], ["x"])
    assert matrix.rows == [[pytest.approx(1, rel=1e-15)]]


def test_forward_mode_has_the_same_slopes() -> None:
    program = parse("y = atan(x); z = 1e300*y")
    matrix = jacobian(program, {"x": 1e170}, ["y", "z"], ["x"])
    assert matrix.rows == [[0.0], [pytest.approx(1e-40, rel=1e-15)]]
    assert directional(program, {"x": 1e170}, {"x": 2.0}).slope == pytest.approx(2e-40, rel=1e-15)


def test_second_derivatives_are_not_lost() -> None:
    assert hessian("1/(1 + exp(x))", {"x": 400.0}) == {"x": {"x": pytest.approx(1.9151695967140057e-174, rel=1e-15)}}
    assert hessian("exp(-x^2)*y", {"x": 30.0, "y": 1e-200}) == {"x": {"x": 0.0, "y": 0.0}, "y": {"x": 0.0, "y": 0.0}}


@pytest.mark.parametrize(("formula", "x", "second"), [
    ("x^3/(exp(x) - 1)", 400.0, 1.2073688778388303e-166),
    ("exp(x)/(1 + exp(x))^2", 300.0, 5.148200222412013e-131),
    ("1/exp(x^2)", 25.0, 9.194777925294898e-269),
    ("1/x^6", 1e26, 4.2e-207),
    ("x/x^3", 1e60, 6e-240),
    ("1/gamma(x)", 130.0, 4.7537790409971966e-217),
    ("1/(1/x^3)", 1e-87, 6e-87),
    ("sqrt(coth(acsch(x)))", 1e-169, 0.5),
])  # fmt: skip
def test_second_derivative_with_a_number_out_of_range_on_the_way(formula: str, x: float, second: float) -> None:
    assert hessian(formula, {"x": x})["x"]["x"] == pytest.approx(second, rel=1e-14, abs=0)


@pytest.mark.parametrize(("formula", "x", "second"), [
    ("acos(x)", 1e-12, -1e-12),
    ("asin(x)", 1e-17, 1e-17),
    ("atanh(x)", 1e-9, 2e-9),
    ("sigmoid(x)", 4e-25, -5e-26),
])  # fmt: skip
def test_second_derivative_whose_terms_cancel(formula: str, x: float, second: float) -> None:
    assert hessian(formula, {"x": x})["x"]["x"] == pytest.approx(second, rel=1e-14, abs=0)


def test_second_derivatives_by_two_names_are_not_lost() -> None:
    found = hessian("hypot(x, y)*exp(z)", {"x": 1e10, "y": 2.0, "z": 0.0})
    assert found["x"]["x"] == pytest.approx(4e-30, rel=1e-14, abs=0)
    found = hessian("1/(x^3*y^3)", {"x": 1e40, "y": 1e40})
    assert found["x"]["y"] == found["y"]["x"] == pytest.approx(9e-320, abs=1e-320)
    found = hessian("1/(x^4 + y^4)", {"x": 1e30, "y": 1e30})
    assert found["x"]["y"] == pytest.approx(4e-180, rel=1e-14, abs=0)


def test_adjoint_that_overflows_on_the_way() -> None:
    assert gradient("log(normcdf(x))", {"x": -38.0})["x"] == pytest.approx(38.0262815, rel=1e-7)


def test_adjoint_that_is_really_zero_stays_zero() -> None:
    assert gradient("tanh(1e200*x)", {"x": 3.0}) == {"x": 0.0}
    assert gradient("where(x > 1e100, x, 0*(1/x))", {"x": 1.0}) == {"x": 0.0}


def test_slopes_behind_an_infinity_are_limits() -> None:
    assert gradient("1/x^-2", {"x": 1e-200})["x"] == pytest.approx(2e-200, rel=1e-12)
