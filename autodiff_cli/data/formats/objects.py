"""The objects of a part of JSON Lines: their numbers, their texts, and what is wrong with them.

PyArrow reads the numbers where all is as it should be; where it is not, Python reads the lines one by one.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy
import pyarrow
import pyarrow.json

from ...errors import AutodiffError
from . import Block, lines
from .bytestrings import array
from .numbers import with_numbers
from .rows import Part

_OPEN, _CLOSE, _BREAK, _RETURN = b"{}\n\r"
_EMPTY = re.compile(rb"^\{[ \t\r]*\}", re.MULTILINE)


class Rows(NamedTuple):
    """Objects as they stand in the file, without their last braces."""

    texts: Any
    """a PyArrow array of bytes: each object but the first with what follows the members of the one before it"""
    separator: bytes
    """what stands between them and the results"""
    ending: bytes
    """what follows the members of the last one"""
    as_json: Callable[[Sequence[str]], Mapping[str, Any]]
    """the values of some keys as JSON: key → PyArrow array of bytes"""
    refuse: Callable[[Sequence[str]], None]
    """raises AutodiffError where an object has one of these keys, which are those of the results"""


class Objects:
    """The objects of a part, and the numbers in these columns; a line with nothing in it is no row."""

    def __init__(self, part: Part, names: Sequence[str], columns: Sequence[str]) -> None:
        self._data, self._first, self._names, self._columns = part.data, part.line, set(names), columns
        self._codes = numpy.frombuffer(self._data, dtype=numpy.uint8)
        breaks = numpy.flatnonzero(self._codes == _BREAK)
        starts = numpy.append(0, breaks[:-1] + 1)
        stops = breaks - ((breaks > 0) & (self._codes[breaks - 1] == _RETURN))
        full = stops > starts
        self._starts, self._stops = starts[full], stops[full]

    def block(self) -> Block:
        """The rows with their numbers."""
        return self._plain() or self._one_by_one()

    def _plain(self) -> Block | None:
        """The rows as PyArrow reads them; None where one of them is not an object on a line of its own, or no number.

        Lines that begin and end with a brace are whole objects, if there are as many objects as lines.
        """
        ends = self._stops - 1
        if not (len(ends) and (self._codes[self._starts] == _OPEN).all() and (self._codes[ends] == _CLOSE).all()):
            return None
        if numpy.isin(self._codes[ends - 1], (_OPEN, *b" \t\r")).any() and _EMPTY.search(self._data):
            return None
        try:
            table = self._read()
        except pyarrow.ArrowInvalid:
            return None
        if table.num_rows != len(ends):
            return None
        rows = Rows(array(self._data, ends), b", ", self._data[ends[-1] :], self._as_json, self._refuse)
        return self._block({name: table[name] for name in self._columns}, {}, rows)

    def _one_by_one(self) -> Block:
        found, ending = self._lines
        self._starts = numpy.array([line.start for line in found], dtype=numpy.int64)
        rows = Rows(
            pyarrow.array([line.text for line in found], pyarrow.binary()), b"", ending, self._as_json, self._refuse
        )
        reasons = {row: reason for row, line in enumerate(found) if (reason := _reason(line, self._columns))}
        return self._block({name: lines.cells(found, name) for name in self._columns}, reasons, rows)

    def _block(self, columns: Mapping[str, Any], reasons: dict[int, str], rows: Rows) -> Block:
        return with_numbers(columns, len(self._starts), self._line, self._table, reasons, rows)

    def _read(self) -> Any:
        return pyarrow.json.read_json(
            pyarrow.BufferReader(self._data),
            read_options=pyarrow.json.ReadOptions(use_threads=False, block_size=len(self._data) + 1),
            parse_options=pyarrow.json.ParseOptions(
                explicit_schema=pyarrow.schema([(name, pyarrow.float64()) for name in self._columns]),
                unexpected_field_behavior="ignore",
            ),
        )

    @cached_property
    def _lines(self) -> tuple[list[lines.Line], bytes]:
        return lines.read(self._data, self._starts.tolist(), self._stops.tolist())

    def _line(self, row: int) -> int:
        return self._first + self._data.count(b"\n", 0, self._starts[row])

    def _table(self, names: Sequence[str]) -> dict[str, Any]:
        found = self._chosen(names)
        return {name: lines.cells(found, name) for name in names}

    def _as_json(self, names: Sequence[str]) -> dict[str, Any]:
        found = self._chosen(names)
        return {name: lines.as_json(found, name) for name in names}

    def _chosen(self, names: Sequence[str]) -> list[lines.Line]:
        """The lines; AutodiffError where one has a key that the first has not, and all are to be written."""
        found, _ = self._lines
        if self._names <= {*names, *self._columns}:
            for row, line in enumerate(found):
                if beyond := line.members.keys() - self._names:
                    raise AutodiffError(
                        f"line {self._line(row)} has the key `{min(beyond)}`, which the first line has not",
                        hint="write JSON Lines, which can hold that, or choose --columns",
                    )
        return found

    def _refuse(self, names: Sequence[str]) -> None:
        if any(json.dumps(name).encode() in self._data for name in names):
            for row, line in enumerate(self._lines[0]):
                if clash := line.members.keys() & set(names):
                    raise AutodiffError(
                        f"line {self._line(row)} has the key `{min(clash)}`, which the result would be called",
                        hint="--prefix d_ puts something in front of the names of the results",
                    )


def _reason(line: lines.Line, columns: Sequence[str]) -> str:
    """Why none of the values can be trusted; empty where they can."""
    twice = [name for name in columns if name in line.members.twice]
    return f"key `{twice[0]}` stands twice" if twice else line.reason
