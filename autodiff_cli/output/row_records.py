"""A table that is too wide as records: a line `heading: content` for each cell of a row."""

from collections.abc import Iterator, Sequence

from ..notation import elided
from ..terminal.printable_text import columns, printable
from ..terminal.screen import Segments, width, wrapped
from .cell_text import cell_text, shortened
from .report import Cell, Column, Content, Line, Row, Table

_LABEL, _NAME = 5, 12  # columns that the heading of a number and a name keep
_SEPARATOR, _INDENT = ": ", 2


def records(table: Table, rows: Sequence[Row], room: int) -> Iterator[Segments]:
    """The lines of the records, with an empty line between two of them."""
    for number, row in enumerate(rows):
        yield from [()] * bool(number)
        for column, cell in zip(table.columns, row.cells, strict=False):
            yield from _lines(column, cell, table.precision, room)


def _lines(column: Column, cell: Content | Cell | Line, precision: int, room: int) -> Iterator[Segments]:
    """A line for a cell, or where heading and content are too wide for one, the heading and the content below it."""
    heading = printable(column.alone or column.heading)
    label = min(columns(heading), _LABEL) if column.is_number else columns(heading)
    beside = room - label - len(_SEPARATOR)
    text = _content(column, cell, precision, beside if column.is_number or beside >= _NAME else room - _INDENT)
    left = room - width(text) - len(_SEPARATOR)
    if width(text) and heading and left >= label:
        yield [(elided(heading, left) + _SEPARATOR, "dim"), *text]
    elif width(text):
        yield from [[(heading + _SEPARATOR, "dim")]] * bool(heading)
        yield from wrapped([(" " * _INDENT, ""), *text], room, hanging=0)


def _content(column: Column, cell: Content | Cell | Line, precision: int, room: int) -> Segments:
    """The content with as many digits, or as much of a name, as there is room for."""
    while width(text := cell_text(cell, precision, column.style)) > room and precision and column.is_number:
        precision -= 1
    return shortened(text, room) if column.most else text
