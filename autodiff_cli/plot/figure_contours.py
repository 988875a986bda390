"""Contours as a figure: bands of values in colours, and arrows that point uphill."""

from collections.abc import Mapping
from math import hypot
from typing import TYPE_CHECKING

from ..notation import rounded
from ..terminal.size import Size
from .captions import function_caption
from .contours import ContourPlot, GradientArrow, Places
from .figure import empty_figure, shortened
from .viewing_window import Window, evenly_spaced, height, part_centres, with_margin

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SIZE = (760, 600)  # pixels
_VALUES, _ARROWS = 100, 18  # along each axis
_SAME_SCALE = 3.0
"""ranges are drawn to the same scale if neither is more than this many times as long as the other"""
_BAR = (1.05, 0.0, 0.05, 1.0)
"""the place of the colour bar, left, bottom, width and height, relative to the plot, whose height it then has"""
_LONGEST = 0.85
"""the length of the longest arrow, relative to the distance between two arrows"""


def grid(over: Mapping[str, Window]) -> tuple[Places, Places]:
    """The places of values, and those of gradients."""
    across, up = over.values()
    values = evenly_spaced(across, _VALUES), evenly_spaced(up, _VALUES)
    ratio = _ratio(over) or 1.0
    across_count, up_count = (round(_ARROWS * min(1.0, share)) for share in (1 / ratio, ratio))
    return values, (part_centres(across, across_count), part_centres(up, up_count))


def figure(plot: ContourPlot, size: Size | None = None) -> "Figure":
    """The bands with a colour bar, and the arrows; places without a value are left white."""
    drawing = empty_figure(size or _SIZE)
    axes = drawing.subplots()
    _draw_bands(plot, axes, drawing)
    _draw_arrows(plot, axes, drawing)
    if plot.path:
        axes.plot(*zip(*plot.path, strict=True), color="C3", marker=".", linewidth=1.5)
        axes.plot(*plot.path[-1], color="C3", marker="X", markersize=10, markeredgecolor="white")
    across, up = map(shortened, plot.over)
    axes.set_xlabel(across, parse_math=False)
    axes.set_ylabel(up, parse_math=False)
    axes.set_title(shortened(function_caption(plot.program)), loc="left", fontsize="medium", parse_math=False)
    return drawing


def _draw_bands(plot: ContourPlot, axes: "Axes", drawing: "Figure") -> None:
    from matplotlib import colormaps

    extremes = plot.extremes
    lowest, highest = extremes if plot.levels else with_margin(extremes)
    bounds = [lowest, *plot.levels, highest]
    count = len(bounds) - 1
    colours = [colormaps["viridis"]((band + 0.5) / count) for band in range(count)]
    bands = axes.contourf(plot.xs, plot.ys, plot.values, levels=bounds, colors=colours)
    bands.set(edgecolor="face", linewidth=0.4)  # without white lines between the bands
    bar = drawing.colorbar(bands, cax=axes.inset_axes(_BAR), spacing="uniform")
    marked = plot.levels or [extremes[0]]
    bar.set_ticks(marked, labels=[rounded(level).replace("-", "−") for level in marked])


def _ratio(over: Mapping[str, Window]) -> float | None:
    """The height of the plot relative to its width if both ranges are drawn to the same scale; else None."""
    across, up = map(height, over.values())
    return up / across if 1 / _SAME_SCALE <= up / across <= _SAME_SCALE else None


def _draw_arrows(plot: ContourPlot, axes: "Axes", drawing: "Figure") -> None:
    ratio = _ratio(plot.over)
    if ratio is not None:
        axes.set_aspect("equal")
    else:
        ratio = drawing.get_figheight() / drawing.get_figwidth()
    columns = max(1, len({arrow.x for arrow in plot.arrows}))
    arrows = [(arrow.x, arrow.y, *_vector(plot, arrow, ratio)) for arrow in plot.arrows if arrow.size]
    axes.quiver(
        *(zip(*arrows, strict=True) if arrows else ([], [], [], [])),
        pivot="mid",
        angles="uv",
        scale=columns / _LONGEST,
        scale_units="width",
        width=0.07 / columns,
        color="white",
        edgecolor="black",
        linewidth=0.4,
    )


def _vector(plot: ContourPlot, arrow: GradientArrow, ratio: float) -> tuple[float, float]:
    """An arrow to where the values grow fastest, in a plot of that height relative to its width."""
    right, up, length = arrow.across, arrow.up / ratio, plot.length(arrow)
    return length * (right / hypot(right, up)), length * (up / hypot(right, up))
