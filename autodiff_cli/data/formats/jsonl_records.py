"""The objects of a part of JSON Lines: their numbers, their texts, and the reasons why some cannot be read.

PyArrow reads the numbers of parts without errors; Python reads the lines of the others one by one.
"""

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy
import pyarrow
import pyarrow.json
from numpy.typing import NDArray

from ...errors import AutodiffError, Remedy
from . import jsonl_parser
from .column_numbers import may_be_misread, with_numbers
from .column_texts import chosen_texts, split_at
from .interfaces import RowBlock
from .jsonl_parser import JsonLine
from .options import ReadOptions
from .text_files import TextPart, TextRecords

_OPEN, _CLOSE, _BREAK, _RETURN = b"{}\n\r"
_BLANKS = b" \t\r\v\f"
_NO_JSON = re.compile(rb"[:\[,][ \t\r]*-?(NaN|Inf)")
"""numbers that PyArrow reads, and JSON does not have"""
_ESCAPES = (rb"\u", rb"\/")
"""the beginnings of escapes that a key may be written with, and need not be"""
_TEXT = re.compile(rb'"((?:[^"\\]|\\.)*+)"([ \t]*:)?', re.DOTALL)
"""a text of JSON, and the colon after it if it is a key"""
_EMPTY_OBJECT = re.compile(rb"^\{[ \t\r]*\}", re.MULTILINE)


class ObjectTexts(NamedTuple):
    """Objects as they stand in the file, without their last braces."""

    texts: pyarrow.Array
    """bytes: each object but the first with what follows the members of the object before it"""
    separator: bytes
    """the text between an object and its results"""
    ending: bytes
    """the text after the members of the last object"""
    as_json: Callable[[Sequence[str]], Mapping[str, pyarrow.Array]]
    """the values of some keys as JSON: key → array of bytes"""
    refuse_keys: Callable[[Sequence[str]], None]
    """raises AutodiffError where an object has one of these keys, which are those of the results"""

    def select(self, rows: NDArray[numpy.int64]) -> "ObjectTexts":
        """These objects."""
        return self._replace(
            texts=chosen_texts(self.texts, rows, lambda text: text[text.index(b"{") :]),
            ending=self.ending if len(rows) else b"",
            as_json=lambda names: {name: cells.take(rows) for name, cells in self.as_json(names).items()},
        )


class JsonRecords(TextRecords):
    """The objects of a part, and the numbers in these columns; a line that is empty or holds blanks is not a row."""

    def __init__(
        self, part: TextPart, columns: Sequence[str], options: ReadOptions, keys: Collection[str] | None = None
    ) -> None:
        """Objects that are written otherwise may have these `keys` only; None for any."""
        self._data, self._columns, self._options, self._keys = part.data, columns, options, keys
        self._codes = numpy.frombuffer(self._data, dtype=numpy.uint8)
        breaks = self._line_breaks()
        starts = numpy.append(0, breaks[:-1] + 1)
        stops = breaks - ((breaks > 0) & (self._codes[breaks - 1] == _RETURN))
        full = stops > starts
        for line in numpy.flatnonzero(full & numpy.isin(self._codes[starts], (*_BLANKS,))).tolist():
            full[line] = not self._data[starts[line] : stops[line]].isspace()
        super().__init__(part, starts[full], breaks[full] + 1)
        self._stops = stops[full]

    def block(self) -> RowBlock:
        """The rows with their numbers."""
        return self._read_at_once() or self._read_one_by_one()

    def _read_at_once(self) -> RowBlock | None:
        """The rows as PyArrow reads them; None where a line is not an object, or a value not a number.

        Where all lines begin and end with a brace, each is an object if there are as many objects as lines.
        """
        ends = self._stops - 1
        if not (len(ends) and (self._codes[self._starts] == _OPEN).all() and (self._codes[ends] == _CLOSE).all()):
            return None
        if numpy.isin(self._codes[ends - 1], (_OPEN, *b" \t\r")).any() and _EMPTY_OBJECT.search(self._data):
            return None
        if (b"NaN" in self._data or b"Inf" in self._data) and _NO_JSON.search(self._data):
            return None
        try:
            table = self._read()
        except pyarrow.ArrowInvalid:
            return None
        if table.num_rows != len(ends) or may_be_misread(self._data, [table[name] for name in self._columns]):
            return None
        objects = ObjectTexts(
            split_at(self._data, ends), b", ", self._data[ends[-1] :], self._as_json, self._refuse_keys
        )
        return self._block({name: table[name] for name in self._columns}, {}, objects)

    def _read_one_by_one(self) -> RowBlock:
        lines, ending = self._lines
        texts = pyarrow.array([line.text for line in lines], pyarrow.binary())
        objects = ObjectTexts(texts, b"", ending, self._as_json, self._refuse_keys)
        reasons = {row: reason for row, line in enumerate(lines) if (reason := _reason(line, self._columns))}
        return self._block({name: jsonl_parser.text_column(lines, name) for name in self._columns}, reasons, objects)

    def _block(self, columns: Mapping[str, pyarrow.Array], reasons: dict[int, str], objects: ObjectTexts) -> RowBlock:
        block = RowBlock(len(self._starts), self._line, self._read_columns, reasons=reasons, source_text=objects)
        return with_numbers(block, columns, self._options)

    def _read(self) -> pyarrow.Table:
        return pyarrow.json.read_json(
            pyarrow.BufferReader(self._data),
            read_options=pyarrow.json.ReadOptions(use_threads=False, block_size=len(self._data) + 1),
            parse_options=pyarrow.json.ParseOptions(
                explicit_schema=pyarrow.schema([(name, pyarrow.float64()) for name in self._columns]),
                unexpected_field_behavior="ignore",
            ),
        )

    @cached_property
    def _lines(self) -> tuple[list[JsonLine], bytes]:
        return jsonl_parser.read_lines(self._data, self._starts.tolist(), self._stops.tolist())

    def _line_breaks(self) -> NDArray[numpy.int64]:
        return numpy.flatnonzero(self._codes == _BREAK)

    def _read_columns(self, names: Sequence[str]) -> dict[str, pyarrow.Array]:
        lines = self._checked_lines()
        return {name: jsonl_parser.text_column(lines, name) for name in names}

    def _as_json(self, names: Sequence[str]) -> dict[str, pyarrow.Array]:
        lines = self._checked_lines()
        return {name: jsonl_parser.json_column(lines, name) for name in names}

    def _checked_lines(self) -> list[JsonLine]:
        """The lines; AutodiffError where all keys are to be written and a line has one that the first line has not."""
        lines, _ = self._lines
        if self._keys is not None:
            for row, line in enumerate(lines):
                if unknown := line.members.keys() - self._keys:
                    lead = "write JSON Lines, which can hold that, or "
                    raise AutodiffError(
                        f"line {self._line(row)} has the key `{min(unknown)}`, which the first line does not have",
                        remedy=Remedy("choose columns", (), "choose the columns to keep", lead),
                    )
        return lines

    def _has_escaped_keys(self) -> bool:
        if not any(escape in self._data for escape in _ESCAPES):
            return False
        return any(escape in text[1] for text in _TEXT.finditer(self._data) if text[2] for escape in _ESCAPES)

    def _refuse_keys(self, names: Sequence[str]) -> None:
        keys = [json.dumps(name, ensure_ascii=False).encode() for name in names]
        if any(key in self._data for key in keys) or self._has_escaped_keys():
            for row, line in enumerate(self._lines[0]):
                if clash := line.members.keys() & set(names):
                    raise AutodiffError(
                        f"line {self._line(row)} has the key `{min(clash)}`, which the result would be called",
                        remedy=Remedy("prefix", (), "choose a prefix for the names of the results"),
                    )


def _reason(line: JsonLine, columns: Sequence[str]) -> str:
    """The reason why the line cannot be read; empty if it can."""
    duplicate = next((name for name in columns if name in line.members.duplicates), None)
    return line.reason if duplicate is None else f"key `{duplicate}` appears twice"
