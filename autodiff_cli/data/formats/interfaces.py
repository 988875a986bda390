"""The blocks of rows that pass from the reader of one format to the writer of another, and what both look like.

A reader splits a file into parts, in order. Each part becomes a block and each block becomes encoded rows in any
thread, several at once; encoded rows are appended in order. Nothing here imports NumPy or PyArrow, which start slowly.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, TypeVar

if TYPE_CHECKING:
    import numpy
    import pyarrow
    from numpy.typing import NDArray

T = TypeVar("T")

Part: TypeAlias = Any
"""a part of a reader's table, of a type of its own"""


class Missing(str):
    """The reason why a row is passed over, which is not a failure: it lacks a number."""

    __slots__ = ()


@dataclass
class RowBlock:
    """Some rows of a table, and the numbers in the columns that were asked for."""

    rows: int
    """their number"""
    place: Callable[[int], int]
    """row, counted from 0 → the line of a text file, or the row of the table, both counted from 1"""
    read_columns: Callable[[Sequence[str]], Mapping[str, pyarrow.Array]]
    """the columns of these names with their own types"""
    columns: Mapping[str, NDArray[numpy.float64]] = field(default_factory=dict)
    """name → doubles, nan where there is no number"""
    reasons: Mapping[int, str] = field(default_factory=dict)
    """row, counted from 0 → why it cannot be read, or `Missing`; a writer leaves the results of such a row empty"""
    nullable: Mapping[str, pyarrow.Array] = field(default_factory=dict)
    """name → doubles, null where there is no number; for tables whose cells are texts"""
    source_text: Any = None
    """the rows as they stand in the file, for the writer of the same format"""
    file: str = ""
    """the name, as Unicode, of the file that they stand in, where there are several"""

    def select(self, rows: NDArray[numpy.int64]) -> RowBlock:
        """These rows of the block, which ascend."""
        from .column_texts import chosen_cells

        place_of = {row: place for place, row in enumerate(rows.tolist())}
        return RowBlock(
            len(rows),
            lambda row: self.place(int(rows[row])),
            lambda names: {name: chosen_cells(cells, rows) for name, cells in self.read_columns(names).items()},
            {name: column[rows] for name, column in self.columns.items()},
            {place_of[row]: reason for row, reason in self.reasons.items() if row in place_of},
            {name: column.take(rows) for name, column in self.nullable.items()},
            None if self.source_text is None else self.source_text.select(rows),
            self.file,
        )

    def named_place(self, row: int, noun: str) -> str:
        """The place of a row, a line or whatever the noun says, with its file where there are several."""
        return f"{self.file}: " * bool(self.file) + f"{noun} {self.place(row)}"

    @property
    def failures(self) -> dict[int, str]:
        """The reasons, without those of rows that are passed over as a number is missing."""
        return {row: reason for row, reason in self.reasons.items() if not isinstance(reason, Missing)}


class TableReader(Protocol):
    """A table that is read in parts."""

    names: Sequence[str]
    """the columns in the order of the file"""
    schema: pyarrow.Schema | None
    """the types of the columns; None where their cells are texts, or numbers only"""
    format: str

    def parts(self, names: Sequence[str] | None = None) -> Iterator[Part]:
        """Yield the parts of the file in order, as soon as they are available; to be called once.

        `names` are the columns that the blocks need, to compute with or to write; None for all of them.
        Raises AutodiffError where the file is broken.
        """

    def block(self, part: Part, columns: Sequence[str]) -> RowBlock:
        """Return a part with the numbers of these columns, the same for all parts; raises AutodiffError as `parts`."""

    def chosen(self, part: Part, rows: NDArray[numpy.int64]) -> Part:
        """Return a part that holds only these rows of a part, which ascend, and does not need the part itself."""

    def size(self) -> int | None:
        """The number of bytes or rows in the file; None where that is not known."""

    def position(self) -> int:
        """The number of these bytes or rows that `parts` has read."""


class DerivedReader:
    """A table that is made of another one: some of its rows, or further columns."""

    def __init__(self, reader: TableReader) -> None:
        self._reader = reader

    def __getattr__(self, name: str) -> Any:
        """The attributes of the table beneath, such as the header of CSV, which a writer of the same format uses."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._reader, name)


def stored_names(table: TableReader) -> Sequence[str]:
    """The columns that the rows hold as they stand in the file; any others are in the names of its folders."""
    names: Sequence[str] = getattr(table, "stored_names", table.names)
    return names


class Destination(NamedTuple):
    """The columns that a writer writes, and their names and order."""

    source: TableReader
    """the table whose columns are written; only `names`, `schema` and `format` are used, and the header of CSV"""
    kept: Sequence[str]
    """the columns of the source that are written: all in their order, or some in any order"""
    inputs: Sequence[str]
    """the columns that are read as numbers: `columns` of `TableReader.block`"""
    results: Sequence[str]
    """the names of the columns that follow"""
    texts: Collection[str] = ()
    """those of them that hold texts; the others hold doubles"""
    renamed: Mapping[str, str] = {}
    """columns of the source → what they are called where they are written, if that is another name"""
    order: Sequence[str] = ()
    """the names of the columns in the order in which they are written, and perhaps of others; without it the results
    follow what is kept"""

    @property
    def kept_names(self) -> list[str]:
        """The names under which the columns that are kept are written."""
        return [self.renamed.get(name, name) for name in self.kept]

    @property
    def names(self) -> list[str]:
        """The names of all columns, in the order in which they are written."""
        return self.ordered(self.kept_names, self.results)

    def ordered(self, kept: Iterable[T], results: Iterable[T]) -> list[T]:
        """Something for each column that is kept and for each result, in the order in which these are written."""
        natural = [*kept, *results]
        if not self.order:
            return natural
        by_name = dict(zip((*self.kept_names, *self.results), natural, strict=True))
        return [by_name[name] for name in self.order if name in by_name]


class TableWriter(Protocol):
    """A table that is written block by block."""

    def encode(self, block: RowBlock, results: Mapping[str, NDArray[numpy.float64]]) -> Any:
        """Return the rows with their results (name → doubles), ready to be appended."""

    def append(self, encoded: Any) -> None:
        """Write encoded rows. A pipe has received them when this returns."""

    def close(self) -> None:
        """Write the end of the file, without closing it. A table without rows has its columns all the same."""
