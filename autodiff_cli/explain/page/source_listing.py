"""The source of a formula as the page shows it, with positions in units of UTF-16, as in JavaScript."""

from typing import NamedTuple

from ...terminal.printable_text import printable


class SourceListing(NamedTuple):
    """The text that is shown, and where each character of the source is in it."""

    text: str
    """lines end with `\\n`; tabs and what cannot be printed are written out"""
    places: list[int]
    """character of the source → its place in the text, in units of UTF-16; the last entry is for the end"""


def source_listing(source: str) -> SourceListing:
    """The listing of a source text."""
    shown: list[str] = []
    places = [0]
    for character, following in zip(source, source[1:] + " ", strict=True):
        text = _shown(character, following)
        shown.append(text)
        places.append(places[-1] + len(text.encode("utf-16-le", "surrogatepass")) // 2)
    return SourceListing("".join(shown).rstrip("\n"), places)


def _shown(character: str, following: str) -> str:
    if character == "\t":
        return "    "
    if character == "\r":
        return "" if following == "\n" else "\n"
    return printable(character)
