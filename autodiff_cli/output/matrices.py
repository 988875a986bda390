"""Matrices for people: columns in blocks that fit the terminal."""

from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..errors import columns, printable
from ..notation import elided

ZERO = "0"
"""a cell that is zero for every input"""
_NAME_WIDTH = 24  # columns
_GAP = 3  # columns between two cells


def show(
    console: Console, corner: str, rows: Sequence[str], headings: Sequence[str], cells: Sequence[Sequence[str]]
) -> None:
    """Print a matrix of texts with the names of its rows and columns; one too wide goes on below."""
    names = [elided(printable(name), _NAME_WIDTH) for name in rows]
    heads = [elided(printable(heading), _NAME_WIDTH) for heading in headings]
    widths = [max(map(columns, (head, *(row[place] for row in cells)))) for place, head in enumerate(heads)]
    first = max(map(columns, (corner, *names)))
    for number, block in enumerate(_blocks(widths, console.width - first)):
        if number:
            console.print()
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        table.add_column(corner, no_wrap=True)
        for place in block:
            table.add_column(Text(heads[place]), no_wrap=True, justify="right")
        for name, row in zip(names, cells, strict=True):
            table.add_row(Text(name, style="cyan"), *(Text(row[place], style=_style(row[place])) for place in block))
        console.print(table)


def _style(cell: str) -> str:
    return "dim" if cell == ZERO else ""


def _blocks(widths: Sequence[int], room: int) -> Iterator[list[int]]:
    """The columns that stand side by side, as many as there is room for and one at least."""
    block: list[int] = []
    for place, width in enumerate(widths):
        if block and sum(_GAP + widths[other] for other in block) + _GAP + width > room:
            yield block
            block = []
        block.append(place)
    yield block
