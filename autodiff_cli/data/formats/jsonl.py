"""JSON Lines: the objects of the file as they stand, each with its results as its last keys."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, BinaryIO

from pyarrow import compute

from ...errors import AutodiffError
from . import Array, Block, Target, streams, typed
from .bytestrings import joined
from .compressed import compressed
from .jsontexts import json_texts
from .lines import first_object, schema
from .objects import Objects
from .rows import Part

_MARK = b"\xef\xbb\xbf"  # of the order of bytes


class Reader:
    """A JSON object a line; its columns are the keys of the first one."""

    format = "jsonl"

    def __init__(self, source: BinaryIO) -> None:
        self._source, self._line, self._ended = source, 1, False
        self._rest = self._sample = self._with_a_line(b"").removeprefix(_MARK)
        self.names = tuple(first_object(self._sample))

    @cached_property
    def schema(self) -> Any:
        """The types of the columns, as far as the first lines tell."""
        return schema(self._sample, self.names)

    def parts(self, names: Sequence[str] | None = None) -> Iterator[Part]:
        """Whole lines, as soon as they are there."""
        while data := self._with_a_line(self._rest):
            length = data.rfind(b"\n") + 1 or len(data)
            self._rest = data[length:]
            yield Part(data[:length] if length < len(data) or data.endswith(b"\n") else data + b"\n", self._line)
            self._line += data.count(b"\n", 0, length)

    def block(self, part: Part, columns: Sequence[str]) -> Block:
        """The objects of a part."""
        return Objects(part, self.names, columns).block()

    def size(self) -> int | None:
        """How many bytes the file has."""
        return streams.size(self._source)

    def done(self) -> int:
        """How many of them have been read."""
        return streams.position(self._source)

    def _with_a_line(self, data: bytes) -> bytes:
        """The data, and more until there is a line that is not empty, or the end of the file."""
        while b"\n" not in data.lstrip() and not self._ended:
            if len(data) > streams.LONGEST:
                raise AutodiffError(f"line {self._line} is too long", hint="write one JSON object a line")
            data += self._read(max(len(data), streams.PART))
        return data

    def _read(self, size: int | None = None) -> bytes:
        data = streams.what_is_there(self._source, size or streams.PART)
        self._ended = not data
        return data


class Writer:
    """A JSON object a line."""

    def __init__(self, out: BinaryIO, target: Target, compression: str | None = None) -> None:
        self._out, self._target, self._compression = out, target, compression
        self._written = False
        source = target.source
        self._as_it_stands = source.format == Reader.format and tuple(target.kept) == tuple(source.names)

    def encode(self, block: Block, results: Mapping[str, Array]) -> list[Any]:
        """The lines of a block."""
        made = {name: json_texts(column) for name, column in _columns(typed.results_of(block, results))}
        if self._as_it_stands:
            rows = block.text
            rows.refuse(self._target.results)
            texts = compute.binary_join_element_wise(rows.texts, _members(made), rows.separator)
            pieces = [joined(texts), rows.ending]
        else:
            lines = _members(self._own(block) | made)
            pieces = [joined(compute.binary_join_element_wise(b"{", lines, b"}\n", b""))]
        return [compressed(b"".join(map(memoryview, pieces)), self._compression)] if self._compression else pieces

    def _own(self, block: Block) -> dict[str, Any]:
        """The columns that are kept, as JSON."""
        kept = self._target.kept
        if self._target.source.format == Reader.format:
            return dict(block.text.as_json(kept))
        return {name: json_texts(column) for name, column in typed.own(block, kept, block.doubles).items()}

    def append(self, encoded: list[Any]) -> None:
        """Write the lines."""
        self._written = True
        for piece in encoded:
            self._out.write(piece)
        self._out.flush()

    def close(self) -> None:
        """Write what a compressed file holds at least."""
        if self._compression and not self._written:
            self._out.write(compressed(b"", self._compression))
        self._out.flush()


def _columns(table: Any) -> list[tuple[str, Any]]:
    return list(zip(table.column_names, table.columns, strict=True))


def _members(columns: Mapping[str, Any]) -> Any:
    """The keys with the values of each row, without the braces."""
    keys = (f"{', ' * (place > 0)}{json.dumps(name)}: ".encode() for place, name in enumerate(columns))
    return compute.binary_join_element_wise(*chain.from_iterable(zip(keys, columns.values(), strict=True)), b"")
