"""The records of a part of CSV or TSV: their numbers, their texts, and what is wrong with them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy
import pyarrow
import pyarrow.csv
from pyarrow import compute

from ...errors import AutodiffError
from . import Block, records
from .bytestrings import array, joined
from .numbers import with_numbers


class Part(NamedTuple):
    """Whole records, and the line that the first begins in."""

    data: bytes
    line: int


class Rows(NamedTuple):
    """Records as they stand in the file."""

    texts: Any
    """a PyArrow array of bytes: each record but the first with the line break before it"""
    ending: bytes
    """the line break after the last one"""


class Records:
    """The records of a part.

    One with too few cells gets empty ones; one with too many has the last ones joined in quotes.
    """

    def __init__(self, part: Part, names: Sequence[str], delimiter: str) -> None:
        self._part, self._names, self._delimiter = part, tuple(names), delimiter
        found = records.breaks(part.data, delimiter)
        before = numpy.append(0, found.ends[:-1])
        full = found.starts > before
        self._starts, self._ends = before[full], found.starts[full]
        """where the rows begin and end"""
        self._data = part.data
        self._uneven: list[int] = []
        """the rows with too few or too many cells"""

    def block(self, columns: Sequence[str]) -> Block:
        """The rows with the numbers of these columns."""
        table = self._doubles(columns)
        rows = Rows(self._texts(), self._part.data[self._ends[-1] :] if len(self._ends) else self._part.data)
        reasons: dict[int, str] = {}
        if self._uneven:
            rows, reasons, table = self._repaired(rows), self._unevenness(), None
            self._data = b"".join([memoryview(joined(rows.texts)), rows.ending])
        table = self._read(columns, pyarrow.binary()) if table is None else table
        found = {name: table[name] for name in columns}
        return with_numbers(found, len(self._starts), self._line, self._table, reasons, rows)

    def _doubles(self, columns: Sequence[str]) -> Any:
        """The numbers of these columns; None where there is a cell that is none, or that may be beyond the doubles."""
        try:
            table = self._read(columns, pyarrow.float64())
        except pyarrow.ArrowInvalid:
            counts = records.counts(self._part.data, self._delimiter, self._starts, self._ends)
            self._uneven = numpy.flatnonzero(counts != len(self._names)).tolist()
            return None
        return None if any(numpy.isinf(table[name]).any() for name in columns) else table

    def _read(self, columns: Sequence[str], kind: Any) -> Any:
        """The cells of these columns, all of one type."""
        positions = {str(self._names.index(name)): name for name in columns} or {"0": ""}
        table = pyarrow.csv.read_csv(
            pyarrow.BufferReader(self._data),
            read_options=pyarrow.csv.ReadOptions(
                use_threads=False,
                block_size=len(self._data) + 1,
                column_names=[str(position) for position in range(len(self._names))],
            ),
            parse_options=pyarrow.csv.ParseOptions(delimiter=self._delimiter, newlines_in_values=b'"' in self._data),
            convert_options=pyarrow.csv.ConvertOptions(
                include_columns=list(positions),
                column_types=dict.fromkeys(positions, kind if columns else pyarrow.binary()),
                null_values=[""],
            ),
        )
        assert table.num_rows == len(self._starts)
        return table.rename_columns(list(positions.values()))

    def _texts(self) -> Any:
        """The rows, each with the line breaks before it."""
        return array(self._part.data, self._ends)

    def _cells(self, row: int) -> list[bytes]:
        return records.cells(self._part.data[self._starts[row] : self._ends[row]], self._delimiter)

    def _repaired(self, rows: Rows) -> Rows:
        """The rows with the uneven ones made even."""
        uneven = numpy.zeros(len(self._starts), dtype=bool)
        uneven[self._uneven] = True
        even = [self._even(row) for row in self._uneven]
        return rows._replace(texts=compute.replace_with_mask(rows.texts, uneven, pyarrow.array(even, pyarrow.binary())))

    def _even(self, row: int) -> bytes:
        cells, count, edge = self._cells(row), len(self._names), self._delimiter.encode()
        if len(cells) > count:
            surplus = edge.join(cells[count - 1 :]).replace(b'"', b'""')
            cells[count - 1 :] = [b'"' + surplus + b'"']
        before = self._part.data[self._ends[row - 1] if row else 0 : self._starts[row]]
        return before + edge.join(cells) + edge * (count - len(cells))

    def _unevenness(self) -> dict[int, str]:
        counts = {row: len(self._cells(row)) for row in self._uneven}
        return {
            row: f"it has {count} cell{'s' * (count != 1)}, the header {len(self._names)}"
            for row, count in counts.items()
        }

    def _line(self, row: int) -> int:
        return self._part.line + records.lines(self._part.data[: self._starts[row]])

    def _table(self, names: Sequence[str]) -> Any:
        for name in names:
            if self._names.count(name) > 1:
                raise AutodiffError(f"column `{name}` stands twice in the header", hint="rename one of the two")
        return self._read(names, pyarrow.binary()) if names else {}
