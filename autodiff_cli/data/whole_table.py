"""The numbers of a table that fits into memory."""

from collections.abc import Collection
from typing import NamedTuple

import numpy

from ..arithmetic.arrays import Doubles
from ..notation import canonical
from .formats import TEXTS, TableReader


class WholeTable(NamedTuple):
    """Columns of equal length, and the rows that could not be read and are left out."""

    columns: dict[str, Doubles]
    unread: int
    first: str
    """the first of the rows that were left out, and why"""


def whole_table(reader: TableReader, names: Collection[str] | None = None) -> WholeTable:
    """Read the columns of these names, or all."""
    wanted = {canonical(name): name for name in reader.names if names is None or canonical(name) in names}
    parts: list[list[Doubles]] = [[numpy.empty(0)] * len(wanted)]
    unread, first = 0, ""
    for part in reader.parts(list(wanted.values())):
        block = reader.block(part, list(wanted.values()))
        if block.reasons and not unread:
            row, reason = min(block.reasons.items())
            first = f"{'line' if reader.format in TEXTS else 'row'} {block.place(row)}: {reason}"
        unread += len(block.reasons)
        kept = numpy.setdiff1d(numpy.arange(block.rows), list(block.reasons)).astype(numpy.int64)
        parts.append([block.columns[column][kept] for column in wanted.values()])
    columns = zip(*parts, strict=True)
    return WholeTable(dict(zip(wanted, map(numpy.concatenate, columns), strict=True)), unread, first)
