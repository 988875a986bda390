"""The source of a formula as the page shows it, with positions in units of UTF-16, as in JavaScript."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import printable


@dataclass(frozen=True)
class SourceListing:
    """The text that is shown, and where each character of the source stands in it."""

    text: str
    """lines end with `\\n`; tabs and what cannot be printed are written out"""
    places: Sequence[int]
    """character of the source → its place in the text, in units of UTF-16; the last entry is for the end"""

    @classmethod
    def of(cls, source: str) -> "SourceListing":
        """The listing of a source text."""
        shown: list[str] = []
        places, place = array("Q"), 0
        for character, following in zip(source, source[1:] + " ", strict=True):
            text = _shown(character, following)
            shown.append(text)
            places.append(place)
            place += len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
        places.append(place)
        return cls("".join(shown).rstrip("\n"), places)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """A span of the source, in the text."""
        return self.places[start], self.places[end]


def _shown(character: str, following: str) -> str:
    if character == "\t":
        return "    "
    if character == "\r":
        return "" if following == "\n" else "\n"
    return printable(character)
