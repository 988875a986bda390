"""The colours of pictures, on light and dark backgrounds, by the kind of a box or by its gradient.

A gradient is blue where it is positive and orange where it is negative, which every kind of colour blindness can tell
apart; the stronger the colour, the larger the gradient relative to the largest in the picture.
"""

from collections.abc import Mapping
from math import sqrt
from typing import NamedTuple

from .picture import Box, Picture

_FAINTEST = 0.12
"""the fraction of colour in the box of a very small gradient"""


class Palette(NamedTuple):
    """Colours as `#rrggbb`; those of a box are its background and its border."""

    paper: str
    ink: str
    line: str
    kinds: Mapping[str, tuple[str, str]]
    nonfinite: tuple[str, str]
    negative: str
    """the background of the most negative gradient"""
    positive: str

    def box(self, picture: Picture, box: Box) -> tuple[str, str]:
        """The background and the border of a box."""
        if box.is_nonfinite:
            return self.nonfinite
        if picture.color == "kind":
            return self.kinds[box.kind]
        share = abs(box.grad or 0.0) / (picture.largest_gradient or 1.0)
        if not share:
            return self.paper, self.line
        end = self.positive if (box.grad or 0.0) > 0 else self.negative
        return _mixed(self.paper, end, _FAINTEST + (1 - _FAINTEST) * sqrt(share)), self.line


LIGHT = Palette(
    "#ffffff",
    "#1c2126",
    "#5c6570",
    {
        "input": ("#e8f0fb", "#4a76b8"),
        "constant": ("#f1f1f1", "#a0a0a0"),
        "intermediate": ("#ffffff", "#5c6570"),
        "output": ("#e5f4e8", "#3b8a4d"),
        "operation": ("#ffffff", "#5c6570"),
    },
    ("#fbe9f5", "#a3186f"),
    "#f2953c",
    "#6fa8e8",
)
DARK = Palette(
    "#16191d",
    "#e6e9ed",
    "#98a2ad",
    {
        "input": ("#1d2c42", "#6c9bdc"),
        "constant": ("#26292e", "#767d85"),
        "intermediate": ("#16191d", "#98a2ad"),
        "output": ("#1b3323", "#5fb875"),
        "operation": ("#16191d", "#98a2ad"),
    },
    ("#3d1730", "#f077c0"),
    "#8f4a08",
    "#1d5ca6",
)


def palette(picture: Picture) -> Palette:
    """The colours for the picture's background."""
    return DARK if picture.dark else LIGHT


def _mixed(first: str, second: str, share: float) -> str:
    """The colour that is that fraction of the way from the first to the second."""
    pairs = zip(bytes.fromhex(first[1:]), bytes.fromhex(second[1:]), strict=True)
    return "#" + bytes(round(a + (b - a) * share) for a, b in pairs).hex()
