"""Rows of formulas and numbers as lines of text: aligned where they fit, else broken between cells; never cut off."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import columns
from ...terminal.screen import Segment, Segments
from ...terminal.styled_text import StyledText

MOST = 80
"""columns of a line, in a terminal that is wider too"""
_WIDEST = 28  # columns of a cell that others are aligned with


def widths(rows: Sequence[Segments]) -> list[int]:
    """The width of each column: that of its widest cell, apart from cells that are too long to be aligned."""
    count = max(map(len, rows), default=0)
    return [
        max((width for row in rows if place < len(row) and (width := _width(row[place])) <= _WIDEST), default=0)
        for place in range(count)
    ]


@dataclass(frozen=True)
class TextLayout:
    """Lays out text in so many columns."""

    room: int = MOST

    def fit(self, rows: Sequence[Segments], widths: Sequence[int], indent: int) -> bool:
        """Whether each of the rows fits on one line."""
        broken = (self.lines(row, widths, indent) for row in rows)
        return all(len(lines) == 1 and lines[0].width <= self.room for lines in broken)

    def lines(self, row: Segments, widths: Sequence[int], indent: int) -> list[StyledText]:
        """A row as a line, or where it is too wide as several, the others indented to the second cell.

        The fifth cell stays on the line of the fourth.
        """
        broken = [StyledText(" " * indent)]
        below = min(indent + widths[0] + 1, self.room // 2)
        start = indent
        for place, cell in enumerate(row):
            line, width = broken[-1], _width(cell)
            if width:
                if len(broken) == 1:
                    line.append(" " * max(0, start - line.width))
                glued = sum(1 + _width(following) for following in row[4:]) if place == 3 else 0
                if 1 < place < 4 and line.width + width + glued > self.room and line.width > below:
                    line = StyledText(" " * below)
                    broken.append(line)
                line.append(*cell).append(" ")
            start += widths[place] + bool(widths[place])
        return broken

    def paragraph(self, text: str, indent: int, style: str = "", hanging: int = 0) -> list[StyledText]:
        """A text broken into lines between words, however wide its letters are; `hanging` indents all but the first."""
        wrapped = [" " * indent]
        for word in text.split():
            if wrapped[-1].strip() and columns(f"{wrapped[-1]} {word}") > self.room:
                wrapped.append(" " * (indent + hanging))
            wrapped[-1] += word if not wrapped[-1].strip() else f" {word}"
        return [StyledText(line, style) for line in wrapped]

    def note(self, remark: str) -> list[StyledText]:
        """The lines of a remark; none for ""."""
        return self.paragraph(f"note: {remark}", 4, "italic", hanging=6) if remark else []


def _width(cell: Segment) -> int:
    return columns(cell[0])
