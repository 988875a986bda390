"""`autodiff plot`: a function and its derivative over a range, or its contours over two."""

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import click

from ..errors import AutodiffError, Notice, UsageError, did_you_mean, quoted_names
from ..notation import rounded
from ..plot.figure import FigureLook
from ..plot.scales import Scales
from ..program import Program
from . import options
from .command_line.arguments import FormulaCommand
from .command_line.parameter_types import NumberRange
from .output.figure_options import FORMATS, FigureOptions
from .output.notices import progress_shown, warn
from .sources import inputs, ranges
from .sources.formula import FormulaOptions, unused

InputWindows = Mapping[str, tuple[float, float]]
"""name → the ends of its range"""


class _Axes(NamedTuple):
    scales: Scales
    values: tuple[float, float] | None
    """the range of values to show"""


_WIDEST = 1e300
_MOST_POINTS = 100_000

_HELP = """Draw FORMULA and its derivative over a range of an input, in the terminal or, with -o, as a picture.

\b
  autodiff plot "x^2*sin(x)" --over x=-5:5
  autodiff plot "tan(x)" --over x=-pi:pi -o tan.svg
  autodiff plot "a*x^2" --over x=-1:1 --set a=3 --wrt a,x
  autodiff plot "sin(x)*cos(y)" --over x=-3:3 y=-3:3

A curve has gaps at poles, jumps and the edges of its domain. Curves of very different height are drawn one above the
other. Two ranges give a map, with arrows in the direction in which the value grows fastest."""


@click.command(cls=FormulaCommand, help=_HELP)
@options.formula_options
@options.range_option("The range of an input, or of two; STEP is the greatest distance of two points.")
@options.names_option("--wrt", help="Draw the derivatives with respect to these.")
@options.values_option("Draw these named values instead of the last.")
@options.assigned_option("--at", example="x=1", help="Draw the tangent there.")
@click.option("--log", type=click.Choice(["x", "y", "xy"]), help="Logarithmic axes.")
@click.option("--y-range", metavar="LOW:HIGH", help="The range of values to show.")
@options.path_option("-o", "--out", help="Write a picture to a file: .png, .svg, .pdf or .txt.")
@options.picture_option(FORMATS, "What kind of picture, if the file's name does not say.")
@click.option("--size", metavar="WIDTHxHEIGHT", help="The size in pixels; in the terminal, in columns and lines.")
@click.option("--title", metavar="TEXT", default="", help="A title above the drawing.")
@click.option("--dark", is_flag=True, help="Draw on a dark background.")
@click.option(
    "--scale",
    type=NumberRange(0.1, 10),
    default=1.0,
    show_default=True,
    metavar="F",
    help="The number of dots of a PNG for each pixel of its size.",
)
@click.option(
    "--points", type=click.IntRange(2, _MOST_POINTS), metavar="N", help="Compute at least N points of a curve."
)
def command(
    over: tuple[str, ...],
    wrt: tuple[str, ...],
    at: tuple[str, ...],
    log: str | None,
    y_range: str | None,
    out: str | None,
    format_: str | None,
    size: str | None,
    title: str,
    dark: bool,
    scale: float,
    points: int | None,
    **formula: Any,
) -> None:
    """Draw curves over one range, or contours over two."""
    figure = FigureOptions(out, format_, size, FigureLook(title, dark, scale))
    source = FormulaOptions(**formula)
    windows = ranges.ends(over, steps=True)
    given, program = source.given, source.program(windows)
    functions = [program.select(name) for name in source.outputs] or [program]
    _refuse_windows(functions, windows, given)
    names = program.entries(options.names(wrt)) if wrt or len(functions) > 1 else list(windows)
    steps = ranges.count(over)
    if len(windows) == 2:
        curves_only = {"--wrt": wrt, "--points": points, "the step": steps, "--at": at, "--log": log}
        what = next((name for name, value in {**curves_only, "--y-range": y_range}.items() if value), None)
        what = what or ("all but one of --of" if len(functions) > 1 else None)
        if what:
            raise UsageError(f"{what} is for curves, over one range", f"leave {what} out")
    if steps and steps > _MOST_POINTS:
        hint = f"a curve has {_MOST_POINTS:,} points at the most: write a larger step"
        raise UsageError(f"{steps:,} points are too many for one drawing", hint)
    warn(*unused(program, given, names))
    ignored = [name for name, is_given in {"--dark": dark, "--scale": scale != 1}.items() if is_given]
    if ignored and figure.format == "txt":
        warn(Notice(f"a drawing in text ignores {', '.join(ignored)}", hint="-o plot.png writes to a file"))
    point = {name: number for name, number in source.point.items() if name not in windows}
    if len(windows) == 1:
        axes = _Axes(
            Scales("x" in (log or ""), "y" in (log or "")), ranges.interval(y_range, "--y-range") if y_range else None
        )
        tangents = inputs.from_assignments(at, "--at")
        _draw_curves(functions, point, windows, names, points or steps, axes, tangents, figure)
    else:
        _draw_contours(functions[0], point, windows, figure)


def _draw_curves(
    functions: list[Program],
    point: Mapping[str, float],
    windows: InputWindows,
    wrt: list[str],
    points: int | None,
    axes: _Axes,
    tangents: Mapping[str, float],
    figure: FigureOptions,
) -> None:
    from ..plot import figure_curves, terminal_curves
    from ..plot.curves import MOST_DERIVATIVES, together, trace, with_tangent

    if len(wrt) > MOST_DERIVATIVES:
        hint = f"name {MOST_DERIVATIVES} at the most with --wrt"
        raise UsageError(f"{len(wrt)} derivatives are too many for one drawing", hint)
    count = len(functions) * (1 + len(wrt) + len(tangents))
    if count > MOST_DERIVATIVES + 1:
        hint = f"name fewer with --of, --wrt or --at: {MOST_DERIVATIVES + 1} can be told apart"
        raise UsageError(f"{count} curves are too many for one drawing", hint)
    ((name, ends),) = windows.items()
    _refuse_axes(name, ends, axes)
    with progress_shown("drawing") as progress:
        plot = together([trace(each, point, name, ends, wrt, points, progress, **axes._asdict()) for each in functions])
    for other, number in tangents.items():
        if other != name or not ends[0] <= number <= ends[1]:
            hint = f"write --at {name}={rounded(ends[0])}, or another number up to {rounded(ends[1])}"
            raise UsageError(f"`{other}={rounded(number)}` is not on the axis", hint)
        plot = with_tangent(plot, point, number)
    if not any(panel.visible(curve) for panel in plot.panels for curve in panel.curves):
        warn(Notice("no curve is in the range of values", "leave out --y-range"))
    for other, reason in plot.undrawn.items():
        warn(Notice(f"the derivative with respect to `{other}` {reason}, so it is not drawn"))
    figure.write(partial(terminal_curves.write, plot), partial(figure_curves.figure, plot))


def _refuse_axes(name: str, ends: tuple[float, float], axes: _Axes) -> None:
    """Raise AutodiffError for a range below 0 on a logarithmic axis."""
    if axes.scales.x and ends[0] <= 0:
        raise UsageError("a logarithmic axis begins above 0", f"write --over {name}=0.01:100")
    if axes.scales.y and axes.values and axes.values[0] <= 0:
        raise UsageError("a logarithmic axis begins above 0", "write --y-range 0.01:100")


def _draw_contours(program: Program, point: Mapping[str, float], windows: InputWindows, figure: FigureOptions) -> None:
    from ..plot import figure_contours, terminal_contours
    from ..plot.contours import sample_contours

    is_text = figure.format == "txt"
    grid = terminal_contours.grid(windows, figure.text_size) if is_text else figure_contours.grid(windows)
    with progress_shown("drawing") as progress:
        plot = sample_contours(program, point, windows, *grid, progress)
    figure.write(partial(terminal_contours.write, plot), partial(figure_contours.figure, plot))


def _refuse_windows(functions: list[Program], windows: InputWindows, given: Mapping[str, float]) -> None:
    """Raise AutodiffError unless there is one range, or two, of inputs that a drawn value depends on."""
    if not windows:
        name = next((name for name in functions[0].inputs if name not in given), "x")
        raise UsageError("a plot needs a range", f"add --over {name}=-5:5")
    if len(windows) > 2:
        rest = " ".join(f"{name}=1" for name in list(windows)[2:])
        hint = f"give the others numbers: --set {rest}"
        raise UsageError(f"{len(windows)} ranges are too many for one drawing", hint)
    for name, (low, high) in windows.items():
        if name in given:
            raise UsageError(f"`{name}` has both a range and a number", "leave one of them out")
        if high - low > _WIDEST:
            raise UsageError(f"the range of `{name}` is too wide", f"it may be {_WIDEST:g} wide")
        if not any(_depends(function, name) for function in functions):
            hint = "--of NAME draws another of the program's values"
            raise AutodiffError(f"`{name}` has no effect on what is drawn", hint=hint)


def _depends(program: Program, name: str) -> bool:
    """Whether the result depends on an input. Raises AutodiffError for a name that is not in the formula."""
    node = program.inputs.get(name, program.constants.get(name))
    if node is None and name not in program.names:
        inputs = f"its inputs are {quoted_names(program.inputs)}" if program.inputs else "it has no inputs"
        hint = did_you_mean(name, program.inputs) or inputs
        raise AutodiffError(f"`{name}` is not in the formula", hint=hint)
    return node is None or bool(program.graph.dependent(program.graph.needed([program.output]), [node])[program.output])
