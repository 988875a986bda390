"""Rows of formulas and numbers as lines of text: aligned where they fit, else broken between cells; never cut off."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...terminal.printable_text import columns
from ...terminal.screen import Segment, Segments, width, wrapped

MOST_COLUMNS = 80
"""of a line, also in a wider terminal"""
_WIDEST = 34  # columns of a cell that others are aligned with
_PRODUCT = 3  # the place of the product in a row


def widths(rows: Sequence[Segments]) -> list[int]:
    """The width of each column: that of its widest cell, apart from cells that are too long to be aligned."""
    count = max(map(len, rows), default=0)
    return [
        max((wide for row in rows if place < len(row) and (wide := columns(row[place][0])) <= _WIDEST), default=0)
        for place in range(count)
    ]


@dataclass(frozen=True)
class TextLayout:
    """Lays out text in a number of columns."""

    room: int

    def fit(self, rows: Sequence[Segments], aligned: Sequence[int], indent: int) -> bool:
        """Whether each of the rows fits on one line, in columns of the widths `aligned`."""
        broken = (self.lines(row, aligned, indent) for row in rows)
        return all(len(lines) == 1 and width(lines[0]) <= self.room for lines in broken)

    def lines(self, row: Segments, aligned: Sequence[int], indent: int) -> list[list[Segment]]:
        """A row as a line, or where it is too wide as several, the others indented to the second cell.

        Its cells are a name, `= rule`, `= number`, the product and where that goes; the last two stay on one line.
        `aligned` are the widths of the columns.
        """
        broken: list[list[Segment]] = [[(" " * indent, "")]]
        below = min(indent + aligned[0] + 1, self.room // 2)
        start = indent
        for place, cell in enumerate(row):
            line, needed = broken[-1], columns(cell[0])
            if needed:
                if len(broken) == 1:
                    line.append((" " * max(0, start - width(line)), ""))
                if place == _PRODUCT:
                    least = aligned[place] if len(broken) == 1 else 0
                    needed = max(needed, least) + sum(1 + columns(following) for following, _ in row[place + 1 :])
                if 1 < place <= _PRODUCT and width(line) + needed > self.room and width(line) > below:
                    line, cell = [(" " * below, "")], (cell[0].lstrip(), cell[1])
                    broken.append(line)
                line += [cell, (" ", "")]
            start += aligned[place] + bool(aligned[place])
        return broken

    def paragraph(self, text: str, indent: int, style: str = "", hanging: int = 0) -> list[list[Segment]]:
        """A text broken into lines between words, however wide its letters are; `hanging` indents all but the first."""
        line = [(" " * indent + " ".join(text.split()), style)]
        return [[*part] for part in wrapped(line, self.room, hanging)]

    def note(self, remark: str) -> list[list[Segment]]:
        """The lines of a remark; none for ""."""
        return self.paragraph(f"note: {remark}", 4, "italic", hanging=6) if remark else []
