"""A surface in the terminal: a character for each band of values, and arrows that point uphill."""

from collections.abc import Mapping
from math import atan2, pi
from typing import TextIO

from .. import terminal
from ..errors import columns, one_line
from ..notation import elided
from .field import Arrow, Field, Places, spread
from .labels import function_label
from .screen import Frame, Layer, Size, joined, plotext, simple
from .screen import write as write_frame
from .windows import Window

_BANDS = "·:-=+*#%@"
"""from the lowest values to the highest: the higher, the more ink"""
_STYLES = ("blue", "blue", "cyan", "cyan", "green", "green", "yellow", "yellow", "red")
_ARROWS = "→↗↑↖←↙↓↘"
_APART: Size = (6, 3)
_ROW_TO_COLUMN = 2.0
"""a character is about so many times as high as it is wide"""
_NAME = 12  # columns of a name at the most
_GAP = "   "


def frame(over: Mapping[str, Window], size: Size) -> Frame:
    """The frame for two ranges, with room for a line above it and two below it."""
    across, up = over.values()
    return Frame(across, up, (size[0], size[1] - 2))


def grid(over: Mapping[str, Window], size: Size) -> tuple[Places, Places]:
    """Where values are needed, at each character, and where gradients, at some of them."""
    across, up = over.values()
    width, height = frame(over, size).canvas
    xs, ys = spread(across, width), spread(up, height)
    beside, below = width % _APART[0] or _APART[0], height % _APART[1] or _APART[1]
    return (xs, ys), (xs[beside // 2 :: _APART[0]], ys[below // 2 :: _APART[1]])


def write(field: Field, out: TextIO, size: Size) -> None:
    """Draw a field that has the places of `grid`."""
    plotext()
    console, simply = terminal.console(out), simple(out)
    drawn = frame(field.over, size)
    columns_of = {x: column for column, x in enumerate(field.xs)}
    rows_of = {y: row for row, y in enumerate(reversed(field.ys))}
    arrows = {(rows_of[arrow.y], columns_of[arrow.x]): _sign(arrow, drawn) for arrow in field.arrows if arrow.size}
    hidden = {(row, column + beside) for row, column in arrows for beside in (-1, 0, 1)}
    bands: list[dict[tuple[int, int], str]] = [{} for _ in _BANDS]
    shades = _shades(field)
    for row, values in enumerate(reversed(field.values)):
        for column, value in enumerate(values):
            band = field.band(value)
            if band is not None and (row, column) not in hidden:
                bands[shades[band]][row, column] = _BANDS[shades[band]]
    layers: list[Layer] = [(arrows, "bold"), *zip(bands, _STYLES, strict=True)]
    console.print(joined(_heading(field, size[0]), simply), soft_wrap=True)
    write_frame(drawn, layers, out)
    console.print(joined(_scale(field), simply), soft_wrap=True)


def _sign(arrow: Arrow, drawn: Frame) -> str:
    """The sign for a direction, as it is on the screen."""
    width, height = drawn.canvas
    angle = atan2(arrow.up / (height * _ROW_TO_COLUMN), arrow.across / width)
    return _ARROWS[round(angle / (pi / 4)) % len(_ARROWS)]


def _shades(field: Field) -> list[int]:
    """The place in _BANDS of each band."""
    most = len(field.levels)
    return [round(band * (len(_BANDS) - 1) / max(1, most)) for band in range(most + 1)]


def _heading(field: Field, width: int) -> list[tuple[str, str]]:
    """What is drawn, over what, and what the arrows mean."""
    across, up = (elided(one_line(name), _NAME) for name in field.over)
    rest = f"{_GAP}{across} across, {up} up{_GAP}→ uphill"
    text = elided(function_label(field.program), max(_NAME, width - columns(rest)))
    return [(text, ""), (" " * (width - columns(text) - columns(rest)), ""), (rest, "dim")]


def _scale(field: Field) -> list[tuple[str, str]]:
    """The characters in their order, with the level between each two of them; behind that of a constant its value."""
    shades = _shades(field)
    cells = [(_BANDS[shades[0]] * 2, _STYLES[shades[0]])]
    for shade, level in zip(shades[1:], field.levels, strict=True):
        cells += [(f" {level:g} ", ""), (_BANDS[shade] * 2, _STYLES[shade])]
    return cells if field.levels else [*cells, (f" {field.lowest:g}", "")]
