"""Curves as a figure: a line for each, with gaps at its breaks."""

from math import nan
from typing import TYPE_CHECKING

from .captions import caption
from .curves import CurvePanel, CurvePlot
from .figure import Size, empty_figure, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SINGLE, _STACKED = (800, 500), (800, 350)  # pixels of a single panel, and of each of several
_LEGEND_COLUMNS = 4
_DASHES = ("--", ":", "-.", (0, (6, 1, 1, 1, 1, 1)), (0, (1, 3)), (0, (8, 3)))
"""line styles of the derivatives, which differ without colours too"""


def figure(plot: CurvePlot, size: Size | None = None) -> "Figure":
    """The panels one below the other; each curve is one line, with nan in its gaps."""
    count = len(plot.panels)
    drawing = empty_figure(size or (_SINGLE if count == 1 else (_STACKED[0], _STACKED[1] * count)))
    stack = drawing.subplots(count, sharex=True, squeeze=False)[:, 0]
    for axes, panel in zip(stack, plot.panels, strict=True):
        axes.set_xlim(*plot.ends)
        axes.set_ylim(*panel.window)
        axes.grid(linewidth=0.8)
        if panel.window[0] < 0 < panel.window[1]:
            axes.axhline(0, color=axes.spines["left"].get_edgecolor(), linewidth=0.6)
        _draw(plot, panel, axes)
    stack[-1].set_xlabel(shortened(plot.name), parse_math=False)
    return drawing


def _draw(plot: CurvePlot, panel: CurvePanel, axes: "Axes") -> None:
    names = [curve.wrt for panel in plot.panels for curve in panel.curves]
    lines = []
    for curve in panel.curves:
        points = [point for part in panel.visible(curve) for point in [*part, (nan, nan)]]
        number = names.index(curve.wrt)
        lines += axes.plot(
            [x for x, _ in points],
            [y for _, y in points],
            color=f"C{number}",
            linestyle=_DASHES[number - 1] if number else "-",
            linewidth=1.8,
            dash_capstyle="butt",
            solid_capstyle="butt",
        )
    legend = axes.legend(
        lines,
        ["."] * len(lines),
        loc="lower right",
        bbox_to_anchor=(1, 1),
        ncols=min(len(lines), _LEGEND_COLUMNS),
        frameon=False,
        handlelength=3,
    )
    for shown, curve in zip(legend.get_texts(), panel.curves, strict=True):  # legend() would leave out a label `_x`
        shown.set_parse_math(False)
        shown.set_text(shortened(caption(plot.program, curve), min(len(lines), _LEGEND_COLUMNS)))
