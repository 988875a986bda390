r"""The records and cells of CSV by their positions: a record ends at a line break outside of quoted cells.

A quote opens a quoted cell only at the beginning of a cell, so that `5" pipe` is plain text; a doubled quote in a
quoted cell stands for one. A line break is `\n`, `\r\n` or `\r`. Positions are counted in bytes.
"""

import re
from functools import cache
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

_BREAK, _RETURN, _QUOTE = b'\n\r"'


class LineBreaks(NamedTuple):
    """The positions of line breaks that end records."""

    starts: NDArray[numpy.int64]
    ends: NDArray[numpy.int64]


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
    if b'"' not in data:
        return None
    quotes = _quotes(data, delimiter)
    return int(quotes[-1]) if len(quotes) % 2 else None


def record_breaks(data: bytes, delimiter: str) -> LineBreaks:
    """The line breaks that end records; where the data ends without one, an empty one at its end."""
    codes = numpy.frombuffer(data, dtype=numpy.uint8)
    ends = numpy.flatnonzero(codes == _BREAK)
    starts = ends
    if b"\r" in data:
        starts = ends - ((ends > 0) & (codes[ends - 1] == _RETURN))
        returns = numpy.flatnonzero(codes == _RETURN)
        lone = returns[(returns + 1 == len(data)) | (codes[numpy.minimum(returns + 1, len(data) - 1)] != _BREAK)]
        if len(lone):
            starts, ends = numpy.sort(numpy.append(starts, lone)), numpy.sort(numpy.append(ends, lone))
    if b'"' in data:
        outside = numpy.searchsorted(_quotes(data, delimiter), starts) % 2 == 0
        starts, ends = starts[outside], ends[outside]
    ends = ends + 1
    if data and (not len(ends) or ends[-1] < len(data)):
        starts, ends = numpy.append(starts, len(data)), numpy.append(ends, len(data))
    return LineBreaks(starts, ends)


def without_comments(data: bytes, delimiter: str, comment: str) -> bytes:
    """The data with line breaks in place of the records that begin with this sign, so that nothing moves."""
    if not comment or comment.encode() not in data:
        return data
    breaks = record_breaks(data, delimiter)
    codes = numpy.frombuffer(data, dtype=numpy.uint8).copy()
    starts = numpy.append(0, breaks.ends[:-1])
    is_comment = codes[starts] == ord(comment)
    for start, end in zip(starts[is_comment], breaks.starts[is_comment], strict=True):
        codes[start:end] = _BREAK
    return codes.tobytes()


def count_lines(data: bytes) -> int:
    """The number of line breaks."""
    count = int(numpy.count_nonzero(numpy.frombuffer(data, dtype=numpy.uint8) == _BREAK))
    return count + (data.count(b"\r") - data.count(b"\r\n") if b"\r" in data else 0)


def lines_before(data: bytes, positions: NDArray[numpy.int64]) -> NDArray[numpy.int64]:
    """The number of line breaks before each of these positions."""
    codes = numpy.frombuffer(data + b"\n", dtype=numpy.uint8)
    is_break = (codes[:-1] == _BREAK) | ((codes[:-1] == _RETURN) & (codes[1:] != _BREAK))
    return numpy.searchsorted(numpy.flatnonzero(is_break), positions)


def count_cells(
    data: bytes, delimiter: str, starts: NDArray[numpy.int64], ends: NDArray[numpy.int64]
) -> NDArray[numpy.int64]:
    """The number of cells of each record; the records begin and end at these positions."""
    delimiters = numpy.flatnonzero(numpy.frombuffer(data, dtype=numpy.uint8) == ord(delimiter))
    if b'"' in data:
        delimiters = delimiters[numpy.searchsorted(_quotes(data, delimiter), delimiters) % 2 == 0]
    return 1 + numpy.searchsorted(delimiters, ends) - numpy.searchsorted(delimiters, starts)


def split_cells(record: bytes, delimiter: str) -> list[bytes]:
    """The cells of one record as they stand, with their quotes."""
    return _cell(delimiter.encode()).findall(record)


def _quotes(data: bytes, delimiter: str) -> NDArray[numpy.int64]:
    """The quotes that open and close quoted cells, in turn; each half of a doubled quote may count as such too."""
    codes = numpy.frombuffer(data, dtype=numpy.uint8)
    quotes = numpy.flatnonzero(codes == _QUOTE)
    opening, closing = quotes[::2], quotes[1::2]
    beside = numpy.zeros(256, dtype=bool)
    beside[[ord(delimiter), _BREAK, _RETURN, _QUOTE]] = True
    opens = beside[codes[numpy.maximum(opening - 1, 0)]] | (opening == 0)
    closes = beside[codes[numpy.minimum(closing + 1, len(data) - 1)]] | (closing == len(data) - 1)
    if opens.all() and closes.all():
        return quotes
    cells = _quoted_cell(delimiter.encode()).finditer(data)
    positions = [(cell.start(), cell.end() - 1) if cell[1] else (cell.start(),) for cell in cells]
    return numpy.array([quote for cell in positions for quote in cell], dtype=numpy.int64)


@cache
def _quoted_cell(delimiter: bytes) -> re.Pattern[bytes]:
    return re.compile(rb'(?<![^%b\r\n])"[^"]*+(?:""[^"]*+)*+("?)' % re.escape(delimiter))


@cache
def _cell(delimiter: bytes) -> re.Pattern[bytes]:
    edge = re.escape(delimiter)
    return re.compile(rb'(?:^|(?<=%b))((?:"[^"]*+(?:""[^"]*+)*+"?)?+[^%b]*+)' % (edge, edge))
