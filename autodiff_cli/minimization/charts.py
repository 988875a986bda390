"""The path to a minimum as a chart: over contours where there are two variables, else the value after each step."""

from collections.abc import Mapping
from dataclasses import replace

from ..errors import AutodiffError
from ..plot import figure_contours, terminal_contours
from ..plot.captions import function_caption
from ..plot.chart import Chart, ChartPanel, ChartSeries
from ..plot.contours import ContourPlot, Places, sample_contours
from ..plot.drawable import Drawable, chart_drawing
from ..plot.viewing_window import window_around
from ..program import Program
from .minimize import Minimum

_AROUND = 0.25  # of the path's size, on either side
_FARTHEST = 1e290  # plotting libraries scale numbers by some powers of ten


def chart(program: Program, fixed: Mapping[str, float], minimum: Minimum) -> Drawable:
    """The chart of the path to the minimum. Raises AutodiffError where it leads too far for that."""
    if any(abs(number) > _FARTHEST for step in minimum.trace for number in (step.value, *step.vector)):
        message = f"the path leads to numbers beyond {_FARTHEST:g}, which cannot be drawn"
        raise AutodiffError(message, hint="begin where numbers are smaller")
    if len(minimum.point) != 2:
        return steps(program, minimum)
    path = [(step.vector[0], step.vector[1]) for step in minimum.trace]
    over = {name: window_around([point[axis] for point in path], _AROUND) for axis, name in enumerate(minimum.point)}

    def contours(grid: tuple[Places, Places]) -> ContourPlot:
        return replace(sample_contours(program, fixed, over, *grid), path=path)

    return Drawable(
        lambda: figure_contours.figure(contours(figure_contours.grid(over))),
        lambda out, size: terminal_contours.write(contours(terminal_contours.grid(over, size)), out, size),
    )


def steps(program: Program, minimum: Minimum) -> Drawable:
    """The value after each step."""
    values = [step.value for step in minimum.trace]
    series = ChartSeries("value", range(len(values)), values)
    panel = ChartPanel([series], "step", program.output_name or "value")
    return chart_drawing(Chart(function_caption(program), [panel]))
