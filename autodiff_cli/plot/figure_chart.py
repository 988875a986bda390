"""A chart as a figure."""

from typing import TYPE_CHECKING

from .chart import Chart, ChartPanel, ChartSeries
from .figure import add_legend, shortened, stacked

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MANY = 500  # points, which are drawn smaller


def figure(chart: Chart) -> "Figure":
    """The panels one below the other."""
    drawing, stack = stacked(len(chart.panels))
    stack[0].set_title(shortened(chart.title), loc="left", fontsize="medium", parse_math=False)
    for axes, panel in zip(stack, chart.panels, strict=True):
        _draw(panel, axes)
    return drawing


def _draw(panel: ChartPanel, axes: "Axes") -> None:
    axes.grid(linewidth=0.8)
    axes.set_xlabel(shortened(panel.across), parse_math=False)
    axes.set_ylabel(shortened(panel.up, 2), parse_math=False)
    for number, series in enumerate(panel.series):
        _draw_series(series, f"C{number}", axes)
    if len(panel.series) > 1:
        add_legend(axes, [shortened(series.label, 2) for series in panel.series])


def _draw_series(series: ChartSeries, colour: str, axes: "Axes") -> None:
    if series.kind == "points":
        axes.plot(series.xs, series.ys, "o", color=colour, markersize=5 if len(series.xs) < _MANY else 2)
    elif series.kind == "band":
        axes.fill_between(series.xs, series.ys, series.upper, color=colour, alpha=0.25, linewidth=0)
    elif series.kind == "histogram":
        axes.stairs(series.ys, series.xs, fill=True, color=colour, alpha=0.7)
    else:
        axes.plot(series.xs, series.ys, color=colour, linewidth=1.8)
