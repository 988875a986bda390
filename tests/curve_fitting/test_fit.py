"""Fits: the certified regressions of NIST, what is said of parameters, and data that do not determine them."""

import io
import math
import tracemalloc
from typing import Any

import pytest
from places import records

numpy = pytest.importorskip("numpy", reason='fitting needs: pip install "autodiff-cli[data]"')
pytest.importorskip("scipy", reason='fitting needs: pip install "autodiff-cli[data]"')

from autodiff_cli import AutodiffError, fit, parse
from autodiff_cli.curve_fitting import charts
from autodiff_cli.curve_fitting.charts import chart
from autodiff_cli.curve_fitting.data import Data
from autodiff_cli.curve_fitting.fit import Fit
from autodiff_cli.curve_fitting.fit import fit as fitted
from autodiff_cli.curve_fitting.model import Model
from autodiff_cli.curve_fitting.prediction import predicted
from autodiff_cli.data import column_blocks
from autodiff_cli.data.column_blocks import ArrayColumns
from autodiff_cli.errors import NOT_FINITE

LINE = {"x": [0.0, 1, 2, 3, 4], "y": [1.1, 2.9, 5.2, 7.0, 8.9]}


# ---- Certified regressions -------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("start", ["start1", "start2"])
@pytest.mark.parametrize("number", range(18))
def test_certified_parameters_to_nine_digits_and_deviations_to_six(number: int, start: str) -> None:
    case = records("uses/nist_strd_fit.jsonl")[number]
    found = fit(case["model"], case["data"], case["response"], case[start])
    assert found.converged
    for name, certified in case["certified"].items():
        assert found.point[name] == pytest.approx(float(certified), rel=1e-9), case["name"]
    for name, certified in case["certified_sd"].items() if case["name"] != "Lanczos1" else ():
        assert found.statistics.parameters[name].standard_error == pytest.approx(float(certified), rel=1e-6)
    reference = case["reference"]
    assert found.statistics.residual_sum_of_squares == pytest.approx(float(case["rss"]), rel=1e-6)
    assert reference


@pytest.mark.slow
@pytest.mark.parametrize(("name", "start"), [("MGH09", "start2"), ("Rat43", "start2"), ("Roszman1", "start1")])
def test_certified_parameters_from_starts_that_are_twice_as_far(name: str, start: str) -> None:
    """The slopes of the first two go up and down on the way to nine digits."""
    case = next(case for case in records("uses/nist_strd_fit.jsonl") if case["name"] == name)
    certified = {name: float(text) for name, text in case["certified"].items()}
    first = {name: certified[name] * (float(text) / certified[name]) ** 2 for name, text in case[start].items()}
    assert fit(case["model"], case["data"], case["response"], first).point == pytest.approx(certified, rel=1e-9)


# ---- Against the closed form of a straight line ----------------------------------------------------------------------


def _line(**options: Any) -> Fit:
    return fit("a + b*x", LINE, "y", {"a": 0, "b": 0}, **options)


def test_a_straight_line_has_its_closed_form() -> None:
    x, y = numpy.array(LINE["x"]), numpy.array(LINE["y"])
    slope, intercept = numpy.polyfit(x, y, 1)
    found = _line()
    assert found.point == {"a": pytest.approx(intercept, rel=1e-12), "b": pytest.approx(slope, rel=1e-12)}
    residuals = y - intercept - slope * x
    deviation = math.sqrt((residuals @ residuals) / 3)
    error = found.statistics.parameters["b"].standard_error
    assert error == pytest.approx(deviation / math.sqrt(((x - x.mean()) ** 2).sum()), rel=1e-10)
    low, high = found.statistics.parameters["b"].interval
    assert (high - low) / 2 / error == pytest.approx(3.1824463, rel=1e-6)
    assert found.statistics.r_squared == pytest.approx(numpy.corrcoef(x, y)[0, 1] ** 2, rel=1e-10)


def test_a_curve_through_all_points_is_found_to_the_last_digits() -> None:
    x = [0.05 * step for step in range(24)]
    y = [0.0951 * math.exp(-a) + 0.8607 * math.exp(-3 * a) + 1.5576 * math.exp(-5 * a) for a in x]
    start = {"b1": 1.2, "b2": 0.3, "b3": 5.6, "b4": 5.5, "b5": 6.5, "b6": 7.6}
    found = fit("b1*exp(-b2*x) + b3*exp(-b4*x) + b5*exp(-b6*x)", {"x": x, "y": y}, "y", start)
    assert list(found.point.values()) == pytest.approx([0.0951, 1, 0.8607, 3, 1.5576, 5], rel=1e-9)
    assert found.converged


def test_the_correlation_of_a_parameter_with_itself_is_1() -> None:
    data, start = {"x": [1, 2, 3, 4], "y": [1, 3, 2, 5]}, {"a": 0, "b": 0, "c": 0}
    correlation = fit("a*x + b*x^2 + c", data, "y", start).statistics.correlation
    assert [correlation[place][place] for place in range(3)] == [1, 1, 1]


def test_a_line_through_all_points_has_infinite_t_and_the_correlation_of_others() -> None:
    exact = fit("a + b*x", {"x": [0, 1, 2], "y": [-1, 1, 3]}, "y", {"a": -1, "b": 2}).statistics
    assert [part.t for part in exact.parameters.values()] == [-math.inf, math.inf]
    assert exact.correlation[0][1] == pytest.approx(-math.sqrt(0.6))


@pytest.mark.parametrize("unit", [1e-300, 1e-170, 1e-19, 1e170, 1e300])
def test_responses_may_have_any_size_that_doubles_have(unit: float) -> None:
    table = {"x": numpy.array([1.0, 2, 3, 4]), "y": numpy.array([1.0, 3, 2, 5])}
    usual = fit("a*exp(b*x)", table, "y", {"a": 1, "b": 0.1})
    scaled = fit("a*exp(b*x)", table | {"y": table["y"] * unit}, "y", {"a": unit, "b": 0.1})
    assert scaled.converged
    assert scaled.reason == usual.reason
    assert scaled.point == pytest.approx({"a": usual.point["a"] * unit, "b": usual.point["b"]}, rel=1e-9, abs=0)
    for name, size in (("a", unit), ("b", 1)):
        error = usual.statistics.parameters[name].standard_error * size
        assert scaled.statistics.parameters[name].standard_error == pytest.approx(error, rel=1e-9, abs=0)
    assert scaled.statistics.r_squared == pytest.approx(usual.statistics.r_squared)


@pytest.mark.parametrize("start", [1, 7, -1])
def test_a_start_may_be_so_bad_that_the_slopes_at_the_minimum_are_nearly_0_beside_its_own(start: float) -> None:
    x = list(range(51))
    found = fit("exp(b*x)", {"x": x, "y": [math.exp(number / 10) for number in x]}, "y", {"b": start})
    assert found.converged
    assert found.point["b"] == pytest.approx(0.1, rel=1e-14)
    assert len(set(found.trace)) == len(found.trace)


@pytest.mark.parametrize("origin", [2460310.0, 4e8])
def test_a_minimum_is_one_to_the_last_digit_of_a_large_parameter(origin: float) -> None:
    """The next doubles to a Julian date are farther apart than a millionth of what the residuals allow."""
    counts = numpy.array([0.0, 1, 2, 3, 5])
    times = origin + numpy.array([0.5001, 3.9252, 7.3501, 10.7754, 17.6251])
    found = fit("T + P*n", {"n": counts, "t": times}, "t", {"T": origin, "P": 3.4})
    assert (found.converged, found.reason) == (True, "the sum of squares has its minimum here")
    slope, intercept = numpy.polyfit(counts, times - origin, 1)
    assert found.point["P"] == pytest.approx(slope, rel=1e-6)
    assert found.point["T"] - origin == pytest.approx(intercept, abs=1e-15 * origin)


def test_residuals_may_be_far_larger_than_the_responses() -> None:
    found = fit("a*x + 1", {"x": [1, 2, 3], "y": [1e-200, 2e-200, 5e-200]}, "y", {"a": 0})
    assert found.point["a"] == pytest.approx(-3 / 7)
    assert found.statistics.r_squared == -math.inf


def test_parameters_that_start_at_0_begin_elsewhere_too() -> None:
    found = fit("cos(a*x)", {"x": [1.0, 2, 3], "y": numpy.cos([0.7, 1.4, 2.1])}, "y", {"a": 0}, starts=5)
    assert abs(found.point["a"]) == pytest.approx(0.7)


def test_weights_count_a_row_as_often_as_they_say() -> None:
    repeated = {name: [*column, column[1], column[1]] for name, column in LINE.items()}
    thrice = fit("a + b*x", repeated, "y", {"a": 0, "b": 0})
    weighted = _line(weights=[1, 3, 1, 1, 1])
    assert weighted.point == pytest.approx(thrice.point, rel=1e-12)


def test_weights_may_be_a_formula_in_columns_or_a_number() -> None:
    weights = [1 / (0.1 * y + 0.2) ** 2 for y in LINE["y"]]
    assert _line(weights="1/(0.1*y + 0.2)^2").point == pytest.approx(_line(weights=weights).point)
    half, all_half = (_line(weights=given, absolute=True).statistics for given in ("0.5", [0.5] * 5))
    assert half == all_half


def test_rows_of_weight_0_are_no_rows() -> None:
    kept = fit("a + b*x", {name: column[:4] for name, column in LINE.items()}, "y", {"a": 0, "b": 0})
    weighted = _line(weights=[1, 1, 1, 1, 0])
    assert weighted.statistics.degrees_of_freedom == 2
    assert weighted.statistics.parameters["a"].interval == pytest.approx(kept.statistics.parameters["a"].interval)
    with pytest.raises(AutodiffError, match="1 row cannot determine 2 parameters"):
        _line(weights=[1, 0, 0, 0, 0])


@pytest.mark.parametrize("first", [9.0, math.inf, math.nan])
@pytest.mark.parametrize("loss", ["linear", "cauchy"])
def test_rows_of_weight_0_may_have_no_finite_value(first: float, loss: str) -> None:
    rows = {"x": [0.0, 1, 2, 4], "y": [first, 1, 0.52, 0.24]}
    kept = fit("a/x", {name: column[1:] for name, column in rows.items()}, "y", {"a": 1}, loss=loss)
    weighted = fit("a/x", rows, "y", {"a": 1}, weights=[0, 1, 1, 1], loss=loss)
    assert weighted.point == pytest.approx(kept.point, rel=1e-12)
    assert weighted.statistics.r_squared == pytest.approx(kept.statistics.r_squared, rel=1e-12)


def test_a_row_of_weight_0_without_a_residual_is_drawn_without_a_warning() -> None:
    program = parse("a/x")
    columns = ArrayColumns({"x": numpy.array([0.0, 1, 2, 4]), "w": numpy.array([0.0, 1, 1, 1])})
    model = Model(program, Data(columns, program, parse("1/x + 1"), {}, weights=parse("w")), {})
    assert chart(model, fitted(model, numpy.array([1.0])), "1/x + 1")


@pytest.mark.parametrize(("absolute", "parameters"), [(False, 3), (True, 2)])
def test_information_criteria_are_those_of_normal_residuals(absolute: bool, parameters: int) -> None:
    weights = [1.0, 4.0, 2.0, 0.5, 3.0]
    found = _line(weights=weights, absolute=absolute)
    scale = 1.0 if absolute else found.statistics.residual_sum_of_squares / 5
    density = sum(
        math.log(weight / (2 * math.pi * scale)) - weight / scale * (y - found.point["a"] - found.point["b"] * x) ** 2
        for x, y, weight in zip(LINE["x"], LINE["y"], weights, strict=True)
    )
    assert found.statistics.aic == pytest.approx(2 * parameters - density)
    assert found.statistics.bic == pytest.approx(math.log(5) * parameters - density)


def test_absolute_deviations_are_not_scaled_by_the_residuals() -> None:
    scaled, absolute = (_line(weights=[4.0] * 5, absolute=flag).statistics for flag in (False, True))
    ratio = absolute.parameters["a"].standard_error / scaled.parameters["a"].standard_error
    assert ratio == pytest.approx(1 / scaled.residual_deviation)


def _model(text: str, data: dict[str, list[float]] = LINE) -> Model:
    columns = ArrayColumns({name: numpy.array(column) for name, column in data.items()})
    program = parse(text)
    return Model(program, Data(columns, program, parse("y"), {}), {})


def test_bands_contain_the_curve_and_new_responses_lie_further_out() -> None:
    edges = predicted(_model("a + b*x"), _line(), {"x": numpy.array([0.0, 2.0, 10.0])})
    assert (edges["prediction_low"] < edges["confidence_low"]).all()
    assert (edges["confidence_low"] < edges["value"]).all()
    widths = edges["confidence_high"] - edges["confidence_low"]
    assert widths[1] < widths[0] < widths[2]


def test_a_drawing_has_both_bands() -> None:
    out = io.StringIO()
    chart(_model("a + b*x"), _line(), "y").text(out, (120, 30))
    assert "confidence band" in out.getvalue()
    assert "prediction band" in out.getvalue()


def test_a_drawing_has_at_most_so_many_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(charts, "_MOST_POINTS", 3)
    xs, _, _ = charts._points(_model("a + b*x"), numpy.array([1.0, 2.0]), "x")
    assert xs.tolist() == [0.0, 2.0, 4.0]


def test_a_robust_loss_is_hardly_moved_by_an_outlier() -> None:
    spoilt = {**LINE, "y": [*LINE["y"][:4], 100.0]}
    plain = fit("a + b*x", spoilt, "y", {"a": 0, "b": 0}).point["b"]
    fitted_robustly = fit("a + b*x", spoilt, "y", {"a": 0, "b": 0}, loss="cauchy")
    assert abs(fitted_robustly.point["b"] - 2) < 0.1 < abs(plain - 2)
    assert fitted_robustly.reason == "the sum of the loss cauchy has its minimum here"


@pytest.mark.parametrize("loss", ["soft_l1", "huber", "cauchy"])
def test_standard_errors_with_a_loss_are_those_of_least_squares_unless_residuals_are_large(loss: str) -> None:
    small = {"x": LINE["x"], "y": [1e-5 * y for y in LINE["y"]]}
    plain, same = (fit("a + b*x", small, "y", {"a": 0, "b": 0}, loss=name) for name in ("linear", loss))
    for name, part in plain.statistics.parameters.items():
        assert same.statistics.parameters[name].standard_error == pytest.approx(part.standard_error, rel=1e-6)


def test_standard_errors_with_a_loss_are_the_scatter_of_many_fits() -> None:
    generator, x = numpy.random.default_rng(3), numpy.linspace(0, 1, 40)
    found = []
    for _ in range(100):
        y = 1 + 2 * x + generator.normal(0, 1, 40) + 10 * generator.choice([0, 0, 0, 0, 0, 0, 0, 0, 1, -1], 40)
        found.append(fit("a + b*x", {"x": x, "y": y}, "y", {"a": 0, "b": 0}, loss="huber"))
    scatter = numpy.std([each.point["b"] for each in found])
    errors = numpy.median([each.statistics.parameters["b"].standard_error for each in found])
    assert errors == pytest.approx(scatter, rel=0.25)


def test_most_residuals_large_for_the_loss_are_a_reason_to_know_no_errors() -> None:
    far = {"x": range(21), "y": [0.5, *[-1000, 1000] * 10]}
    statistics = fit("a + 0*x", far, "y", {"a": 0}, loss="huber").statistics
    assert statistics.unknown_because.startswith("standard errors are not known: most residuals are large for the loss")
    assert math.isnan(statistics.parameters["a"].standard_error)


def test_a_prediction_band_has_the_deviation_of_the_new_response() -> None:
    x = numpy.linspace(0, 1, 30)
    deviations = 0.1 + x
    columns = ArrayColumns({"x": x, "y": 1 + x + deviations * numpy.cos(9 * x), "s": deviations, "w": deviations**-2})
    program, at = parse("a + b*x"), {"x": numpy.array([0.5, 0.5])}
    bands = []
    for name, text, column in (("sigma", "s", "s"), ("weights", "w", "w"), ("weights", "1/s^2", "s")):
        weighting: dict[str, Any] = {name: parse(text)}
        model = Model(program, Data(columns, program, parse("y"), {}, **weighting), {})
        found = fitted(model, numpy.array([0.0, 0.0]))
        assert "prediction_low" not in predicted(model, found, at)
        new = numpy.array([0.6, 2.0]) if column == "s" else numpy.array([0.6, 2.0]) ** -2
        bands.append(predicted(model, found, at | {column: new}))
        half, inner = ((bands[-1][f"{band}_high"] - bands[-1]["value"]) for band in ("prediction", "confidence"))
        statistics = found.statistics
        expected = statistics.factor * statistics.residual_deviation * numpy.array([0.6, 2.0])
        assert numpy.allclose(half**2 - inner**2, expected**2, rtol=1e-9)
    for others in bands[1:]:
        assert numpy.allclose(bands[0]["prediction_low"], others["prediction_low"], rtol=1e-9)


def test_parameters_that_run_away_are_no_minimum() -> None:
    t = numpy.linspace(0, 5, 25)
    y = 2 * numpy.exp(-t / 1.3) + 0.3 + 0.05 * numpy.sin(40 * t)
    start = {"A": 1, "tau": -1, "c": 0}
    found = fit("A*exp(-t/tau) + c", {"t": t, "y": y}, "y", start)
    assert not found.converged
    assert "has no minimum here" in found.reason
    assert fit("A*exp(-t/tau) + c", {"t": t, "y": y}, "y", {**start, "tau": 1}).converged


def test_parameters_that_are_not_determined_may_be_as_large_as_the_responses() -> None:
    large = {"x": LINE["x"], "y": [1e8 * y for y in LINE["y"]]}
    found = fit("a + b + c*x", large, "y", {"a": 1, "b": 1, "c": 1})
    assert found.converged
    assert found.point["a"] + found.point["b"] == pytest.approx(1e8 * 1.08)


@pytest.mark.slow
def test_many_rows_are_summed_block_by_block() -> None:
    generator = numpy.random.default_rng(1)
    x = generator.uniform(0, 3, 1_100_000)
    data = {"x": x, "y": 2.5 * numpy.exp(-1.3 * x) + generator.normal(0, 0.01, len(x))}
    found = fit("a*exp(-b*x)", data, "y", {"a": 1, "b": 1})
    assert found.converged
    assert found.point == {"a": pytest.approx(2.5, abs=3e-4), "b": pytest.approx(1.3, abs=3e-4)}


@pytest.mark.slow
def test_memory_does_not_grow_with_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(column_blocks, "_IN_MEMORY", 2**20)
    program, generator = parse("a*exp(-b*x)"), numpy.random.default_rng(1)
    peaks = []
    for parts in (5, 25):
        columns = column_blocks.StoredColumns(("x", "y"))
        for _ in range(parts):
            x = generator.uniform(0, 3, 100_000)
            columns.append(len(x), [x, 2.5 * numpy.exp(-1.3 * x) + generator.normal(0, 0.01, len(x))])
        tracemalloc.start()
        found = fitted(Model(program, Data(columns, program, parse("y"), {}), {}), numpy.array([1.0, 1.0]))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert found.point["b"] == pytest.approx(1.3, abs=1e-3)
    assert peaks[1] < 1.1 * peaks[0]


@pytest.mark.parametrize("loss", ["soft_l1", "huber", "cauchy"])
def test_a_loss_has_its_minimum_where_the_slopes_of_its_terms_cancel(loss: str) -> None:
    spoilt = {**LINE, "y": [*LINE["y"][:4], 100.0]}
    found = fit("a + b*x", spoilt, "y", {"a": 0, "b": 0}, loss=loss)
    residuals = found.point["a"] + found.point["b"] * numpy.array(spoilt["x"]) - spoilt["y"]
    squares = residuals**2
    weights = {
        "soft_l1": (1 + squares) ** -0.5,
        "huber": numpy.minimum(1, abs(residuals) ** -1),
        "cauchy": 1 / (1 + squares),
    }[loss]
    assert found.converged
    assert weights @ residuals == pytest.approx(0, abs=1e-8)
    assert weights * residuals @ LINE["x"] == pytest.approx(0, abs=1e-8)


def test_the_other_parameters_are_at_their_minimum_where_one_is_at_its_bound() -> None:
    found = fit("a + b*x", LINE, "y", {"a": 1, "b": 1}, bounds={"b": (-math.inf, 1.5)})
    assert found.point == {"a": pytest.approx(numpy.mean(LINE["y"]) - 1.5 * 2, rel=1e-12), "b": 1.5}
    assert found.converged


def test_equal_bounds_hold_a_parameter() -> None:
    found = fit("a + b*x", LINE, "y", {"a": 1, "b": 1}, bounds={"b": (1.5, 1.5)})
    alone = fit("a + b*x", LINE, "y", {"a": 1}, fixed={"b": 1.5})
    assert found.converged
    assert found.point == {"a": pytest.approx(alone.point["a"], rel=1e-12), "b": 1.5}
    error, error_alone = (one.statistics.parameters["a"].standard_error for one in (found, alone))
    assert error == pytest.approx(error_alone, rel=1e-12)
    assert found.statistics.degrees_of_freedom == alone.statistics.degrees_of_freedom
    both = fit("a + b*x", LINE, "y", {"a": 1, "b": 1}, bounds={"a": (0, 0), "b": (2, 2)})
    assert both.point == {"a": 0, "b": 2}
    assert both.statistics.notes == ["`a`, `b` are held at bounds, without standard errors"]
    at = {"x": numpy.array([0.0, 2.0, 10.0])}
    edges, edges_alone = predicted(_model("a + b*x"), found, at), predicted(_model("a + 1.5*x"), alone, at)
    assert len(edges) == 5
    assert all(numpy.allclose(edges[name], edges_alone[name], rtol=1e-12) for name in edges_alone)


def test_a_start_outside_the_bounds_is_moved_inside() -> None:
    found = fit("x/b", LINE, "y", {"b": -1}, bounds={"b": (0, None)})
    assert found.point == pytest.approx(fit("x/b", LINE, "y", {"b": 1}).point)
    with pytest.raises(AutodiffError, match="in row 1 of the data"):
        fit("x/b", LINE, "y", {"b": 1}, bounds={"b": (0, 0)})


def test_a_small_parameter_is_not_held_at_a_bound_of_0() -> None:
    slow = {"t": [1e9, 2e9, 4e9, 8e9, 1.6e10], "y": [0.52, 0.90, 1.40, 1.82, 1.98]}
    found = fit("a*(1 - exp(-k*t))", slow, "y", {"a": 1, "k": 1e-10}, bounds={"k": (0, math.inf)})
    scaled = fit("a*(1 - exp(-k*t))", {**slow, "t": [1e-9 * t for t in slow["t"]]}, "y", {"a": 1, "k": 0.1})
    assert found.point["k"] == pytest.approx(1e-9 * scaled.point["k"])
    assert not found.statistics.unknown_because


@pytest.mark.parametrize("low", [-1e308, 0.0])
def test_bounds_may_be_as_far_away_as_doubles_go(low: float) -> None:
    near, far = (fit("a*x", LINE, "y", {"a": 1}, bounds={"a": bounds}) for bounds in ((0, 100), (low, 1e308)))
    assert far.point == near.point


def test_the_triangular_factor_has_the_squares_of_the_whole_jacobian() -> None:
    model, point = _model("a*exp(b*x)"), numpy.array([1.0, 0.3])
    whole, factor = numpy.concatenate(list(model.blocks(point))), model.factor(point)
    assert factor.T @ factor == pytest.approx(whole.T @ whole, rel=1e-12)


# ---- What the data do not say ----------------------------------------------------------------------------------------

LOGISTIC = {"t": list(range(20)), "y": [1 / (1 + math.exp(10 - t)) for t in range(20)]}


@pytest.mark.parametrize(
    ("formula", "start", "reason"),
    [
        ("a + b*x + 0*c", {"a": 0, "b": 0, "c": 1}, "no value depends on `c`: its standard error is"),
        ("a + b*x + 0*c*d", {"a": 0, "b": 0, "c": 1, "d": 1}, "depends on `c`, `d`: their standard errors are"),
        ("a + c + b*x", {"a": 0, "b": 0, "c": 0}, "do not tell `a`, `c` apart"),
        ("a + c + b*x + 0*d", {"a": 0, "b": 0, "c": 0, "d": 0}, "do not tell `a`, `c` apart"),
    ],
)
def test_only_the_parameters_that_are_not_determined_are_named_and_have_no_errors(
    formula: str, start: dict[str, float], reason: str
) -> None:
    known = fit(formula, LINE, "y", start).statistics
    assert reason in known.unknown_because
    determined = {"b"} if "apart" in reason else {"a", "b"}
    errors = {name: part.standard_error for name, part in known.parameters.items()}
    assert {name for name, error in errors.items() if not math.isnan(error)} == determined
    alone = _line().statistics.parameters
    assert all(errors[name] == pytest.approx(alone[name].standard_error) for name in determined)


def test_what_others_leave_open_does_not_change_the_errors_of_parameters_that_are_determined() -> None:
    formula, start = "k*f/v*exp(-b*x)", {"k": 1, "f": 2, "v": 3, "b": -0.5}
    found, alone = fit(formula, LINE, "y", start), fit(formula, LINE, "y", {"f": 2, "b": -0.5}, fixed={"k": 1, "v": 3})
    known, model = found.statistics, _model(formula)
    jacobian = numpy.concatenate(list(model.blocks(numpy.array([found.point[name] for name in model.parameters]))))
    rank = numpy.linalg.matrix_rank(jacobian[:, :-1])
    inverse = numpy.linalg.pinv(jacobian[:, :-1].T @ jacobian[:, :-1], rcond=1e-10)
    variance = jacobian[:, -1] @ jacobian[:, -1] / (len(jacobian) - rank) * inverse[-1, -1]
    errors = {name: part.standard_error for name, part in known.parameters.items()}
    assert list(map(math.isnan, errors.values())) == [True, True, True, False]
    assert errors["b"] == pytest.approx(math.sqrt(variance), rel=1e-6)
    assert errors["b"] == pytest.approx(alone.statistics.parameters["b"].standard_error, rel=1e-6)
    assert known.degrees_of_freedom == alone.statistics.degrees_of_freedom
    assert known.aic == pytest.approx(alone.statistics.aic)


def test_there_is_no_minimum_where_no_value_depends_on_a_parameter() -> None:
    found = fit("a/(1 + exp(t0 - t))", LOGISTIC, "y", {"a": 1, "t0": -800})
    assert not found.converged
    assert found.reason.endswith("here it does not depend on `t0`")


def test_a_parameter_without_effect_where_another_is_at_its_bound_is_that_of_a_fixed_one() -> None:
    decay, start = "a*exp(-k*x) + b*exp(-l*x)", {"a": 5, "k": 0.1, "b": 5, "l": 1}
    data = {"x": [1, 2, 3, 4, 5, 6], "y": [9.1, 8.2, 7.9, 6.5, 6.2, 5.4]}
    found = fit(decay, data, "y", start, bounds=dict.fromkeys(start, (0, None)))
    del start["b"]
    fixed = fit(decay, data, "y", start, fixed={"b": 0})
    assert found.point["b"] == 0
    assert (found.converged, fixed.converged) == (False, False)
    errors = [[one.statistics.parameters[name].standard_error for name in "ak"] for one in (found, fixed)]
    assert errors[0] == pytest.approx(errors[1], rel=1e-6)


@pytest.mark.parametrize("idle", ["k*max(T - 350, 0)", "where(T > T0, k*(T - T0), 0)"])
def test_parameters_that_no_value_depends_on_do_not_stop_the_search_for_others(idle: str) -> None:
    vapour = {"T": [283.15, 293.15, 303.15, 313.15, 323.15], "P": [1.228, 2.339, 4.246, 7.384, 12.352]}
    start = {"A": 19.0, "B": 5000.0}
    alone = fit("exp(A - B/T)", vapour, "P", start).point
    others = {"k": 1.0, "T0": 350.0} if "T0" in idle else {"k": 1.0}
    assert fit(f"exp(A - B/T) + {idle}", vapour, "P", start | others).point == pytest.approx(alone | others)


def test_slopes_that_begin_as_the_smallest_doubles_do_not_overflow_later() -> None:
    start, bounds = {"a": 1, "t0": -400, "s": 1}, {"t0": (-500, 500)}
    assert not fit("a/(1 + exp((t0 - t)/s))", LOGISTIC, "y", start, bounds=bounds).converged


def test_a_parameter_at_a_bound_has_no_standard_error() -> None:
    found = _line(bounds={"b": (0, 1.5)})
    assert found.point["b"] == 1.5
    held = "`b` is held at a bound, without a standard error"
    assert (found.statistics.unknown_because, found.statistics.notes) == ("", [held])
    assert math.isnan(found.statistics.parameters["b"].standard_error)
    open_ = fit("a + c + b*x", LINE, "y", {"a": 0, "b": 0, "c": 0}, bounds={"b": (0, 1.5)}).statistics
    assert open_.notes == [open_.unknown_because, held]
    assert open_.unknown_because.startswith("the data do not tell `a`, `c` apart")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"program": "x", "data": LINE, "response": "y"}, "no parameter to fit"),
        ({"program": "a + b*x", "data": LINE, "response": "z"}, "no column `z`"),
        ({"program": "a + b*x", "data": LINE, "response": "y", "start": {"a": 1}}, "no start for `b`"),
        ({"program": "a + b*x", "data": LINE, "response": "y", "start": {"q": 1}}, "`q` has a start"),
        (
            {"program": "a*x", "data": LINE, "response": "y", "start": {"a": 1}, "bounds": {"q": (0, 1)}},
            "`q` has a bound",
        ),
        ({"program": "a*x", "data": LINE, "response": "y", "start": {"a": 1}, "loss": "l1"}, "no loss `l1`"),
        (
            {"program": "a + b*x + c*x^2", "data": {"x": [1, 2], "y": [1, 2]}, "response": "y"},
            "2 rows cannot determine 3 parameters",
        ),
        ({"program": "a*x", "data": LINE, "response": "y - y"}, "the response `y - y` is the same in all rows"),
        ({"program": "a*x", "data": LINE, "response": "y", "weights": [1, 1, -1, 1, 1]}, "weights are 0 or more"),
        ({"program": "a", "data": {"y": [1], "w": [-1]}, "response": "y", "weights": "w"}, "`w` is -1 in row 1"),
        ({"program": "a*x", "data": LINE, "response": "y", "weights": "1 - x"}, "`1 - x` is -1 in row 3"),
        ({"program": "a*x", "data": LINE, "response": "y", "weights": "1/z"}, "the data has no column `z`"),
        ({"program": "a*x", "data": {"x": [1, 2], "y": [1.5e308, 1e308]}, "response": "y"}, "too large for doubles"),
    ],
)
def test_data_that_do_not_fit_the_formula_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(AutodiffError) as caught:
        fit(**arguments)
    assert message in caught.value.message


def test_a_column_may_be_the_same_in_all_rows() -> None:
    data = {**LINE, "T": [300.0] * 5}
    assert fit("a + b*x*T/300", data, "y", {"a": 0, "b": 0}).point == pytest.approx(_line().point)
    found = fit("a + b*T", data, "y", {"a": 0, "b": 0})
    assert found.statistics.unknown_because.startswith("the data do not tell `a`, `b` apart")
    model, out = _model("a*T", data), io.StringIO()
    chart(model, fitted(model, numpy.array([1.0])), "y").text(out, (80, 20))
    assert "•" in out.getvalue()


def test_a_column_of_the_response_may_be_the_same_in_all_rows() -> None:
    found = fit("a + b*x", {**LINE, "n": [10] * 5}, "y/n", {"a": 0, "b": 0})
    assert found.point == pytest.approx({name: number / 10 for name, number in _line().point.items()})


def test_the_response_may_be_a_number() -> None:
    assert fit("a + b*x - y", LINE, "0", {"a": 0, "b": 0}).point == pytest.approx(_line().point)


def test_a_program_may_name_its_result_like_the_response() -> None:
    assert fit("y = a + b*x", LINE, "y", {"a": 0, "b": 0}).point == _line().point


def test_a_column_may_be_called_like_a_constant() -> None:
    renamed = {"e": LINE["x"], "pi": LINE["y"]}
    assert fit("a + b*e", renamed, "2*pi/2", {"a": 0, "b": 0}).point == _line().point


def test_a_start_without_a_finite_value_is_refused() -> None:
    with pytest.raises(AutodiffError) as caught:
        fit("log(a*x)", {"x": [1.0, 2, 3], "y": [1.0, 2, 3]}, "y", {"a": -1})
    assert caught.value.code == NOT_FINITE


def test_evaluations_are_counted_from_all_starts() -> None:
    one, many = (fit("a*exp(b*x)", LINE, "y", {"a": 1, "b": 1}, starts=starts) for starts in (1, 2))
    assert many.evaluations > one.evaluations


def test_a_report_has_an_empty_cell_for_what_is_not_known() -> None:
    from autodiff_cli.curve_fitting.report import FitReport
    from autodiff_cli.output import write

    out = io.StringIO()
    write(FitReport(_line(bounds={"b": (0, 1.5)}), ""), "csv", out)
    assert out.getvalue().splitlines()[2].startswith("b,1.5,,")
