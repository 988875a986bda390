"""Roots: published ones, roots of every kind, and functions that have none."""

import math
import sys
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import records

pytest.importorskip("scipy", reason='solving needs: pip install "autodiff-cli[data]"')

import numpy

from autodiff_cli import AutodiffError, evaluate, solve
from autodiff_cli.root_finding import charts
from autodiff_cli.root_finding.all_roots import all_between
from autodiff_cli.root_finding.equations import equations
from autodiff_cli.root_finding.solve import Solution, from_start
from autodiff_cli.work_budget import Work, WorkBudget


def _roots(solution: Solution) -> list[float]:
    return [number for root in solution.roots for number in root.point.values()]


# ---- Published roots -------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_published_roots_are_found_in_their_bracket() -> None:
    problems = records("uses/roots_scalar.jsonl")
    assert problems
    for problem in problems:
        low, high = map(float, problem["bracket"])
        (found,) = _roots(solve(problem["program"], between=(low, high)))
        assert found == pytest.approx(float(problem["root"]), rel=1e-12, abs=1e-12), problem["name"]


@pytest.mark.slow
def test_published_roots_or_others_are_found_from_their_start() -> None:
    problems = records("uses/roots_scalar.jsonl")
    assert problems
    for problem in problems:
        solution = solve(problem["program"], start={problem["var"]: float(problem["start"])})
        assert solution.converged, problem["name"]
        assert _is_root(problem["program"], solution.roots[0].point), problem["name"]


def _is_root(text: str, point: dict[str, float]) -> bool:
    """Whether the value is 0, or changes its sign or size within a few units of the last place."""
    if abs(evaluate(text, point)) < 1e-12:
        return True
    around = [
        evaluate(text, {name: number * (1 + step) for name, number in point.items()}) for step in (-1e-14, 0, 1e-14)
    ]
    return min(around) <= 0 <= max(around)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(10))
def test_published_systems_are_solved(number: int) -> None:
    """A problem with several roots may end at another one, which then is a root to the last digits."""
    problem = records("uses/roots_systems.jsonl")[number]
    program = problem["program"] + "\n" if problem["program"] else ""
    solution = solve([program + text for text in problem["equations"]], problem["vars"], start=problem["start"])
    (root,) = solution.roots
    published = any(
        list(root.point.values()) == pytest.approx([float(x) for x in numbers], rel=1e-12, abs=1e-8)
        for numbers in problem["roots"]
    )
    assert published or root.residual < 1e-14


# ---- Roots of every kind ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("power", "size"), [(2, 60), (3, 60), (4, 100), (4, 200)])
def test_a_root_may_be_many_decades_away(power: int, size: int) -> None:
    assert _roots(solve(f"x^{power} = 1e{size}", start={"x": 1})) == [pytest.approx(10 ** (size / power))]


def test_a_root_has_all_its_digits() -> None:
    (root,) = solve("x^2 = 2", between=(0, 2)).roots
    assert root.point == {"x": math.sqrt(2)}
    assert (root.digits, root.multiplicity, root.condition) == (16, 1, 1.0)


@pytest.mark.parametrize(("power", "multiplicity"), [(2, 2), (3, 3), (7, 7)])
def test_the_multiplicity_of_a_root_is_found(power: int, multiplicity: int) -> None:
    (root,) = solve(f"(x - 1)^{power}*(x + 3)", start={"x": 1.5}).roots
    assert root.point["x"] == pytest.approx(1.0, rel=1e-15)
    assert (root.multiplicity, root.condition) == (multiplicity, math.inf)


def test_a_system_is_solved_with_named_values_and_fixed_numbers() -> None:
    solution = solve(["x^2 + y^2 = r^2", "y = exp(x)"], start={"x": 1, "y": 1}, fixed={"r": 2})
    (root,) = solution.roots
    assert root.point["y"] == pytest.approx(math.exp(root.point["x"]), rel=1e-15)
    assert root.residual < 1e-14


SILVER = ["ag*cl = 1.8e-10", "complex = 1.7e7*ag*nh3^2", "nh3 + 2*complex = 1", "cl = ag + complex"]
ACID = ["h*a/ha = 6.2e-10", "h*oh = 1e-14", "a + ha = 1e-6", "h = a + oh"]


def test_equations_of_very_different_size_take_little_work() -> None:
    system = equations(SILVER, [], {})
    solution = from_start(system, [1.0] * 4)
    assert solution.converged and len(solution.trace) < 200
    assert system.work.granted - system.work.left < 0.01


@pytest.mark.parametrize(
    ("texts", "start", "bounds", "roots"),
    [
        (["x^2 = 4"], -1, {"x": (0, None)}, {"x": 2}),
        (["x^2 = 4"], 1, {"x": (None, -1)}, {"x": -2}),
        (["x*(x - 3)"], 1, {"x": (1, None)}, {"x": 3}),
        (["x^2 = y", "x + y = 6"], 1, {"x": (None, 0)}, {"x": -3, "y": 9}),
        (SILVER, 1, dict.fromkeys(["ag", "cl", "complex", "nh3"], (0, None)), {"nh3": 0.9003861967751413}),
        (ACID, 1, dict.fromkeys(["h", "a", "ha", "oh"], (0, None)), {"h": 1.0303538983e-7}),
    ],
)
def test_a_root_is_within_the_bounds(
    texts: list[str], start: float, bounds: dict[str, Any], roots: dict[str, float]
) -> None:
    unknowns = equations(texts, [], {}).names
    (root,) = solve(texts, start=dict.fromkeys(unknowns, start), bounds=bounds).roots
    assert {name: root.point[name] for name in roots} == pytest.approx(roots)


@pytest.mark.parametrize("texts", [["x^2 = 4"], ["x^2 = 4", "y = x"]])
def test_a_root_beyond_the_bounds_is_named_and_does_not_count(texts: list[str]) -> None:
    solution = solve(texts, start=dict.fromkeys("xy"[: len(texts)], 1), bounds={"x": (-1, 1)})
    assert not solution.converged
    assert solution.reason.startswith("no root was found within the bounds, but one at x = ")


@pytest.mark.parametrize(
    ("text", "ends", "roots", "complete"),
    [
        ("sin(x)", (1, 10), [math.pi, 2 * math.pi, 3 * math.pi], True),
        ("x^2 + 1", (-5, 5), [], True),
        ("x^3 - x", (-2, 2), [-1, 0, 1], True),
        ("(x - 1)^2*(x + 1)", (-3, 3), [-1, 1], False),
        ("where(x > 0, x - 1, x + 2)", (-3, 3), [-2, 1], False),
        ("gamma(x) - 2", (2, 5), [3], False),
        ("log(x)*sqrt(x - 0.5)", (-1, 3), [0.5, 1], False),
        ("exp(-x^2) - 0.5", (-5, 5), [-math.sqrt(math.log(2)), math.sqrt(math.log(2))], True),
        ("sqrt(x) - x", (0, 2), [0, 1], False),
        ("acos(x)", (-1, 1), [1], False),
        ("sqrt(1 - x^2)", (-1, 1), [-1, 1], False),
        ("sqrt(1 - x^2)", (-2, 2), [-1, 1], False),
        ("sqrt(x)*(x - 1)", (-1, 3), [0, 1], False),
        ("sqrt(x - pi)", (0, 6), [math.pi], False),
        ("sqrt(x^2 - 2)", (0, 3), [math.sqrt(2)], False),
        ("exp(-x)", (700, 1e4), [], False),
        ("x % 1 = 0.25", (0, 4), [0.25, 1.25, 2.25, 3.25], False),
        ("floor(x) - x", (-2.5, 2.5), [-2, -1, 0, 1, 2], False),
        ("max(x, 0)", (-1, -0.5), [-1, -0.5], False),
        ("sign(x) + x", (-1, 1), [0], False),
        ("1/gamma(x)", (-3.5, 4.5), [-3, -2, -1, 0], False),
        ("gamma(x) - 2", (-4, 5), [-3.978464541785241, -3.076378465570928, 0.442877396484727, 3], False),
        ("exp(x) - 1 - x - x^2/2", (-1, 1), [0], False),
        ("x^5 - 5*x^4 + 10*x^3 - 10*x^2 + 5*x - 1", (0, 3), [1], False),
    ],
)
def test_all_roots_are_found(text: str, ends: tuple[float, float], roots: list[float], complete: bool) -> None:
    solution = solve(text, all_between=ends)
    assert _roots(solution) == pytest.approx(roots, rel=1e-12, abs=1e-12)
    assert solution.complete is complete


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("tanh(x) = 1", (0, 100)),
        ("1 + exp(-x) = 1", (0, 200)),
        ("sigmoid(x) = 1", (0, 2000)),
        ("erf(x) = 1", (0, 30)),
    ],
)
def test_a_value_that_is_0_for_want_of_digits_is_no_root(text: str, ends: tuple[float, float]) -> None:
    for solution in (solve(text, all_between=ends), solve(text, between=ends)):
        assert (_roots(solution), solution.converged) == ([], False)
    assert solution.reason.startswith(f"the value at {float(ends[1])} is 0 ")


@pytest.mark.parametrize(
    ("text", "low"),
    [("acosh(x + 1)", -1), ("x*sqrt(x + 1 - 1)", -1), ("x*log(1 + x)*sqrt(x + 2 - 2)", -0.5)],
)
def test_a_root_at_an_edge_of_the_domain_is_not_beyond_it(text: str, low: float) -> None:
    assert _roots(solve(text, all_between=(low, 2))) == [0.0]


@pytest.mark.parametrize("text", ["exp(x) - 1 - x - x^2/2", "(x + 1)^4 - 4*(x + 1)^3 + 6*(x + 1)^2 - 4*(x + 1) + 1"])
def test_what_rounding_leaves_around_a_multiple_root_takes_little_work(text: str) -> None:
    with WorkBudget(3):
        solution = solve(text, all_between=(-1, 1))
    assert (_roots(solution), solution.spent) == ([0.0], None)


@pytest.mark.parametrize(
    ("text", "ends", "place"),
    [
        ("x/(x - 1)", (-1, 3), "near x = 1"),
        ("1/x", (0, 1), "between 0 and 1.02793e-17"),
        ("max(x, 0)", (-1, -0.5), "between -1 and -0.5"),
        ("exp(-1/x)", (0, 0.001), "between 0 and 0.001"),
    ],
)
def test_a_part_in_doubt_is_named_within_the_interval(text: str, ends: tuple[float, float], place: str) -> None:
    assert solve(text, all_between=ends).reason.endswith(f", such as {place}")


def test_the_poles_between_roots_take_little_work() -> None:
    with WorkBudget(3):
        assert len(solve("digamma(x)", all_between=(-5, 5)).roots) == 6


def test_every_proved_root_may_take_as_much_work_as_one_alone() -> None:
    system, work = equations(["sin(x)"], [], {}), Work(0.01)
    solution = all_between(replace(system, work=work), 1, 200)
    assert _roots(solution) == pytest.approx([n * math.pi for n in range(1, 64)], rel=1e-15)
    assert solution.complete


def test_a_part_with_a_proved_root_that_takes_too_much_work_is_named() -> None:
    solution = all_between(replace(equations(["sin(x) - 0.123"], [], {}), work=Work(1e-9)), 1, 5)
    assert not solution.roots
    assert "it is not known whether there is one, such as between" in solution.reason


@pytest.mark.parametrize("ends", [(-1e308, 1e308), (-sys.float_info.max, sys.float_info.max)])
def test_an_interval_may_be_longer_than_the_largest_double(ends: tuple[float, float]) -> None:
    assert _roots(solve("x - 1", between=ends)) == [1.0]
    found = solve("x - 1", all_between=ends)
    assert (_roots(found), found.complete) == ([1.0], True)
    assert _roots(solve("x^2", all_between=ends)) == [0.0]


@pytest.mark.parametrize(
    "text",
    [
        "where(sqrt(x) < 1, 5, x + 3)",
        "where(x > 0 and log(x) < 1, 5, x + 3)",
        "where(sqrt(x) != 1, x + 3, 5)",
        "fmax(sqrt(x), x + 3)",
    ],
)
def test_a_comparison_does_not_hold_where_an_operand_has_no_value(text: str) -> None:
    solution = solve(text, all_between=(-10, -1))
    assert (_roots(solution), solution.complete) == ([-3.0], True)


@pytest.mark.slow
@given(st.lists(st.floats(-3, 3).map(lambda x: round(x, 2)), min_size=1, max_size=5, unique=True))
def test_all_simple_roots_of_a_polynomial_are_proved(places: list[float]) -> None:
    solution = solve("*".join(f"(x - ({place}))" for place in places), all_between=(-4.1, 4.3))
    assert _roots(solution) == pytest.approx(sorted(places), abs=1e-12)
    assert solution.complete


@pytest.mark.parametrize("size", [1e-40, 1e-45, 1e-48, 1e-49])
def test_a_root_beside_which_the_slope_is_nearly_0_is_found_and_simple(size: float) -> None:
    (root,) = solve(f"(x - 1)^3 = {size}", between=(0, 2)).roots
    assert root.point == {"x": 1 + math.cbrt(size)}
    assert (root.multiplicity, root.condition) == (1, 1.0)


def test_a_search_goes_on_behind_a_pole() -> None:
    arrhenius = "k = A*exp(-B/T)"
    given = {"A": 1e13, "B": 11426.0, "k": 1e-3}
    (root,) = solve(arrhenius, fixed=given, start={"T": 100}).roots
    assert root.point["T"] == pytest.approx(11426 / math.log(1e16), rel=1e-15)


# ---- Functions without a root ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "ends", "reason"),
    [
        ("x^2 + 1", (0, 1), "the sign does not change"),
        ("1/x", (-1, 2), "a pole"),
        ("tan(x)", (1, 2), "a pole"),
        ("floor(x) - 0.5", (0, 2), "a jump"),
    ],
)
def test_a_bracket_without_a_root_says_why(text: str, ends: tuple[float, float], reason: str) -> None:
    solution = solve(text, between=ends)
    assert not solution.converged
    assert reason in solution.reason
    assert solution.remedy is not None and solution.remedy.kind == "all roots"


def test_a_search_that_ends_beside_a_singular_jacobian_says_so() -> None:
    solution = solve("x^2 + 1", start={"x": 1})
    assert not solution.converged
    assert "singular" in solution.reason


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"equations": "x + y"}, "1 equation in 2 unknowns"),
        ({"equations": ["x", "x^2"]}, "2 equations in 1 unknown"),
        ({"equations": "x^2", "unknowns": ["z"]}, "`z` is not in the equations"),
        ({"equations": "x^2"}, "no start for `x`"),
        ({"equations": "x^2", "start": {"y": 1}}, "`y` has a start"),
        ({"equations": "x^2 < 3", "start": {"x": 1}}, "`x^2 < 3` is not an equation"),
        ({"equations": "log(x)", "start": {"x": -1}}, "not finite"),
        ({"equations": "1/x", "start": {"x": -math.inf}}, "`x` starts at -inf"),
        ({"equations": "y = (x^2\n - 3)", "start": {"x": 1, "y": 1}}, "gives `y` a value, and is not an equation"),
        ({"equations": ["x + y = 3", "x - y = 1"], "between": (0, 1)}, "an interval is for one unknown"),
        ({"equations": ["x + y = 3", "x - y = 1"], "all_between": (0, 1)}, "an interval is for one unknown"),
        ({"equations": "x^2 = 2", "between": (0, math.inf)}, "the interval from 0.0 to inf has no end"),
        ({"equations": "x^2 = 2", "all_between": (-math.inf, 0)}, "the interval from -inf to 0.0 has no end"),
        ({"equations": "x^2 = 2", "between": (0, 2), "start": {"x": 1}}, "two places to search"),
        ({"equations": "x^2 = 2", "between": (0, 2), "bounds": {"x": (0, 2)}}, "an interval has ends of its own"),
        ({"equations": "x^2 = 2", "start": {"x": 1}, "bounds": {"y": (0, 2)}}, "`y` has a bound"),
        ({"equations": "x = 2 and x = 3", "start": {"x": 1}}, "2 equations in 1 unknown"),
        ({"equations": "x = 2 or x = 3", "start": {"x": 1}}, "`x = 2 or x = 3` is not an equation"),
        ({"equations": "x = 2 and x", "start": {"x": 1}}, "`x = 2 and x` is not an equation"),
        ({"equations": "x =", "start": {"x": 1}}, "expected an operand after `=`"),
    ],
)
def test_equations_that_are_not_well_stated_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(AutodiffError) as caught:
        solve(**arguments)
    assert message in caught.value.message


@pytest.mark.parametrize(
    "equation", ["y = x^2;", "y = x^2 ; # up", "y = x^2  # a parabola; opens = up", "y = x^2\n# the end;"]
)
def test_an_equation_may_end_with_a_comment_or_a_semicolon(equation: str) -> None:
    assert _roots(solve([equation, "x + y = 6"], start={"x": 1, "y": 1})) == pytest.approx([4, 2])


def test_a_text_may_state_several_equations() -> None:
    assert _roots(solve("x + y = 3 and x*y = 2", start={"x": 0, "y": 3})) == [1, 2]


def test_an_array_of_one_number_is_a_number_or_a_list_as_the_equations_use_it() -> None:
    one = numpy.array([1.0])
    assert solve("x^2 = y", start={"x": one}, fixed={"y": one}).roots[0].point == {"x": 1.0}
    assert solve("dot(k, k)*x = 2", start={"x": one}, fixed={"k": [1, 1]}).roots[0].point == {"x": 1.0}
    assert solve("dot(x, x) = 1", start={"x": one}).roots[0].point == {"x[1]": 1.0}
    with pytest.raises(AutodiffError, match="a list of 2 entries"):
        solve("x^2 = 2", start={"x": numpy.array([1.0, 2.0])})


def test_an_empty_start_is_none() -> None:
    assert _roots(solve("x^2 = 4", start={}, between=(0, 3))) == [2]


def test_a_name_of_the_program_is_an_equation_of_its_own() -> None:
    assert _roots(solve("a = x^2 - 4; a", start={"x": 1})) == [2]


def test_the_unknowns_may_be_a_list_of_which_an_equation_uses_an_entry() -> None:
    start = {"x[1]": 1, "x[2]": 1}
    assert _roots(solve(["x[1] = 2", "x[1]*x[2] = 6"], "x", start=start)) == [2, 3]
    assert _roots(solve("sum(x) = 6", fixed={"x[1]": 1}, start={"x[2]": 0})) == [5]


@pytest.mark.parametrize(
    ("equation", "start", "root", "multiplicity"),
    [
        ("exp(x) - 1 - x", 1, 0.0, 2),
        ("exp(x - 1) - x", 3, 1.0, 2),
        ("tan(x) - x", 1, 0.0, 3),
        ("(x - 1)^20", 3, 1.0, 20),
        ("(gamma(x) - 2)^9", 2.9, 3.0, 9),
        ("(x - 2)^3*(x + 1)", 2, 2.0, 3),
        ("x^2*(x - 3)", 3, 3.0, 1),
    ],
)
def test_multiple_roots_are_found_to_the_last_digit(
    equation: str, start: float, root: float, multiplicity: int
) -> None:
    (found,) = solve(equation, start={"x": start}).roots
    assert (found.point["x"], found.digits, found.multiplicity) == (root, 16, multiplicity)
    assert (found.condition == math.inf) == (multiplicity > 1)


def test_the_way_to_a_root_ends_where_the_sign_changes_between_two_doubles() -> None:
    """Without a look at the double beside the root, halvings of a bracket with one far end follow."""
    for text, ends in (("x^3 - 2*x - 5", (2, 3)), ("exp(x) - 7", (1, 5)), ("cos(x) - x", (0, 2))):
        assert len(solve(text, between=ends).trace) <= 10


def test_the_way_to_a_root_has_no_step_twice() -> None:
    trace = solve(["x^2 + y^2 = 4", "y = exp(x)"], start={"x": 1, "y": 1}).trace
    assert all(step != following for step, following in pairwise(trace))


def test_a_root_may_have_no_slope() -> None:
    """The value at 0 is 0 by way of an infinity."""
    (root,) = solve("log1p(polygamma(12, sinh(gamma(x)))) + x", start={"x": 1e-300}).roots
    assert (root.point, root.multiplicity, root.condition) == ({"x": 0.0}, 1, math.inf)


def test_an_interval_without_a_root_and_without_a_proof_is_no_success() -> None:
    assert solve("x^2 + 1", all_between=(-5, 5)).converged
    assert not solve("exp(x)", all_between=(-1000, 0)).converged


@pytest.mark.parametrize(
    ("text", "low", "high"), [("tan(x) - x", 0.0, 20.0), ("1/sqrt(x) - 7", 1e-3, 1.0), ("x", -1e308, 1e308)]
)
def test_the_curve_passes_through_the_roots_in_the_chart(text: str, low: float, high: float) -> None:
    system = equations([text], [], {})
    drawing = charts.chart(system, all_between(system, low, high), (low, high))
    (axes,) = drawing.figure().axes
    curve, _, roots = axes.get_lines()
    xs, ys = map(list, curve.get_data())
    for root in roots.get_xdata():
        place = xs.index(root)
        assert all(math.isfinite(y) for y in ys[max(0, place - 1) : place + 2])
