"""Lines of text for people: in colours and within a width; they may take the whole screen of a terminal."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO, TypeAlias

from . import size
from .color import is_colored, styled
from .printable_text import columns

Segment: TypeAlias = tuple[str, str]
"""a text and its style, such as `bold red`"""
Segments: TypeAlias = Sequence[Segment]
"""a line of text in pieces"""

_WORD = r"\s*((?:= (?=\S{1,%d}(?!\S)))?\S+)"
"""a word, with the = before it where both are on one line; filled in with the characters that fit after that ="""
_NUMBER = re.compile(r"[-+]?\d[\d.,]*(e[-+]?\d+)?")
_ENTER, _LEAVE = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"  # the alternate screen, without a cursor
_CLEAR = "\x1b[H\x1b[2J"


class Screen:
    """An open text file that people read."""

    def __init__(self, out: TextIO) -> None:
        self.out, self.width, self.is_colored = out, size.width(out), is_colored(out)

    def line(self, *segments: Segment) -> None:
        """Write a line as it is."""
        self.out.write(self.text(*segments) + "\n")

    def text(self, *segments: Segment) -> str:
        """A line as it is written, without spaces at its end."""
        parts = [*segments]
        while parts and not (text := parts[-1][0].rstrip(" ")):
            parts.pop()
        if parts:
            parts[-1] = text, parts[-1][1]
        return "".join(styled(*part) for part in parts) if self.is_colored else "".join(part for part, _ in parts)

    def paragraph(self, *segments: Segment) -> None:
        """Write a line, broken between words where it is too wide."""
        for part in wrapped(segments, self.width):
            self.line(*part)

    def show(self, lines: Sequence[Segments]) -> None:
        """Replace what a terminal shows; there are no more lines than it has."""
        self.out.write(_CLEAR + "\n".join(self.text(*line) for line in lines))
        self.out.flush()


@contextmanager
def full_screen(out: TextIO) -> Iterator[None]:
    """Within the block a terminal shows its alternate screen, without a cursor."""
    out.write(_ENTER)
    try:
        yield
    finally:
        out.write(_LEAVE)
        out.flush()


def plain(segments: Segments) -> str:
    """The text without styles."""
    return segments[0][0] if len(segments) == 1 else "".join(part for part, _ in segments)


def width(segments: Segments) -> int:
    """The number of a terminal's columns that a text takes."""
    return columns(plain(segments))


def wrapped(segments: Segments, room: int, hanging: int = 2) -> Iterator[Segments]:
    """The lines of a text that is broken between words.

    All but the first begin below what follows a label, a first segment with a space at its end, or else are indented by
    `hanging` columns more than the first.
    """
    text = plain(segments)
    if columns(text) <= room:
        yield segments
        return
    label = segments[0][0] if len(segments) > 1 and segments[0][0].endswith(" ") else ""
    indent = " " * min(columns(label) or len(text) - len(text.lstrip(" ")) + hanging, room // 2)
    for number, (start, end) in enumerate(_lines(text, room, room - len(indent))):
        is_indented = number and columns(text[start:end]) <= room - len(indent)
        yield [(indent, "")] * is_indented + _part(segments, start, end)


def _lines(text: str, first: int, others: int) -> Iterator[tuple[int, int]]:
    """The beginning and end of each line of a text. A word longer than a line is broken, but not inside a number."""
    start, room = 0, first
    for word in re.finditer(_WORD % max(others - 2, 1), text):
        if columns(text[start : word.end()]) > room and text[start : word.start()].strip():
            yield start, word.start()
            start, room = word.start(1), others
        while columns(text[start : word.end()]) > room and (cut := _cut(text, start, room)) < word.end():
            yield start, cut
            start, room = cut, others
    yield start, len(text)


def _cut(text: str, start: int, room: int) -> int:
    """The last place within the room, else the first beyond it, that is not inside a number."""
    numbers = [match.span() for match in _NUMBER.finditer(text, start, start + 2 * room)]
    places = [*range(min(start + room, len(text)), start, -1), *range(start + room + 1, len(text) + 1)]
    fitting = (end for end in places if end > start + room or columns(text[start:end]) <= room)
    return next((end for end in fitting if not any(first < end < last for first, last in numbers)), len(text))


def _part(segments: Segments, start: int, end: int) -> list[Segment]:
    """The segments between two places in their text."""
    part, place = [], 0
    for text, style in segments:
        if piece := text[max(0, start - place) : max(0, end - place)]:
            part.append((piece, style))
        place += len(text)
    return part
