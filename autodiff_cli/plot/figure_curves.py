"""Curves in a picture: a line for each, which ends at a break and begins again behind it."""

from math import nan
from typing import Any

from .curves import Panel, Plot
from .figure import Size, empty, encoded, settings, text
from .labels import label
from .pieces import visible

_ONE, _EACH = (800, 500), (800, 350)  # pixels for a panel alone, and for each of several
_IN_A_ROW = 4  # labels
_DASHES = ("--", ":", "-.", (0, (6, 1, 1, 1, 1, 1)), (0, (1, 3)), (0, (8, 3)))
"""of the derivatives, which are told apart without colours too"""


def picture(plot: Plot, kind: str, size: Size | None = None) -> bytes:
    """The plot as the bytes of a file."""
    with settings():
        return encoded(figure(plot, size), kind)


def figure(plot: Plot, size: Size | None = None) -> Any:
    """The panels below one another; each curve is one line, with nan in its gaps."""
    count = len(plot.panels)
    made = empty(size or (_ONE if count == 1 else (_EACH[0], _EACH[1] * count)))
    rows = made.subplots(count, sharex=True, squeeze=False)[:, 0]
    for axes, panel in zip(rows, plot.panels, strict=True):
        axes.set_xlim(*plot.ends)
        axes.set_ylim(*panel.window)
        axes.grid(color="0.9", linewidth=0.8)
        if panel.window[0] < 0 < panel.window[1]:
            axes.axhline(0, color="0.6", linewidth=0.8)
        _draw(plot, panel, axes)
    rows[-1].set_xlabel(text(plot.name), parse_math=False)
    return made


def _draw(plot: Plot, panel: Panel, axes: Any) -> None:
    names = [curve.wrt for panel in plot.panels for curve in panel.curves]
    lines = []
    for curve in panel.curves:
        parts = [part for piece in curve.pieces for part in visible(piece, panel.window)]
        points = [point for part in parts for point in [*part, (nan, nan)]]
        look = names.index(curve.wrt)
        lines += axes.plot(
            [x for x, _ in points],
            [y for _, y in points],
            color=f"C{look}",
            linestyle=_DASHES[look - 1] if look else "-",
            linewidth=1.8,
            dash_capstyle="butt",
            solid_capstyle="butt",
        )
    legend = axes.legend(
        lines,
        ["."] * len(lines),
        loc="lower right",
        bbox_to_anchor=(1, 1),
        ncols=min(len(lines), _IN_A_ROW),
        frameon=False,
        handlelength=3,
    )
    for shown, curve in zip(legend.get_texts(), panel.curves, strict=True):  # legend() would leave out a label `_x`
        shown.set_parse_math(False)
        shown.set_text(text(label(plot.program, curve), min(len(lines), _IN_A_ROW)))
