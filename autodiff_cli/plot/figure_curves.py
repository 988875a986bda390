"""Curves as a figure: a line for each, with gaps at its breaks."""

from collections.abc import Sequence
from itertools import product
from math import nan
from typing import TYPE_CHECKING

from ..terminal.size import Size
from .captions import caption, tangent_note
from .curves import CurvePanel, CurvePlot, Tangent
from .figure import empty_figure, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.transforms import Bbox

    from ..arithmetic.arrays import Doubles

_SINGLE, _STACKED = (800, 500), (800, 350)  # pixels of a single panel, and of each of several
_LEGEND_COLUMNS = 4
_DISTANCES, _PADDING = (
    (12, 30, 60, 100),
    4,
)  # points: of a note from the point of its tangent; and pixels around the note
_FAR = 0.2  # pixels of a line that a note may hide to be a point nearer
_PARTS = 8  # of a straight piece, each of which is in the box or not
_DASHES = ("--", ":", "-.", (0, (6, 1, 1, 1, 1, 1)), (0, (1, 3)), (0, (8, 3)))
"""line styles of the derivatives, which differ without colours too"""


def figure(plot: CurvePlot, size: Size | None = None) -> "Figure":
    """The panels one below the other; each curve is one line, with nan in its gaps."""
    count = len(plot.panels)
    drawing = empty_figure(size or (_SINGLE if count == 1 else (_STACKED[0], _STACKED[1] * count)))
    stack = drawing.subplots(count, sharex=True, squeeze=False)[:, 0]
    for axes, panel in zip(stack, plot.panels, strict=True):
        axes.set_xscale("log" if plot.scales.x else "linear")
        axes.set_yscale("log" if plot.scales.y else "linear")
        axes.set_xlim(*plot.ends)
        axes.set_ylim(*map(plot.scales.value, panel.window))
        axes.grid(linewidth=0.8)
        if panel.window[0] < 0 < panel.window[1] and not plot.scales.y:
            axes.axhline(0, color=axes.spines["left"].get_edgecolor(), linewidth=0.6)
        _draw(plot, panel, axes)
    stack[-1].set_xlabel(shortened(plot.name), parse_math=False)
    if plot.tangents:
        drawing.draw_without_rendering()  # so that everything else has its place
        for axes, panel in zip(stack, plot.panels, strict=True):
            _mark_tangents(plot, panel, axes)
    return drawing


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
        shown.set_text(shortened(caption(curve), min(len(lines), _LEGEND_COLUMNS)))


def _mark_tangents(plot: CurvePlot, panel: CurvePanel, axes: "Axes") -> None:
    lines, notes = axes.lines[-len(panel.curves) :], list["Bbox"]()
    for tangent in plot.tangents:
        for line, curve in zip(lines, panel.curves, strict=True):
            if curve.at == tangent.at and curve.program is tangent.program:
                notes.append(_mark(plot, tangent, line.get_color(), axes, notes))


def _mark(plot: CurvePlot, tangent: Tangent, colour: object, axes: "Axes", notes: "Sequence[Bbox]") -> "Bbox":
    """A point where a tangent touches, and beside it the value and the slope there, where they hide the least.

    `notes` are those of other tangents. Returns the place of this one, in pixels.
    """
    from matplotlib.text import Text

    lines = [axes.transData.transform(line.get_xydata()) for line in axes.lines if line.get_linestyle() != "None"]
    axes.plot([tangent.at], [tangent.value], "o", color=colour, markersize=7)
    note = axes.annotate(
        tangent_note(plot, tangent),
        (tangent.at, tangent.value),
        textcoords="offset points",
        arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.8},
        bbox={"facecolor": axes.get_facecolor(), "edgecolor": colour, "alpha": 0.85, "boxstyle": "round"},
        parse_math=False,
        in_layout=False,
    )

    def place(right: float, up: float) -> "tuple[int, float, Bbox]":
        """Put the note so far from the point, but within the axes; how many others it meets, and how bad that is."""
        note.set_horizontalalignment("left" if right > 0 else "right")
        note.set_verticalalignment("bottom" if up > 0 else "top")
        for _ in range(2):  # the second time where the first one was beyond the axes
            note.set_position((right, up))
            note.get_window_extent()  # of which the line to the point is a part
            box = Text.get_window_extent(note).padded(_PADDING)
            beyond = max(0.0, box.x1 - axes.bbox.x1) + min(0.0, box.x0 - axes.bbox.x0)
            right -= beyond * 72 / axes.figure.dpi
        met = sum(map(box.overlaps, notes)) + (box.y0 < axes.bbox.y0 or box.y1 > axes.bbox.y1)
        hidden = sum(_length_within(line, box) for line in lines)
        return met, hidden + _FAR * (abs(right) + abs(up)), box

    places = product(*[[sign * far for far in _DISTANCES for sign in (1, -1)]] * 2)
    best = min(places, key=lambda one: place(*one)[:2])
    return place(*best)[2]


def _length_within(line: "Doubles", box: "Bbox") -> float:
    """About how much of a line in pixels, which may have gaps, lies in a box."""
    steps = line[1:] - line[:-1]
    lengths = (steps**2).sum(axis=1) ** 0.5 / _PARTS
    places = [line[:-1] + (part + 0.5) / _PARTS * steps for part in range(_PARTS)]
    within = [((place > (box.x0, box.y0)) & (place < (box.x1, box.y1))).all(axis=1) for place in places]
    return float(sum(lengths[inside].sum() for inside in within))
