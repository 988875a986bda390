"""The rows of a data file or of a grid as a table for people: the first of them, and how many there are."""

from collections.abc import Mapping, Sequence
from itertools import chain, islice
from typing import Any, TextIO

from rich import box
from rich.table import Table
from rich.text import Text

from .. import terminal
from ..errors import one_line
from ..notation import decimal, elided
from .formats.blocks import Block
from .formats.column_texts import plain_array, texts

MOST_ROWS = 1000
_TEXT_WIDTH = 40  # columns
_WIDEST = 1_000_000


class Writer:
    """The table, which is written when it is closed; it is used as the writers of data files are."""

    def __init__(
        self, out: TextIO, kept: Sequence[str], numbers: Sequence[str], results: Sequence[str], precision: int
    ) -> None:
        """`kept` are the columns of the source, of which `numbers` are inputs; `results` follow."""
        self._out, self._kept, self._numbers, self._results = out, kept, numbers, results
        self._precision = precision
        self._cells: list[tuple[str, ...]] = []
        self._rows = 0

    def encode(self, block: Block, results: Mapping[str, Any]) -> tuple[int, list[tuple[str, ...]]]:
        """The cells of a block's first rows, and how many rows it has."""
        rows = min(block.rows, MOST_ROWS)
        if block.read_columns is None:
            kept = {name: block.columns[name][:rows].tolist() for name in self._kept}
        else:
            own = block.read_columns(self._kept)
            kept = {name: _contents(own[name].slice(0, rows)) for name in self._kept}
        found = {name: results[name][:rows].tolist() for name in self._results}
        for row in block.reasons:
            for column in found.values():
                column[row : row + 1] = [None] * (row < rows)
        cells = [map(self._cell, column) for column in chain(kept.values(), found.values())]
        return block.rows, list(zip(*cells, strict=True))

    def append(self, encoded: tuple[int, list[tuple[str, ...]]]) -> None:
        """Keep what fits."""
        rows, cells = encoded
        self._cells += islice(cells, MOST_ROWS - len(self._cells))
        self._rows += rows

    def close(self) -> None:
        """Write the table."""
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        numbers = {*self._numbers, *self._results}
        for name in (*self._kept, *self._results):
            heading = Text(elided(one_line(name), _TEXT_WIDTH))
            table.add_column(heading, no_wrap=True, justify="right" if name in numbers else "left")
        styles = ["cyan" if name in self._numbers else "" for name in self._kept]
        styles += ["green"] + ["bold"] * (len(self._results) - 1)
        for cells in self._cells:
            table.add_row(*(Text(cell, style=style) for cell, style in zip(cells, styles, strict=True)))
        console = terminal.console(self._out)
        # a terminal that is too narrow breaks the lines: a number that is cut short would be another number
        table.width = console.measure(table, options=console.options.update(max_width=_WIDEST)).maximum
        console.print(table, soft_wrap=True)
        if len(self._cells) < self._rows:
            console.print(f"{len(self._cells):,} of {self._rows:,} rows; --format csv shows every one", style="dim")

    def _cell(self, content: Any) -> str:
        if isinstance(content, float):
            return decimal(content, self._precision)
        text = content.decode(errors="replace") if isinstance(content, bytes) else str(content)
        return "" if content is None else elided(one_line(text), _TEXT_WIDTH)


def _contents(column: Any) -> list[Any]:
    """What stands in a PyArrow column: floats, bytes for everything else, and None."""
    column = plain_array(column)
    contents: list[Any] = (column if str(column.type) in ("float", "double") else texts(column)).to_pylist()
    return contents
