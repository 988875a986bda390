"""The drawings of `autodiff plot`: characters in the terminal, and pictures in files."""

import io
import math
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import console
import pytest
from places import ROOT

pytest.importorskip("matplotlib", reason='pictures need: pip install "autodiff-cli[plot]"')
pytest.importorskip("plotext", reason='plots in the terminal need: pip install "autodiff-cli[plot]"')

import matplotlib
from drawn import contrast
from matplotlib import font_manager, rcParams
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.font_manager import FontEntry
from PIL import Image
from places import BLOCK

from autodiff_cli import AutodiffError, parse
from autodiff_cli.cli import group
from autodiff_cli.errors import MISSING_PACKAGE, Notice
from autodiff_cli.plot import (
    figure_contours,
    figure_curves,
    fonts,
    terminal_chart,
    terminal_contours,
    terminal_curves,
)
from autodiff_cli.plot.axis_ticks import log_labels, log_ticks
from autodiff_cli.plot.captions import caption
from autodiff_cli.plot.chart import Chart, ChartPanel, ChartSeries
from autodiff_cli.plot.contours import ContourPlot, sample_contours
from autodiff_cli.plot.curve_pieces import visible
from autodiff_cli.plot.curves import MOST_DERIVATIVES, CurvePlot, together, trace, with_tangent
from autodiff_cli.plot.drawable import chart_drawing
from autodiff_cli.plot.figure import LINE_COLOURS, FigureLook, encoded, settings
from autodiff_cli.plot.scales import Scales
from autodiff_cli.plot.tornado import Tornado, tornado_drawing
from autodiff_cli.terminal.printable_text import columns

AUTODIFF = [sys.executable, "-m", "autodiff_cli"]
LINE = {chr(code) for code in range(0x2801, 0x2900)}
"""the characters that a thin line is made of"""
HOSTILE = '$x^2$<script>"1&2"</script>'


def _plot(text: str, low: float = -5.0, high: float = 5.0) -> CurvePlot:
    return trace(parse(text), {}, "x", (low, high), ["x"])


def _screen(plot: CurvePlot, columns: int = 80, rows: int = 23) -> list[str]:
    out = io.StringIO()
    terminal_curves.write(plot, out, (columns, rows))
    return out.getvalue().splitlines()


def _canvas(lines: list[str]) -> list[str]:
    """The part of a drawing inside the frame."""
    return [re.split("[│┤├]", line)[1] for line in lines if re.search("[│┤├].*[│┤├]", line)]


def _field(text: str, on_screen: bool = False, **ranges: tuple[float, float]) -> ContourPlot:
    over = ranges or {"x": (-2.0, 2.0), "y": (-2.0, 2.0)}
    grid = terminal_contours.grid(over, (80, 23)) if on_screen else figure_contours.grid(over)
    return sample_contours(parse(text), {}, over, *grid)


def _map(field: ContourPlot) -> list[str]:
    out = io.StringIO()
    terminal_contours.write(field, out, (80, 23))
    return out.getvalue().splitlines()


def _run(*words: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    kept = {
        name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES")
    }
    return subprocess.run(
        [*AUTODIFF, "plot", *words], env=kept | environment, capture_output=True, timeout=60, check=False
    )


# ---- In the terminal -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("columns", "rows"), [(80, 23), (40, 12), (120, 40), (200, 15)])
@pytest.mark.parametrize("text", ["sin(x)", "tan(x)", "exp(100*x)", "1e-7*x", "x + 123456789"])
def test_a_drawing_fills_the_terminal_and_no_more(text: str, columns: int, rows: int) -> None:
    lines = _screen(_plot(text), columns, rows)
    assert max(map(len, lines)) == columns
    assert rows - 1 <= len(lines) <= max(rows, 18)  # two panels have a least height


@pytest.mark.slow
def test_a_drawing_in_a_pipe_has_the_size_of_columns_and_lines_and_no_codes() -> None:
    done = _run("sin(x)", "--over", "x=-1:1", COLUMNS="100", LINES="30")
    lines = done.stdout.decode().splitlines()
    assert (max(map(len, lines)), len(lines)) == (100, 29)
    assert b"\x1b" not in done.stdout
    assert b"\x1b[32m" in _run("sin(x)", "--over", "x=-1:1", FORCE_COLOR="1").stdout
    assert b"\x1b[32m" not in _run("sin(x)", "--over", "x=-1:1", FORCE_COLOR="1", NO_COLOR="1").stdout


def test_two_curves_are_told_apart_without_colours() -> None:
    drawing = "\n".join(_screen(_plot("sin(x)")))
    assert drawing.splitlines()[0].split() == ["⠒⠒⠒", "sin(x)", "•••", "d/dx", "x", "from", "-5", "to", "5"]
    assert drawing.count("•") > 50
    assert len(re.findall("[⠁-⣿]", drawing)) > 50


def test_curves_that_coincide_are_both_seen() -> None:
    assert any(re.search("(•[⠁-⣿]){8}", line) for line in _screen(_plot("exp(x)")))


def test_a_pole_a_jump_and_an_edge_are_gaps() -> None:
    """In no column the function goes all the way from the top to the bottom."""
    for text in ("1/x", "tan(x)", "floor(x)", "x/abs(x)", "1/(x^2 - 1)"):
        lines = _canvas(_screen(_plot(text), 120, 40))
        heights = [sum(line[place] in LINE for line in lines) for place in range(len(lines[0]))]
        assert 0 < max(heights) < len(lines) - 4, text


def test_nothing_is_drawn_outside_of_the_domain() -> None:
    lines = _canvas(_screen(_plot("sqrt(x)")))
    assert not {*LINE, "•"} & set("".join(line[: len(line) // 2 - 1] for line in lines))
    assert {*LINE, "•"} & set("".join(line[len(line) // 2 :] for line in lines))


def test_each_derivative_has_its_own_mark() -> None:
    program = parse("a*sin(x) + b*x + c")
    plot = trace(program, {"a": 2, "b": 1, "c": 0}, "x", (-3.0, 3.0), ["a", "b", "c", "x"])
    legend = _screen(plot)[0]
    assert [part for part in legend.split() if "/" in part or part in ("•••", "×××", "○○○", "◇◇◇")] == [
        *("•••", "∂/∂a", "×××", "∂/∂b", "○○○", "∂/∂c", "◇◇◇", "∂/∂x")
    ]


def test_a_map_shows_bands_levels_and_the_way_uphill() -> None:
    field = _field("x^2 + y^2", on_screen=True)
    lines = _map(field)
    canvas = _canvas(lines)
    assert {len(line) for line in lines[1:20]} == {80}
    rows = [line for line in canvas if set(line) & set("→↗↑↖←↙↓↘")]
    assert {"↑", "↓", "→", "←"} <= set("".join(rows))
    assert "↖" in rows[0][:20] and "↑" in rows[0] and "↗" in rows[0][-20:]
    assert "↙" in rows[-1][:20] and "↓" in rows[-1] and "↘" in rows[-1][-20:]
    assert canvas[0][0] == canvas[-1][-1] == "@"
    assert ".." in canvas[len(canvas) // 2]
    marks = lines[-1].split()
    assert [float(level) for level in marks[1::2]] == field.levels
    assert marks[0] == ".." and marks[-1] == "@@"


def test_a_map_is_blank_where_there_is_no_value() -> None:
    canvas = _canvas(_map(_field("log(x*y)", on_screen=True)))
    assert not canvas[0][: len(canvas[0]) // 2 - 1].strip()
    assert canvas[0][-20:].strip()


def test_an_output_without_unicode_gets_ascii() -> None:
    for ranges in (("x=-1:1",), ("x=-1:1", "y=-1:1")):
        formula = "sin(x)" + "*y" * (len(ranges) - 1)
        done = _run(formula, "--over", *ranges, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
        assert done.returncode == 0
        assert done.stdout.isascii()
        assert b"\\u" not in done.stdout


def test_the_bands_of_a_map_differ_in_ascii_too() -> None:
    done = _run("x*y", "--over", "x=-1:1", "y=-1:1", "--size", "60x12", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    marks = done.stdout.decode("ascii").splitlines()[-1].split()[::2]
    assert len(set(marks)) == len(marks) == 8


def test_wide_letters_and_long_names_keep_the_drawing_in_shape() -> None:
    for name in ("变量", "n" * 3000, "e\u0301té"):
        done = _run(f"{name}^2", "--over", f"{name}=-1:1")
        assert done.returncode == 0
        assert all(columns(line) <= 80 for line in done.stdout.decode().splitlines())


# ---- Figures ---------------------------------------------------------------------------------------------------------


def _lines(plot: CurvePlot) -> list[list[Any]]:
    """The curves' lines of each panel, without the line at zero."""
    with settings():
        made = figure_curves.figure(plot)
    return [[line for line in axes.lines if line.get_linewidth() > 1] for axes in made.axes]


@pytest.mark.slow
@pytest.mark.parametrize("text", ["tan(x)", "1/x", "floor(x)", "sqrt(x^2 - 4)", "gamma(x)", "x/abs(x)"])
def test_a_line_has_gaps_between_its_pieces_and_stays_in_the_window(text: str) -> None:
    plot = _plot(text)
    (panel,) = plot.panels
    for curve, line in zip(panel.curves, _lines(plot)[0], strict=True):
        xs, ys = map(list, line.get_data())
        assert all(panel.window[0] <= y <= panel.window[1] for y in ys if not math.isnan(y))
        shown = [part for piece in curve.pieces for part in visible(piece, panel.window)]
        starts = [0] + [place + 1 for place, x in enumerate(xs) if math.isnan(x)]
        assert [(xs[start], ys[start]) for start in starts[:-1]] == [part[0] for part in shown]
        assert len(shown) > 1 or len(curve.pieces) == 1


def test_as_many_curves_as_there_may_be_differ_in_colours_dashes_and_marks() -> None:
    names = ["a", "b", "c", "d", "f", "x"]
    assert len(names) == MOST_DERIVATIVES
    plot = trace(parse("a + b*2 + c*3 + d*4 + f*5 + 6*x"), dict.fromkeys(names[:-1], 1.0), "x", (-3.0, 3.0), names)
    lines = [line for panel in _lines(plot) for line in panel]
    assert len({line.get_color() for line in lines}) == len({str(line._dash_pattern) for line in lines}) == 7
    legend = " ".join(line for line in _screen(plot, 120) if "/" in line)
    assert len(set(re.findall(r"(\S)\1\1 ∂", legend))) == MOST_DERIVATIVES


def test_a_picture_has_labels() -> None:
    with settings():
        made = figure_curves.figure(trace(parse("y = θ^2*c"), {"c": 2}, "θ", (0.0, 1.0), ["θ"]))
    (axes,) = made.axes
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["y", "∂y/∂θ"]
    assert axes.get_xlabel() == "θ"
    assert (axes.get_xlim(), axes.get_ylim()) == ((0.0, 1.0), pytest.approx((-0.2, 4.2)))


@pytest.mark.parametrize("size", [(300, 200), (400, 300)])
def test_a_legend_fits_a_narrow_picture(size: tuple[int, int]) -> None:
    plot = trace(parse("exp(x^2*sin(x)/(1 + x^2) + 1)*cos(x)"), {}, "x", (-5.0, 5.0), ["x"])
    with settings():
        made = figure_curves.figure(with_tangent(plot, {}, 1.0), size)
        made.draw_without_rendering()
    (axes,) = made.axes
    legend = axes.get_legend()
    assert legend is not None
    assert legend.get_window_extent().x0 >= 0
    assert axes.get_window_extent().width > size[0] / 2


def test_panels_are_drawn_below_one_another() -> None:
    assert [len(lines) for lines in _lines(_plot("exp(100*x)"))] == [1, 1]


def test_points_of_a_chart_lie_above_its_lines_and_bands() -> None:
    xs, zeros, ones, out = range(11), [0.0] * 11, [1.0] * 11, io.StringIO()
    lines = ChartSeries("fit", xs, zeros), ChartSeries("band", xs, zeros, "band", ones)
    points = ChartSeries("data", xs, zeros, "points")
    terminal_chart.write(Chart("0*x", [ChartPanel([points, *lines], "x", "y")]), out, (80, 20))
    assert out.getvalue().count("•") == 1 + len(xs)


def test_a_chart_leaves_out_what_is_too_large_to_draw() -> None:
    xs, out = [0.0, 1.0, 2.0], io.StringIO()
    kinds = [ChartSeries("data", xs, [1.0, 2.0, 1e307], "points"), ChartSeries("draws", [*xs, 3e307], xs, "histogram")]
    terminal_chart.write(Chart("x", [ChartPanel([series], "x", "y") for series in kinds]), out, (80, 30))
    assert out.getvalue().count("•") == 2


@pytest.mark.parametrize("ends", [(1e308, -1e308), (1e301, math.nan), (0.5, 1e301)])
def test_a_bar_whose_end_is_too_large_to_draw_ends_at_the_centre(ends: tuple[float, float]) -> None:
    chart, out = Tornado("x", 1.0, ["a", "b"], [0.0, ends[0]], [2.0, ends[1]]), io.StringIO()
    assert [bar[1:] for bar in chart.drawn] == [(0.0, 2.0), (0.5, 1.0)][: 1 + (ends[0] == 0.5)]
    tornado_drawing(chart).text(out, (80, 20))
    assert tornado_drawing(chart).picture("svg").startswith(b"<?xml")
    assert not replace(chart, centre=-1.2e308).drawn


def test_contours_are_drawn_in_a_terminal_of_any_size() -> None:
    for width, height in ((1, 1), (20, 5), (20, 23), (200, 3)):
        out, over = io.StringIO(), {"x": (0.0, 1.0), "y": (0.0, 1.0)}
        field = sample_contours(parse("sin(x)*y"), {}, over, *terminal_contours.grid(over, (width, height)))
        terminal_contours.write(field, out, (width, height))
        assert "uphill" in out.getvalue().replace("\n", "")


def test_contours_fill_the_frame_where_a_long_legend_changes_the_numbers_at_its_side() -> None:
    out, over = io.StringIO(), {"x": (0.0, 1.0), "y": (0.0, 1.0)}
    field = sample_contours(parse("1000*x^2 + 1e5*y^4"), {}, over, *terminal_contours.grid(over, (40, 45)))
    terminal_contours.write(field, out, (40, 45))
    canvas = _canvas(out.getvalue().splitlines())
    assert len(canvas[0]) == len(field.xs) + 1
    assert not any(line.endswith(" ") for line in canvas if not set(line) & set("→↗↑"))


def test_contours_leave_out_what_is_undefined() -> None:
    field = _field("log(x*y)")
    with settings():
        made = figure_contours.figure(field)
    (axes,) = made.axes
    (bar,) = axes.child_axes
    bands, arrows = axes.collections[0], axes.collections[-1]
    assert bands.levels[1:-1].tolist() == field.levels
    corners = [vertex for path in bands.get_paths() for vertex in path.vertices]
    assert all(x * y >= 0 for x, y in corners)
    assert (arrows.X * arrows.Y > 0).all()
    assert [float(text.get_text().replace("−", "-")) for text in bar.get_yticklabels()] == field.levels


@pytest.mark.parametrize("size", [(1000, 400), (800, 800), (300, 900)])
def test_contours_and_a_bar_of_their_height_are_in_the_middle(size: tuple[int, int]) -> None:
    with settings():
        made = figure_contours.figure(_field("x + y"), size)
        made.draw_without_rendering()
    axes, bar = made.axes[0], made.axes[0].child_axes[0]
    box, beside = axes.get_window_extent(), bar.get_window_extent()
    assert (beside.y0, beside.y1) == pytest.approx((box.y0, box.y1))
    drawn = axes.get_tightbbox()
    margins = drawn.x0, size[0] - drawn.x1, drawn.y0, size[1] - drawn.y1
    assert margins[0] == pytest.approx(margins[1], abs=0.1 * size[0])
    assert margins[2] == pytest.approx(margins[3], abs=0.1 * size[1])


def test_arrows_point_to_where_the_picture_rises() -> None:
    with settings():
        arrows = figure_contours.figure(_field("x + y")).axes[0].collections[-1]
    assert arrows.U.tolist() == pytest.approx(arrows.V.tolist())
    assert [math.hypot(*arrow) for arrow in zip(arrows.U, arrows.V, strict=True)] == pytest.approx(
        [1.0] * len(arrows.U)
    )
    with settings():
        made = figure_contours.figure(_field("x + y", x=(-2.0, 2.0), y=(-20.0, 20.0)))
    arrows = made.axes[0].collections[-1]  # 10 times as much per height as per width, of a picture 760 to 600
    assert (arrows.V / arrows.U).tolist() == pytest.approx([10 * 760 / 600] * len(arrows.U))


def test_contours_are_drawn_where_no_gradient_is_finite() -> None:
    field = _field("1e5*sin(8e307*x) + y")
    assert not field.arrows
    assert b"<svg" in _encoded(figure_contours.figure, field, "svg")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_a_picture_is_the_same_each_time(kind: str) -> None:
    plot, field = _plot("tan(x)"), _field("sin(x)*cos(y)")
    first = _encoded(figure_curves.figure, plot, kind), _encoded(figure_contours.figure, field, kind)
    with matplotlib.rc_context({"lines.linewidth": 9.0, "svg.hashsalt": "other", "font.size": 20.0}):
        second = _encoded(figure_curves.figure, plot, kind), _encoded(figure_contours.figure, field, kind)
    assert first == second
    assert b"atplotlib" not in first[0].replace(b"matplotlib.axis", b"").replace(b"DejaVu", b"") or kind == "svg"


@pytest.mark.slow
def test_hostile_labels_are_text_in_a_picture() -> None:
    plot = _plot("sin(x)")
    (panel,) = plot.panels
    curves = [replace(curve, program=replace(curve.program, output_name=HOSTILE)) for curve in panel.curves]
    plot = replace(plot, panels=[replace(panel, curves=curves)], name="_x$")
    texts = _texts(_encoded(figure_curves.figure, plot, "svg"))
    assert HOSTILE in texts
    assert "_x$" in texts
    field = _field("x*y")
    field = replace(field, program=replace(field.program, output_name=HOSTILE))
    assert HOSTILE in _texts(_encoded(figure_contours.figure, field, "svg"))
    for kind in ("png", "pdf"):
        assert _encoded(figure_curves.figure, plot, kind)
        assert _encoded(figure_contours.figure, field, kind)


def _encoded(draw: Callable[..., Figure], plot: CurvePlot | ContourPlot, kind: str, *size: tuple[int, int]) -> bytes:
    return encoded(lambda: draw(plot, *size), kind)


def _texts(svg: bytes) -> list[str]:
    """The texts in a picture."""
    root = ElementTree.fromstring(svg)  # noqa: S314  # made here
    assert not root.findall(".//{*}script")
    return ["".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text")]


def test_the_size_of_a_picture_is_in_pixels() -> None:
    data = _encoded(figure_curves.figure, _plot("sin(x)"), "png", (640, 320))
    assert [int.from_bytes(data[at : at + 4], "big") for at in (16, 20)] == [640, 320]


@pytest.mark.slow
def test_a_picture_has_no_part_in_pyplot() -> None:
    script = (
        "import sys; from autodiff_cli.cli import group;"
        "group.main(['plot', 'sin(x)', '--over', 'x=0:1', '--to', 'png'], standalone_mode=False);"
        "sys.exit('matplotlib.pyplot' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout[:4], done.stderr) == (0, b"\x89PNG", b"")


# ---- Files and packages ----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "plot.png"
    path.write_bytes(b"before")
    assert _run("log(x)", "--over", "x=-2:-1", "-o", str(path)).returncode == 3
    assert path.read_bytes() == b"before"
    assert _run("log(x)", "--over", "x=1:2", "-o", str(path)).returncode == 0
    assert path.read_bytes()[:4] == b"\x89PNG"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("package", "text", "words"),
    [("plotext", "x", []), ("plotext", "x*y", ["y=0:1"]), ("matplotlib", "x", ["--to", "png"])],
)
def test_a_missing_package_is_named_with_what_brings_it(package: str, text: str, words: list[str]) -> None:
    for absent in ("None", "types.ModuleType('another version')"):
        if (package, absent) == ("matplotlib", "types.ModuleType('another version')"):
            continue
        script = (
            f"import sys, types; sys.modules[{package!r}] = {absent};"
            f"sys.argv = ['autodiff', 'plot', {text!r}, '--over', 'x=0:1', *{words!r}];"
            "from autodiff_cli.cli import main; main()"
        )
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=60, check=False)
        assert (done.returncode, done.stdout) == (MISSING_PACKAGE, b"")
        assert f"`{package}".encode() in done.stderr
        assert b'pip install "autodiff-cli[plot]"' in done.stderr


@pytest.mark.slow
def test_a_picture_closed_early_ends_quietly() -> None:
    command = f"{sys.executable} -m autodiff_cli plot 'sin(x)' --over x=0:1 --to png | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == (b"141\n", b"")


# ---- The figures of the documentation --------------------------------------------------------------------------------

PAGE = ROOT / "docs/plots.md"
MADE_WITH = "3.11"  # of matplotlib; another version may set its letters a little differently


@pytest.mark.slow
def test_the_pictures_of_the_page_are_what_its_commands_make(tmp_path: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for kind, block in BLOCK.findall(text):
        if kind == "console":
            console.check(block, tmp_path)
    names = re.findall(r"\(pictures/([\w.-]+)\)", text)
    assert len(names) >= 3
    for name in names:
        made, stored = (folder / name for folder in (tmp_path, PAGE.parent / "pictures"))
        if made.suffix == ".svg":
            assert _texts(made.read_bytes()) == _texts(stored.read_bytes()), name
        if matplotlib.__version__.startswith(MADE_WITH):
            assert _numbers(made) == pytest.approx(_numbers(stored), abs=0.5 if made.suffix == ".svg" else 32), name


def _numbers(picture: Path) -> list[float]:
    """All coordinates of the lines of an SVG, or the brightness of a PNG, block by block."""
    if picture.suffix == ".png":
        from PIL import Image  # matplotlib brings it

        with Image.open(picture) as image:
            return [float(value) for value in image.convert("L").reduce(10).tobytes()]
    paths = re.findall(rb' d="([^"]*)"', picture.read_bytes())
    return [float(number) for path in paths for number in re.findall(rb"-?[\d.]+", path)]


# ---- Several functions, tangents, logarithmic axes -------------------------------------------------------------------


def test_several_functions_share_a_panel_if_they_can_be_told_apart() -> None:
    program = parse("s = sin(x); c = cos(x); l = 1000*x")
    plots = [trace(program.select(name), {}, "x", (-3.0, 3.0), []) for name in ("s", "l", "c")]
    plot = together(plots)
    assert [[curve.program.output_name for curve in panel.curves] for panel in plot.panels] == [["s", "c"], ["l"]]
    legends = [line.split()[:4] for line in _screen(plot) if "x from" in line]
    assert legends == [["⠒⠒⠒", "s", "•••", "c"], ["×××", "l", "x", "from"]]
    assert len({line.get_color() for panel in _lines(plot) for line in panel}) == 3


def test_a_tangent_has_the_value_and_the_slope() -> None:
    plot = with_tangent(_plot("x^3"), {}, 2.0)
    ((line, tangent),) = [(curve, curve.tangent) for curve in plot.curves if curve.tangent is not None]
    assert (tangent.value, tangent.slope) == (8, pytest.approx(12))
    assert all(y == pytest.approx(8 + 12 * (x - 2)) for x, y in line.pieces[0])
    assert _screen(plot)[-1] == "x = 2: x^3 = 8, slope 12"
    with settings():
        made = figure_curves.figure(plot)
    assert made.get_supxlabel() == "x = 2: x^3 = 8, slope 12"


def test_a_point_where_a_tangent_touches_has_the_colour_of_the_tangent() -> None:
    program = parse("s = sin(x); c = cos(x)")
    plots = [trace(program.select(name), {}, "x", (-2.0, 2.0), []) for name in ("s", "c")]
    plot = with_tangent(together(plots), {}, 1.0)
    assert [caption(curve) for curve in plot.curves][2:] == ["tangent of s at 1", "tangent of c at 1"]
    ((*_, of_s, s, of_c, c),) = _lines(plot)
    assert of_s.get_color() == s.get_color() != of_c.get_color() == c.get_color()
    assert [point.get_xydata().tolist() for point in (s, c)] == [[[1, math.sin(1)]], [[1, math.cos(1)]]]


def test_notes_of_tangents_stay_within_the_figure() -> None:
    name = "distance" * 20
    plot = with_tangent(trace(parse(f"{name}^3"), {}, name, (-2.0, 2.0), []), {}, 1.0)
    with settings():
        made = figure_curves.figure(plot)
    made.draw_without_rendering()
    (note,) = [text for text in made.texts if text.get_text().endswith(" = 1, slope 3")]
    assert all(made.bbox.contains(*corner) for corner in (note.get_window_extent().min, note.get_window_extent().max))


@pytest.mark.parametrize(
    ("text", "at", "reason"),
    [
        ("sqrt(x)", 0.0, "the value is 0 and the slope inf"),
        ("abs(x)", 0.0, "the function has a kink, where its slope changes from -1 to 1"),
        ("max(x, 2*x - 1)", 1.0, "the function has a kink, where its slope changes from 1 to 2"),
        ("floor(x)", 2.0, "the function jumps from 1 to 2"),
    ],
)
def test_the_error_for_a_missing_tangent_gives_the_reason(text: str, at: float, reason: str) -> None:
    with pytest.raises(AutodiffError, match=f"there is no tangent with x = {at:g}: {re.escape(reason)}"):
        with_tangent(_plot(text), {}, at)


@pytest.mark.parametrize("text", ["sin(1e6*x)", "x^3", "exp(x)*1e-300", "tanh(1e9*x)", "x", "3", "abs(x - 1)"])
def test_smooth_functions_have_tangents(text: str) -> None:
    program = parse(f"{text} + 0*x")
    for at in (0.0, 0.5, -3.0):
        with_tangent(trace(program, {}, "x", (-5.0, 5.0), [], 20), {}, at)


def test_a_power_is_straight_on_logarithmic_axes() -> None:
    plot = trace(parse("x^3"), {}, "x", (0.01, 100.0), ["x"], scales=Scales(True, True))
    function, derivative = plot.curves
    assert all(y == pytest.approx(3 * x) for x, y in function.pieces[0])
    assert all(y == pytest.approx(2 * x + math.log10(3)) for x, y in derivative.pieces[0])
    shown = _screen(plot)
    assert "x from 0.01 to 100" in shown[0]
    assert shown[-1].split() == ["0.01", "0.1", "1", "10", "100"]
    assert {"1", "100", "1e6"} & {line.partition("┤")[0].strip() for line in shown}
    with settings():
        (axes,) = figure_curves.figure(plot).axes
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert axes.get_xlim() == pytest.approx((0.01, 100))


def test_what_is_not_positive_is_a_gap_on_a_logarithmic_axis() -> None:
    plot = trace(parse("sin(x)"), {}, "x", (0.0, 12.0), [], scales=Scales(y=True))
    first, second = plot.curves[0].pieces
    assert first[-1][0] == pytest.approx(math.pi, abs=0.01)
    assert second[0][0] == pytest.approx(2 * math.pi, abs=0.01)


@pytest.mark.parametrize(
    ("window", "numbers"),
    [
        ((-2.0, 2.0), ["0.01", "0.1", "1", "10", "100"]),
        ((0.0, 0.9), ["1", "2", "5"]),
        ((0.31, 0.4), ["2.1", "2.2", "2.3", "2.4", "2.5"]),
        ((2.0, 2.00001), ["100", "100.0005", "100.001", "100.0015", "100.002"]),
    ],
)
def test_logarithmic_axes_have_round_numbers(window: tuple[float, float], numbers: list[str]) -> None:
    assert log_labels(log_ticks(window, 8)) == numbers


def test_a_logarithmic_axis_that_is_as_wide_as_a_double_is_drawn() -> None:
    pytest.importorskip("matplotlib")
    plot = trace(parse("x"), {}, "x", (1e-300, 1e300), ["x"], scales=Scales(True, True))
    with settings():
        drawing = figure_curves.figure(plot)
        drawing.canvas.draw()
        (axes,) = drawing.axes
        low, high = axes.get_ylim()
    assert low < 1e-300 < 1e300 < high
    assert "10^{75}" in " ".join(text.get_text() for text in axes.get_xticklabels())


def test_the_range_of_values_is_the_one_that_is_given() -> None:
    plot = trace(parse("tan(x)"), {}, "x", (-5.0, 5.0), ["x"], values=(-2.0, 3.0))
    assert [panel.window for panel in plot.panels] == [(-2.0, 3.0)]
    assert all(-2 <= y <= 3 for curve in plot.curves for part in plot.panels[0].visible(curve) for _, y in part)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["sin(x)", "--over", "x=-1:1", "--log", "x"], "a logarithmic axis begins above 0"),
        (["sin(x)", "--over", "x=1:2", "--log", "y", "--y-range", "-1:1"], "a logarithmic axis begins above 0"),
        (["sin(x)", "--over", "x=1:2", "--at", "x=3"], "`x=3` is not on the axis"),
        (["a*x", "--over", "x=1:2", "--set", "a=2", "--at", "a=2"], "`a=2` is not on the axis"),
        (["x*y", "--over", "x=1:2", "y=1:2", "--at", "x=1"], "--at is for curves"),
        (["a=x; b=x", "--over", "x=1:2", "--of", "a,b", "--wrt", "x,a,b"], "8 curves are too many"),
    ],
)
def test_what_cannot_be_drawn_is_refused(words: list[str], message: str) -> None:
    with pytest.raises(AutodiffError, match=message):
        group.main(["plot", *words], standalone_mode=False)


# ---- How figures look ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dark", [False, True])
def test_every_line_stands_out_from_the_paper(dark: bool) -> None:
    with settings(FigureLook(dark=dark)):
        paper = to_hex(rcParams["figure.facecolor"])
    assert all(contrast(colour, paper) >= 3 for colour in LINE_COLOURS[dark])
    assert len(set(LINE_COLOURS[dark])) == MOST_DERIVATIVES + 1


def test_a_picture_has_its_title_its_paper_and_its_scale() -> None:
    look = FigureLook("A title of $x$", dark=True, scale=2)
    data = encoded(partial(figure_curves.figure, _plot("x^2"), (400, 300)), "png", look)
    with Image.open(io.BytesIO(data)) as picture:
        assert picture.size == (800, 600)
        assert picture.convert("RGB").getpixel((1, 1)) == (0x16, 0x19, 0x1D)
    drawn = encoded(partial(figure_curves.figure, _plot("x^2")), "svg", look).decode()
    assert drawn.count("A title of $x$") >= 2


def test_a_long_title_takes_several_lines() -> None:
    words = "the magnetic field along the axis of two coils, with its slope, in units of the field in the middle"
    drawn = encoded(partial(figure_curves.figure, _plot("x^2"), (400, 300)), "svg", FigureLook(words)).decode()
    lines = [line for line in re.findall("<text[^>]*>([^<]+)</text>", drawn) if len(line) > 5 and line in words]
    assert " ".join(lines) == words
    assert 2 <= len(lines) <= 4


def test_an_svg_has_a_title_and_a_description() -> None:
    drawn = encoded(partial(figure_curves.figure, _plot("x<2")), "svg").decode()
    assert "<title>A plot of x&lt;2, d/dx</title>" in drawn
    assert "<desc>x&lt;2, d/dx: x from -5 to 5, values from " in drawn
    assert 'role="img"' in drawn
    drawn = encoded(partial(figure_curves.figure, with_tangent(_plot("x^3"), {}, 2.0)), "svg").decode()
    assert "; x = 2: x^3 = 8, slope 12</desc>" in drawn
    drawn = encoded(partial(figure_contours.figure, _field("x*y")), "svg").decode()
    assert "<desc>x*y: x from -2 to 2, y from -2 to 2</desc>" in drawn


def test_the_title_of_a_chart_is_that_of_its_svg() -> None:
    points = [ChartSeries(label, [0.0, 1.0], [0.0, 2.0], "points") for label in ("data", "fit", "residuals")]
    chart = Chart("a*x", [ChartPanel(points[:2], "x", "y"), ChartPanel(points[2:], "x", "residual")])
    drawn = chart_drawing(chart).picture("svg").decode()
    assert "<title>A plot of a*x</title>" in drawn
    assert "<desc>a*x: x from -0.05 to 1.05, y from -0.1 to 2.1; x from -0.05 to 1.05, residual from -0.1" in drawn
    assert b"<title>A plot of x</title>" in tornado_drawing(Tornado("x", 1.0, ["x"], [0.0], [2.0])).picture("svg")


def test_characters_that_no_font_has_are_named_in_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    plot = trace(parse("变量^2"), {}, "变量", (-1.0, 1.0), ["变量"])
    monkeypatch.setattr(fonts, "_installed", lambda: iter(()))
    notices: list[Notice] = []
    encoded(partial(figure_curves.figure, plot), "png", warn=notices.append)
    assert [notice.message for notice in notices] == ["no font that is installed has 变量"]
    encoded(partial(figure_curves.figure, plot), "svg", warn=notices.append)
    encoded(partial(figure_curves.figure, _plot("x")), "png", warn=notices.append)
    assert len(notices) == 1
    tornado_drawing(Tornado("x", 1.0, ["变量"], [0.0], [2.0])).picture("png", notices.append)
    assert [notice.message for notice in notices[1:]] == ["no font that is installed has 变量"]


def test_a_font_that_was_removed_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = [FontEntry("/no/such/font.ttf", name="Gone", weight=400), FontEntry(__file__, name="Here", weight=400)]
    monkeypatch.setattr(font_manager.fontManager, "ttflist", gone)
    assert list(fonts._installed()) == [("Here", __file__)]


def test_a_font_that_has_the_letters_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "_installed", lambda: iter([("None of them", "n"), ("Some", "s"), ("Others", "o")]))
    having = {"n": "x", "s": "变", "o": "变量"}
    monkeypatch.setattr(fonts, "_code_points", lambda file: set(map(ord, having.get(file, "abc"))))
    assert fonts._families("a变量") == (["Some", "Others"], set())


def test_a_narrow_range_keeps_its_digits() -> None:
    plot = trace(parse("x^2"), {}, "x", (1.0, 1.0000001), [])
    assert "x from 1 to 1.0000001" in _screen(plot)[0]
    assert any("1.00000005" in line and "e" not in line for line in _screen(plot))
    with settings():
        made = figure_curves.figure(plot)
        made.canvas.draw()
    (axes,) = made.axes
    assert axes.xaxis.get_major_formatter().get_offset() == ""
    assert "1.00000002" in [text.get_text() for text in axes.get_xticklabels()]


def test_neighbouring_steps_differ() -> None:
    field = _field("floor(x) + floor(y)", on_screen=True)
    assert field.levels == [-3.5, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5]
    many = _field("floor(4*x) + 0*floor(y)", on_screen=True)
    row = re.sub(r"(.)\1*", r"\1", re.sub("[ →]+", "", _canvas(_map(many))[0]))
    assert len(row) == len(many.levels) + 1 == 17


def test_legends_fit_forty_columns() -> None:
    names = ["a", "b", "c", "x"]
    plot = trace(parse("long_name_of_result = a*sin(b*x) + c"), {"a": 2, "b": 1, "c": 0}, "x", (-3.0, 3.0), names)
    assert max(columns(line) for line in _screen(plot, 40, 60)) <= 40


def test_a_legend_breaks_between_its_entries() -> None:
    program = parse("s = sin(x); c = cos(x)")
    plots = [trace(program.select(name), {}, "x", (-3.0, 3.0), []) for name in ("s", "c")]
    lines = _screen(with_tangent(together(plots), {}, 1.0), 50)
    assert lines[:2] == [
        "⠒⠒⠒ s   ••• c   ××× tangent of s at 1",
        "○○○ tangent of c at 1               x from -3 to 3",
    ]
    over, out = {"x": (-3.0, 3.0), "y": (-2.0, 2.0)}, io.StringIO()
    field = sample_contours(parse("x^2*y"), {}, over, *terminal_contours.grid(over, (50, 23)))
    terminal_contours.write(field, out, (50, 23))
    assert out.getvalue().splitlines()[-1] == "2 %% 5 @@"


@pytest.mark.parametrize(
    "words",
    [
        ["sin(x)", "--over", "x=-3:3"],
        ["a*sin(x)+b*cos(x)", "--over", "x=-3:3", "--set", "a=1", "b=2", "--wrt", "x", "a", "b"],
        ["x^2*sin(x)*1000", "--over", "x=-3:3", "--at", "x=1"],
        ["1000*x^2 + y^4*1e5", "--over", "x=-3:3", "y=-3:3"],
    ],
)
@pytest.mark.parametrize("columns", [24, 40, 80])
def test_a_plot_with_its_legends_leaves_a_line_for_the_prompt(
    words: list[str], columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("LINES", "20")
    group.main(["plot", *words], standalone_mode=False)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 19
    assert max(map(len, lines)) <= columns
