"""The rows of a data file or of a grid as a table for people: the first of them, and how many there are."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain, islice
from typing import Any, TextIO

from .. import output
from ..errors import one_line
from ..output.report import MOST_ROWS, Column, Content, Report, Row, Table
from .formats.blocks import RowBlock
from .formats.column_texts import plain_array, texts

_TEXT_WIDTH = 40  # columns


class RowsTable(Report):
    """The table, which is written when it is closed; it is used as the writers of data files are."""

    def __init__(
        self,
        out: TextIO,
        kept: Sequence[str],
        numbers: Sequence[str],
        results: Sequence[str],
        precision: int,
        hint: str,
        texts: Collection[str] = (),
        renamed: Mapping[str, str] = {},
    ) -> None:
        """`kept` are the columns of the source, of which `numbers` are inputs; `results` follow, some of them `texts`.

        `renamed` has what is written in place of the names of some columns.

        `hint` says, below a table that leaves rows out, how to see every one.
        """
        self._out, self._kept, self._numbers, self._results = out, kept, numbers, results
        self._precision, self._hint, self._texts = precision, hint, texts
        self._renamed = renamed
        self._cells: list[tuple[Content, ...]] = []
        self._rows = 0

    def encode(self, block: RowBlock, results: Mapping[str, Any]) -> tuple[int, list[tuple[Content, ...]]]:
        """How many rows a block has, and the cells of the first."""
        rows = min(block.rows, MOST_ROWS)
        if block.read_columns is None:
            kept = {name: block.columns[name][:rows].tolist() for name in self._kept}
        else:
            own = block.read_columns(self._kept)
            kept = {name: _contents(own[name].slice(0, rows)) for name in self._kept}
        computed = {name: results[name][:rows].tolist() for name in self._results}
        for row in block.reasons:
            for column in (computed[name] for name in self._results if name not in self._texts):
                column[row : row + 1] = [None] * (row < rows)
        return block.rows, list(zip(*chain(kept.values(), computed.values()), strict=True))

    def append(self, encoded: tuple[int, list[tuple[Content, ...]]]) -> None:
        """Keep what fits."""
        rows, cells = encoded
        self._cells += islice(cells, MOST_ROWS - len(self._cells))
        self._rows += rows

    def close(self) -> None:
        """Write the table."""
        output.write(self, "table", self._out)

    def tables(self) -> Iterable[Table]:
        """The rows."""
        styles = ["cyan" if name in self._numbers else "" for name in self._kept]
        styles += ["green"] + ["bold"] * (len(self._results) - 1)
        numbers = {*self._numbers, *self._results}.difference(self._texts)
        columns = [
            Column(one_line(self._renamed.get(name, name)), style, name in numbers, most=_TEXT_WIDTH)
            for name, style in zip((*self._kept, *self._results), styles, strict=True)
        ]
        caption = f"{len(self._cells):,} of {self._rows:,} rows; {self._hint}" if len(self._cells) < self._rows else ""
        yield Table(columns, map(Row, self._cells), self._precision, caption)


def _contents(column: Any) -> list[Content]:
    """What stands in a PyArrow column: floats, texts for everything else, and None."""
    column = plain_array(column)
    if str(column.type) in ("float", "double"):
        numbers: list[Content] = column.to_pylist()
        return numbers
    return [None if text is None else one_line(text.decode(errors="replace")) for text in texts(column).to_pylist()]
