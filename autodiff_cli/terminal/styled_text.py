"""A line of text that is put together from pieces with styles."""

from collections.abc import Iterator

from ..errors import columns
from .screen import Segment, Segments, wrapped


class StyledText:
    """A text in pieces."""

    def __init__(self, text: str = "", style: str = "") -> None:
        self._segments: list[Segment] = [(text, style)] if text else []

    def append(self, text: str, style: str = "") -> "StyledText":
        """Add a piece at the end."""
        self._segments.append((text, style))
        return self

    def extend(self, other: "StyledText") -> "StyledText":
        """Add the pieces of another text."""
        self._segments += other.segments
        return self

    @property
    def segments(self) -> Segments:
        """The pieces."""
        return self._segments

    @property
    def plain(self) -> str:
        """The text without styles."""
        return "".join(text for text, _ in self._segments)

    @property
    def width(self) -> int:
        """The number of a terminal's columns that it takes."""
        return columns(self.plain)

    def wrapped(self, room: int) -> Iterator["StyledText"]:
        """The lines of the text where it is broken between words."""
        for line in wrapped(self._segments, room):
            text = StyledText()
            text._segments = [*line]
            yield text
