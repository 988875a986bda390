"""Results as data, which can be written in every format.

A report has four forms: tables and lines for people, records for spreadsheets, a document for programs, and plain lines
for shell scripts. They contain numbers as they are; how many digits they get, and how a text is escaped, is up to the
format. Each form is made when it is asked for.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

Content: TypeAlias = str | float | None
"""of a cell; None is an empty cell, an integer has no decimal places"""
Document: TypeAlias = dict[str, Any] | list[dict[str, Any]]
"""JSON; a field may be an iterator, whose items are written one by one; a number may be infinite"""


class Cell(NamedTuple):
    """A content with a style for the terminal."""

    content: Content
    style: str = ""


MOST_SHOWN = 1000
"""rows of a table, unless all are asked for"""

Line: TypeAlias = tuple[Cell, ...]
"""a line of text for people, in pieces that have a style each; an empty line has none"""


class Row(NamedTuple):
    """A row of a table; it may have fewer cells than the table has columns."""

    cells: Sequence[Content | Cell | Line]
    style: str = ""
    ends_section: bool = False
    """whether there is a gap below it"""


class Column(NamedTuple):
    """A column of a table; its cells have its style where they have none of their own."""

    heading: str
    style: str = ""
    is_number: bool = False
    """whether it is aligned on the right"""
    most: int | None = None
    """for a name, the width in columns of the terminal above which it loses its middle; it loses more in a narrow
    table. Other texts stay whole, and so do numbers"""
    wraps: bool = False
    """whether its texts may continue on the next line"""
    is_spare: bool = False
    """whether a narrow table may omit it"""
    alone: str = ""
    """its heading in a record, where the column before it is not beside it; else `heading`"""


@dataclass(frozen=True)
class Table:
    """A table for people."""

    columns: Sequence[Column]
    rows: Iterable[Row]
    precision: int = 4
    """decimal places"""
    caption: str = ""
    goes_on: bool = False
    """whether columns that have no room continue in another block below; else the rows become records"""


def table_of_numbers(
    header: Sequence[str], rows: Iterable[Sequence[Content | Cell]], precision: int, *, goes_on: bool = False
) -> Table:
    """A table with a name in the first column and numbers in the others."""
    first, *others = header
    columns = [Column(first, "cyan", most=60), *(Column(name, is_number=True, most=60) for name in others)]
    return Table(columns, map(Row, rows), precision, goes_on=goes_on)


class Records(NamedTuple):
    """Rows of equal length below a header."""

    header: Sequence[str]
    rows: Iterable[Sequence[Content]]


class Report:
    """A result; a form that it does not have is empty, and nothing is written for it."""

    def tables(self) -> Iterable[Table | Line]:
        """The report for people: tables, and lines of text between them."""
        return ()

    def records(self) -> Records:
        """The report for spreadsheets."""
        return Records((), ())

    def document(self) -> Document:
        """The report for programs."""
        return {}

    def lines(self) -> Iterable[Sequence[Content]]:
        """The report for shell scripts: lines of words. Without lines of its own a report has its records here."""
        return self.records().rows


def none_if_nan(number: float) -> float | None:
    """The number, or an empty cell for nan, which stands for one that is not known."""
    return None if number != number else number
