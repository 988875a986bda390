"""Tables and lines of text for people, in colours on a terminal and never wider than the output."""

from typing import TextIO

from ..terminal.screen import Screen
from .cell_text import cell_text
from .report import Report, Table
from .table_layout import laid_out


def write(report: Report, out: TextIO) -> None:
    """Write the tables, and the lines between them."""
    screen = Screen(out)
    for part in report.tables():
        if not isinstance(part, Table):
            screen.paragraph(*cell_text(part))
            continue
        for line in laid_out(part, screen.width):
            screen.line(*line)
        if part.caption:
            screen.paragraph((part.caption, "dim"))
