"""Which choices all the rows of a block make alike, from the bounds of their columns."""

from collections.abc import Iterator, Sequence

import numpy

from .. import engine
from ..arithmetic import intervals
from ..arithmetic.intervals import UNKNOWN, Bounds, Truth, between
from ..operations import CONSTANT
from .plan import Array, Shortcuts

FIRST, SECOND = 1, 2
_PIECE = 256  # rows that have bounds of their own: the fewer, the closer


def decisions(shortcuts: Shortcuts, columns: Sequence[Array], blocks: Sequence[slice]) -> Iterator[bytes]:
    """For each block a code for each decision: FIRST or SECOND if that is what all rows choose, else 0."""
    graph = shortcuts.graph
    pieces = [range(0, block.stop - block.start, _PIECE) for block in blocks]
    values: list[Bounds | Truth] = [UNKNOWN] * len(graph)
    for node, column in zip(shortcuts.columns, columns, strict=True):
        low, high = (
            numpy.concatenate([ufunc.reduceat(column[b], p) for b, p in zip(blocks, pieces, strict=True)])
            for ufunc in (numpy.minimum, numpy.maximum)
        )
        values[node] = between(low, high)
    for node in shortcuts.order:
        if graph.operations[node] is CONSTANT:
            number = numpy.float64(graph.numbers[node])
            values[node] = between(number, number)
    engine.forward(graph, shortcuts.order, values, intervals)
    total = sum(map(len, pieces))
    found = numpy.zeros((2, len(shortcuts.decisions), total), bool)
    for place, (when, tie) in enumerate(shortcuts.decisions):
        says, ties = values[when], UNKNOWN if tie is None else values[tie]
        if isinstance(says, Truth) and isinstance(ties, Truth):
            found[0, place] = says.always
            found[1, place] = says.never if tie is None else says.never & ties.never
    starts = numpy.cumsum([0, *map(len, pieces[:-1])])
    first, second = numpy.logical_and.reduceat(found, starts, axis=2)
    codes = (FIRST * first + SECOND * second).astype(numpy.uint8)
    return (code.tobytes() for code in codes.T)
