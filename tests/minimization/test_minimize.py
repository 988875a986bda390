"""Minima: published problems, the conditions that hold there, and searches that fail."""

import math
from typing import Any

import pytest
from places import records

pytest.importorskip("scipy", reason='minimizing needs: pip install "autodiff-cli[data]"')

import autodiff_cli
from autodiff_cli import AutodiffError, evaluate, minimize, parse
from autodiff_cli.errors import NOT_FINITE
from autodiff_cli.minimization.minimize import Minimum
from autodiff_cli.work_budget import WorkBudget

ROSENBROCK = "(1 - x)^2 + 100*(y - x^2)^2"


# ---- Published problems ----------------------------------------------------------------------------------------------


def _solved(problem: dict[str, Any]) -> Minimum:
    sides = [
        f"({constraint['body']}) {symbol} {float(limit)!r}"
        for constraint in problem["constraints"]
        for symbol, limit in _limits(constraint)
    ]
    bounds = {
        name: (-math.inf if low is None else low, math.inf if high is None else high)
        for name, (low, high) in problem["bounds"].items()
    }
    return minimize(problem["program"], problem["start"], bounds=bounds, subject_to=sides)


def _limits(constraint: dict[str, Any]) -> list[tuple[str, float]]:
    lower, upper = constraint["lower"], constraint["upper"]
    if lower is not None and lower == upper:
        return [("==", lower)]
    return [(symbol, limit) for symbol, limit in ((">=", lower), ("<=", upper)) if limit is not None]


def _is_published(minimum: Minimum, problem: dict[str, Any]) -> bool:
    known = [*problem["published_minima"], *(float(reference["f"]) for reference in problem["reference"])]
    is_lower = minimum.converged and minimum.value < min(known)  # as √2 - 6 of hs033, where solvers end at -4
    return is_lower or any(abs(minimum.value - value) <= 1e-8 * max(1.0, abs(value)) for value in known)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["free", "bounds", "constraints"])
def test_published_minima_are_found_from_the_standard_start(kind: str) -> None:
    problems = [problem for problem in records("uses/minimize.jsonl") if _kind(problem) == kind]
    missed = [problem["name"] for problem in problems if not _is_published(_solved(problem), problem)]
    assert problems
    assert not missed


def _kind(problem: dict[str, Any]) -> str:
    return "constraints" if problem["constraints"] else "bounds" if problem["bounds"] else "free"


# ---- What is said of a minimum ---------------------------------------------------------------------------------------


def test_a_minimum_has_its_last_digits() -> None:
    found = minimize(ROSENBROCK, {"x": -1.2, "y": 1})
    assert found.point == {"x": 1.0, "y": 1.0}
    assert (found.converged, found.kind) == (True, "minimum")
    assert found.eigenvalues == pytest.approx([0.39936, 1001.60064], rel=1e-5)
    assert found.trace[0].vector == (-1.2, 1.0)
    assert found.trace[-1].value == found.value == 0.0


def test_a_multiplier_is_the_derivative_by_the_right_side() -> None:
    def least(right: float) -> Minimum:
        return minimize("x^2 + 3*y^2", {"x": 1, "y": 5}, subject_to=[f"x + y >= {right}"])

    found, slope = least(2.0), (least(2.001).value - least(1.999).value) / 0.002
    assert found.multipliers == {"x + y >= 2.0": pytest.approx(slope, rel=1e-6)}
    assert found.active == ["x + y >= 2.0"]


def test_a_bound_that_holds_the_minimum_is_active() -> None:
    found = minimize("(x - 3)^2 + y^2", {"x": 0, "y": 1}, bounds={"x": (-1, 2), "y": (-5, 5)})
    assert found.point == {"x": 2.0, "y": 0.0}
    assert found.multipliers == {"x <= 2.0": pytest.approx(-2.0)}
    assert found.eigenvalues == [2.0]


def test_a_bound_next_to_the_minimum_is_not_active() -> None:
    found = minimize("(1e9*x - 1)^2", {"x": 1e-10}, bounds={"x": (0, math.inf)})
    assert found.point == {"x": pytest.approx(1e-9)}
    assert (found.active, found.kind, found.converged) == ([], "minimum", True)


def test_the_bound_of_a_list_is_that_of_all_entries_without_their_own() -> None:
    bounds = {"x": (0.0, math.inf), "x[2]": (0.5, math.inf)}
    found = minimize("sum((x - [1, 2, 3])^2)", {"x": [0, 0, 0]}, bounds=bounds, subject_to=["sum(x) = 1"])
    assert list(found.point.values()) == pytest.approx([0.0, 0.5, 0.5])


@pytest.mark.parametrize(
    ("objective", "start", "constraint", "least"),
    [
        ("2*pi*r^2 + 2*pi*r*h", {"r": 10, "h": 10}, "pi*r^2*h = 355", 277.544986),
        ("2*pi*r^2 + 2*pi*r*h", {"r": 0.1, "h": 0.1}, "pi*r^2*h = 330e-6", 0.026435),
        ("(x - 3)^2 + (y - 4)^2", {"x": 0, "y": 0}, "x^2 + y^2 = 1", 16.0),
        ("x + y", {"x": 0, "y": 0}, "x*y >= 1", 2.0),
        ("x^2 + y^2", {"x": 0, "y": 0}, "x^2 + y^2 >= 1", 1.0),
    ],
)
def test_a_constraint_is_reached_from_where_it_has_no_slope(
    objective: str, start: dict[str, float], constraint: str, least: float
) -> None:
    found = minimize(objective, start, bounds=dict.fromkeys(start, (0, math.inf)), subject_to=[constraint])
    assert (found.converged, found.value) == (True, pytest.approx(least, rel=1e-4))


def test_a_search_with_constraints_does_not_go_on_for_rounding_errors() -> None:
    assert minimize("-y", {"x": 2, "y": 1}, subject_to=["x^2 + y^2 = 1"]).evaluations < 100


def test_multipliers_of_the_same_text_are_added_up() -> None:
    assert minimize("x^2", {"x": 3}, subject_to=["x >= 1", "x >= 1"]).multipliers == {"x >= 1": pytest.approx(2.0)}
    bounded = minimize("x^2", {"x": 3}, bounds={"x": (1, math.inf)}, subject_to=["x >= 1.0"])
    assert bounded.multipliers == {"x >= 1.0": pytest.approx(2.0)}


@pytest.mark.parametrize(
    ("others", "fixed", "least"), [({}, {"x[2]": 5}, -1.0), ({"x[2]": 5}, {}, 3.0), ({"x[2]": 5}, {"x[3]": 9}, 3.0)]
)
def test_a_constraint_on_a_list_knows_all_its_entries(
    others: dict[str, float], fixed: dict[str, float], least: float
) -> None:
    start = {"x[1]": 0.0, **others}
    found = minimize("(x[1] - 3)^2", start, fixed=fixed, subject_to=["sum(x) <= 4"])
    assert found.point["x[1]"] == pytest.approx(least)
    assert sum({**found.point, **fixed}.values()) <= 4 + 1e-9


def test_a_constraint_may_use_names_of_the_program() -> None:
    found = minimize("a = x + y; a^2 + x^2", {"x": 1, "y": 4}, subject_to=["a <= -3"])
    assert found.value == pytest.approx(9.0)
    assert found.point["x"] == pytest.approx(0.0, abs=1e-9)


def test_a_maximum_is_one_of_the_function() -> None:
    found = minimize("x*y", {"x": 1, "y": 0.5}, subject_to=["x^2 + y^2 = 2"], maximize=True)
    assert found.value == pytest.approx(1.0)
    assert (found.kind, found.multipliers["x^2 + y^2 = 2"]) == ("maximum", pytest.approx(0.5))


@pytest.mark.parametrize("text", ["3*a + b + 2*c - d^2", "exp(a*b) - c*d", "a^2 + log(1 + b) + c*exp(d)"])
def test_equations_may_follow_from_others(text: str) -> None:
    start, bounds = dict.fromkeys("abcd", 0.5), dict.fromkeys("abcd", (0.0, 1.0))
    minimum = minimize(text, start, bounds=bounds, subject_to=["a + b == 1", "c + d == 1", "a + c == 1", "b + d == 1"])
    assert minimum.converged
    assert all(min(abs(number), abs(1 - number)) < 1e-15 for number in minimum.point.values())


def test_a_start_on_a_saddle_point_or_a_maximum_is_left() -> None:
    assert minimize("x^2 - y^2 + y^4", {"x": 1, "y": 0}).value == pytest.approx(-0.25)
    assert minimize("cos(x)", {"x": 0}).value == -1.0
    assert minimize("(x*y*z - 1)^2", {"x": 0, "y": 0, "z": 0}).value == pytest.approx(0)


def test_a_search_that_fails_names_what_may_help() -> None:
    def remedy(text: str, **options: Any) -> str:
        found = minimize(text, {"x": 0}, **options)
        return found.remedy.kind if found.remedy else ""

    assert remedy("exp(-x)") == remedy("-x^2 - x") == "bounds"
    assert remedy("x^2", subject_to=["x^2 <= -1"]) == "more starts"
    assert remedy("x^2") == ""


def test_a_start_outside_the_bounds_is_moved_inside() -> None:
    assert minimize("1/x + x", {"x": -1}, bounds={"x": (0, math.inf)}).point == pytest.approx({"x": 1})
    assert minimize("log(x)^2", {"x": -2}, bounds={"x": (0, None)}).point == pytest.approx({"x": 1})


@pytest.mark.parametrize(
    ("formula", "bounds", "subject_to", "least"),
    [
        ("cos(x)", {"x": (0, 6)}, [], -1.0),
        ("-x^2", {"x": (0, 2)}, [], -4.0),
        ("-x^2", {}, ["x >= 0", "x <= 2"], -4.0),
        ("-x^3", {"x": (0, 1)}, [], -1.0),
        ("x^4 - 2*x^2 + y^2", {"x": (0, 3)}, [], -1.0),
        ("-x*y*z", dict.fromkeys("xyz", (0, 42)), ["x + 2*y + 2*z <= 72"], -3456.0),
        ("x*y", dict.fromkeys("xy", (0, 1)), [], 0.0),
    ],
)
def test_bounds_that_hold_nothing_do_not_end_the_search(
    formula: str, bounds: dict[str, tuple[float, float]], subject_to: list[str], least: float
) -> None:
    found = minimize(
        formula, dict.fromkeys([name for name in "xyz" if name in formula], 0.0), bounds=bounds, subject_to=subject_to
    )
    assert found.value == pytest.approx(least)
    assert found.converged


def test_a_search_through_a_wide_plain_goes_on() -> None:
    assert minimize("-exp(-x^2)", {"x": 10}).point == {"x": pytest.approx(0.0)}


def test_a_flat_minimum_is_called_flat() -> None:
    found = minimize("(x + y)^2", {"x": 1, "y": 2})
    assert (found.kind, found.converged) == ("flat", True)
    assert found.value == pytest.approx(0.0, abs=1e-20)


def test_several_starts_find_a_lower_minimum() -> None:
    wavy = "x^2/50 - cos(3*x)"
    one, many = minimize(wavy, {"x": 9}), minimize(wavy, {"x": 9}, starts=20, seed=1)
    assert one.value > many.value == pytest.approx(-1.0)
    assert many == minimize(wavy, {"x": 9}, starts=20, seed=1)


def test_evaluations_are_counted_from_all_starts() -> None:
    counts = [minimize("sin(3*x) + x^2/20", {"x": 6}, starts=starts, seed=1).evaluations for starts in (1, 2, 3)]
    assert counts[0] < counts[1] < counts[2]


@pytest.mark.parametrize("method", ["bfgs", "l-bfgs-b", "slsqp", "newton"])
def test_every_method_finds_the_minimum(method: str) -> None:
    found = minimize(ROSENBROCK, {"x": 0.5, "y": 0.5}, method=method)
    assert found.point == {"x": pytest.approx(1.0), "y": pytest.approx(1.0)}


def test_defaults_are_the_start_and_fixed_numbers_stay() -> None:
    found = minimize("a = 4; b = 2; (a - b)^2 + x^2", {"x": 1}, fixed={"b": 3})
    assert found.point == {"a": 3.0, "x": 0.0}


@pytest.mark.parametrize("mean", [False, True])
def test_a_sum_over_rows_has_the_minimum_of_the_written_sum(mean: bool) -> None:
    rows = {"x": [0.0, 1.0, 2.0, 3.0], "y": [1.0, 2.5, 5.5, 6.0]}
    written = " + ".join(f"(w*{x} + b - {y})^2 + w^4/100" for x, y in zip(*rows.values(), strict=True))
    start = {"w": 0.0, "b": 0.0}
    found = minimize("(w*x + b - y)^2 + w^4/100", start, data=rows, mean=mean)
    expected = minimize(f"({written}){'/4' * mean}", start)
    assert found.point == pytest.approx(expected.point, rel=1e-9)
    assert found.value == pytest.approx(expected.value, rel=1e-12)
    assert found.eigenvalues == pytest.approx(expected.eigenvalues, rel=1e-9)


def test_a_row_that_is_not_finite_at_the_start_is_an_error() -> None:
    with pytest.raises(AutodiffError, match="in some row") as caught:
        minimize("log(w*x)", {"w": 1}, data={"x": [1.0, -1.0]})
    assert caught.value.code == NOT_FINITE


def test_data_without_rows_is_an_error() -> None:
    for mean in (False, True):
        with pytest.raises(AutodiffError, match="the data has no rows"):
            minimize("(x - a)^2", {"x": 1}, data={"a": []}, mean=mean)


# ---- Variables and values in other units than those of size 1 --------------------------------------------------------

CAPACITOR = "(C/1e-9 - 47)^2 + (R/1e4 - 1)^2"
LENNARD_JONES = "4*1.65e-21*((3.4e-10/r)^12 - (3.4e-10/r)^6)"
MORSE = "7.6e-19*(1 - exp(-1.9e10*(r - 7.4e-11)))^2 - 1e-9*r"


@pytest.mark.parametrize(
    ("text", "start", "bounds", "constraints", "expected"),
    [
        (CAPACITOR, {"C": 6e-8, "R": 2e4}, {"C": (1e-9, 1e-7)}, ["R*C <= 1e-3"], {"C": 47e-9, "R": 1e4}),
        (CAPACITOR, {"C": 6e-8, "R": 2e4}, {"C": (1e-9, 1e-7)}, [], {"C": 47e-9, "R": 1e4}),
        (LENNARD_JONES, {"r": 3.7e-10}, {}, ["r >= 3e-10"], {"r": 2 ** (1 / 6) * 3.4e-10}),
        (LENNARD_JONES, {"r": 3.7e-10}, {}, ["r >= 4e-10"], {"r": 4e-10}),
        (MORSE, {"r": 8e-11}, {"r": (5e-11, 1e-9)}, [], minimize(MORSE, {"r": 8e-11}).point),
        ("(x/1e-9 - 2)^2", {"x": 5e-9}, {}, ["x >= 1e-9"], {"x": 2e-9}),
        (
            "r^2 + r*h",
            {"r": 1e-4, "h": 1e-4},
            {},
            ["r^2*h = 1e-12"],
            {"r": 2 ** (-1 / 3) * 1e-4, "h": 4 ** (1 / 3) * 1e-4},
        ),
    ],
)
def test_tiny_variables_and_values_are_as_exact_as_others(
    text: str,
    start: dict[str, float],
    bounds: dict[str, tuple[float, float]],
    constraints: list[str],
    expected: dict[str, float],
) -> None:
    found = minimize(text, start, bounds=bounds, subject_to=constraints)
    assert found.converged
    assert found.kind == "minimum"
    assert found.point == pytest.approx(expected, rel=1e-7)
    assert found.trace[-1].vector == tuple(found.point.values())
    assert found.value == found.trace[-1].value == evaluate(text, found.point)


VESSEL = (  # of radius r and length L, for a pressure of 2 MPa and a stress of at most 140 MPa
    "7850*(2*pi*r*t*L + 4*pi*r^2*s)",
    ["2e6*r/t <= 1.4e8", "2e6*r/(2*s) <= 1.4e8", "pi*r^2*L + 4/3*pi*r^3 >= 2", "L <= 4"],
)
TRUSS = (  # of three bars
    "7850*(2*sqrt(2)*x + y)",
    [
        "2e5*(sqrt(2)*x + y)/(sqrt(2)*x^2 + 2*x*y) <= 2e8",
        "2e5*y/(sqrt(2)*x^2 + 2*x*y) <= 2e8",
        "2e5/(sqrt(2)*y + x) <= 2e8",
    ],
)
COMPRESSOR = (  # of a gas pipeline
    "8.61e5*sqrt(x)*y*z^(-2/3)*w^(-0.5) + 3.69e4*z + 7.72e8/x*y^0.219 - 765.43e6/x",
    ["w/y^2 + 1/y^2 <= 1"],
)


@pytest.mark.parametrize(
    ("problem", "start", "bounds", "least"),
    [
        (("c + d", ["c*d >= 1e-10"]), {"c": 1e-3, "d": 1e-3}, {"c": (0, 1), "d": (0, 1)}, 2e-5),
        (("c + d", ["c*d >= 1e-10"]), {"c": 1, "d": 1}, {"c": (0, 1), "d": (0, 1)}, 2e-5),
        (("x + y", ["x*y >= 1e10", "x >= 0"]), {"x": 1e6, "y": 1e6}, {}, 2e5),
        (("exp(x*y) + x^2 + y^2", ["x*y >= 0.1", "x + y <= 60"]), {"x": 30, "y": 1}, {}, 1.305170918),
        (("C*1e6 + L*500", ["L*C >= 2.533e-8"]), {"L": 0.1, "C": 1e-7}, {"L": (1e-6, 1), "C": (1e-9, 0.01)}, 7.117584),
        (("H", ["H*B >= 1e-14", "B <= 1e-3"]), {"H": 1e-5, "B": 1e-5}, {"H": (0, 1), "B": (0, 1)}, 1e-11),
        (
            VESSEL,
            {"r": 0.5, "L": 2, "t": 0.01, "s": 0.01},
            {"r": (0.1, 2), "L": (0.1, 10), "t": (1e-3, 0.1), "s": (1e-3, 0.1)},
            346.533,
        ),
        (TRUSS, {"x": 0.01, "y": 0.001}, {"x": (1e-6, 1), "y": (1e-6, 1)}, 20.715824),
        (
            COMPRESSOR,
            {"x": 30, "y": 3, "z": 40, "w": 5},
            {"x": (20, 50), "y": (1, 10), "z": (20, 50), "w": (0.1, 60)},
            2964895.4,
        ),
    ],
)
def test_constraints_and_values_may_have_any_size_whatever_the_bounds(
    problem: tuple[str, list[str]], start: dict[str, float], bounds: dict[str, tuple[float, float]], least: float
) -> None:
    found = minimize(problem[0], start, bounds=bounds, subject_to=problem[1])
    assert (found.converged, found.kind) == (True, "minimum")
    assert found.value == pytest.approx(least, rel=1e-6)


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("0.0005*x^2 + 5e8*y^2", {"x": 1, "y": 1}),
        ("1e-3/2*i^2 + q^2/(2*1e-9) - 5*q", {"i": 1, "q": 0}),
        ("1e-6/2*i^2 + q^2/(2*1e-12) - 5*q", {"i": 1, "q": 0}),
    ],
)
def test_a_minimum_may_have_curvatures_of_very_different_sizes(text: str, start: dict[str, float]) -> None:
    found = minimize(text, start)
    assert (found.converged, found.kind) == (True, "minimum")


@pytest.mark.parametrize("text", ["x^4 + y^2", "1e9*(x + y)^2", "1e9*x^2 + sin(y)^2 + cos(y)^2 - 1"])
def test_a_direction_without_curvature_is_flat_next_to_a_steep_one(text: str) -> None:
    found = minimize(text, {"x": 1, "y": 1})
    assert (found.converged, found.kind) == (True, "flat")


def test_a_far_bound_says_nothing_of_the_size_of_a_variable() -> None:
    data = {"x": [4.8e-9, 5e-9, 5.3e-9]}
    found = minimize("log(s) + (x - m)^2/(2*s^2)", {"m": 5e-9, "s": 1e-10}, bounds={"s": (1e-12, 1e-3)}, data=data)
    assert (found.converged, found.kind) == (True, "minimum")
    assert found.evaluations < 100


@pytest.mark.parametrize("objective", ["x*y", "log(x*y)"])
def test_a_minimum_along_a_curved_constraint_is_flat(objective: str) -> None:
    found = minimize(objective, {"x": 3, "y": 3}, bounds={"x": (0.1, 10), "y": (0.1, 10)}, subject_to=["x*y >= 2"])
    assert (found.converged, found.kind) == (True, "flat")
    circle = minimize("log(1 + x^2 + y^2)", {"x": 0.5, "y": 2.9}, subject_to=["x^2 + y^2 = 1"])
    assert (circle.converged, circle.kind) == (True, "flat")


def test_multipliers_of_tiny_constraints_are_those_of_their_own_units() -> None:
    found = minimize("r^2 + r*h", {"r": 1e-4, "h": 1e-4}, subject_to=["r^2*h = 1e-12"])
    other = minimize("r^2 + r*h", {"r": 1e-4, "h": 1e-4}, subject_to=["r^2*h = 1.001e-12"])
    assert found.multipliers["r^2*h = 1e-12"] == pytest.approx((other.value - found.value) / 1e-15, rel=1e-3)
    bounded = minimize("1e-9*x^2", {"x": 3e-6}, bounds={"x": (1e-6, 1e-5)})
    assert bounded.multipliers == pytest.approx({"x >= 1e-06": 2e-15})


# ---- Searches that fail ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("successes", "bound", "inside"), [(20, "p <= 1.0", 1 - 1e-9), (0, "p >= 0.0", 1e-9)])
def test_a_bound_at_which_the_function_has_no_value_is_named(successes: int, bound: str, inside: float) -> None:
    """As in the likelihood of trials that all succeed, or all fail; with a bound beside it there is a minimum."""
    program = parse(f"-({successes}*log(p) + {20 - successes}*log1p(-p))")
    found = minimize(program, {"p": 0.5}, bounds={"p": (0, 1)})
    assert not found.converged and found.remedy is None
    assert f"ran into `{bound}`" in found.reason
    limits = (0.0, inside) if successes else (inside, 1.0)
    assert minimize(program, {"p": 0.5}, bounds={"p": limits}).point == {"p": inside}


@pytest.mark.parametrize(
    ("text", "start", "reason"),
    [
        ("x^3", -1.0, "still falling"),
        ("x^3", 2.0, "still falling"),
        ("-x", 0.0, "still falling"),
        ("-exp(x)", 0.0, "still falling"),
        ("exp(-x)", 0.0, "there may be no minimum"),
        ("abs(x - 1) + abs(x + 1)/2", 3.0, "may have a kink"),
    ],
)
def test_a_search_that_fails_says_why(text: str, start: float, reason: str) -> None:
    found = minimize(text, {"x": start})
    assert not found.converged
    assert reason in found.reason


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([-2, -1, -0.5, 0.7, 1, 3], [0, 0, 0, 1, 1, 1]),
        ([-1, 1], [0, 1]),
        ([0.63, -0.5, 1.24, 2.9, -0.56], [1, 0, 1, 1, 0]),
    ],
)
def test_separable_data_have_no_best_logistic_curve(x: list[float], y: list[float]) -> None:
    found = minimize("z = b + w*x; softplus(z) - y*z", {"b": 0, "w": 0}, data={"x": x, "y": y}, mean=True)
    assert not found.converged
    assert "there may be no minimum" in found.reason


def test_a_value_may_fall_far_away_along_one_variable_alone() -> None:
    found = minimize("x^2 + softplus(-y)", {"x": 1, "y": 1})
    assert not found.converged
    assert "there may be no minimum" in found.reason


@pytest.mark.parametrize(
    ("text", "start", "constraints", "expected"),
    [
        ("100*(y - x^2)^2 + (1 - x)^2", {"x": 1e-10, "y": 1e-10}, [], {"x": 1, "y": 1}),
        ("cos(x)", {"x": 1e-8}, [], {"x": math.pi}),
        ("x^2 + y^2", {"x": 1e-5, "y": 1e-5}, ["x*y >= 1"], {"x": 1, "y": 1}),
        ("x + y", {"x": 1e-6, "y": 1e-6}, ["x^2 + y^2 == 1"], {"x": -math.sqrt(0.5), "y": -math.sqrt(0.5)}),
        ("(x - 20000)^2 + (y - 1)^2", {"x": 0, "y": 0}, [], {"x": 20000, "y": 1}),
    ],
)
def test_a_start_that_is_nearly_zero_says_nothing_of_sizes(
    text: str, start: dict[str, float], constraints: list[str], expected: dict[str, float]
) -> None:
    found = minimize(text, start, subject_to=constraints)
    assert found.converged
    assert found.kind == "minimum"
    assert found.point == pytest.approx(expected)


def test_a_saddle_point_of_large_and_small_variables_is_left() -> None:
    assert minimize("(x - 1e6)^2 - y^2 + y^4", {"x": 1e6, "y": 0}).value == pytest.approx(-0.25)
    assert minimize("(x - 1e6)^2 + y^2 - y^6", {"x": 1e6, "y": 0.01}).point == {"x": 1e6, "y": 0}


@pytest.mark.parametrize("sign", [1, -1])
def test_the_double_next_to_an_extreme_is_one(sign: int) -> None:
    found = minimize(f"{sign}*((x - 1e6 - 1/7)/1e-3)^2", {"x": 1e6}, maximize=sign < 0)
    assert (found.converged, found.point) == (True, {"x": 1e6 + 1 / 7})


def test_a_large_variable_at_a_kink_or_on_a_slope_is_at_no_minimum() -> None:
    assert not minimize("cos(x)", {"x": 3e17}).converged  # where the next doubles are 64 apart
    assert not minimize("x + x^1.5", {"x": 0.0}).converged
    assert "kink" in minimize("abs(x - 1e6 - 1/7)*1e3 + x", {"x": 1e6}).reason


def test_a_level_place_on_the_way_down_is_passed() -> None:
    assert minimize("x^4 + x^3", {"x": 2}).point == pytest.approx({"x": -0.75})
    assert minimize("x^3 + x^2/1000", {"x": 2}).point == pytest.approx({"x": 0}, abs=1e-12)  # which curves, if little


@pytest.mark.parametrize(("limit", "value"), [("1e12", "1e+24"), ("1e308", "inf")])
def test_a_value_that_has_grown_far_away_is_not_said_to_fall(limit: str, value: str) -> None:
    minimum = minimize("x^2", {"x": 1}, subject_to=[f"x >= {limit}"])
    assert minimum.reason == f"the search went too far from the start: the value is {value} there"


def test_a_start_where_the_value_is_minus_infinity_has_no_minimum() -> None:
    minimum = minimize("-exp(x)", {"x": 0}, bounds={"x": (-2, 1e5)}, starts=2)
    assert "the value is -inf and still falling" in minimum.reason


@pytest.mark.parametrize(("share", "starts", "converged"), [(0.999, 1, False), (2.002, 3, True)])
def test_a_minimum_is_kept_where_the_work_runs_out(share: float, starts: int, converged: bool) -> None:
    """It runs out for the second derivatives at the minimum, or for the starts after the first, which has a half."""
    program = parse("polygamma(2, x + 5)*x^2 + (x - 1)^2")
    whole = minimize(program, {"x": 3})  # beforehand, for the first of all searches also prepares the derivatives
    with WorkBudget(100.0) as budget:
        minimize(program, {"x": 3})
    with WorkBudget(share * (budget.granted - budget.left)):
        minimum = minimize(program, {"x": 3}, starts=starts)
    assert minimum.spent and minimum.converged == converged
    assert minimum.point == whole.point


def test_a_text_may_state_several_constraints() -> None:
    found = minimize("x - y", {"x": 3, "y": 0}, subject_to=["1 <= x and x <= 2 and x + y = 3"])
    assert found.point == pytest.approx({"x": 1, "y": 2})
    assert list(found.multipliers) == ["1 <= x", "x + y = 3"]


def test_constraints_that_no_point_satisfies_are_named() -> None:
    found = minimize("x^2", {"x": 1}, subject_to=["x <= -1", "x >= 1"])
    assert not found.converged
    assert "no point was found that satisfies `x" in found.reason


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"program": "x^2 + y"}, "no start for `x`, `y`"),
        ({"program": "x^2", "start": {"y": 1}}, "`y` has a start, but it is not one of the variables"),
        ({"program": "sigmoid(x)", "start": {"x": math.inf}, "starts": 3}, "`x` starts at inf"),
        ({"program": "x^2", "start": {"x": 1}, "bounds": {"z": (0, 1)}}, "`z` has a bound"),
        ({"program": "x^2", "fixed": {"x": 1}}, "nothing to vary"),
        ({"program": "x^2", "start": {"x": 1}, "subject_to": ["x + 1"]}, "`x + 1` states no relation"),
        ({"program": "x^2", "start": {"x": 1}, "subject_to": ["x < 1"]}, "`x < 1` leaves out equality"),
        ({"program": "x^2", "start": {"x": 1}, "subject_to": ["x <= 1 and x"]}, "`x <= 1 and x` states no relation"),
        (
            {"program": "(a*x - 1)^2", "data": {"x": [1, 2]}, "start": {"a": 1}, "subject_to": ["a >= x"]},
            "`a >= x` depends on a column, `x`",
        ),
        (
            {"program": "(a*e - 1)^2", "data": {"e": [1, 2]}, "start": {"a": 1}, "subject_to": ["a >= e"]},
            "`a >= e` depends on a column, `e`",
        ),
    ],
)
def test_a_problem_that_is_not_well_stated_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(AutodiffError) as caught:
        minimize(**arguments)
    assert message in caught.value.message
    assert "--" not in caught.value.render()


@pytest.mark.parametrize(
    ("method", "options"),
    [
        ("bfgs", {"bounds": {"x": (1, 2)}}),
        ("bfgs", {"subject_to": ["x >= 1"]}),
        ("l-bfgs-b", {"subject_to": ["x >= 1"]}),
        ("newton", {"subject_to": ["x >= 1"]}),
    ],
)
def test_a_method_that_would_leave_bounds_or_constraints_is_refused(method: str, options: dict[str, Any]) -> None:
    with pytest.raises(AutodiffError, match=method):
        minimize("x^2", {"x": 3}, method=method, **options)


@pytest.mark.parametrize("seed", [-1, 2**70])
def test_any_whole_number_is_a_seed(seed: int) -> None:
    assert minimize("x^2", {"x": 3}, starts=3, seed=seed).value == 0.0


@pytest.mark.parametrize("text", ["y", "exp(x^2)", "x^4 - 1e300*x"])
def test_a_search_that_overflows_gives_no_warning(text: str) -> None:
    minimize(text, {"y": 1e300} if text == "y" else {"x": 20.0})


def test_a_start_without_a_finite_value_is_refused() -> None:
    with pytest.raises(AutodiffError) as caught:
        autodiff_cli.minimize("log(x)", {"x": -1})
    assert caught.value.code == NOT_FINITE


# ---- Constraints without a value ------------------------------------------------------------------------------------


@pytest.mark.parametrize("constraint", ["x = inf", "x >= 1/0", "x >= nan", "x*y = 1/(y - 1)"])
def test_a_constraint_that_has_no_value_at_the_start_is_an_error(constraint: str) -> None:
    with pytest.raises(AutodiffError, match=r"differ by (-inf|nan) at the start") as refused:
        minimize("x^2 + y^2", {"x": 1, "y": 1}, subject_to=[constraint])
    assert refused.value.code == NOT_FINITE


@pytest.mark.parametrize("constraint", ["log(x) <= 1", "1/x >= 0.5"])
def test_a_constraint_may_be_satisfied_by_an_infinity(constraint: str) -> None:
    assert minimize("x^2 + y^2", {"x": 0, "y": 1}, subject_to=[constraint]).value == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(("formula", "constraint"), [("x", "sqrt(x) >= 0.5"), ("x + y", "x*y >= 1e-10")])
def test_a_point_at_which_an_inequality_has_no_slope_does_not_satisfy_it(formula: str, constraint: str) -> None:
    start = {name: 1.0 for name in "xy" if name in formula}
    found = minimize(formula, start, bounds=dict.fromkeys(start, (0, 4)), subject_to=[constraint])
    assert (found.point == start and not found.converged) or found.value > 1e-5


def test_a_start_at_which_a_constraint_has_no_slope_is_left() -> None:
    found = minimize("(x - 1)^2 + y^2", {"x": 0, "y": 0}, subject_to=["sqrt(x) <= 0.5"])
    assert found.converged and found.value == pytest.approx(0.5625)


def test_a_point_at_which_an_inequality_has_no_value_does_not_satisfy_it() -> None:
    found, one = (minimize("(x - 3)^2", {"x": 0}, subject_to=["sqrt(1 - x) >= 0.5"], starts=n) for n in (20, 1))
    assert (found.point["x"], found.value) == (pytest.approx(0.75), pytest.approx(5.0625))
    assert not one.converged
    assert one.reason == "no better point was found that satisfies `sqrt(1 - x) >= 0.5`"


@pytest.mark.parametrize("seed", [0, 1])
def test_starts_where_a_constraint_has_no_value_lead_nowhere_and_break_nothing(seed: int) -> None:
    minimum = minimize("x^2 + y^2", {"x": 1, "y": 1}, subject_to=["log(x) = 0"], starts=10, seed=seed)
    assert minimum.value == pytest.approx(1)


@pytest.mark.parametrize("start", [1.0, 1e308, 1.75e308, -1.75e308])
@pytest.mark.parametrize("bounds", [{}, {"x": (-1e308, 1e308)}, {"x": (-math.inf, 1.7e308)}])
def test_several_starts_next_to_the_largest_doubles_are_searched_from(
    start: float, bounds: dict[str, tuple[float, float]]
) -> None:
    assert minimize("hypot(softplus(x))", {"x": start}, bounds=bounds, starts=3).evaluations
