"""The columns of a table, kept to be read more than once."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

import numpy

from ..vectorized.stored_columns import StoredColumns
from .columns import called_by
from .formats import TableReader, row_word


class Stored(NamedTuple):
    """The columns of a table, and the rows that could not be read and are left out."""

    columns: StoredColumns
    unread: int
    first: str
    """the first of the rows that were left out, and why"""


def stored(reader: TableReader, names: Collection[str] | None = None, mapping: Mapping[str, str] = {}) -> Stored:
    """Read the columns of these names, or all; they are called as `columns.called_by` says."""
    called = dict(zip(reader.names, called_by(reader.names, names or (), mapping), strict=True))
    wanted = {called[name]: name for name in reader.names if names is None or called[name] in names}
    columns, unread, first = StoredColumns(tuple(wanted)), 0, ""
    for part in reader.parts(list(wanted.values())):
        block = reader.block(part, list(wanted.values()))
        if block.failures and not unread:
            row, reason = min(block.failures.items())
            first = f"{row_word(reader.format)} {block.place(row)}: {reason}"
        unread += len(block.failures)
        unreadable = list(block.reasons)
        kept = [numpy.delete(block.columns[column], unreadable) for column in wanted.values()]
        columns.append(block.rows - len(unreadable), kept)
    return Stored(columns, unread, first)
