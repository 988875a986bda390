"""Roots as a chart: those of one function on its curve, else the points on the way."""

from math import isfinite

from ..plot.chart import Chart, ChartPanel, ChartSeries
from ..plot.drawable import Drawable, chart_drawing
from ..plot.viewing_window import Window, robust_window, window_around, with_margin
from .equations import Equations
from .solve import Solution

_SAMPLES = 400
_AROUND = 0.1  # of the distance between the roots, on either side


def chart(equations: Equations, solution: Solution, window: Window | None) -> Drawable:
    """The chart of the roots; `window` is the interval that was searched, if there is one."""
    if len(equations.names) > 1:
        steps = range(len(solution.trace))
        sizes = [float(abs(equations.residuals(vector)).max()) for vector in solution.trace]
        series = ChartSeries("residual", steps, sizes)
        return chart_drawing(Chart("the largest residual", [ChartPanel([series], "step", "residual")]))
    (name,), (function,) = equations.names, equations.functions
    roots = [root.point[name] for root in solution.roots]
    low, high = window or window_around([*roots, *(vector[0] for vector in solution.trace)], _AROUND)
    xs = [low + (high - low) * step / _SAMPLES for step in range(_SAMPLES + 1)]
    values = [function.value([x]) for x in xs]
    shown = with_margin(robust_window([*values, 0.0]) or (-1.0, 1.0))
    curve = [value if shown[0] <= value <= shown[1] and isfinite(value) else float("nan") for value in values]
    panel = ChartPanel(
        [
            ChartSeries("value", xs, curve),
            ChartSeries("zero", [low, high], [0.0, 0.0]),
            ChartSeries("root", roots, [0.0] * len(roots), "points"),
        ],
        name,
        "value",
    )
    return chart_drawing(Chart(equations.texts[0], [panel]))
