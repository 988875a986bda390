"""Tables and lines of text for people; there are colours on a terminal only."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import TextIO

from ..errors import columns, printable
from ..notation import decimal, elided
from ..terminal.console import Console, Grid, Text, console, grid
from .report import Cell, Column, Content, Line, Report, Row, Table

_GAP = 3  # columns between two cells
_UNLIMITED = 1_000_000  # columns
_MOST_STYLED = 20_000  # cells; Rich takes a tenth of a millisecond for each


def write(report: Report, out: TextIO) -> None:
    """Write the tables, and the lines between them."""
    screen = console(out)
    for part in report.tables():
        if isinstance(part, Table):
            _write(part, screen)
        else:
            screen.print(_text(part), soft_wrap=True)


def _write(table: Table, screen: Console) -> None:
    rows = list(table.rows)
    cells = [[Text(printable(column.heading)) for column in table.columns], *(_texts(table, row) for row in rows)]
    _cut(table.columns, cells, screen.width)
    overflows = table.too_wide == "overflow"
    many = table.too_wide == "blocks" and len(cells) * len(table.columns) > _MOST_STYLED
    for number, places in enumerate(_blocks(table, cells, screen.width)):
        if number:
            screen.print()
        if many:
            screen.file.writelines(_plain_lines(table, places, cells))
            continue
        shown = _grid(table, places, cells[0])
        for row, texts in zip(rows, cells[1:], strict=True):
            shown.add_row(*(texts[place] for place in places), style=row.style, end_section=row.ends_section)
        if overflows:
            shown.width = screen.measure(shown, options=screen.options.update(max_width=_UNLIMITED)).maximum
        screen.print(shown, soft_wrap=overflows)
    if table.caption:
        screen.print(table.caption, style="dim")


def _plain_lines(table: Table, places: Sequence[int], cells: Sequence[Sequence[Text]]) -> Iterator[str]:
    """The lines of the table that Rich would write, without styles."""
    aligned = [_aligned([row[place].plain for row in cells], table.columns[place].is_number) for place in places]
    lines = [(" " * _GAP).join(row).rstrip() + "\n" for row in zip(*aligned, strict=True)]
    yield lines[0]
    yield "─" * (sum(columns(texts[0]) for texts in aligned) + _GAP * (len(aligned) - 1)) + "\n"
    yield from lines[1:]


def _aligned(texts: Sequence[str], right: bool) -> list[str]:
    widths = [columns(text) for text in texts]
    gaps = [" " * (max(widths) - width) for width in widths]
    return [f"{gap}{text}" if right else f"{text}{gap}" for text, gap in zip(texts, gaps, strict=True)]


def _texts(table: Table, row: Row) -> list[Text]:
    cells = zip_longest(table.columns, row.cells)
    return [_text(cell, table.precision, column.style) for column, cell in cells]


def _text(content: Content | Cell | Line, precision: int = 0, style: str = "") -> Text:
    if isinstance(content, Cell):
        return Text(_text(content.content, precision).plain, style=content.style or style)
    if isinstance(content, tuple):
        return Text.assemble(*(_text(piece, precision) for piece in content), style=style)
    if isinstance(content, float):
        return Text(decimal(content, precision), style=style)
    return Text("" if content is None else printable(str(content)), style=style)


def _cut(headings: Sequence[Column], cells: Sequence[Sequence[Text]], room: int) -> None:
    """Cut short what is longer than its column may be in so much room."""
    for place, column in enumerate(headings):
        if column.most is None:
            continue
        limit = column.most
        if column.least is not None:
            others = sum(_GAP + width for other, width in enumerate(_widths(cells)) if other != place)
            limit = min(limit, max(column.least, room - others))
        for row in cells:
            row[place].plain = elided(row[place].plain, limit)


def _widths(cells: Sequence[Sequence[Text]]) -> list[int]:
    return [max(columns(text.plain) for text in column) for column in zip(*cells, strict=True)]


def _blocks(table: Table, cells: Sequence[Sequence[Text]], room: int) -> Iterator[Sequence[int]]:
    """The columns that stand side by side: all, or in blocks the first and as many others as there is room for."""
    if table.too_wide != "blocks":
        yield range(len(table.columns))
        return
    widths = _widths(cells)
    block = [0]
    for place in range(1, len(widths)):
        if len(block) > 1 and sum(_GAP + widths[other] for other in block) + widths[place] > room:
            yield block
            block = [0]
        block.append(place)
    yield block


def _grid(table: Table, places: Sequence[int], headings: Sequence[Text]) -> Grid:
    """An empty table with these columns."""
    shown = grid()
    for place in places:
        column = table.columns[place]
        shown.add_column(headings[place], no_wrap=not column.wraps, justify="right" if column.is_number else "left")
    return shown
