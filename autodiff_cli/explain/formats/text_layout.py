"""Rows of formulas and numbers as lines of text: aligned where they fit, else broken between cells; never cut off."""

from collections.abc import Sequence

from ...errors import columns
from ...terminal.console import Text

WIDTH = 80  # columns
_WIDEST = 28  # columns of a cell that others are aligned with

Cell = tuple[str, str]
"""a text and its style"""
Row = Sequence[Cell]


def widths(rows: Sequence[Row]) -> list[int]:
    """The width of each column: that of its widest cell, apart from cells that are too long to be aligned."""
    count = max(map(len, rows), default=0)
    return [
        max((width for row in rows if place < len(row) and (width := _width(row[place])) <= _WIDEST), default=0)
        for place in range(count)
    ]


def fit(rows: Sequence[Row], widths: Sequence[int], indent: int) -> bool:
    """Whether each of the rows fits on one line."""
    return all(len(broken) == 1 and broken[0].cell_len <= WIDTH for broken in (lines(r, widths, indent) for r in rows))


def lines(row: Row, widths: Sequence[int], indent: int) -> list[Text]:
    """A row as a line, or where it is too wide as several, the others indented to the second cell.

    The fifth cell stays on the line of the fourth.
    """
    broken = [Text(" " * indent)]
    below = indent + widths[0] + 1
    start = indent
    for place, cell in enumerate(row):
        line, width = broken[-1], _width(cell)
        if width:
            if len(broken) == 1:
                line.append(" " * max(0, start - line.cell_len))
            glued = sum(1 + _width(following) for following in row[4:]) if place == 3 else 0
            if 1 < place < 4 and line.cell_len + width + glued > WIDTH and line.cell_len > below:
                line = Text(" " * below)
                broken.append(line)
            line.append(*cell).append(" ")
        start += widths[place] + bool(widths[place])
    for line in broken:
        line.rstrip()
    return broken


def paragraph(text: str, indent: int, style: str = "", hanging: int = 0) -> list[Text]:
    """A text broken into lines between words, however wide its letters are; `hanging` indents all but the first."""
    wrapped = [" " * indent]
    for word in text.split():
        if wrapped[-1].strip() and columns(f"{wrapped[-1]} {word}") > WIDTH:
            wrapped.append(" " * (indent + hanging))
        wrapped[-1] += word if not wrapped[-1].strip() else f" {word}"
    return [Text(line, style) for line in wrapped]


def note(remark: str) -> list[Text]:
    """The lines of a remark; none for ""."""
    return paragraph(f"note: {remark}", 4, "italic", hanging=6) if remark else []


def _width(cell: Cell) -> int:
    return columns(cell[0])
