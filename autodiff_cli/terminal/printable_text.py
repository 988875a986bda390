"""Text that is safe to print, and the number of columns that it takes in a terminal."""

import re
import unicodedata

_NOT_ASCII = re.compile("[^ -~]")  # characters that may be unsafe, or be wider or narrower than one column


def printable(text: str) -> str:
    """The text with every control, format or unassigned character shown as an escape, so that it is safe to print."""
    return text if text.isascii() and text.isprintable() else _NOT_ASCII.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    if character.isprintable() or character == "\n":
        return character
    category = unicodedata.category(character)
    if category == "Zs":
        return " "
    return character.encode("unicode_escape").decode("ascii")


def one_line(text: str) -> str:
    """The text made `printable`, without line breaks."""
    return printable(text.replace("\t", "    ")).replace("\n", "\\n")


def columns(text: str) -> int:
    """The number of a terminal's columns that a printable text takes."""
    return len(text) if text.isascii() else len(text) + sum(map(_extra, _NOT_ASCII.findall(text)))


def _extra(character: str) -> int:
    """The number of columns beyond one that the character takes."""
    if unicodedata.category(character) in ("Mn", "Me"):
        return -1
    return 1 if unicodedata.east_asian_width(character) in "WF" else 0
