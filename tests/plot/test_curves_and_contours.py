"""The model behind `autodiff plot`: curves in pieces, which values are shown, and grids of gradients."""

import math
from itertools import pairwise

import pytest

from autodiff_cli import AutodiffError, evaluate, gradient, parse
from autodiff_cli.errors import NOT_FINITE
from autodiff_cli.operations import TABLE, Operation
from autodiff_cli.plot import program_sampler
from autodiff_cli.plot.axis_ticks import labels, log_labels, ticks
from autodiff_cli.plot.contour_levels import MOST_LEVELS, contour_levels
from autodiff_cli.plot.contours import ContourPlot, sample_contours
from autodiff_cli.plot.curve_pieces import visible
from autodiff_cli.plot.curves import Curve, CurvePlot, trace
from autodiff_cli.plot.program_sampler import ProgramSampler
from autodiff_cli.plot.scales import Scales
from autodiff_cli.plot.viewing_window import evenly_spaced, part_centres

INF = math.inf
HALF = math.pi / 2


def _trace(text: str, low: float = -5.0, high: float = 5.0, **given: float) -> CurvePlot:
    return trace(parse(text), given, "x", (low, high), ["x"])


def _curves(plot: CurvePlot) -> dict[str | None, Curve]:
    return {curve.wrt: curve for panel in plot.panels for curve in panel.curves}


def _ends(curve: Curve) -> list[float]:
    """The beginning and the end of each piece."""
    return [end for piece in curve.pieces for end in (piece[0][0], piece[-1][0])]


def _inner(*breaks: float) -> list[float]:
    """The ends of pieces from -5 to 5 with these breaks."""
    return [-5.0, *(place for place in breaks for _ in range(2)), 5.0]


# ---- Pieces ----------------------------------------------------------------------------------------------------------

PIECES: list[tuple[str, list[float], list[float]]] = [  # over -5 to 5: the ends of the function's and its derivative's
    ("sin(x)", _inner(), _inner()),
    ("3 + 0*x", _inner(), _inner()),
    ("exp(x)", _inner(), _inner()),
    ("sinc(x)", _inner(), _inner()),
    ("1/x", _inner(0), _inner(0)),
    ("1/(x - 0.0131)", _inner(0.0131), _inner(0.0131)),
    ("1/x^2", _inner(0), _inner(0)),
    ("1/(x - 0.0131)^2", _inner(0.0131), _inner(0.0131)),
    ("log(abs(x - 0.0131))", _inner(0.0131), _inner(0.0131)),
    ("1/(x^2 - 1)", _inner(-1, 1), _inner(-1, 1)),
    ("tan(x)", _inner(-3 * HALF, -HALF, HALF, 3 * HALF), _inner(-3 * HALF, -HALF, HALF, 3 * HALF)),
    ("gamma(x)", _inner(-4, -3, -2, -1, 0), _inner(-4, -3, -2, -1, 0)),
    ("sqrt(x)", [0, 5], [0, 5]),
    ("sqrt(x - 0.1234)", [0.1234, 5], [0.1234, 5]),
    ("sqrt(4 - x^2)", [-2, 2], [-2, 2]),
    ("sqrt(x^2 - 4)", [-5, -2, 2, 5], [-5, -2, 2, 5]),
    ("log(x)", [0, 5], [0, 5]),
    ("asin(x)", [-1, 1], [-1, 1]),
    ("x^x", [0, 5], [0, 5]),
    ("floor(x)", _inner(*range(-4, 5)), _inner(*range(-4, 5))),
    ("round(x)", _inner(-4.5, -3.5, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5, 4.5), _inner(*(i - 4.5 for i in range(10)))),
    ("x % 1", _inner(*range(-4, 5)), _inner(*range(-4, 5))),
    ("abs(x)", _inner(), _inner(0)),
    ("abs(x - 0.0131)", _inner(), _inner(0.0131)),
    ("max(x, 1)", _inner(), _inner(1)),
    ("sign(x)", _inner(0), _inner(0)),
    ("x/abs(x)", _inner(0), _inner(0)),
    ("atan(1/x)", _inner(0), _inner(0)),
    ("where(x > 0.3, x, x - 1)", _inner(0.3), _inner(0.3)),
    ("where(x > 0.3, x^2, 0.6*x - 0.09)", _inner(), _inner()),
    ("where(x == 0, 5, x)", _inner(0), _inner(0)),
    ("cbrt(x)", _inner(), _inner(0)),
    ("x*log(abs(x))", _inner(), _inner(0)),
    ("sin(x)/x", _inner(), _inner()),
    ("(x^2 - 1)/(x - 1)", _inner(), _inner()),
    ("(1 - cos(x))/x^2", _inner(), _inner()),
    ("x*sin(1/x)", _inner(), _inner(0)),
    ("tanh(1000*x)", _inner(), _inner()),
    ("sin(x)^2 + cos(x)^2", _inner(), _inner()),
]


@pytest.mark.parametrize(("text", "function", "derivative"), PIECES)
def test_pieces_end_where_the_function_breaks_and_where_its_derivative_does(
    text: str, function: list[float], derivative: list[float]
) -> None:
    curves = _curves(_trace(text))
    assert _ends(curves[None]) == pytest.approx(function, abs=1e-14)
    assert _ends(curves["x"]) == pytest.approx(derivative, abs=1e-14)


@pytest.mark.parametrize(("text", "edge"), [("sqrt(x - 0.1234)", 0.1234), ("acos(x/3)", -3.0), ("log(x - 2)", 2.0)])
def test_a_piece_reaches_the_very_last_double_of_the_domain(text: str, edge: float) -> None:
    start = _curves(_trace(text))[None].pieces[0][0][0]
    assert start == pytest.approx(edge, abs=1e-15)
    assert math.isfinite(evaluate(text, {"x": start}))
    assert not math.isfinite(evaluate(text, {"x": math.nextafter(start, -INF)}))


def test_both_sides_of_a_jump_are_neighbours() -> None:
    first, second = _curves(_trace("where(x > 0.3, x, x - 1)"))[None].pieces
    assert first[-1] == pytest.approx((0.3, -0.7))
    assert second[0] == pytest.approx((0.3, 0.3))
    assert second[0][0] == math.nextafter(first[-1][0], INF)


def test_a_single_place_without_a_value_brings_no_noise_with_it() -> None:
    """Close to 0 the formula gives 0, and 1 further away, from rounding alone; its limit is one half."""
    (piece,) = _curves(_trace("(1 - cos(x))/x^2"))[None].pieces
    assert all(0.49 < y < 0.5 + 1e-6 for x, y in piece if abs(x) < 0.1)
    (piece,) = _curves(_trace("(1 - cos(x))/x^2", low=0.0))[None].pieces
    assert piece[0] == pytest.approx((0.0, 0.5))


@pytest.mark.slow
@pytest.mark.parametrize("text", ["sin(960*pi*x)", "sin(40*pi*x)", "2 + sin(40*pi*x) - 2", "4*abs(40*x % 1 - 0.5) - 1"])
def test_an_oscillation_in_step_with_the_samples_is_seen_all_the_same(text: str) -> None:
    (piece,) = _curves(_trace(text))[None].pieces
    assert min(y for _, y in piece) < -0.9
    assert max(y for _, y in piece) > 0.9


def test_an_endless_oscillation_comes_to_an_end() -> None:
    curve = _curves(_trace("sin(1/x)"))[None]
    assert sum(map(len, curve.pieces)) < 30_000
    assert [len(curve.pieces), curve.pieces[0][-1][0]] == [2, pytest.approx(0, abs=1e-14)]


def test_slow_functions_are_sampled_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    samples, sample = [], ProgramSampler.__call__
    monkeypatch.setattr(ProgramSampler, "__call__", lambda self, x: samples.append(x) or sample(self, x))
    _trace("acos(sin(9*acosh(hypot(1, lgamma(x)))))", -9, 9)
    assert 200 < len(samples) < 5000


def test_a_curve_bends_where_it_has_samples() -> None:
    """Halfway between two samples it is no further from their line than a pixel."""
    for text in ("sin(x)", "x^2*sin(x)", "1/(x^2 + 0.01)", "exp(-x^2)", "sqrt(x)"):
        (panel, *_) = _trace(text).panels
        height = panel.window[1] - panel.window[0]
        for piece in panel.curves[0].pieces:
            for (x, y), (to_x, to_y) in pairwise(piece):
                middle = evaluate(text, {"x": (x + to_x) / 2})
                assert abs(middle - (y + to_y) / 2) < height / 400, (text, x)


# ---- The engine's numbers --------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "operation", [operation for operation in TABLE if operation.example], ids=lambda operation: operation.name
)
def test_a_drawn_derivative_is_the_gradient(operation: Operation) -> None:
    program = parse(operation.example)
    if not program.inputs:
        return
    name, *others = program.inputs
    given = dict.fromkeys(others, 1.3)
    plot = trace(program, given, name, (-2.7, 3.1), [name], 20)
    for curve in _curves(plot).values():
        for piece in curve.pieces:
            for x, y in piece[:: max(1, len(piece) // 15)]:
                point = {**given, name: x}
                true = evaluate(program, point) if curve.wrt is None else gradient(program, point)[name]
                assert y == true or not math.isfinite(true)


def test_derivatives_with_respect_to_other_names_go_along_the_range() -> None:
    program = parse("n = a*x; o = tanh(n + b)")
    plot = trace(program, {"a": 2, "b": 1}, "x", (-1.0, 1.0), ["b", "n", "x"])
    curves = _curves(plot)
    assert list(curves) == [None, "b", "n", "x"]
    for name in ("b", "n", "x"):
        x, y = curves[name].pieces[0][50]
        assert y == gradient(program, {"a": 2, "b": 1, "x": x}, [name])[name]


def test_what_the_range_does_not_reach_is_computed_once() -> None:
    program = parse("a^2 + b*x")
    (piece,) = _curves(trace(program, {"a": 3, "b": 2}, "x", (0.0, 1.0), ["x"]))[None].pieces
    assert [piece[0], piece[-1]] == [(0.0, 9.0), (1.0, 11.0)]


@pytest.mark.parametrize("factor", ["gamma(x)", "x^2"])
def test_slopes_that_are_limits_are_found_at_every_sample(factor: str) -> None:
    sampler = ProgramSampler(parse(f"sqrt(y)*sqrt(y)*{factor}"), {"y": 0.0}, {"x": (1.0, 4.0)}, ["y"])
    for sample in range(300):
        x = 1 + sample / 100
        assert sampler(x)[1] == pytest.approx(evaluate(factor, {"x": x}))


def test_slopes_are_sought_as_limits_until_that_is_too_much_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program_sampler, "LIMIT_SECONDS", 0.002)
    sampler = ProgramSampler(parse("sqrt(gamma(1 + y) - 1)^2*x"), {"y": 0.0}, {"x": (1.0, 4.0)}, ["y"])
    slopes = [sampler(2.0 + sample / 100)[1] for sample in range(300)]
    assert slopes[0] == pytest.approx(-2 * 0.5772156649015329)
    assert 2 <= sum(map(math.isfinite, slopes)) < 300


def test_a_derivative_that_is_nowhere_defined_is_reported() -> None:
    plot = trace(parse("x + sqrt(y)*0"), {"y": 0}, "x", (0.0, 1.0), ["x", "y"])
    assert plot.undrawn == {}
    plot = trace(parse("x + sqrt(y)"), {"y": 0}, "x", (0.0, 1.0), ["x", "y"])
    assert plot.undrawn == {"y": "is nowhere finite"}
    assert list(_curves(plot)) == [None, "x"]


def test_a_derivative_that_a_logarithmic_axis_cannot_show_is_reported_as_such() -> None:
    plot = trace(parse("exp(-x) + sqrt(y)"), {"y": 0}, "x", (0.0, 9.0), ["x", "y"], scales=Scales(y=True))
    assert plot.undrawn == {"x": "is nowhere above 0, as a logarithmic axis needs it", "y": "is nowhere finite"}
    assert list(_curves(plot)) == [None]


@pytest.mark.parametrize("text", ["log(-x^2)", "x^x + sqrt(-x)", "x + nan", "1.7e308 + 0*x", "-1.7e308*cosh(x/10)"])
def test_nothing_to_draw_is_an_error(text: str) -> None:
    with pytest.raises(AutodiffError, match=r"infinite or beyond 1e300 with x from 0\.5 to 1") as raised:
        _trace(text, 0.5, 1.0)
    assert raised.value.code == NOT_FINITE


@pytest.mark.parametrize(
    "ends", [(1.0, 1.0 + 4e-16), (1e-320, 1e-319), (-4e299, 4e299), (1e16, 1e16 + 64), (0.0, 1e-300)]
)
def test_ranges_at_the_ends_of_double_precision_are_drawn(ends: tuple[float, float]) -> None:
    for text in ("2*x + 1", "sin(x)", "abs(x)", "floor(x)"):
        for curve in _curves(_trace(text, *ends)).values():
            for piece in curve.pieces:
                assert all(x < to_x for (x, _), (to_x, _) in pairwise(piece))


def test_values_near_the_largest_double_are_left_out() -> None:
    plot = _trace("x + 1.7e308*(x > 0)", -1.0, 1.0)
    assert all(x <= 0 for piece in _curves(plot)[None].pieces for x, _ in piece)
    with pytest.raises(AutodiffError, match="beyond 1e300"):
        sample_contours(parse("1e301 + x*y"), {}, {"x": (0.0, 1.0), "y": (0.0, 1.0)}, ([0.5], [0.5]), ([], []))


# ---- What is shown ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["tan(x)", "1/x", "1/(x^2 - 1)", "sec(x)", "1/x^2", "gamma(x)", "1/(x - 0.0131)"])
def test_poles_leave_the_window_and_do_not_set_it(text: str) -> None:
    (panel,) = _trace(text).panels
    low, high = panel.window
    assert high - low < 60
    values = [y for piece in panel.curves[0].pieces for _, y in piece]
    assert max(map(abs, values)) > 1e6


@pytest.mark.parametrize("text", ["tan(x)", "sec(x)", "tan(x)^2", "1/cbrt(sin(x))", "1/cos(x/2)"])
@pytest.mark.parametrize("half", [1, 2])
def test_a_pole_between_doubles_is_one_where_a_sample_meets_it(text: str, half: int) -> None:
    """As that of tan(x) at the double next to pi/2, where its value is 1.6e16."""
    (panel, *_) = _trace(text, -half * math.pi / 2, half * math.pi / 2).panels
    low, high = panel.window
    assert high - low < 2000


@pytest.mark.parametrize(
    "text",
    [
        "1/(x^2 + 1e-4)",
        "exp(-1e4*x^2)",
        "1e9*exp(-(1e4*x)^2)",
        "1/(x^2 + 1e-9)",
        "x^9",
        "where(x > 4.9, 1, 0)",
        "exp(100*x)",
    ],
)
def test_a_function_without_a_pole_is_shown_whole(text: str) -> None:
    panel = _trace(text).panels[0]
    low, high = panel.window
    assert all(low <= y <= high for piece in panel.curves[0].pieces for _, y in piece)


def test_curves_share_a_panel_unless_one_would_be_flat_in_it() -> None:
    def shared(text: str) -> list[list[str | None]]:
        return [[curve.wrt for curve in panel.curves] for panel in _trace(text).panels]

    assert shared("sin(x)") == shared("exp(x)") == shared("tan(x)") == shared("2*x + 1") == [[None, "x"]]
    assert shared("x^2 + 1000") == shared("exp(100*x)") == shared("sin(x)/100 + x") == [[None], ["x"]]


def test_rounding_does_not_make_a_landscape_of_a_constant() -> None:
    (panel,) = _trace("sin(x)^2 + cos(x)^2").panels
    assert panel.window[1] - panel.window[0] > 0.5
    (panel,) = _trace("1e15 + 0*x").panels
    assert panel.window[1] - panel.window[0] > 1e13


def test_a_clipped_curve_reaches_the_edge_of_the_window() -> None:
    piece = [(0.0, 0.0), (1.0, 10.0), (2.0, 0.0), (3.0, -10.0), (4.0, 1.0)]
    assert list(visible(piece, (-5.0, 5.0))) == [
        [(0.0, 0.0), (0.5, 5.0)],
        [(1.5, 5.0), (2.0, 0.0), (2.5, -5.0)],
        [(3 + 5 / 11, -5.0), (4.0, 1.0)],
    ]
    assert list(visible([(0.0, -9.0), (1.0, 9.0)], (-4.5, 4.5))) == [[(0.25, -4.5), (0.75, 4.5)]]
    assert list(visible([(0.0, 6.0), (1.0, 1e308), (2.0, 7.0)], (-5.0, 5.0))) == []


def test_marks_are_round_numbers_with_the_same_digits() -> None:
    assert labels(ticks((-1.1, 1.1), 6)) == ["-1.0", "-0.5", "0.0", "0.5", "1.0"]
    assert labels(ticks((0.0, 47.0), 5)) == ["0", "10", "20", "30", "40"]
    assert labels(ticks((0.0, 4.2e7), 5)) == ["0", "1e7", "2e7", "3e7", "4e7"]
    assert labels(ticks((0.0, 3.5e-7), 4)) == ["0", "1e-7", "2e-7", "3e-7"]
    assert labels(ticks((1e6, 1e6 + 2), 3)) == ["1000000", "1000001", "1000002"]
    assert labels([1 - 2**-44, 1.0]) == ["0.99999999999994", "1.00000000000000"]
    assert ticks((0.1, 0.7), 3) == [0.2, 0.4, 0.6]
    assert labels(ticks((-4.9, 4.9), 3)) == ["-4", "-2", "0", "2", "4"]
    assert all(
        len(ticks((low / 7, high / 9), most)) > 1 for low in range(20) for high in range(30, 50) for most in (1, 3)
    )


# ---- Two ranges ------------------------------------------------------------------------------------------------------


def _survey(text: str, count: int = 21, low: float = -2.0, high: float = 2.0) -> ContourPlot:
    over = {"x": (low, high), "y": (low, high)}
    places = evenly_spaced((low, high), count), evenly_spaced((low, high), count)
    return sample_contours(parse(text), {}, over, places, (part_centres((low, high), 5), part_centres((low, high), 5)))


def test_a_field_has_the_values_and_gradients_of_the_program() -> None:
    text = "x^2*y + sin(y)"
    field = _survey(text)
    assert (field.xs[0], field.xs[-1], len(field.values), len(field.arrows)) == (-2.0, 2.0, 21, 25)
    assert field.values[3][17] == evaluate(text, {"x": field.xs[17], "y": field.ys[3]})
    for arrow in field.arrows:
        slopes = gradient(text, {"x": arrow.x, "y": arrow.y})
        assert (arrow.across, arrow.up) == (4 * slopes["x"], 4 * slopes["y"])  # per width of 4


def test_a_field_is_empty_where_nothing_is_defined() -> None:
    field = _survey("log(x*y)")
    for row, y in zip(field.values, field.ys, strict=True):
        for value, x in zip(row, field.xs, strict=True):
            assert math.isnan(value) == (x * y <= 0)
    assert all(arrow.x * arrow.y > 0 for arrow in field.arrows)
    with pytest.raises(AutodiffError, match="infinite or beyond 1e300 with x from -2 to 2, y from -2 to 2"):
        _survey("log(-x^2 - y^2)")


@pytest.mark.parametrize(
    "text", ["sin(x)*cos(y)", "100*(y - x^2)^2 + (1 - x)^2", "1/(x*y)", "x + 0*y", "exp(20*x*y)", "floor(x + y)"]
)
def test_levels_are_round_and_part_the_values(text: str) -> None:
    field = _survey(text, 40)
    assert 1 < len(field.levels) <= MOST_LEVELS
    assert field.levels == sorted(set(field.levels))
    assert all(float(f"{level:.2g}") == level for level in field.levels)
    shares = [field.band(value) for operation in field.values for value in operation if math.isfinite(value)]
    assert max(map(shares.count, set(shares))) < 0.36 * len(shares)


def test_a_constant_has_no_levels() -> None:
    assert contour_levels([3.0] * 10) == contour_levels([1.0, 1.0 + 1e-15]) == []


def test_levels_increase_even_where_rounding_makes_steps_equal() -> None:
    assert contour_levels([0.0, 1.0, 1.0 + 1e-9, 1.0 + 2e-9, 2.0]) == [0.5, 1.0, 1.5]
    assert contour_levels([1 / 3, 1 / 3 + 1e-9]) == []
    assert _survey("3 + 0*x*y").band(3.0) == 0


def test_a_steep_arrow_is_longer_but_none_is_lost() -> None:
    field = _survey("x^4 + y^4")
    lengths = [field.length(arrow) for arrow in sorted(field.arrows, key=lambda arrow: arrow.size)]
    assert lengths == sorted(lengths)
    assert lengths[0] == 0.0  # in the middle, where it is flat
    assert 0.3 < lengths[1] < lengths[-1] == 1.0


@pytest.mark.slow
def test_contours_of_slow_functions_are_drawn_from_fewer_values() -> None:
    over = {"x": (1.0, 3.0), "y": (1.0, 2.0)}
    places = evenly_spaced(over["x"], 640), evenly_spaced(over["y"], 480)
    plot = sample_contours(parse("trigamma(x*y)"), {}, over, places, places)
    assert len(plot.xs) * len(plot.ys) < 5000 > len(plot.arrows)
    assert (plot.xs[0], plot.xs[-1], plot.ys[0], plot.ys[-1]) == (1, 3, 1, 2)
    assert [len(row) for row in plot.values] == [len(plot.xs)] * len(plot.ys)


def test_an_input_that_the_formula_lacks_changes_nothing() -> None:
    sampler = ProgramSampler(parse("x^2"), {}, {"x": (0, 1), "y": (0, 1)}, ["x", "y"])
    assert sampler(3.0, 7.0) == (9.0, 6.0, 0.0)


def test_a_logarithmic_axis_ends_at_the_largest_doubles() -> None:
    assert log_labels([0.0, 308.0, 309.0]) == ["1", "1e308", "1e308"]


def test_a_pole_that_there_are_no_samples_left_to_locate_is_a_gap() -> None:
    plot = trace(parse("gamma(x)"), {}, "x", (-4.5, 5.0), ["x"])
    assert not [piece for piece in plot.curves[0].pieces if piece[0][0] < 0 < piece[-1][0]]


def test_a_curve_that_crosses_a_low_window_again_and_again_has_no_gaps() -> None:
    plot = trace(parse("1e6*sin(300*x)"), {}, "x", (-1.0, 1.0), ["x"], values=(-1.0, 1.0))
    (piece,) = plot.curves[0].pieces
    assert (piece[0][0], piece[-1][0]) == (-1.0, 1.0)
