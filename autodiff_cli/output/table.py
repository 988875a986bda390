"""Tables and lines of text for people, in colours on a terminal and never wider than the output."""

from dataclasses import replace
from typing import Any, TextIO

from ..terminal.encoding import as_shown, has_unicode
from ..terminal.screen import Screen
from .cell_text import cell_text
from .report import Cell, Report, Table
from .table_layout import laid_out


def write(report: Report, out: TextIO) -> None:
    """Write the tables, and the lines between them."""
    screen = Screen(out)
    for part in report.tables():
        if not isinstance(part, Table):
            screen.paragraph(*cell_text(part))
            continue
        for line in laid_out(part if has_unicode(out) else _shown_table(part, out), screen.width):
            screen.line(*line)
        if part.caption:
            screen.paragraph((part.caption, "dim"))


def _shown_table(table: Table, out: TextIO) -> Table:
    """The table with its texts as the output shows them, so that they are measured as they are."""
    columns = [column._replace(heading=as_shown(column.heading, out)) for column in table.columns]
    rows = (row._replace(cells=[_shown_cell(cell, out) for cell in row.cells]) for row in table.rows)
    return replace(table, columns=columns, rows=rows)


def _shown_cell(cell: Any, out: TextIO) -> Any:
    """A cell, one of its pieces or its content, with such texts."""
    if isinstance(cell, str):
        return as_shown(cell, out)
    if isinstance(cell, Cell):
        return cell._replace(content=_shown_cell(cell.content, out))
    return tuple([_shown_cell(piece, out) for piece in cell]) if isinstance(cell, tuple) else cell
