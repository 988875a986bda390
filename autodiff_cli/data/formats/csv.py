"""CSV: the lines of the file as they stand, each with its results at the end.

Parts end where a record ends, so that they can be read in any order. An empty line is no row; it stays where it is.
"""

import csv
import io
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from ...errors import AutodiffError
from . import Block, records, streams
from .delimited import DelimitedWriter
from .rows import Part, Records

_MARK = b"\xef\xbb\xbf"  # of the order of bytes


class Reader:
    """A table with a header; cells are separated by `delimiter`."""

    format = "csv"
    delimiter = ","
    schema = None

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self._rest, self._line, self._ended = b"", 1, False
        self.header = self._take_header()
        """the line with the names as it stands, with its line break"""
        self.break_ = self.header[len(self.header.rstrip(b"\r\n")) :]
        """the line break that it ends with"""
        self.names = tuple(self._names())

    def parts(self, names: Sequence[str] | None = None) -> Iterator[Part]:
        """Whole records, as soon as they are there."""
        while data := self._take():
            yield Part(data, self._line)
            self._line += records.lines(data)

    def block(self, part: Part, columns: Sequence[str]) -> Block:
        """The records of a part."""
        for name in columns:
            if self.names.count(name) > 1:
                raise AutodiffError(f"column `{name}` stands twice in the header", hint="rename one of the two")
        return Records(part, self.names, self.delimiter).block(columns)

    def size(self) -> int | None:
        """How many bytes the file has."""
        return streams.size(self._source)

    def done(self) -> int:
        """How many of them have been read."""
        return streams.position(self._source)

    def _take_header(self) -> bytes:
        data = b""
        while (end := self._end_of_header(data)) == len(data) <= streams.LONGEST and (more := self._read()):
            data += more
        self._rest, header = data[end:], data[:end]
        if not header.removeprefix(_MARK).strip() or len(header) > streams.LONGEST:
            raise AutodiffError("the data has no header", hint="its first line names the columns, such as x,y")
        self._check_quotes(header.removeprefix(_MARK))
        self._line += records.lines(header)
        return header if header.endswith((b"\n", b"\r")) else header + b"\n"

    def _end_of_header(self, data: bytes) -> int:
        """Where the first line that is not empty ends; the end of the data where that is not sure yet."""
        text = data.removeprefix(_MARK)
        start, found = 0, records.breaks(text, self.delimiter)
        for first, end in zip(found.starts.tolist(), found.ends.tolist(), strict=True):
            if first > start:
                return len(data) - len(text) + int(end)
            start = end
        return len(data)

    def _names(self) -> list[str]:
        try:
            text = self.header.decode("utf-8-sig").lstrip("\r\n")
        except UnicodeDecodeError:
            raise AutodiffError(
                "the header is not UTF-8", hint="save the file as UTF-8, such as with iconv -f LATIN1 -t UTF-8"
            ) from None
        cells = next(csv.reader(io.StringIO(text, newline=""), delimiter=self.delimiter))
        return [cell.strip() for cell in cells]

    def _take(self) -> bytes:
        """Whole records; at the end of the file all that is left."""
        data, self._rest = self._rest, b""
        while not (length := records.whole(data, self.delimiter, self._ended)) and not self._ended:
            if len(data) > streams.LONGEST:
                self._check_quotes(data)
                raise AutodiffError(f"the record in line {self._line} is too long", hint="is this a CSV file?")
            data += self._read(max(len(data), streams.PART))
        self._rest = data[length:]
        if self._ended and data:
            self._check_quotes(data)
            return data if data.endswith((b"\n", b"\r")) else data + self.break_
        return data[:length]

    def _read(self, size: int | None = None) -> bytes:
        data = streams.what_is_there(self._source, size or streams.PART)
        self._ended = not data
        return data

    def _check_quotes(self, data: bytes) -> None:
        start = records.open_quote(data, self.delimiter)
        if start is not None:
            line = self._line + records.lines(data[:start])
            raise AutodiffError(
                f'the quote (") that opens a cell in line {line} is never closed',
                hint='close it; within quotes, a quote is written ""',
            )


class Writer(DelimitedWriter):
    """A table with commas."""

    format = "csv"
    delimiter = ","
