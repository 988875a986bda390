"""Which branches all rows of a block take, from the bounds of the columns."""

from collections.abc import Iterator, Sequence
from itertools import accumulate

import numpy

from .. import engine
from ..arithmetic import intervals
from ..arithmetic.arrays import Doubles
from ..arithmetic.intervals import UNKNOWN, Bounds, Truth, between
from ..operations import CONSTANT
from .plan import BranchElision

FIRST, SECOND = 1, 2
_PIECE = 256  # rows that have bounds of their own: the fewer, the closer


def uniform_branches(elision: BranchElision, columns: Sequence[Doubles], blocks: Sequence[slice]) -> Iterator[bytes]:
    """For each block a byte for each condition: FIRST or SECOND if all rows take that branch, else 0."""
    graph = elision.graph
    pieces = [range(0, block.stop - block.start, _PIECE) for block in blocks]
    values: list[Bounds | Truth] = [UNKNOWN] * len(graph)
    for node, column in zip(elision.columns, columns, strict=True):
        low, high = (
            numpy.concatenate([ufunc.reduceat(column[b], p) for b, p in zip(blocks, pieces, strict=True)])
            for ufunc in (numpy.minimum, numpy.maximum)
        )
        values[node] = between(low, high)
    for node in elision.order:
        if graph.operations[node] is CONSTANT:
            number = numpy.array(graph.numbers[node])
            values[node] = between(number, number)
    engine.forward(graph, elision.order, values, intervals)
    counts = [len(piece) for piece in pieces]
    taken = numpy.zeros((2, len(elision.conditions), sum(counts)), bool)
    for index, (condition, tie) in enumerate(elision.conditions):
        holds, ties = values[condition], UNKNOWN if tie is None else values[tie]
        if isinstance(holds, Truth) and isinstance(ties, Truth):
            taken[0, index] = holds.always
            taken[1, index] = holds.never if tie is None else holds.never & ties.never
    starts = list(accumulate(counts[:-1], initial=0))
    first, second = numpy.logical_and.reduceat(taken, starts, axis=2)
    codes = (FIRST * first + SECOND * second).astype(numpy.uint8)
    return (code.tobytes() for code in codes.T)
