"""The columns of a table, kept to be read more than once."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

import numpy

from .column_blocks import StoredColumns
from .columns import called_by, refuse_repeated
from .formats import TableReader, row_word


class Stored(NamedTuple):
    """The columns of a table, and the rows that could not be read and are left out."""

    columns: StoredColumns
    rows: int
    """the number of rows in the table, with those that are left out"""
    unread: int
    first: str
    """the first of the rows that were left out, and why"""


def stored(reader: TableReader, names: Collection[str], mapping: Mapping[str, str] = {}) -> Stored:
    """Read the columns of these names; they are called as `columns.called_by` says.

    Rows that have nan in one of them are left out, as those that cannot be read. Raises AutodiffError for two columns
    that are called by one name.
    """
    called = called_by(reader.names, names, mapping)
    wanted = {own: name for own, name in zip(called, reader.names, strict=True) if own in names}
    refuse_repeated(reader.names, called, wanted)
    columns, rows, unread, first = StoredColumns(tuple(wanted)), 0, 0, ""
    for part in reader.parts(list(wanted.values())):
        block = reader.block(part, list(wanted.values()))
        block.reasons = {
            row: f"column `{column}` is nan"
            for column in reversed(wanted.values())
            for row in numpy.flatnonzero(numpy.isnan(block.columns[column])).tolist()
        } | dict(block.reasons)
        failures = block.failures
        if failures and not unread:
            row, reason = min(failures.items())
            first = f"{block.named_place(row, row_word(reader.format))}: {reason}"
        rows, unread = rows + block.rows, unread + len(failures)
        kept = [numpy.delete(block.columns[column], list(block.reasons)) for column in wanted.values()]
        columns.append(block.rows - len(block.reasons), kept)
    return Stored(columns, rows, unread, first)
