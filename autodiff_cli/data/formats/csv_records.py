"""The records of a part of CSV or TSV: their numbers, their texts, and the reasons why some cannot be read."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy
import pyarrow
import pyarrow.csv
from numpy.typing import NDArray
from pyarrow import compute

from ...errors import AutodiffError
from . import csv_scanner
from .blocks import RowBlock
from .column_numbers import block_with_numbers, may_be_beyond_doubles
from .column_texts import chosen_texts, concatenated, split_at
from .options import ReadOptions
from .text_files import BYTE_ORDER_MARK, TextPart


class RecordTexts(NamedTuple):
    """Records as they stand in the file."""

    texts: pyarrow.Array
    """bytes: each record but the first with the line break before it"""
    ending: bytes
    """the line break after the last one"""

    def select(self, rows: NDArray[numpy.int64]) -> "RecordTexts":
        """These records."""
        return RecordTexts(
            chosen_texts(self.texts, rows, lambda text: text.lstrip(b"\r\n")), self.ending if len(rows) else b""
        )


def require_unique(names: Sequence[str], columns: Sequence[str]) -> None:
    """Raise AutodiffError for a column whose name stands twice in the header."""
    counts = Counter(names)
    for name in columns:
        if counts[name] > 1:
            raise AutodiffError(f"column `{name}` appears twice in the header", hint="rename one of the two")


class CsvRecords:
    """The records of a part.

    A record with too few cells gets empty ones; the last cells of a record with too many are joined in quotes.
    """

    def __init__(self, part: TextPart, names: Sequence[str], options: ReadOptions) -> None:
        self._part, self._names, self._options, self._delimiter = part, tuple(names), options, options.delimiter
        self._data = csv_scanner.without_comments(part.data, self._delimiter, options.comment)
        breaks = csv_scanner.record_breaks(self._data, self._delimiter)
        starts, ends = numpy.append(0, breaks.ends[:-1]), breaks.starts
        self._starts, self._ends = starts[ends > starts], ends[ends > starts]
        """the beginnings and ends of the rows"""
        self._uneven: list[int] = []
        """the rows with too few or too many cells"""

    def block(self, columns: Sequence[str]) -> RowBlock:
        """The rows with the numbers of these columns."""
        table = self._doubles(columns)
        ending = self._part.data[self._ends[-1] :] if len(self._ends) else self._part.data
        texts = split_at(self._part.data, self._ends)  # each row with the line breaks before it
        reasons: dict[int, str] = {}
        if self._uneven:
            texts, reasons, table = self._repaired(texts), self._uneven_reasons(), None
            data = b"".join([memoryview(concatenated(texts)), ending])
            self._data = csv_scanner.without_comments(data, self._delimiter, self._options.comment)
        table = self._read(columns, pyarrow.binary()) if table is None else table
        return block_with_numbers(
            {name: table[name] for name in columns},
            len(self._starts),
            self._line,
            self._read_columns,
            reasons,
            RecordTexts(texts, ending),
            self._options,
        )

    def chosen(self, rows: NDArray[numpy.int64], line_break: bytes) -> TextPart:
        """These rows as a part of their own."""
        starts, data = self._starts[rows], self._part.data
        spans = zip(starts.tolist(), self._ends[rows].tolist(), strict=True)
        lines = csv_scanner.lines_before(data, starts)
        return self._part.chosen((data[start:end] + line_break for start, end in spans), rows, lines)

    def _doubles(self, columns: Sequence[str]) -> pyarrow.Table | None:
        """The numbers of these columns; None where a cell holds no number, or one that may be beyond the doubles."""
        try:
            table = self._read(columns, pyarrow.float64())
        except pyarrow.ArrowInvalid:
            counts = csv_scanner.count_cells(self._data, self._delimiter, self._starts, self._ends)
            self._uneven = numpy.flatnonzero(counts != len(self._names)).tolist()
            return None
        numbers = [table[name] for name in columns]
        return None if may_be_beyond_doubles(self._data, numbers) else table

    def _read(self, columns: Sequence[str], kind: pyarrow.DataType) -> pyarrow.Table:
        """The cells of these columns, all of one type."""
        place_of = {name: place for place, name in reversed([*enumerate(self._names)])}
        positions = {str(place_of[name]): name for name in columns} or {"0": ""}
        marked = self._data.startswith(BYTE_ORDER_MARK)  # a mark that is part of a cell: PyArrow drops the first one
        data = BYTE_ORDER_MARK + self._data if marked else self._data
        words = self._options.na_words if kind == pyarrow.float64() else ()
        table = pyarrow.csv.read_csv(
            pyarrow.BufferReader(data),
            read_options=pyarrow.csv.ReadOptions(
                use_threads=False,
                block_size=len(data) + 1,
                column_names=[str(position) for position in range(len(self._names))],
            ),
            parse_options=pyarrow.csv.ParseOptions(delimiter=self._delimiter, newlines_in_values=b'"' in data),
            convert_options=pyarrow.csv.ConvertOptions(
                include_columns=list(positions),
                column_types=dict.fromkeys(positions, kind if columns else pyarrow.binary()),
                null_values=["", *(case for word in words for case in (word, word.upper()))],
                decimal_point=self._options.decimal,
            ),
        )
        assert table.num_rows == len(self._starts)
        return table.rename_columns(list(positions.values()))

    def _cells(self, row: int) -> list[bytes]:
        return csv_scanner.split_cells(self._part.data[self._starts[row] : self._ends[row]], self._delimiter)

    def _repaired(self, texts: pyarrow.Array) -> pyarrow.Array:
        """The rows, of which the uneven ones have as many cells as the header."""
        uneven = numpy.zeros(len(self._starts), dtype=bool)
        uneven[self._uneven] = True
        even = [self._with_all_cells(row) for row in self._uneven]
        return compute.replace_with_mask(texts, uneven, pyarrow.array(even, pyarrow.binary()))

    def _with_all_cells(self, row: int) -> bytes:
        cells, count, edge = self._cells(row), len(self._names), self._delimiter.encode()
        if len(cells) > count:
            surplus = edge.join(cells[count - 1 :]).replace(b'"', b'""')
            cells[count - 1 :] = [b'"' + surplus + b'"']
        before = self._part.data[self._ends[row - 1] if row else 0 : self._starts[row]]
        return before + edge.join(cells) + edge * (count - len(cells))

    def _uneven_reasons(self) -> dict[int, str]:
        counts = {row: len(self._cells(row)) for row in self._uneven}
        return {
            row: f"it has {count} cell{'s' * (count != 1)}, the header {len(self._names)}"
            for row, count in counts.items()
        }

    def _line(self, row: int) -> int:
        if self._part.lines is not None:
            return self._part.lines[row]
        return self._part.line + csv_scanner.count_lines(self._part.data[: self._starts[row]])

    def _read_columns(self, names: Sequence[str]) -> dict[str, pyarrow.Array]:
        require_unique(self._names, names)
        table = self._read(names, pyarrow.binary()) if names else {}
        return {name: table[name] for name in names}
