"""Rows of formulas and numbers, aligned where they fit and broken between cells where they do not; never cut off."""

from collections.abc import Sequence

from rich.text import Text

from ...errors import columns

WIDTH = 80  # columns
_WIDEST = 28  # columns of a cell that others are aligned with

Cell = tuple[str, str]
"""a text and its style"""
Row = Sequence[Cell]


def widths(rows: Sequence[Row]) -> list[int]:
    """How wide each column has to be for the cells that are not too long to be aligned."""
    count = max(map(len, rows), default=0)
    return [
        max((size for row in rows if place < len(row) and (size := _size(row[place])) <= _WIDEST), default=0)
        for place in range(count)
    ]


def fit(rows: Sequence[Row], sizes: Sequence[int], indent: int) -> bool:
    """Does each of the rows fit on one line?"""
    made = [lines(row, sizes, indent) for row in rows]
    return all(len(one) == 1 and one[0].cell_len <= WIDTH for one in made)


def lines(row: Row, sizes: Sequence[int], indent: int) -> list[Text]:
    """A row as a line, or where it is too wide as several; these begin below the second cell.

    The fifth cell stays with the fourth.
    """
    made = [Text(" " * indent)]
    below = indent + sizes[0] + 1
    start = indent
    for place, cell in enumerate(row):
        line, size = made[-1], _size(cell)
        if size:
            if len(made) == 1:
                line.append(" " * max(0, start - line.cell_len))
            glued = sum(1 + _size(one) for one in row[4:]) if place == 3 else 0
            if 1 < place < 4 and line.cell_len + size + glued > WIDTH and line.cell_len > below:
                line = Text(" " * below)
                made.append(line)
            line.append(*cell).append(" ")
        start += sizes[place] + bool(sizes[place])
    for line in made:
        line.rstrip()
    return made


def paragraph(text: str, indent: int, style: str = "", hanging: int = 0) -> list[Text]:
    """Words, broken into lines between words."""
    made = [" " * indent]
    for word in text.split():
        if made[-1].strip() and columns(f"{made[-1]} {word}") > WIDTH:
            made.append(" " * (indent + hanging))
        made[-1] += word if not made[-1].strip() else f" {word}"
    return [Text(line, style) for line in made]


def note(remark: str) -> list[Text]:
    """A remark below a step; nothing where there is none."""
    return paragraph(f"note: {remark}", 4, "italic", hanging=6) if remark else []


def _size(cell: Cell) -> int:
    return columns(cell[0])
