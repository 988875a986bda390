"""The columns of a table, kept to be read more than once."""

from collections.abc import Mapping

import numpy

from .column_blocks import StoredColumns
from .formats import TableReader, row_word


def stored(reader: TableReader, wanted: Mapping[str, str]) -> tuple[StoredColumns, int, int, str]:
    """Read columns, which are wanted under other names: name → column.

    Rows that have nan in one of them are left out, as those that cannot be read. Returns the columns, how many rows the
    table has, how many of them cannot be read, and the first of these and why.
    """
    columns, rows, unread, first = StoredColumns(tuple(wanted)), 0, 0, ""
    for part in reader.parts(list(wanted.values())):
        block = reader.block(part, list(wanted.values()))
        block.reasons = {
            row: f"column `{column}` is nan"
            for column in reversed([*wanted.values()])
            for row in numpy.flatnonzero(numpy.isnan(block.columns[column])).tolist()
        } | dict(block.reasons)
        failures = block.failures
        if failures and not unread:
            row, reason = min(failures.items())
            first = f"{block.named_place(row, row_word(reader.format))}: {reason}"
        rows, unread = rows + block.rows, unread + len(failures)
        kept = [numpy.delete(block.columns[column], list(block.reasons)) for column in wanted.values()]
        columns.append(block.rows - len(block.reasons), kept)
    return columns, rows, unread, first
