"""Roots as a chart: those of one function on its curve, else the points on the way."""

from collections.abc import Iterator
from math import nan

from ..plot.chart import Chart, ChartPanel, ChartSeries
from ..plot.drawable import Drawable, chart_drawing
from ..plot.viewing_window import LARGEST, Window, evenly_spaced, robust_window, window_around, with_margin
from .equations import Equations
from .solve import Solution

_SAMPLES = 400
_HALVINGS = 6  # of the distance between two samples, towards a root at which the curve may be steep
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
    searched = window or window_around([*roots, *(vector[0] for vector in solution.trace)], _AROUND)
    low, high = (min(max(end, -LARGEST), LARGEST) for end in searched)
    even = evenly_spaced((low, high), _SAMPLES + 1)
    usual = robust_window(function.value([x]) for x in even) or (-1.0, 1.0)
    shown = with_margin((min(usual[0], 0.0), max(usual[1], 0.0)))
    xs = sorted({*even, *(x for root in roots for x in _beside(root, (high - low) / _SAMPLES) if low <= x <= high)})
    curve = [value if shown[0] <= (value := function.value([x])) <= shown[1] else nan for x in xs]
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


def _beside(root: float, step: float) -> Iterator[float]:
    """Places at a root and, ever closer to it, on both sides."""
    yield root
    for halvings in range(_HALVINGS):
        yield from (root - step / 2**halvings, root + step / 2**halvings)
