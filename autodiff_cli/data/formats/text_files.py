"""Text files read and written in parts: a pipe is not waited for longer than it takes."""

import os
import select
import stat
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, BinaryIO, NamedTuple

import numpy
import pyarrow
from numpy.typing import NDArray

from .interfaces import Destination, stored_names
from .options import WriteOptions
from .streams import ByteStream, DerivedStream, compressed

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
PART_BYTES = 2**22
"""read at a time"""
LONGEST_RECORD = 2**26
"""bytes"""


class TextPart(NamedTuple):
    """Complete records of a text file."""

    data: bytes
    line: int
    """the line in which the first of them begins, counted from 1"""
    lines: NDArray[numpy.int64] | None = None
    """the line in which each of them begins, if others stood between them"""


class TextRecords:
    """The records of a part."""

    def __init__(self, part: TextPart, starts: NDArray[numpy.int64], ends: NDArray[numpy.int64]) -> None:
        """Each begins and ends at these positions; what stands between two of them is not a record."""
        self._part, self._starts, self._ends = part, starts, ends

    def chosen(self, rows: NDArray[numpy.int64]) -> TextPart:
        """These records as a part of their own."""
        spans = zip(self._starts[rows].tolist(), self._ends[rows].tolist(), strict=True)
        data = b"".join(self._part.data[start:end] for start, end in spans)
        return TextPart(data, self._part.line, self._line_numbers[rows])

    def _line(self, row: int) -> int:
        return int(self._line_numbers[row])

    @cached_property
    def _line_numbers(self) -> NDArray[numpy.int64]:
        """The line in which each record begins."""
        if self._part.lines is not None:
            return self._part.lines
        return self._part.line + numpy.searchsorted(self._line_breaks(), self._starts)

    def _line_breaks(self) -> NDArray[numpy.int64]:
        """The positions of all line breaks of the part."""
        raise NotImplementedError


class Section(NamedTuple):
    """Complete records of a text file, by their place in it."""

    start: int
    end: int
    line: int
    """the line in which the first of them begins, counted from 1"""


class TextReader:
    """The common part of the readers of text files."""

    _rest = b""
    """bytes that were read and are not in a part yet"""

    def __init__(self, source: ByteStream) -> None:
        self._source = source
        self._line, self._ended = 1, False

    def parts(self, names: Sequence[str] | None = None) -> Iterator[TextPart]:
        """Yield complete records, as soon as they are available."""
        raise NotImplementedError

    def sections(self, size: int) -> list[Section]:
        """Sections of at least this many bytes, which are all of the file; none where it is not read as it stands."""
        if not self._source.seekable():
            return []
        complete, start, line = list[Section](), self._source.tell() - len(self._rest), self._line
        position = start
        for part in self.parts():
            if position - start >= size:
                complete.append(Section(start, position, line))
                start, line = position, part.line
            position += len(part.data)
        return [*complete, Section(start, position, line)]

    def select(self, section: Section) -> None:
        """Read the records of a section only."""
        self._source, self._line = _section(self._source, section), section.line
        self._rest, self._ended = b"", False

    def size(self) -> int | None:
        """The bytes of the file, compressed where it is; None where that is not known, as of a pipe."""
        try:
            status = os.fstat(self._source.fileno())
        except (OSError, ValueError, AttributeError):
            return None
        return status.st_size if stat.S_ISREG(status.st_mode) else None

    def position(self) -> int:
        """The number of bytes that have been read; 0 if that is not known."""
        try:
            return self._source.tell()
        except (OSError, ValueError, AttributeError):
            return 0

    def _read(self, size: int | None = None) -> bytes:
        data = read_available(self._source, size or PART_BYTES)
        self._ended = not data
        return data


def _section(source: Any, section: Section) -> DerivedStream:
    """The bytes of a section of a file."""
    source.seek(section.start)
    left = section.end - section.start

    def read1(size: int) -> bytes:
        nonlocal left
        data: bytes = source.read(min(size, left))
        left -= len(data)
        return data

    return DerivedStream(source, read1)


def read_available(source: ByteStream, size: int) -> bytes:
    """Read at least one byte, and of what follows as much as is there already; nothing at the end of the file."""
    read = getattr(source, "read1", source.read)
    pieces = [read(size)]
    missing = size - len(pieces[0])
    while pieces[-1] and missing > 0 and _is_ready(source):
        pieces.append(read(missing))
        missing -= len(pieces[-1])
    return b"".join(pieces)


def _is_ready(source: ByteStream) -> bool:
    """Return whether reading would not block; False where that is not known."""
    try:
        return bool(select.select([source], [], [], 0)[0])
    except (OSError, ValueError, TypeError):
        return False


class TextWriter:
    """The common part of the writers of text files, for which encoded rows are pieces of bytes."""

    format: str

    def __init__(self, out: BinaryIO, destination: Destination, options: WriteOptions) -> None:
        self._out, self._destination, self._compression = out, destination, options.codec
        source = destination.source
        keeps_all = tuple(destination.kept) == tuple(stored_names(source))
        self._copies_rows = source.format == self.format and not destination.order and keeps_all
        """the rows are written as they stand in the source, with the results added"""
        self._header: bytes | None = b""
        """bytes still to be written before the rows; None once there was a row"""

    def append(self, encoded: list[bytes | memoryview]) -> None:
        """Write the pieces."""
        if self._header:
            encoded = [*self._compressed([self._header]), *encoded]
        self._header = None
        for piece in encoded:
            self._out.write(piece)
        self._out.flush()

    def close(self) -> None:
        """Write the header where there were no rows; a compressed file holds at least an empty text."""
        if self._header is not None:
            self.append([] if self._header else self._compressed([]))
        self._out.flush()

    def _compressed(self, pieces: "list[bytes | pyarrow.Buffer]") -> "list[bytes | pyarrow.Buffer]":
        """The pieces themselves, or one compressed piece, which may follow others in a file."""
        return [compressed(b"".join(map(memoryview, pieces)), self._compression)] if self._compression else pieces
