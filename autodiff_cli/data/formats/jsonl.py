"""JSON Lines: the objects of the file as they stand, each with its results as its last keys; and JSON to write."""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain

import numpy
import pyarrow
from numpy.typing import NDArray
from pyarrow import compute

from ...errors import AutodiffError
from . import text_files
from .arrow_tables import columns_to_write, results_table
from .column_texts import LEAVE_OUT, NOT_UTF8, concatenated, json_cells, json_text
from .interfaces import RowBlock, stored_names
from .jsonl_parser import first_object, inferred_schema
from .jsonl_records import JsonRecords
from .options import ReadOptions
from .registry import TEXTS
from .streams import ByteStream, resumed, translated
from .text_files import BYTE_ORDER_MARK, TextPart, TextReader, TextWriter

_QUOTE = ord(b'"')
_JSON_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*+("?)|[\[\]{},]')
_BREAKS_AS_BLANKS = bytes.maketrans(b"\r\n\t", b"   ")


class JsonLinesReader(TextReader):
    """Reads an object from each line; the columns are the keys of the first one."""

    format = "jsonl"
    _keys: Collection[str] | None = None
    """those that an object may have, if all of them are needed"""

    def __init__(self, source: ByteStream, options: ReadOptions) -> None:
        super().__init__(source)
        self._options = options
        begun = self._read()
        while not begun.strip(BYTE_ORDER_MARK + b" \r\n\t") and not self._ended:
            begun += self._read()
        begun = begun.removeprefix(BYTE_ORDER_MARK)
        if begun.lstrip().startswith(b"["):
            self._source, begun, self._ended = _array_lines(resumed(source, begun)), b"", False
        self._rest = self._sample = self._with_a_line(begun)
        self.names = tuple(first_object(self._sample))

    @cached_property
    def schema(self) -> pyarrow.Schema:
        """The types of the columns, inferred from the first lines."""
        return inferred_schema(self._sample, self.names)

    def parts(self, names: Sequence[str] | None = None) -> Iterator[TextPart]:
        """Yield complete lines, as soon as they are available."""
        self._keys = set(self.names) if names is None else None
        while data := self._with_a_line(self._rest):
            length = data.rfind(b"\n") + 1 or len(data)
            self._rest = data[length:]
            yield TextPart(data[:length] if length < len(data) or data.endswith(b"\n") else data + b"\n", self._line)
            self._line += data.count(b"\n", 0, length)

    def block(self, part: TextPart, columns: Sequence[str]) -> RowBlock:
        """Return the objects of a part with the numbers of these columns."""
        return JsonRecords(part, columns, self._options, self._keys).block()

    def chosen(self, part: TextPart, rows: NDArray[numpy.int64]) -> TextPart:
        """A part of these objects alone."""
        return JsonRecords(part, (), self._options).chosen(rows)

    def _with_a_line(self, data: bytes) -> bytes:
        """The data, and more until it holds a line that is not empty, or the end of the file."""
        while b"\n" not in data.lstrip() and not self._ended:
            if len(data) > text_files.LONGEST_RECORD:
                raise AutodiffError(f"line {self._line} is too long", hint="write one JSON object a line")
            data += self._read(max(len(data), text_files.PART_BYTES))
        return data


def _array_lines(source: ByteStream) -> ByteStream:
    """The elements of a JSON array, each on a line, which is complete as soon as its last brace is there."""
    rest, depth, has_ended = b"", 0, False

    def translate(data: bytes, is_last: bool) -> bytes:
        nonlocal rest, depth, has_ended
        data = rest + data.translate(_BREAKS_AS_BLANKS)
        pieces, done = [], 0
        for token in _JSON_TOKEN.finditer(data):
            is_cut = token[0][0] == _QUOTE and not token[1]
            if is_cut and not is_last and len(token[0]) <= text_files.LONGEST_RECORD:
                rest = data[token.start() :]
                break
            before = depth
            depth += (token[0] in b"[{") - (token[0] in b"]}")
            ends = (before, depth) == (2, 1)
            if ends or (token[0] == b"," and depth == 1) or 0 in (before, depth):
                text = data[done : token.end() if ends else token.start()].strip(b" ")
                pieces += [text, b"\n" if before and (text or not has_ended) else b""]
                done, has_ended = token.end(), ends
        else:
            rest = b""
        if is_last and depth > 0:
            raise AutodiffError("the data is not whole: the JSON array is never closed", hint="is the file complete?")
        left = data[done : len(data) - len(rest)]
        has_ended = has_ended and not left.strip(b" ")
        pieces.append(left.strip(b" ") if has_ended or not depth else left)
        return b"".join(pieces)

    return translated(source, translate)


class JsonLinesWriter(TextWriter):
    """Writes an object to each line."""

    format = "jsonl"

    def encode(self, block: RowBlock, results: Mapping[str, NDArray[numpy.float64]]) -> "list[bytes | pyarrow.Buffer]":
        """Return the objects of a block. Raises AutodiffError for bytes that are not UTF-8."""
        lines = self._lines(block, results)
        for text in lines:
            json_text(text)
        return self._compressed(lines) if lines else []

    def _lines(self, block: RowBlock, results: Mapping[str, NDArray[numpy.float64]]) -> "list[bytes | pyarrow.Buffer]":
        """A line for each object."""
        table = results_table(block, results)
        added = {name: json_cells(table[name]) for name in table.column_names}
        if self._copies_rows and not self._destination.renamed:
            objects = block.source_text
            objects.refuse_keys(self._destination.results)
            texts = compute.binary_join_element_wise(objects.texts, _members(added), objects.separator)
            return [concatenated(texts), objects.ending]
        cells = self._destination.ordered(self._kept_cells(block), added.values())
        members = _members(dict(zip(self._destination.names, cells, strict=True)))
        return [concatenated(compute.binary_join_element_wise(b"{", members, b"}\n", b""))]

    def _kept_cells(self, block: RowBlock) -> list[pyarrow.Array]:
        """The columns that are kept, as JSON; the objects of the source have theirs as JSON already."""
        kept, source = self._destination.kept, self._destination.source
        if source.format != "jsonl":
            remedy = NOT_UTF8 if source.format in TEXTS else LEAVE_OUT
            columns = zip(kept, columns_to_write(block, kept), strict=True)
            return [json_cells(column, f"column `{name}`", remedy) for name, column in columns]
        stored = set(stored_names(source))
        added = block.read_columns([name for name in kept if name not in stored])
        cells = {name: json_cells(column) for name, column in added.items()}
        cells |= block.source_text.as_json([name for name in kept if name in stored])
        return [cells[name] for name in kept]


class JsonWriter(JsonLinesWriter):
    """Writes an array with an object on each line."""

    def append(self, encoded: "list[bytes | pyarrow.Buffer]") -> None:
        """Write the objects, with what separates them from those before."""
        if encoded:
            separator = b"," if self._header is None else b"["
            self._header = b""
            super().append([*self._compressed([separator + b"\n"]), *encoded])

    def close(self) -> None:
        """Write the end of the array."""
        end = b"\n]\n" if self._header is None else b"[]\n"
        self._header = b""
        super().append(self._compressed([end]))

    def _lines(self, block: RowBlock, results: Mapping[str, NDArray[numpy.float64]]) -> "list[bytes | pyarrow.Buffer]":
        """The lines with commas between them."""
        text = b"".join(map(memoryview, super()._lines(block, results)))
        if text.count(b"\n") > block.rows:  # some lines of the source are empty
            text = b"".join([line + b"\n" for line in text.split(b"\n") if line.strip()])
        return [text[:-1].replace(b"\n", b",\n")] if text else []


def _members(columns: Mapping[str, pyarrow.Array]) -> pyarrow.Array:
    """The keys with the values of each row, without the braces."""
    keys = (f"{', ' * (place > 0)}{json.dumps(name)}: ".encode() for place, name in enumerate(columns))
    return compute.binary_join_element_wise(*chain.from_iterable(zip(keys, columns.values(), strict=True)), b"")
