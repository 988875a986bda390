"""Tables of data, part by part: what every format's reader gives and every format's writer takes.

A format's module has `Reader(source)` and `Writer(out, target)`; the list here names them all. Typical use:

    source = tables.reader("csv", open("points.csv", "rb"))
    target = tables.writer("csv", out, Target(source, source.names, ["x", "y"], ["value", "grad_x", "grad_y"]))
    for part in source.parts():
        block = source.block(part, ["x", "y"])
        target.append(target.encode(block, compute(block.columns)))
    target.close()
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, BinaryIO, NamedTuple, Protocol

from ...errors import not_installed

Array = Any  # a NumPy array of doubles

FORMATS = ("csv", "tsv", "jsonl", "parquet", "arrow", "arrows")
TEXTS = ("csv", "tsv", "jsonl")
"""the formats whose numbers are read as doubles, whatever else they may be"""
ENDINGS = {f".{name}": name for name in FORMATS} | {
    ".ndjson": "jsonl", ".json": "jsonl", ".pq": "parquet", ".feather": "arrow", ".ipc": "arrow", ".tab": "tsv",
}  # fmt: skip
COMPRESSIONS = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2", ".lz4": "lz4"}


@dataclass
class Block:
    """Some rows of a table, and the numbers in the columns that were asked for."""

    rows: int
    columns: Mapping[str, Array]
    """name → doubles, nan where there is none"""
    reasons: Mapping[int, str] = field(default_factory=dict)
    """row, counted from 0 → why it cannot be read; a writer leaves its results empty, whatever they are"""
    line: Callable[[int], int] = int
    """row, counted from 0 → where it stands: the line of a text, else the row of the table; both counted from 1"""
    table: Callable[[Sequence[str]], Any] | None = None
    """the columns of these names as they stand, name → PyArrow array; None where `columns` is all there is"""
    doubles: Mapping[str, Any] = field(default_factory=dict)
    """the columns as PyArrow arrays, null where there is no number, of a table whose cells are texts"""
    text: Any = None
    """the rows as they stand in the file, for the writer of the same format"""


class Reader(Protocol):
    """A table that is read in parts; a part becomes a block, in any thread, several at once."""

    names: Sequence[str]
    """the columns in the order of the file"""
    schema: Any
    """the PyArrow schema of the columns; None where their cells are texts, or numbers only"""
    format: str

    def parts(self, names: Sequence[str] | None = None) -> Iterator[Any]:
        """What the file holds, in order, as soon as it is there: to be called once, in one thread at a time.

        `names` are the columns that the blocks are for, to be computed with or written; all of them without it.
        Raises AutodiffError where the file is broken.
        """

    def block(self, part: Any, columns: Sequence[str]) -> Block:
        """A part, with the numbers of these columns, always the same ones; raises AutodiffError as `parts` does."""

    def size(self) -> int | None:
        """How many bytes or rows `parts` goes through; None where that is not known."""

    def done(self) -> int:
        """How many of them it has gone through."""


class Target(NamedTuple):
    """What is to be written."""

    source: Any
    """the reader: its columns, their types, their header; whatever has `names`, `schema` and `format`"""
    kept: Sequence[str]
    """the columns of the source that are written: all in their order, or some in any order"""
    numbers: Sequence[str]
    """the columns that are read as numbers: `columns` of `Reader.block`"""
    results: Sequence[str]
    """the names of the columns that follow"""


class Writer(Protocol):
    """A table that is written block by block."""

    def encode(self, block: Block, results: Mapping[str, Array]) -> Any:
        """The rows with their results (name → doubles), ready to be written; in any thread, several at once."""

    def append(self, encoded: Any) -> None:
        """Write them: in order, in one thread at a time. A pipe has them when this returns."""

    def close(self) -> None:
        """Write what ends the file, which itself stays open. A table without rows has its columns all the same."""


def format_of(path: str) -> str | None:
    """The format that the ending of a file's name tells, `.gz` and the like left aside; None where it tells none."""
    return ENDINGS.get(_ending(_uncompressed(path)))


def compression_of(path: str) -> str | None:
    """How a file of this name is compressed; None where it is not."""
    return COMPRESSIONS.get(_ending(path))


def reader(format_: str, source: BinaryIO) -> Reader:
    """A table in the format of that name; one that is compressed is decompressed, by what its first bytes are.

    Raises AutodiffError where the file is not what the format says, and where a package is missing.
    """
    module = _module(format_)
    from .compressed import decompressed, refuse_binary

    source = decompressed(source)
    if format_ in TEXTS:
        refuse_binary(source)
    made: Reader = module.Reader(source)
    return made


def writer(format_: str, out: BinaryIO, target: Target, compression: str | None = None) -> Writer:
    """A table to be written in the format of that name, compressed as `compression_of` tells.

    Raises AutodiffError where the format cannot hold the columns, or is not for compressing.
    """
    made: Writer = _module(format_).Writer(out, target, compression)
    return made


def _module(format_: str) -> Any:
    try:
        return import_module(f".{format_}", __package__)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("pyarrow", "numpy"):
            raise
        raise not_installed("data files need PyArrow and NumPy, which are not installed", "data") from None


def _uncompressed(path: str) -> str:
    return path[: -len(_ending(path))] if compression_of(path) else path


def _ending(path: str) -> str:
    from os.path import splitext

    return splitext(path)[1].lower()
