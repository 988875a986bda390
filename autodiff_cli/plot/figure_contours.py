"""A surface in a picture: bands of values in colours, and arrows that point uphill."""

from collections.abc import Mapping
from math import hypot
from typing import Any

from .field import Arrow, Field, Places, centres, spread
from .figure import Size, empty, encoded, settings, text
from .labels import function_label
from .windows import Window, height, roomy

_SIZE = (760, 600)  # pixels
_VALUES, _ARROWS = 100, 18  # along each axis
_ALIKE = 3.0
"""ranges are drawn to the same scale if neither is more than so many times as long as the other"""
_LONGEST = 0.85
"""of the distance between two arrows"""


def grid(over: Mapping[str, Window]) -> tuple[Places, Places]:
    """Where values are needed, and where gradients."""
    across, up = over.values()
    values = spread(across, _VALUES), spread(up, _VALUES)
    ratio = _ratio(over) or 1.0
    columns, rows = (round(_ARROWS * min(1.0, share)) for share in (1 / ratio, ratio))
    return values, (centres(across, columns), centres(up, rows))


def picture(field: Field, kind: str, size: Size | None = None) -> bytes:
    """The field, which has the places of `grid`, as the bytes of a file."""
    with settings():
        return encoded(figure(field, size), kind)


def figure(field: Field, size: Size | None = None) -> Any:
    """The bands with a bar that explains their colours, and the arrows; where there is no value, the paper is seen."""
    made = empty(size or _SIZE)
    axes = made.subplots()
    _draw_bands(field, axes, made)
    _draw_arrows(field, axes, made)
    across, up = map(text, field.over)
    axes.set_xlabel(across, parse_math=False)
    axes.set_ylabel(up, parse_math=False)
    axes.set_title(text(function_label(field.program)), loc="left", fontsize="medium", parse_math=False)
    return made


def _draw_bands(field: Field, axes: Any, made: Any) -> None:
    from matplotlib import colormaps

    ends = field.lowest, field.highest
    lowest, highest = ends if field.levels else roomy(ends)
    bounds = [lowest, *field.levels, highest]
    count = len(bounds) - 1
    colours = [colormaps["viridis"]((band + 0.5) / count) for band in range(count)]
    bands = axes.contourf(field.xs, field.ys, field.values, levels=bounds, colors=colours)
    bands.set(edgecolor="face", linewidth=0.4)  # else the paper shines through between two bands
    bar = made.colorbar(bands, ax=axes, spacing="uniform")
    marked = field.levels or [field.lowest]
    bar.set_ticks(marked, labels=[f"{level:g}".replace("-", "−") for level in marked])


def _ratio(over: Mapping[str, Window]) -> float | None:
    """The height of the picture to its width, where both ranges are drawn to the same scale."""
    across, up = map(height, over.values())
    return up / across if 1 / _ALIKE <= up / across <= _ALIKE else None


def _draw_arrows(field: Field, axes: Any, made: Any) -> None:
    ratio = _ratio(field.over)
    if ratio is not None:
        axes.set_aspect("equal")
    else:
        ratio = made.get_figheight() / made.get_figwidth()
    arrows = [(arrow, field.length(arrow), _direction(arrow, ratio)) for arrow in field.arrows if arrow.size]
    columns = len({arrow.x for arrow in field.arrows})
    axes.quiver(
        [arrow.x for arrow, _, _ in arrows],
        [arrow.y for arrow, _, _ in arrows],
        [length * direction[0] for _, length, direction in arrows],
        [length * direction[1] for _, length, direction in arrows],
        pivot="mid",
        angles="uv",
        scale=columns / _LONGEST,
        scale_units="width",
        width=0.07 / columns,
        color="white",
        edgecolor="black",
        linewidth=0.4,
    )


def _direction(arrow: Arrow, ratio: float) -> tuple[float, float]:
    """Where a surface rises fastest, in a picture of that height to width, as a unit vector."""
    right, up = arrow.across, arrow.up / ratio
    return right / hypot(right, up), up / hypot(right, up)
