"""A table within a width. Numbers and verdicts are whole in every width; names may lose their middle.

Where there is too little room, names are shortened first; then columns go that are empty or can be spared; then numbers
have fewer digits. Last of all each row becomes a record, with a line `heading: content` for each of its cells.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import zip_longest

from ..terminal.printable_text import printable
from ..terminal.screen import Segment, Segments, width, wrapped
from .cell_text import cell_text, is_number, shortened
from .report import Column, Row, Table
from .row_records import records

GAP = 3  # columns between two cells
_NAME, _TEXT = 12, 16  # columns down to which names are shortened and texts are broken into lines
_DIGITS = 2  # decimal places that numbers keep in a table

Widths = Mapping[int, int]
"""columns of a table that are side by side: place → width"""


def laid_out(table: Table, room: int) -> Iterator[Segments]:
    """The lines of a table, in a number of columns."""
    rows, grid = list(table.rows), None
    for places, precision in _attempts(table, rows):
        if not table.goes_on and len(places) * (1 + GAP) - GAP > room:
            continue  # too many, however narrow: their cells need not be laid out
        if grid is None or grid.precision != precision:
            grid = _Grid(table, rows, precision)
        if blocks := grid.blocks(places, room):
            for number, block in enumerate(blocks):
                yield from [()] * bool(number)
                yield from grid.lines(block)
            return
    yield from records(table, rows, room)


def _attempts(table: Table, rows: Sequence[Row]) -> Iterator[tuple[Sequence[int], int]]:
    """Choices of columns to show and of digits, the most informative one first."""
    places = range(len(table.columns))
    filled = {place for row in rows for place, cell in enumerate(row.cells) if cell not in (None, "")}
    needed = [place for place in places if place in (filled or places) and not table.columns[place].is_spare]
    yield places, table.precision
    if len(needed) < len(places):
        yield needed, table.precision
    yield from ((needed, precision) for precision in range(table.precision - 1, _DIGITS - 1, -1))


class _Grid:
    """The cells of a table as texts, with numbers of one precision."""

    def __init__(self, table: Table, rows: Sequence[Row], precision: int) -> None:
        self.precision = precision
        self._table, self._rows = table, rows
        self._headings = [[(printable(column.heading), "bold")] for column in table.columns]
        self._cells = [
            [
                [(text, f"{row.style} {style}") for text, style in cell_text(cell, precision, column.style)]
                for column, cell in zip_longest(table.columns, row.cells)
            ]
            for row in rows
        ]

    def blocks(self, places: Sequence[int], room: int) -> Sequence[Widths]:
        """The columns side by side or, where the table may go on below, in several blocks, each with the first column.

        There are none where there is too little room.
        """
        limits = {place: self._limits[place] for place in places}
        widths = _widths(limits, room, _total)
        if widths is not None:
            return [widths]
        if self._table.goes_on and len(places) > 2:
            widths = _widths(limits, room, self._narrowest_block)
        return [] if widths is None else list(self._split(widths, room))

    def _narrowest_block(self, widths: Widths) -> int:
        """The width of the first column together with the widest of the others."""
        first, *others = self._groups(widths)
        return _total(first) + GAP + max(map(_total, others))

    def _split(self, widths: Widths, room: int) -> Iterator[Widths]:
        """Blocks that begin with the first column, with as many others as there is room for."""
        first, *others = self._groups(widths)
        block = first
        for group in others:
            if block != first and _total({**block, **group}) > room:
                yield block
                block = first
            block = {**block, **group}
        yield block

    def _groups(self, widths: Widths) -> Sequence[Widths]:
        """The columns, each together with those behind it whose headings mean something only there."""
        groups: list[dict[int, int]] = []
        for place, room in widths.items():
            column = self._table.columns[place]
            if not groups or (column.heading and not column.alone):
                groups.append({})
            groups[-1][place] = room
        return groups

    @cached_property
    def _limits(self) -> Sequence[tuple[int, int]]:
        """The least and the most columns of the terminal that each column of the table may take."""
        return [self._limit(place, column) for place, column in enumerate(self._table.columns)]

    def _limit(self, place: int, column: Column) -> tuple[int, int]:
        texts = [row[place] for row in self._cells]
        heading = width(self._headings[place])
        most = max(heading, *map(width, texts)) if texts else heading
        if column.wraps:
            return min(most, max(heading, _TEXT)), most
        if column.most is None:
            return most, most
        rigid = max((width(text) for text in texts if column.is_number or is_number(text)), default=0)
        most = max(rigid, min(most, column.most))
        return max(rigid, min(most, _NAME)), most

    def lines(self, block: Widths) -> Iterator[Segments]:
        """The lines of a block: the headings, a rule and the rows."""
        yield from self._row_lines(self._headings, block)
        yield [("─" * _total(block), "")]
        for row, cells in zip(self._rows, self._cells, strict=True):
            yield from self._row_lines(cells, block)
            yield from [()] * row.ends_section

    def _row_lines(self, cells: Sequence[Segments], block: Widths) -> Iterator[Segments]:
        fitted = [self._fitted(place, cells[place], room) for place, room in block.items()]
        for parts in zip_longest(*fitted, fillvalue=()):
            line: list[Segment] = []
            for (place, room), part in zip(block.items(), parts, strict=True):
                gap = " " * (room - width(part))
                line += [(gap, ""), *part] if self._table.columns[place].is_number else [*part, (gap, "")]
                line.append((" " * GAP, ""))
            yield line

    def _fitted(self, place: int, text: Segments, room: int) -> Iterable[Segments]:
        """The lines of a cell."""
        return wrapped(text, room, hanging=0) if self._table.columns[place].wraps else [shortened(text, room)]


def _total(widths: Widths) -> int:
    return sum(widths.values()) + GAP * (len(widths) - 1)


def _widths(limits: Mapping[int, tuple[int, int]], room: int, needed: Callable[[Widths], int]) -> Widths | None:
    """The widths of columns that need no more than the room, the widest reduced first; None if even the least do."""

    def up_to(level: int) -> Widths:
        return {place: max(least, min(most, level)) for place, (least, most) in limits.items()}

    levels = range(1 + max((most for _, most in limits.values()), default=0))
    fitting = bisect_right(levels, room, key=lambda level: needed(up_to(level)))
    return up_to(levels[fitting - 1]) if fitting else None
