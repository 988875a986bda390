"""Tests of slopes that the chain rule leaves open: found as limits where there are limits, never a quiet zero."""

import math
import random
from itertools import product

import mpmath
import pytest

from autodiff_cli import Value, gradient
from autodiff_cli.evaluation import evaluate, slope_limits
from autodiff_cli.evaluation.nonfinite import nonfinite_error
from autodiff_cli.language import parse

INF = math.inf

LIMITS = [
    # 0 times infinity, at the edge of a domain
    ("acos(x)^2", 1, -2),
    ("acosh(x)^2", 1, 2),
    ("cos(sqrt(x))", 0, -0.5),
    ("sqrt(x)*sin(sqrt(x))", 0, 1),
    ("sqrt(x)*sqrt(x)", 0, 1),
    ("x*sqrt(x)", 0, 0),
    ("0*sqrt(x)", 0, 0),
    # inside of it
    ("cbrt(x)^3", 0, 1),
    ("sqrt(x^4)", 0, 0),
    ("(x^6)^(1/3)", 0, 0),
    ("1e-100*x + cbrt(x)^6", 0, 1e-100),
    # infinity minus infinity
    ("cbrt(x - x)", 3, 0),
    ("sqrt(x) - sqrt(x) + 2*x", 0, 2),
    # through an infinity, or out of range
    ("1/(1 + 1/x)", 0, 1),
    ("exp(-1/x^2)", 0, 0),
    ("exp(-exp(x))", 800, 0),
    ("atan(x^2)", INF, 0),
    ("1/(1 + exp(x))", 1000, 0),
    ("1/(1 + exp(x))", 720, -2.0322308024e-313),
    ("min(exp(x)^2, 3)/x", 800, -4.6875e-6),
    # the arguments are the doubles of the evaluation: 0.1 times 10 is 1
    ("acos(0.1*x)^2", 10, -0.2),
    ("acos(cos(x))^2", 1e-9, 2e-9),
    ("sqrt(gamma(1 + x) - 1)^2*gamma(1 + x)", 1e-170, -0.5772156649015329),
    # an infinite slope is a limit too
    ("abs(sqrt(x))", 0, INF),
    ("hypot(sqrt(x), 0*x)", 0, INF),
    # a rule that gives 0 at a point computes that 0
    ("hypot(sqrt(x), 0)^2", 0, 1),
    ("hypot(sqrt(x), 2*x)", 0, INF),
    ("nthroot(nthroot(x, 0.5), 2)", 0, 1),
    ("nthroot(sqrt(x), 0.5)", 0, 1),
    # kinks that have no part in it keep their conventions, and a branch not taken its silence
    ("abs(x) + cbrt(x)^3", 0, 1),
    ("relu(x) + cbrt(x)^3", 0, 1),
    ("max(x, 0) + cbrt(x)^3", 0, 1.5),
    ("where(x > 0, sqrt(x), 0) + cbrt(x)^3", 0, 1),
]


@pytest.mark.parametrize(("text", "x", "slope"), LIMITS)
def test_what_the_chain_rule_leaves_open_is_the_limit(text: str, x: float, slope: float) -> None:
    assert gradient(text, {"x": x}) == {"x": slope}


@pytest.mark.parametrize(("text", "reason"), [
    ("sqrt(x^2)", "the slope is -1 on the left and 1 on the right"),
    ("abs(cbrt(x))", "the slope is -inf on the left and inf on the right"),
    ("sqrt(hypot(x, 0))", "the slope is -inf on the left and inf on the right"),
    ("atan(1/x)", "the value jumps"),
    ("sqrt(-x^2)", "the formula is not defined around this point"),
    ("cbrt(x)^3*cos(1/(x + 1e-300))^2*0 + sqrt(x*x)", "on the left"),
])  # fmt: skip
def test_where_there_is_no_limit_the_place_and_the_reason_are_told(text: str, reason: str) -> None:
    evaluation = evaluate(parse(text), {"x": 0.0})
    assert math.isnan(evaluation.gradient["x"])
    error = nonfinite_error(evaluation)
    assert error is not None
    assert reason in error.message
    assert error.span is not None


def test_other_inputs_stand_still() -> None:
    assert gradient("sqrt(y^2*x)", {"x": 0.0, "y": 0.0}) == {"x": 0.0, "y": 0.0}
    assert gradient("acos(x)^2*y + y", {"x": 1.0, "y": 3.0}) == {"x": -6.0, "y": 1.0}


def test_a_computed_node_has_a_limit_too() -> None:
    evaluation = evaluate(parse("u = 2*x; cos(sqrt(u))"), {"x": 0.0}, ["u"])
    assert evaluation.gradient == {"u": -0.5}


def test_values_have_the_same_limits() -> None:
    x = Value(1.0)
    (x.acos() ** 2).backward()
    assert x.grad == -2


def test_what_is_too_large_is_left_open() -> None:
    long = "; ".join(["a0 = cbrt(x)^3", *(f"a{i + 1} = a{i} + 1" for i in range(20_001))])
    evaluation = evaluate(parse(long), {"x": 0.0})
    error = nonfinite_error(evaluation)
    assert error is not None
    assert "not sought" in error.message


# ---- Random compositions, against their series -----------------------------------------------------------------------

# f with f(0) = 0, defined right of 0 at least: its leading power there
_STEEP = {"sqrt({})": 0.5, "cbrt({})": 1 / 3, "({})^(1/4)": 0.25, "acos(1 - {})": 0.5, "acosh(1 + {})": 0.5}
_FLAT = {"({})^2": 2, "({})^3": 3, "(1 - cos({}))": 2, "({})^4": 4, "log(1 + ({})^2)": 2, "({})^1.5": 1.5}
_PLAIN = {"sin({})": 1, "3*({})": 1, "(exp({}) - 1)": 1, "tanh({})": 1, "({})": 1}


def _compositions() -> list[tuple[str, float]]:
    """Formulas f(g(h(x))) that begin with a power of x, and the power."""
    chosen = []
    for (f, p), (g, q), (h, r) in product(*(kind.items() for kind in (_FLAT, _STEEP, _PLAIN))):
        for (a, i), (b, j), (c, k) in (((f, p), (g, q), (h, r)), ((h, r), (f, p), (g, q)), ((g, q), (h, r), (f, p))):
            chosen.append((a.format(b.format(c.format("x"))), i * j * k))
    return chosen


def test_compositions_at_zero_have_the_limits_of_their_slopes() -> None:
    for text, power in random.Random(1).sample(_compositions(), 150):
        found = gradient(text, {"x": 0.0})["x"]
        sides = _quotients(text)
        if power > 1.0001:
            assert found == 0, text
        elif any(side * sides[0] < 0 for side in sides):
            assert math.isnan(found), text
        else:
            assert found == (INF if power < 0.9999 else pytest.approx(sides[0], rel=1e-15)), text


def _quotients(text: str) -> list[float]:
    """The quotients from 0 to tiny numbers on both sides, by mpmath alone; without a side outside of the domain."""
    with mpmath.workdps(400):
        names = {name: getattr(mpmath, name) for name in ("sqrt", "acos", "acosh", "cos", "log", "sin", "exp", "tanh")}
        names |= {"cbrt": lambda a: mpmath.sign(a) * mpmath.cbrt(abs(a)), "mpf": mpmath.mpf}
        python = text.replace("^", "**").replace("1/3", "mpf(1)/3").replace("1/4", "mpf(1)/4")
        steps = [mpmath.mpf(sign) * mpmath.mpf(10) ** -120 for sign in (1, -1)]
        quotients = [eval(python, {**names, "x": step}) / step for step in steps]  # noqa: S307  # formulas of this file
        return [float(quotient) for quotient in quotients if isinstance(quotient, mpmath.mpf)]


def test_what_moves_only_through_steps_has_no_slope_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    arithmetic = slope_limits.with_digits
    monkeypatch.setattr(slope_limits, "with_digits", lambda digits: (asked.append(digits), arithmetic(digits))[1])
    found = evaluate(parse("gamma((acos(y)^2)^(y < x))"), {"x": 1.0, "y": 2.0})
    assert found.gradient == {"x": 0.0, "y": 0.0}
    assert max(asked) == 120
