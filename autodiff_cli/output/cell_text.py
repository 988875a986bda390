"""Cells as text: contents with their styles, and names without their middle."""

from ..notation import decimal, elided
from ..terminal.printable_text import printable
from ..terminal.screen import Segments, plain, width
from .report import Cell, Content, Line


def cell_text(content: Content | Cell | Line, precision: int = 0, style: str = "") -> Segments:
    """A content as text, in its own style or else in the one that is given."""
    if isinstance(content, Cell):
        return [(_text(content.content, precision), content.style or style)]
    if isinstance(content, tuple):
        return [segment for piece in content for segment in cell_text(piece, precision, style)]
    return [(_text(content, precision), style)]


def _text(content: Content, precision: int) -> str:
    if isinstance(content, float):
        return decimal(content, precision)
    return "" if content is None else printable(str(content))


def shortened(text: Segments, room: int) -> Segments:
    """A text without its middle where it is wider than the room; a number is left whole."""
    return text if width(text) <= room or is_number(text) else [(elided(plain(text), room), text[0][1])]


def is_number(text: Segments) -> bool:
    """Whether a text is a number, of which nothing may be left out."""
    try:
        float(plain(text))
    except ValueError:
        return False
    return True
