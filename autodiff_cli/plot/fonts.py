"""Fonts for the characters of a figure: matplotlib's own font has only those of Europe."""

from collections.abc import Collection, Iterator
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_OWN = "DejaVu Sans"
_BOXES = "Last Resort"
"""the font that has a box for every character"""


def use_fonts(drawing: "Figure") -> str:
    """Use installed fonts for characters that matplotlib's own lacks; returns those that no font has."""
    from matplotlib.text import Text

    texts = [text for text in drawing.findobj(Text) if isinstance(text, Text)]
    wanted = {
        character
        for text in texts
        for character in text.get_text()
        if not character.isascii() and not character.isspace()
    }
    families, missing = _families(wanted)
    if families:
        for text in texts:
            text.set_fontfamily([_OWN, *families])
    return "".join(sorted(missing))


def _families(wanted: Collection[str]) -> tuple[list[str], set[str]]:
    """The font families, besides matplotlib's, that together have the characters, and the characters that none has."""
    from matplotlib import font_manager

    missing = {character for character in wanted if ord(character) not in _code_points(font_manager.findfont(_OWN))}
    families: list[str] = []
    for name, file in _installed() if missing else ():
        here = {character for character in missing if ord(character) in _code_points(file)}
        if here:
            families.append(name)
            missing -= here
        if not missing:
            break
    return families, missing


def _installed() -> Iterator[tuple[str, str]]:
    """The names and files of upright fonts of regular weight, the larger ones first, as they have more characters.

    Matplotlib keeps its list of fonts, of which some may have been removed since.
    """
    from os.path import getsize, isfile

    from matplotlib import font_manager

    every = (font for font in font_manager.fontManager.ttflist if not font.name.startswith(_BOXES))
    fonts = [font for font in every if font.style == "normal" and font.weight in (400, 500) and isfile(font.fname)]
    yield from ((font.name, font.fname) for font in sorted(fonts, key=lambda font: -getsize(font.fname)))


@cache
def _code_points(file: str) -> Collection[int]:
    """The code points that a font has."""
    from matplotlib.ft2font import FT2Font

    return frozenset(FT2Font(file).get_charmap())
