"""Contours in the terminal: a character for each band of values, and arrows that point uphill."""

from collections.abc import Iterator, Mapping, Sequence
from math import atan2, pi
from typing import TextIO, TypeVar

from ..notation import elided, rounded
from ..terminal.printable_text import columns, one_line
from ..terminal.screen import Segments
from ..terminal.size import Size
from .captions import function_caption
from .contours import ContourPlot, GradientArrow, Places
from .terminal_frame import GAP, Layer, TerminalFrame, legend, plotext, write_frame, write_lines
from .viewing_window import Window, evenly_spaced

_Item = TypeVar("_Item")

_BANDS = ".:-=+*#%@"
"""from the lowest values to the highest, with increasing ink"""
_STYLES = ("blue", "blue", "cyan", "cyan", "green", "green", "yellow", "yellow", "red")
_ARROWS = "→↗↑↖←↙↓↘"
_APART: Size = (6, 3)
_LINE_TO_COLUMN = 2.0
"""the height of a character relative to its width"""
_NAME = 12  # maximum columns of a name


def _frame(over: Mapping[str, Window], size: Size, others: int = 2) -> TerminalFrame:
    """The frame for two ranges, with room for other lines above and below it."""
    across, up = over.values()
    return TerminalFrame(across, up, (size[0], size[1] - others))


def grid(over: Mapping[str, Window], size: Size) -> tuple[Places, Places]:
    """The places of values, one for each character, and those of gradients, some of these."""
    across, up = over.values()
    width, height = _frame(over, size).canvas
    xs, ys = evenly_spaced(across, width), evenly_spaced(up, height)
    beside, below = width % _APART[0] or _APART[0], height % _APART[1] or _APART[1]
    return (xs, ys), (xs[beside // 2 :: _APART[0]], ys[below // 2 :: _APART[1]])


def write(plot: ContourPlot, out: TextIO, size: Size) -> None:
    """Draw contours at the places of `grid`."""
    plotext()
    heading, scale = _heading(plot, size[0]), legend(_scale(plot), size[0], gap=" ")
    frame = _frame(plot.over, size, len(heading) + len(scale))
    width, height = frame.canvas
    xs, ys = grid(plot.over, size)[0]
    columns_of, lines_of = _places(xs, width), _places(ys[::-1], height)
    arrows = {(lines_of[arrow.y], columns_of[arrow.x]): _sign(arrow, frame) for arrow in plot.arrows if arrow.size}
    hidden = {(line, column + beside) for line, column in arrows for beside in (-1, 0, 1)}
    bands: list[dict[tuple[int, int], str]] = [{} for _ in _BANDS]
    shades = _shades(plot)
    for line, values in enumerate(_spread(plot.values[::-1], height)):
        for column, value in enumerate(_spread(values, width)):
            band = plot.band(value)
            if band is not None and (line, column) not in hidden:
                bands[shades[band]][line, column] = _BANDS[shades[band]]
    layers: list[Layer] = [(arrows, "bold"), *zip(bands, _STYLES, strict=True)]
    path = {**frame.line([plot.path], "o", out), **frame.line([[plot.path[-1]] * 2], "×", out)} if plot.path else {}
    write_lines(heading, out)
    write_frame(frame, layers, out, above=[(path, "bold magenta")])
    write_lines(scale, out)


def _spread(items: Sequence[_Item], count: int) -> Iterator[_Item]:
    """This many items: the nearest of the given ones at each of evenly spaced places."""
    return (items[round(place * (len(items) - 1) / max(1, count - 1))] for place in range(count))


def _places(items: Sequence[float], count: int) -> dict[float, int]:
    """Each item with its place where they are spread evenly over this many places."""
    return {item: round(place * (count - 1) / max(1, len(items) - 1)) for place, item in enumerate(items)}


def _sign(arrow: GradientArrow, frame: TerminalFrame) -> str:
    width, height = frame.canvas
    angle = atan2(arrow.up / (height * _LINE_TO_COLUMN), arrow.across / width)
    return _ARROWS[round(angle / (pi / 4)) % len(_ARROWS)]


def _shades(plot: ContourPlot) -> list[int]:
    """The place in _BANDS of each band; with more bands than characters, these repeat, so that neighbours differ."""
    most = len(plot.levels)
    if most >= len(_BANDS):
        return [band % len(_BANDS) for band in range(most + 1)]
    return [round(band * (len(_BANDS) - 1) / max(1, most)) for band in range(most + 1)]


def _heading(plot: ContourPlot, width: int) -> list[Segments]:
    """The line above: the function, its inputs, and the meaning of the arrows."""
    across, up = (elided(one_line(name), _NAME) for name in plot.over)
    aside = f"{across} across, {up} up{GAP}→ uphill"
    text = elided(function_caption(plot.program), max(_NAME, width - columns(GAP + aside)))
    return legend([[(text, "")]], width, aside)


def _scale(plot: ContourPlot) -> list[Segments]:
    """The line below: the characters with the levels between them, or the one character and value of a constant."""
    shades = _shades(plot)
    entries: list[Segments] = [[(_BANDS[shades[0]] * 2, _STYLES[shades[0]])]]
    for shade, level in zip(shades[1:], plot.levels, strict=True):
        entries.append([(f"{rounded(level)} ", ""), (_BANDS[shade] * 2, _STYLES[shade])])
    return entries if plot.levels else [*entries, [(rounded(plot.extremes[0]), "")]]
