"""The rows of a data file or of a grid as a table for people: the first of them, and how many there are."""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, TextIO

import numpy
import pyarrow
from numpy.typing import NDArray

from .. import output
from ..output.report import MOST_SHOWN, Column, Content, Report, Row, Table
from ..terminal.printable_text import one_line
from .formats.arrow_tables import results_table
from .formats.column_texts import plain_array, texts
from .formats.interfaces import Destination, RowBlock

_TEXT_WIDTH = 40  # columns


class RowsTable(Report):
    """The table, which is written when it is closed; it is used as the writers of data files are."""

    def __init__(self, out: TextIO, destination: Destination, precision: int, hint: str) -> None:
        """`hint` says, below a table that leaves rows out, how to see every one."""
        self._out, self._destination, self._precision, self._hint = out, destination, precision, hint
        self._cells: list[tuple[Content, ...]] = []
        self._rows = 0

    def encode(self, block: RowBlock, results: Mapping[str, NDArray[Any]]) -> tuple[int, list[tuple[Content, ...]]]:
        """The number of rows of a block, and the cells of the first ones, unless there are enough already."""
        if len(self._cells) == MOST_SHOWN:
            return block.rows, []
        first = block.select(numpy.arange(min(block.rows, MOST_SHOWN)))
        kept = first.read_columns(self._destination.kept).values()
        computed = results_table(first, {name: column[: first.rows] for name, column in results.items()}).columns
        return block.rows, list(zip(*map(_contents, self._destination.ordered(kept, computed)), strict=True))

    def append(self, encoded: tuple[int, list[tuple[Content, ...]]]) -> None:
        """Keep what fits."""
        rows, cells = encoded
        self._cells += islice(cells, MOST_SHOWN - len(self._cells))
        self._rows += rows

    def close(self) -> None:
        """Write the table."""
        output.write(self, "table", self._out)

    def tables(self) -> Iterable[Table]:
        """The rows."""
        target = self._destination
        kept = [
            Column(one_line(written), "cyan" if name in target.inputs else "", name in target.inputs, most=_TEXT_WIDTH)
            for name, written in zip(target.kept, target.kept_names, strict=True)
        ]
        results = [
            Column(one_line(name), "bold" if place else "green", name not in target.texts, most=_TEXT_WIDTH)
            for place, name in enumerate(target.results)
        ]
        columns = target.ordered(kept, results)
        caption = f"{len(self._cells):,} of {self._rows:,} rows; {self._hint}" if len(self._cells) < self._rows else ""
        yield Table(columns, map(Row, self._cells), self._precision, caption)


def _contents(column: "pyarrow.Array | pyarrow.ChunkedArray") -> list[Content]:
    """The cells of a PyArrow column: floats, texts for everything else, and None."""
    column = plain_array(column)
    if str(column.type) in ("float", "double"):
        numbers: list[Content] = column.to_pylist()
        return numbers
    return [None if text is None else one_line(text.decode(errors="replace")) for text in texts(column).to_pylist()]
