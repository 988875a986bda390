"""Curves as a figure: a line for each, with gaps at its breaks."""

from math import nan
from typing import TYPE_CHECKING

from ..terminal.size import Size
from .captions import caption, tangent_notes
from .curves import CurvePanel, CurvePlot
from .figure import WIDTH, add_legend, shortened, stacked

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LEGEND_COLUMNS, _ENTRY = 4, 200  # columns of a legend at most, and pixels for each
_DASHES = ("--", ":", "-.", (0, (6, 1, 1, 1, 1, 1)), (0, (1, 3)), (0, (8, 3)))
"""line styles of the derivatives, which differ without colours too"""


def figure(plot: CurvePlot, size: Size | None = None) -> "Figure":
    """The panels one below the other; each curve is one line, with nan in its gaps."""
    drawing, stack = stacked(len(plot.panels), size, sharex=True)
    for axes, panel in zip(stack, plot.panels, strict=True):
        axes.set_xscale("log" if plot.scales.x else "linear")
        axes.set_yscale("log" if plot.scales.y else "linear")
        axes.set_xlim(*plot.ends)
        axes.set_ylim(*map(plot.scales.value, panel.window))
        _drop_infinite_ticks(axes)
        axes.grid(linewidth=0.8)
        if panel.window[0] < 0 < panel.window[1] and not plot.scales.y:
            axes.axhline(0, color=axes.spines["left"].get_edgecolor(), linewidth=0.6)
        _draw(plot, panel, axes)
    stack[-1].set_xlabel(shortened(plot.name), parse_math=False)
    if notes := [shortened(note, 0) for note in tangent_notes(plot)]:
        drawing.supxlabel("\n".join(notes), fontsize="medium", parse_math=False)
    return drawing


def _drop_infinite_ticks(axes: "Axes") -> None:
    """Keep the numbers of logarithmic axes within the range; matplotlib fails on those next to it beyond a double."""
    for axis in (axes.xaxis, axes.yaxis):
        if axis.get_scale() == "log":
            low, high = axis.get_view_interval()
            axis.set_ticks([tick for tick in axis.get_majorticklocs() if low <= tick <= high])


def _draw(plot: CurvePlot, panel: CurvePanel, axes: "Axes") -> None:
    lines = []
    for curve in panel.curves:
        points = [point for part in panel.visible(curve) for point in [*part, (nan, nan)]]
        number = plot.number(curve)
        lines += axes.plot(
            [plot.scales.number(x) for x, _ in points],
            [plot.scales.value(y) for _, y in points],
            color=f"C{number}",
            linestyle=_DASHES[number - 1] if number else "-",
            linewidth=1.8,
            dash_capstyle="butt",
            solid_capstyle="butt",
        )
        if curve.tangent is not None:
            axes.plot(curve.tangent.at, curve.tangent.value, "o", color=f"C{number}", markersize=7)
    width = int(axes.figure.bbox.width)
    columns = min(len(lines), _LEGEND_COLUMNS, max(1, width // _ENTRY))
    captions = [shortened(caption(curve), columns * WIDTH // width) for curve in panel.curves]
    add_legend(axes, captions, handles=lines, loc="lower right", bbox_to_anchor=(1, 1), ncols=columns, handlelength=3)
