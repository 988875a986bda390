r"""Where the records of a text with cells end: at a line break that stands in no quoted cell.

A quote opens a quoted cell at the beginning of a cell only, so that `5" pipe` is plain text; a doubled quote in such a
cell stands for one. A line break is `\n`, `\r\n` or `\r`. Positions are counted in bytes.
"""

import re
from functools import cache
from typing import NamedTuple

import numpy

from . import Array

_BREAK, _RETURN, _QUOTE = b'\n\r"'


class Breaks(NamedTuple):
    """The line breaks that end records."""

    starts: Array
    ends: Array


def whole(data: bytes, delimiter: str, ended: bool) -> int:
    """How many of the bytes, which begin where a record begins, are whole records; `ended` where no more follow."""
    if ended:
        return len(data)
    limit = len(data) - data.endswith(b"\r")  # what follows may be the other half of a line break
    if b'"' not in data:
        return _last_break(data, limit) + 1
    quotes = _quotes(data, delimiter)
    while (found := _last_break(data, limit)) >= 0:
        before = int(numpy.searchsorted(quotes, found))
        if before % 2 == 0:
            break
        limit = int(quotes[before - 1])
    return found + 1


def open_quote(data: bytes, delimiter: str) -> int | None:
    """Where the quoted cell begins that is not closed in the data; None where there is none."""
    if b'"' not in data:
        return None
    quotes = _quotes(data, delimiter)
    return int(quotes[-1]) if len(quotes) % 2 else None


def breaks(data: bytes, delimiter: str) -> Breaks:
    """The line breaks between records; where the data ends without one, an empty one stands there."""
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
    return Breaks(starts, ends)


def lines(data: bytes) -> int:
    """How many line breaks there are."""
    return data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")


def counts(data: bytes, delimiter: str, starts: Array, ends: Array) -> Array:
    """How many cells the records have that begin and end at these positions."""
    edges = numpy.flatnonzero(numpy.frombuffer(data, dtype=numpy.uint8) == ord(delimiter))
    if b'"' in data:
        edges = edges[numpy.searchsorted(_quotes(data, delimiter), edges) % 2 == 0]
    return 1 + numpy.searchsorted(edges, ends) - numpy.searchsorted(edges, starts)


def cells(record: bytes, delimiter: str) -> list[bytes]:
    """The cells of one record as they stand, with their quotes."""
    return _cell(delimiter.encode()).findall(record)


def _last_break(data: bytes, limit: int) -> int:
    return max(data.rfind(b"\n", 0, limit), data.rfind(b"\r", 0, limit))


def _quotes(data: bytes, delimiter: str) -> Array:
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
    found = [(cell.start(), cell.end() - 1) if cell[1] else (cell.start(),) for cell in _quoted(delimiter)(data)]
    return numpy.array([quote for cell in found for quote in cell], dtype=numpy.int64)


@cache
def _quoted(delimiter: str):  # type: ignore[no-untyped-def]
    edge = re.escape(delimiter.encode())
    return re.compile(rb'(?<![^%b\r\n])"[^"]*+(?:""[^"]*+)*+("?)' % edge).finditer


@cache
def _cell(delimiter: bytes) -> re.Pattern[bytes]:
    edge = re.escape(delimiter)
    return re.compile(rb'(?:^|(?<=%b))((?:"[^"]*+(?:""[^"]*+)*+"?)?+[^%b]*+)' % (edge, edge))
