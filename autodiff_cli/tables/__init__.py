"""Tables of data, block by block: what every format gives and takes.

A format's module has `Reader(source)` and `Writer(out, ...)`; the listing here names them all.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, BinaryIO, Protocol

Array = Any  # of doubles

FORMATS = ("csv", "tsv", "jsonl", "parquet", "arrow")
ENDINGS = {f".{name}": name for name in FORMATS} | {
    ".ndjson": "jsonl", ".pq": "parquet", ".feather": "arrow", ".ipc": "arrow", ".arrows": "arrow",
}  # fmt: skip


@dataclass
class Block:
    """Some rows of a table as they were read, and the numbers in the columns that were asked for."""

    first: int
    """where its first row stands: a line of a text, else the row counted from 1"""
    rows: int
    table: Any
    """the columns as they stand, a PyArrow table; None where `text` is all that is kept"""
    columns: Mapping[str, Array]
    """name → doubles, nan where there is none"""
    reasons: dict[int, str] = field(default_factory=dict)
    """row, counted from 0 → why it cannot be read"""
    lines: Sequence[int] | None = None
    """the line of each row, where that is not `first` plus its place"""
    text: Any = None
    """the rows as they stand in the file, each after a line break; a PyArrow array"""

    def line(self, row: int) -> int:
        """Where a row stands."""
        return self.first + row if self.lines is None else int(self.lines[row])


class Reader(Protocol):
    """A table that is read in parts; a part becomes a block, in any thread."""

    names: list[str]

    def parts(self) -> Iterator[Any]:
        """What the file holds, in order, as soon as it is there."""

    def block(self, part: Any, columns: Iterable[str]) -> Block:
        """A part, with the numbers of these columns."""


class Writer(Protocol):
    """A table that is written block by block."""

    def encode(self, block: Block, results: Mapping[str, Any]) -> Any:
        """The rows with their results (PyArrow arrays), ready to be written; in any thread."""

    def append(self, encoded: Any) -> None:
        """Write them."""

    def close(self) -> None:
        """Write what ends the file."""


def reader(format_: str, source: BinaryIO) -> Reader:
    """A table in the format of that name."""
    made: Reader = import_module(f".{format_}", __package__).Reader(source)
    return made


def writer(format_: str, out: BinaryIO, kept: Sequence[str], results: Sequence[str]) -> Writer:
    """A table to be written in the format of that name: some of the columns that were read, then the results."""
    made: Writer = import_module(f".{format_}", __package__).Writer(out, kept, results)
    return made
