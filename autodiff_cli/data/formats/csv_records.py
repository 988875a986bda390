r"""The records of CSV or TSV: their positions and cells, their numbers, and the reasons why some cannot be read.

A record ends at a line break outside of quoted cells: `\n`, `\r\n` or `\r`. A quote opens a quoted cell only at the
beginning of a cell, so that `5" pipe` is plain text; a doubled quote in a quoted cell stands for one. Positions are
counted in bytes.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy
import pyarrow
import pyarrow.csv
from numpy.typing import NDArray
from pyarrow import compute

from ...notation import counted
from .arrow_tables import require_unique
from .column_numbers import may_be_misread, with_numbers
from .column_texts import chosen_texts, concatenated, split_at
from .interfaces import RowBlock
from .options import ReadOptions
from .text_files import BYTE_ORDER_MARK, TextPart, TextRecords

_BREAK, _RETURN, _QUOTE = b'\n\r"'


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


class CsvRecords(TextRecords):
    """The records of a part.

    A record with too few cells gets empty ones; the last cells of a record with too many are joined in quotes.
    """

    def __init__(self, part: TextPart, names: Sequence[str], options: ReadOptions) -> None:
        self._names, self._options, self._delimiter = tuple(names), options, options.delimiter
        self._data = without_comments(part.data, self._delimiter, options.comment)
        quotes = _quotes(self._data, self._delimiter)
        self._has_tails = _has_tails(self._data, quotes, self._delimiter)
        stops, ends = _breaks_outside(self._data, quotes)
        starts = numpy.append(0, ends[:-1])
        is_row = stops > starts
        super().__init__(part, starts[is_row], ends[is_row])
        self._stops = stops[is_row]
        """the ends of the rows, without their line breaks"""
        self._uneven: dict[int, int] = {}
        """the rows with too few or too many cells → how many they have"""

    def block(self, columns: Sequence[str]) -> RowBlock:
        """The rows with the numbers of these columns."""
        require_unique(self._names, columns)
        table = self._doubles(columns)
        ending = self._part.data[self._stops[-1] :] if len(self._stops) else self._part.data
        texts = split_at(self._part.data, self._stops)  # each row with the line breaks before it
        reasons = {
            row: f"it has {counted(count, 'cell')}, the header {len(self._names)}"
            for row, count in self._uneven.items()
        }
        if self._uneven:
            texts, table = self._repaired(texts), None
            data = b"".join([memoryview(concatenated(texts)), ending])
            self._data = without_comments(data, self._delimiter, self._options.comment)
        table = self._read(columns, pyarrow.binary()) if table is None else table
        source_text = RecordTexts(texts, ending)
        block = RowBlock(len(self._starts), self._line, self._read_columns, reasons=reasons, source_text=source_text)
        return with_numbers(block, {name: table[name] for name in columns}, self._options)

    def _doubles(self, columns: Sequence[str]) -> pyarrow.Table | None:
        """The numbers of these columns; None where a cell holds no number, or may be misread."""
        try:
            table = self._read(columns, pyarrow.float64())
        except pyarrow.ArrowInvalid:
            counts = count_cells(self._data, self._delimiter, self._starts, self._stops)
            self._uneven = {row: int(counts[row]) for row in numpy.flatnonzero(counts != len(self._names)).tolist()}
            return None
        numbers = [table[name] for name in columns]
        return None if may_be_misread(self._data, numbers) else table

    def _read(self, columns: Sequence[str], kind: pyarrow.DataType) -> pyarrow.Table:
        """The cells of these columns, all of one type."""
        place_of = {name: place for place, name in reversed([*enumerate(self._names)])}
        positions = {str(place_of[name]): name for name in columns} or {"0": ""}
        data = _with_quoted_tails(self._data, self._delimiter) if self._has_tails else self._data
        if data.startswith(BYTE_ORDER_MARK):  # a mark that is part of a cell: PyArrow drops the first one
            data = BYTE_ORDER_MARK + data
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

    def _repaired(self, texts: pyarrow.Array) -> pyarrow.Array:
        """The rows, of which the uneven ones have as many cells as the header."""
        uneven = numpy.zeros(len(self._starts), dtype=bool)
        uneven[list(self._uneven)] = True
        even = [self._with_all_cells(row) for row in self._uneven]
        return compute.replace_with_mask(texts, uneven, pyarrow.array(even, pyarrow.binary()))

    def _with_all_cells(self, row: int) -> bytes:
        cells = split_cells(self._part.data[self._starts[row] : self._stops[row]], self._delimiter)
        count, edge = len(self._names), self._delimiter.encode()
        if len(cells) > count:
            surplus = edge.join(cells[count - 1 :]).replace(b'"', b'""')
            cells[count - 1 :] = [b'"' + surplus + b'"']
        before = self._part.data[self._stops[row - 1] if row else 0 : self._starts[row]]
        return before + edge.join(cells) + edge * (count - len(cells))

    def _line_breaks(self) -> NDArray[numpy.int64]:
        codes = numpy.frombuffer(self._part.data + b"\n", dtype=numpy.uint8)
        return numpy.flatnonzero((codes[:-1] == _BREAK) | ((codes[:-1] == _RETURN) & (codes[1:] != _BREAK)))

    def _read_columns(self, names: Sequence[str]) -> dict[str, pyarrow.Array]:
        require_unique(self._names, names)
        table = self._read(names, pyarrow.binary()) if names else {}
        return {name: table[name] for name in names}


def complete_length(data: bytes, delimiter: str, is_last: bool) -> int:
    """The number of bytes of the complete records that the data begins with; all of it where it is the last."""
    if is_last:
        return len(data)
    limit = len(data) - data.endswith(b"\r")  # what follows may be the other half of a line break
    if b'"' not in data:
        return max(data.rfind(b"\n", 0, limit), data.rfind(b"\r", 0, limit)) + 1
    codes = numpy.frombuffer(data, dtype=numpy.uint8, count=limit)
    breaks = numpy.flatnonzero((codes == _BREAK) | (codes == _RETURN))
    outside = breaks[numpy.searchsorted(_quotes(data, delimiter), breaks) % 2 == 0]
    return int(outside[-1]) + 1 if len(outside) else 0


def open_quote(data: bytes, delimiter: str) -> int | None:
    """The position of a quote that is not closed in the data; None where there is none."""
    quotes = _quotes(data, delimiter)
    return int(quotes[-1]) if len(quotes) % 2 else None


def record_breaks(data: bytes, delimiter: str) -> tuple[NDArray[numpy.int64], NDArray[numpy.int64]]:
    """The starts and ends of the line breaks that end records; one is empty where the data ends without one."""
    return _breaks_outside(data, _quotes(data, delimiter))


def _breaks_outside(data: bytes, quotes: NDArray[numpy.int64]) -> tuple[NDArray[numpy.int64], NDArray[numpy.int64]]:
    """The same, where the quotes that open and close cells are known."""
    codes = numpy.frombuffer(data, dtype=numpy.uint8)
    ends = numpy.flatnonzero(codes == _BREAK)
    starts = ends
    if b"\r" in data:
        starts = ends - ((ends > 0) & (codes[ends - 1] == _RETURN))
        returns = numpy.flatnonzero(codes == _RETURN)
        lone = returns[(returns + 1 == len(data)) | (codes[numpy.minimum(returns + 1, len(data) - 1)] != _BREAK)]
        if len(lone):
            starts, ends = numpy.sort(numpy.append(starts, lone)), numpy.sort(numpy.append(ends, lone))
    if len(quotes):
        outside = numpy.searchsorted(quotes, starts) % 2 == 0
        starts, ends = starts[outside], ends[outside]
    ends = ends + 1
    if data and (not len(ends) or ends[-1] < len(data)):
        starts, ends = numpy.append(starts, len(data)), numpy.append(ends, len(data))
    return starts, ends


def without_comments(data: bytes, delimiter: str, comment: str) -> bytes:
    """The data with line breaks in place of comments, or with blanks for one that is cut off, so that nothing moves.

    A comment is a line that begins with this character outside of quoted cells; a quote in it is plain text.
    """
    if not comment or not any(end + comment.encode() in b"\n" + data for end in (b"\n", b"\r")):
        return data
    edge, mark = re.escape(delimiter.encode()), re.escape(comment.encode())
    # each alternative begins with its character, which is fast to find, and then looks back at what precedes it
    cell_or_comment = rb'"(?<![^%b\r\n]")[^"]*+(?:""[^"]*+)*+"?+|%b(?<![^\r\n]%b)[^\r\n]*+' % (edge, mark, mark)

    def blanked(match: re.Match[bytes]) -> bytes:
        if match[0].startswith(b'"'):
            return match[0]
        return (b" " if match.end() == len(data) else b"\r") * len(match[0])

    return re.sub(cell_or_comment, blanked, data)


def count_lines(data: bytes) -> int:
    """The number of line breaks."""
    count = int(numpy.count_nonzero(numpy.frombuffer(data, dtype=numpy.uint8) == _BREAK))
    return count + (data.count(b"\r") - data.count(b"\r\n") if b"\r" in data else 0)


def count_cells(
    data: bytes, delimiter: str, starts: NDArray[numpy.int64], ends: NDArray[numpy.int64]
) -> NDArray[numpy.int64]:
    """The number of cells of each record; the records begin and end at these positions."""
    delimiters = numpy.flatnonzero(numpy.frombuffer(data, dtype=numpy.uint8) == ord(delimiter))
    delimiters = delimiters[numpy.searchsorted(_quotes(data, delimiter), delimiters) % 2 == 0]
    return 1 + numpy.searchsorted(delimiters, ends) - numpy.searchsorted(delimiters, starts)


def split_cells(record: bytes, delimiter: str) -> list[bytes]:
    """The cells of one record as they stand, with their quotes."""
    edge = re.escape(delimiter.encode())
    return re.findall(rb'(?:^|(?<=%b))((?:"[^"]*+(?:""[^"]*+)*+"?)?+[^%b]*+)' % (edge, edge), record)


def _quotes(data: bytes, delimiter: str) -> NDArray[numpy.int64]:
    """The quotes that open and close quoted cells, in turn; each half of a doubled quote may count as such too."""
    if b'"' not in data:
        return numpy.array([], dtype=numpy.int64)
    codes = numpy.frombuffer(data, dtype=numpy.uint8)
    quotes = numpy.flatnonzero(codes == _QUOTE)
    opening, closing = quotes[::2], quotes[1::2]
    beside = numpy.zeros(256, dtype=bool)
    beside[[ord(delimiter), _BREAK, _RETURN, _QUOTE]] = True
    opens = beside[codes[numpy.maximum(opening - 1, 0)]] | (opening == 0)
    closes = beside[codes[numpy.minimum(closing + 1, len(data) - 1)]] | (closing == len(data) - 1)
    if opens.all() and closes.all():
        return quotes
    cells = re.finditer(rb'(?<![^%b\r\n])"[^"]*+(?:""[^"]*+)*+("?)' % re.escape(delimiter.encode()), data)
    positions = [(cell.start(), cell.end() - 1) if cell[1] else (cell.start(),) for cell in cells]
    return numpy.array([quote for cell in positions for quote in cell], dtype=numpy.int64)


def _has_tails(data: bytes, quotes: NDArray[numpy.int64], delimiter: str) -> bool:
    """Whether something follows the quote that closes a cell, as in `"1"5`, or blanks, which may end there."""
    following = numpy.frombuffer(data + b"\n", dtype=numpy.uint8)[quotes[1::2] + 1]
    return not numpy.isin(following, (ord(delimiter), *b'"\r\n')).all()


def _with_quoted_tails(data: bytes, delimiter: str) -> bytes:
    """The data with such cells in quotes as a whole, because PyArrow would read `"1"5` as 15; blanks alone are none."""
    edge = re.escape(delimiter.encode())

    def quoted(cell: re.Match[bytes]) -> bytes:
        return b'"' + cell[0].replace(b'"', b'""') + b'"' if cell[1].strip(b" \t") else cell[0]

    return re.sub(rb'(?<![^%b\r\n])"[^"]*+(?:""[^"]*+)*+"([^%b\r\n]*+)' % (edge, edge), quoted, data)
