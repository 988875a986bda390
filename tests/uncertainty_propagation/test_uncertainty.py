"""Uncertainties: published budgets, values as people write them, and the distribution of a result."""

import io
import math
from typing import Any

import pytest
from places import records

pytest.importorskip("scipy", reason='uncertainties need: pip install "autodiff-cli[data]"')

from autodiff_cli import AutodiffError, parse, uncertainty
from autodiff_cli.uncertainty_propagation.budget import Budget, concise
from autodiff_cli.uncertainty_propagation.charts import chart
from autodiff_cli.uncertainty_propagation.correlations import correlation_matrix, from_readings
from autodiff_cli.uncertainty_propagation.measured_values import MeasuredValue, measured
from autodiff_cli.uncertainty_propagation.uncertainty import Uncertainty

HALF_WIDTHS = {"uniform": "uniform", "triangular": "triangular", "arcsine": "arcsine"}


# ---- Published budgets -----------------------------------------------------------------------------------------------


def _quantity(given: dict[str, Any]) -> MeasuredValue:
    """An input of the corpus, by its standard uncertainty or the half-width of its distribution."""
    u, df, kind = given["u"], given.get("df") or math.inf, given["dist"]
    if kind in HALF_WIDTHS and given.get("half_width"):
        return measured("x", f"{given['value']!r}~{kind}({given['half_width']!r})", float)
    if kind == "t":
        return measured("x", f"{given['value']!r}~t({u!r}, df={df!r})", float)
    return MeasuredValue(given["value"], u, df)


def _found(case: dict[str, Any], **options: Any) -> Uncertainty:
    inputs = {name: _quantity(given) for name, given in case["inputs"].items()}
    correlations = {(a, b): r for a, b, r in case["correlations"]}
    return uncertainty(case["model"], inputs, correlations, outputs=case.get("outputs") or (), **options)


def _checked(case: dict[str, Any], output: str) -> dict[str, Any]:
    """The numbers that were computed for a result by other means."""
    results: dict[str, dict[str, Any]] = case["checked"]
    return results[output] if case.get("outputs") else next(iter(results.values()))


CASES = [f"{number}" for number in range(26)]


@pytest.mark.parametrize("number", CASES)
def test_published_budgets(number: str) -> None:
    case = records("uses/uncertainty.jsonl")[int(number)]
    found, published = _found(case), case["published"]
    for name, budget in found.outputs.items():
        checked = _checked(case, name)
        assert budget.value == pytest.approx(checked["y"], rel=1e-9, abs=1e-12)
        assert budget.u == pytest.approx(checked["u"], rel=1e-6, abs=1e-12)
        if checked.get("df_eff"):
            assert budget.effective_degrees_of_freedom == pytest.approx(checked["df_eff"], rel=1e-6)
        if budget.second_order and checked.get("u_second_order_HSHS"):
            assert budget.second_order.u == pytest.approx(checked["u_second_order_HSHS"], rel=1e-6)
            assert budget.second_order.value == pytest.approx(checked["mean_second_order"], rel=1e-9, abs=1e-12)
    if len(found.outputs) == 1:
        _check_published(found.single, published)
    for first, second, coefficient in published.get("correlations", ()):
        place = list(found.outputs).index
        assert found.correlation[place(first)][place(second)] == pytest.approx(coefficient, abs=6e-4)


def _check_published(budget: Budget, published: dict[str, Any]) -> None:
    """Printed numbers are right to a unit of their last digit: some sources round twice."""
    for key, number in (("y", budget.value), ("u", budget.u)):
        if key in published and f"{key}_tol" in published:
            assert number == pytest.approx(published[key], abs=published[f"{key}_tol"])
        elif key in published and f"{key}_decimals" in published:
            assert number == pytest.approx(published[key], abs=1.001 * 10.0 ** -published[f"{key}_decimals"])
    if "df_eff" in published:
        assert budget.effective_degrees_of_freedom == pytest.approx(published["df_eff"], abs=published["df_tol"])
    for name, contribution in published.get("components", {}).items():
        assert abs(budget.inputs[name].contribution) == pytest.approx(contribution, rel=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("number", CASES)
def test_draws_have_the_published_distribution(number: str) -> None:
    case = records("uses/uncertainty.jsonl")[int(number)]
    if any(given["dist"] == "curvilinear trapezoid" for given in case["inputs"].values()):
        pytest.skip("the corpus does not say how inexact the limits of a curvilinear trapezoid are")
    found = _found(case, draws=400_000, seed=1)
    for name, drawn in found.monte_carlo.items():
        checked = _checked(case, name)
        u = checked["mc_sd"]
        assert drawn.mean == pytest.approx(checked["mc_mean"], abs=0.02 * u)
        assert drawn.deviation == pytest.approx(u, rel=0.05)
        assert drawn.interval == pytest.approx(checked["mc95"], abs=0.06 * u)


def test_the_expanded_uncertainty_takes_whole_degrees_of_freedom() -> None:
    case = next(case for case in records("uses/uncertainty.jsonl") if case["name"] == "GUM_H1_six_inputs")
    budget = _found(case, level=0.99).single
    assert budget.expanded == pytest.approx(case["published"]["U99"], abs=0.05)


# ---- Values as people write them -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value", "u", "df"),
    [
        ("4.999±0.0032", 4.999, 0.0032, math.inf),
        ("4.999+-0.0032", 4.999, 0.0032, math.inf),
        ("4.999 +/- 0.0032", 4.999, 0.0032, math.inf),
        ("5±2%", 5.0, 0.1, math.inf),
        ("-5±2%", -5.0, 0.1, math.inf),
        (r"5.0\pm0.2", 5.0, 0.2, math.inf),
        ("−5.00(2)", -5.0, 0.02, math.inf),
        ("3±0.1@12", 3.0, 0.1, 12.0),
        ("(5.00±0.01)e+03", 5000.0, 10.0, math.inf),
        ("(-5.00 +/- 0.01) * 10^-3", -0.005, 1e-5, math.inf),
        ("1.23(4)", 1.23, 0.04, math.inf),
        ("1234(5)", 1234.0, 5.0, math.inf),
        ("-.5(1)", -0.5, 0.1, math.inf),
        ("1.234(56)e-7", 1.234e-7, 5.6e-9, math.inf),
        ("127.732(0.070)", 127.732, 0.07, math.inf),
        ("2~uniform(3)", 2.0, math.sqrt(3), math.inf),
        ("2~uniform(10%)", 2.0, 0.2 / math.sqrt(3), math.inf),
        ("-5~normal(2 %, k=2)", -5.0, 0.05, math.inf),
        ("2~triangular(a=6)", 2.0, math.sqrt(6), math.inf),
        ("2~arcsine(2)", 2.0, math.sqrt(2), math.inf),
        ("2~normal(3, k=2)", 2.0, 1.5, math.inf),
        ("2~t(3, df=5)", 2.0, 3.0, 5.0),
        ("2", 2.0, 0.0, math.inf),
    ],
)
def test_a_measured_value_is_read(text: str, value: float, u: float, df: float) -> None:
    found = measured("x", text, float)
    assert (found.value, found.u, found.df) == (pytest.approx(value), pytest.approx(u), df)


@pytest.mark.parametrize(
    "text",
    [
        "3±-1",
        "3±nan",
        "3~uniform(-1)",
        "3~foo(1)",
        "3~uniform()",
        "3~uniform(1, 2)",
        "3~t(1)",
        "3±1@0",
        "~t(4, 6)",
        "1~trapezoid(1, 1)",
    ],
)
def test_what_is_no_measured_value_is_refused(text: str) -> None:
    with pytest.raises(AutodiffError, match="`x`"):
        measured("x", text, float)


def test_a_pair_is_no_measured_value_and_the_hint_says_what_is() -> None:
    with pytest.raises(AutodiffError, match="not a number") as caught:
        uncertainty("x", {"x": (5, 0.1)})
    assert '"5.0±0.1"' in caught.value.hint


@pytest.mark.parametrize("text", ["5+0.2-0.1", "5 -0.1 +0.2", "5+.2/-.1", "-5e1-1/+2"])
def test_an_asymmetric_uncertainty_is_not_taken_for_a_sum(text: str) -> None:
    with pytest.raises(AutodiffError, match="asymmetric"):
        measured("x", text, lambda text: 0.0)


@pytest.mark.parametrize("text", ["(5+0.2-0.1)", "5+0.2", "5+0.2+0.1", "5+0.2-0.1*2", "5e+3-2"])
def test_a_sum_is_exact(text: str) -> None:
    assert measured("x", text, lambda text: 6.0) == MeasuredValue(6.0)


@pytest.mark.parametrize(
    ("value", "u", "text"),
    [
        (127.73216992, 0.0699787, "127.732(70)"),
        (0.10213615, 0.00010050, "0.10214(10)"),
        (50000838.0, 31.71, "50000838(32)"),
        (1234567.0, 4321.0, "1.2346(43)e6"),
        (1.0, 0.0999, "1.00(10)"),
        (0.0, 2.0, "0.0(20)"),
        (0.00025, 0.00001, "0.000250(10)"),
        (4e-250, 1.4142e-251, "4.00(14)e-250"),
        (0.0, 1.4142e-251, "0(14)e-252"),
        (99999990.0, 31000.0, "1.00000(31)e8"),
        (1e-320, 2e-321, "1.00(20)e-320"),
        (-1.602176634e-19, 1.2e-27, "-1.602176634(12)e-19"),
        (-0.0002, 0.14142, "0.00(14)"),
    ],
)
def test_a_result_is_written_by_two_digits_of_its_uncertainty(value: float, u: float, text: str) -> None:
    assert concise(value, u) == text


# ---- Correlations and draws ------------------------------------------------------------------------------------------


def _two(**correlation: float) -> tuple[dict[str, MeasuredValue], dict[tuple[str, str], float]]:
    inputs = {name: measured(name, "2±0.1", float) for name in "xy"}
    return inputs, {("x", "y"): correlation["r"]} if correlation else {}


@pytest.mark.parametrize(("r", "u"), [(1.0, 0.2), (0.0, math.sqrt(0.02)), (-1.0, 0.0)])
def test_a_correlation_changes_the_uncertainty_of_a_sum(r: float, u: float) -> None:
    inputs, correlations = _two(r=r)
    budget = uncertainty("x + y", inputs, correlations).single
    assert budget.u == pytest.approx(u, abs=1e-12)
    assert not budget.u or sum(part.share for part in budget.inputs.values()) == pytest.approx(1.0)


def test_correlations_that_contradict_each_other_name_the_inputs() -> None:
    inputs = {name: measured(name, "1±1", float) for name in "abcd"}
    with pytest.raises(AutodiffError, match="contradict") as caught:
        uncertainty("a + b + c + d", inputs, {("a", "b"): 0.9, ("b", "c"): 0.9, ("a", "c"): -0.9})
    assert "`d`" not in caught.value.message


@pytest.mark.parametrize(("other", "correlated", "independent"), [("2±0.1@5", 5.0, 10.0), ("2±0.1", None, 20.0)])
def test_correlated_inputs_have_effective_degrees_of_freedom_if_theirs_are_the_same(
    other: str, correlated: float | None, independent: float
) -> None:
    inputs = {"x": measured("x", "2±0.1@5", float), "y": measured("y", other, float)}
    found = [uncertainty("x + y", inputs, {("x", "y"): r}).single for r in (0.5, 0.0)]
    assert [budget.effective_degrees_of_freedom for budget in found] == [
        correlated and pytest.approx(correlated),
        pytest.approx(independent),
    ]


def test_a_result_of_simultaneous_readings_has_their_degrees_of_freedom() -> None:
    """It is the mean of results for each reading, but for the curvature of the formula (GUM 4.1.4, note)."""
    readings = {"V": [5.007, 4.994, 5.005, 4.990, 4.999], "I": [0.019663, 0.019639, 0.019640, 0.019685, 0.019678]}
    means = from_readings(readings)
    found = uncertainty("V/I", means).single
    one = from_readings({"R": [v / i for v, i in zip(readings["V"], readings["I"], strict=True)]})
    alone = uncertainty("R", one).single
    assert found.effective_degrees_of_freedom == pytest.approx(4)
    assert found.coverage_factor == alone.coverage_factor == pytest.approx(2.776, abs=1e-3)
    assert found.expanded == pytest.approx(alone.expanded, rel=1e-3)
    offset = {**means, "c": MeasuredValue(0.0, found.u)}
    assert uncertainty("V/I + c", offset).single.effective_degrees_of_freedom == pytest.approx(16)


def test_a_correlation_with_an_input_that_does_not_matter_leaves_the_degrees_of_freedom() -> None:
    inputs = {"x": measured("x", "1±0.1@3", float), "y": measured("y", "2±0.1", float)}
    found = uncertainty("a = x; b = x*y; b", inputs, {("x", "y"): 0.5}, outputs=["a"])
    assert found.single.effective_degrees_of_freedom == pytest.approx(3.0)


@pytest.mark.parametrize(
    ("correlations", "message"),
    [({("x", "x"): 1.0}, "with itself"), ({("x", "y"): 0.5, ("y", "x"): 0.25}, "given twice")],
)
def test_a_correlation_is_one_of_two_inputs_given_once(
    correlations: dict[tuple[str, str], float], message: str
) -> None:
    with pytest.raises(AutodiffError, match=message):
        uncertainty("x + y", _two()[0], correlations)


def test_readings_may_be_perfectly_correlated() -> None:
    means = from_readings({"x": [0.3, 0.4], "y": [0.6, 0.8], "z": [0.8, 0.6]})
    assert correlation_matrix(means, {}).coefficients[0].tolist() == pytest.approx([1.0, 1.0, -1.0], rel=1e-15)


@pytest.mark.parametrize("unit", [1e-300, 1.0, 1e300])
def test_a_difference_of_readings_that_drift_alike_has_its_own_spread_and_degrees_of_freedom(unit: float) -> None:
    drift = [10.0, 10.5, 11.0, 11.5, 12.0, 12.5]
    noise = [0.0, 2.0, -1.0, 3.0, 1.0, -2.0]
    readings = {
        "a": [unit * x for x in drift],
        "b": [unit * (x + 2**-30 * y) for x, y in zip(drift, noise, strict=True)],
    }
    found = uncertainty("b - a", from_readings(readings), draws=100_000)
    one = uncertainty("d", from_readings({"d": [unit * 2**-30 * y for y in noise]}), draws=100_000)
    assert found.single.u == pytest.approx(one.single.u, rel=1e-6, abs=0)
    assert found.single.effective_degrees_of_freedom == pytest.approx(5, rel=1e-12)
    assert found.single.coverage_factor == one.single.coverage_factor
    drawn, drawn_alone = found.monte_carlo["value"], one.monte_carlo["d"]
    ends = [end - found.single.value + one.single.value for end in drawn.interval]
    assert ends == pytest.approx(drawn_alone.interval, rel=0.05, abs=0)


def test_readings_that_differ_by_nothing_have_a_difference_without_uncertainty() -> None:
    readings = [20.1, 20.4, 20.9]
    assert uncertainty("a - b", from_readings({"a": readings, "b": readings})).single.u == 0.0


def test_a_correlation_that_is_given_takes_the_place_of_that_of_readings() -> None:
    means = from_readings({"x": [0.3, 0.4, 0.2], "y": [0.6, 0.8, 0.4]})
    found = uncertainty("x - y", means, {("y", "x"): 0.0}).single
    assert found.u == pytest.approx(math.hypot(means["x"].u, means["y"].u))


@pytest.mark.parametrize("text", ["V/I", "V"])
def test_means_of_readings_are_drawn_from_the_distribution_of_their_coverage_factor(text: str) -> None:
    readings = {"V": [5.007, 4.994, 5.005, 4.990, 4.999], "I": [0.019663, 0.019639, 0.019640, 0.019685, 0.019678]}
    found = uncertainty(text, from_readings(readings), draws=100_000)
    low, high = found.single.value - found.single.expanded, found.single.value + found.single.expanded
    (drawn,) = found.monte_carlo.values()
    assert drawn.interval == pytest.approx((low, high), abs=0.03 * found.single.expanded)


def test_a_value_with_an_uncertainty_alone_is_drawn_from_a_normal_distribution() -> None:
    drawn = uncertainty("x", {"x": MeasuredValue(3.0, 0.1)}, draws=10_000).monte_carlo["x"]
    assert drawn.deviation == pytest.approx(0.1, rel=0.05)


@pytest.mark.parametrize("unit", [1e-310, 1e-170, 1e170, 1e307])
def test_draws_and_readings_of_any_size_have_a_deviation(unit: float) -> None:
    inputs = {"k": MeasuredValue(unit, 0.0), "x": MeasuredValue(1.0, 0.1)}
    (drawn,) = uncertainty("k*x", inputs, draws=10_000).monte_carlo.values()
    assert drawn.mean == pytest.approx(unit, rel=0.01, abs=0)
    assert drawn.deviation == pytest.approx(0.1 * unit, rel=0.05, abs=0)
    means = from_readings({"x": [unit, 3 * unit], "y": [5.0, 9.0]})
    assert [means["x"].value, means["x"].u] == pytest.approx([2 * unit, unit], rel=1e-12, abs=0)
    assert correlation_matrix(means, {}).coefficients[0, 1] == pytest.approx(1.0)


@pytest.mark.parametrize("text", ["1e17±10", "1e17"])
def test_a_drawing_shows_draws_of_which_few_doubles_are_left(text: str) -> None:
    pytest.importorskip("plotext", reason='plots in the terminal need: pip install "autodiff-cli[plot]"')
    out = io.StringIO()
    chart(uncertainty("x", {"x": measured("x", text, float)}, draws=1000)).text(out, (80, 20))
    assert "draws" in out.getvalue()


def test_the_same_seed_draws_the_same_values() -> None:
    inputs, correlations = _two(r=0.5)
    first, second = (uncertainty("x*y", inputs, correlations, draws=1000, seed=3).monte_carlo for _ in range(2))
    assert first["value"].interval == second["value"].interval
    other = uncertainty("x*y", inputs, correlations, draws=1000, seed=4).monte_carlo["value"]
    assert other.interval != first["value"].interval


def test_a_nonlinear_result_disagrees_with_its_draws() -> None:
    inputs = {"x": measured("x", "0±1", float)}
    found = uncertainty("x^2", inputs, {}, draws=100_000)
    assert not found.monte_carlo["value"].agrees
    assert found.single.second_order_matters
    linear = uncertainty("3*x + 1", inputs, {}, draws=400_000)
    assert linear.monte_carlo["value"].agrees
    assert not linear.single.second_order_matters


@pytest.mark.parametrize(
    ("text", "variance"),
    [
        ("0~uniform(0.02)", (1 / 5 - 1 / 9) / 4),
        ("0~triangular(0.02)", (1 / 15 - 1 / 36) / 4),
        ("0~arcsine(0.02)", (3 / 8 - 1 / 4) / 4),
        ("0~normal(0.02)", 1 / 2),
    ],
)
def test_terms_of_second_order_follow_the_distribution_of_an_input(text: str, variance: float) -> None:
    """The cosine error (GUM F.2.4.4): the variance of a²/2 is the fourth moment less the square of the second, by 4."""
    second = uncertainty("cos(a)", {"a": measured("a", text, float)}).single.second_order
    assert second is not None and second.u == pytest.approx(0.02**2 * math.sqrt(variance), rel=1e-12)


def test_terms_of_second_order_of_a_curvilinear_trapezoid_are_those_of_its_draws() -> None:
    found = uncertainty("a^2", {"a": measured("a", "0~trapezoid(1, 0.9)", float)}, draws=400_000)
    second = found.single.second_order
    assert second is not None and second.u == pytest.approx(found.monte_carlo["value"].deviation, rel=0.01)


def test_draws_need_no_slope() -> None:
    inputs = {"x": MeasuredValue(0.0, 1.0), "y": MeasuredValue(0.0, 1.0)}
    with pytest.raises(AutodiffError, match="no limit was found"):
        uncertainty("sqrt(x^2 + y^2)", inputs)
    found = uncertainty("sqrt(x^2 + y^2)", inputs, draws=1000)
    assert math.isnan(found.single.u)
    assert not found.monte_carlo["value"].agrees
    assert chart(found).picture("svg")


@pytest.mark.parametrize(
    ("text", "warns"),
    [
        ("abs(a - b)", True),
        ("hypot(a - 5, b - 5)", True),
        ("max(a, b)", True),
        ("floor(a)", True),
        ("a*max(c, 5)", False),
        ("abs(a)", False),
    ],
)
def test_a_budget_at_a_kink_or_a_step_of_an_uncertain_input_says_so(text: str, warns: bool) -> None:
    inputs = {"a": MeasuredValue(5.0, 0.1), "b": MeasuredValue(5.0, 0.1), "c": MeasuredValue(5.0)}
    kink = uncertainty(text, inputs).single.kink
    assert (kink is not None and kink.message.startswith("sensitivities by convention")) == warns


def test_the_interval_of_the_budget_may_differ_by_half_a_unit_of_its_second_digit() -> None:
    """An uncertainty of 0.0999 is 0.10 in two digits, so the unit is 0.01."""
    inputs = {"x": measured("x", "0~triangular(0.2447)", float)}
    drawn = uncertainty("x", inputs, {}, level=0.9, draws=400_000).monte_carlo["x"]
    assert abs(drawn.interval[1] - 1.645 * inputs["x"].u) > 0.002
    assert drawn.agrees


def test_too_few_draws_give_no_certain_verdict() -> None:
    inputs = {"x": measured("x", "0±0.11", float)}
    few, many = (uncertainty("x", inputs, {}, draws=draws).monte_carlo["x"] for draws in (1000, 400_000))
    assert not few.certain
    assert many.certain
    assert many.agrees


@pytest.mark.parametrize(("draws", "certain"), [(1000, False), (100_000, True)])
def test_ends_that_may_lie_beyond_all_draws_give_no_certain_verdict(draws: int, certain: bool) -> None:
    """Of 1000 draws half a one is expected below the interval."""
    found = [
        uncertainty("x^2", {"x": MeasuredValue(9.0, 3.0)}, level=0.999, draws=draws, seed=seed) for seed in range(5)
    ]
    assert [result.monte_carlo["value"].certain for result in found] == [certain] * 5


def test_a_correlation_of_results_is_no_more_than_1() -> None:
    inputs = {"x": measured("x", "3±0.1", float), "y": measured("y", "4±2%@9", float)}
    matrix = uncertainty("a = x*y; b = x/y; b", inputs, {}, outputs=["a", "b"]).correlation
    assert matrix[0][0] == matrix[1][1] == 1.0


def test_a_program_keeps_defaults_as_exact_values() -> None:
    found = uncertainty(parse("g = 9.81; t = 2; g*t^2/2"), {"t": measured("t", "2±0.01", float)}, {}).single
    assert found.inputs["g"].contribution == 0.0
    assert found.u == pytest.approx(9.81 * 2 * 0.01)


@pytest.mark.parametrize("scale", [1e-250, 1e-30, 1.0, 1e200])
def test_a_budget_of_any_size_keeps_its_shares_and_degrees_of_freedom(scale: float) -> None:
    inputs = {
        "x": MeasuredValue(3.0 * scale, 0.1 * scale, 4.0),
        "y": MeasuredValue(2.0, 0.2, 7.0),
    }
    found = uncertainty(parse(f"x + y*{scale!r}"), inputs).single
    assert found.u / scale == pytest.approx(math.hypot(0.1, 0.2))
    assert [part.share for part in found.inputs.values()] == pytest.approx([0.2, 0.8])
    assert found.effective_degrees_of_freedom == pytest.approx(1 / (0.2**2 / 4 + 0.8**2 / 7))
    assert found.second_order is not None and found.second_order.u == pytest.approx(found.u)


def test_an_exact_input_is_correlated_with_none() -> None:
    inputs = {"x": MeasuredValue(3.0, 0.1, 4.0), "y": MeasuredValue(2.0, 0.0)}
    found = uncertainty(parse("x*y"), inputs, {("x", "y"): 0.5}).single
    assert found.u == pytest.approx(0.2) and found.effective_degrees_of_freedom == pytest.approx(4.0)


@pytest.mark.parametrize(("df", "level"), [(math.inf, 0.9544997361036416), (9.0, 0.9234471762292991)])
def test_a_coverage_factor_has_the_level_of_confidence_of_students_t(df: float, level: float) -> None:
    found = uncertainty("x", {"x": MeasuredValue(3.0, 0.1, df)}, coverage_factor=2).single
    assert found.expanded == pytest.approx(0.2)
    assert found.level == pytest.approx(level, rel=1e-14)
