"""CSV: the lines of the file as they stand, each with its results at the end.

Parts end where a record ends, so that they can be read in any order; a line break in quotes ends none.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO, NamedTuple

import numpy
import pyarrow
import pyarrow.csv
from pyarrow import compute

from ..errors import AutodiffError
from .numbers import numbers
from . import Block

PART = 2**22  # bytes
_QUOTE, _BREAK = b'"\n'


class Part(NamedTuple):
    """Whole records, and the line that the first begins in."""

    data: bytes
    line: int


class Reader:
    """A table with a header; cells are separated by `delimiter`."""

    delimiter = ","

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self._rest = b""
        self._ended = False
        header = self._take(lambda data: _end(data, first=True))
        if header is None:
            raise AutodiffError("the data has no header", hint="its first line names the columns: x,y")
        text = header.decode("utf-8-sig")
        self.names = next(csv.reader(io.StringIO(text, newline=""), delimiter=self.delimiter), [])
        self._line = 1 + header.count(b"\n")

    def parts(self) -> Iterator[Part]:
        """Whole records, as soon as they are there."""
        while (data := self._take(_end)) is not None:
            yield Part(data, self._line)
            self._line += data.count(b"\n")

    def _take(self, end: Any) -> bytes | None:
        """The bytes up to where `end` finds the end of records; those that are left at the end of the file."""
        data = self._rest
        while not (length := end(data)):
            more = b"" if self._ended else self._read()
            if not more:
                self._ended, self._rest = True, b""
                return (data if data.endswith(b"\n") else data + b"\n") if data.strip() else None
            data += more
        self._rest = data[length:]
        return data[:length]

    def _read(self) -> bytes:
        """What is there, up to the size of a part: a pipe is not waited for longer than it takes."""
        read = getattr(self._source, "read1", self._source.read)
        more: bytes = read(PART)
        return more

    def block(self, part: Part, columns: Iterable[str]) -> Block:
        """The records of a part."""
        data = part.data.replace(b"\r\n", b"\n")
        ends = _ends(data)
        text = _texts(data, ends)
        wanted = list(columns)
        table, odd = self._table(data, wanted)
        ...
