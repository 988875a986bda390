"""Nodes of any graph copied into one without equal nodes, before they are differentiated."""

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from functools import cache

from ..graph import Graph
from ..operations import CONSTANT, OPERATIONS, Operation
from .shared_graph import Shared

_POW = OPERATIONS["pow"]
_PLAIN_POW = replace(_POW, partials=_POW.derivatives)
"""the power for an exponent that loses no digit when 1 is taken from it: the textbook's derivative is as accurate"""


def copy(shared: Shared, source: Graph, order: Iterable[int], copies: dict[int, int]) -> None:
    """Copy the nodes of an order, but for those that have a copy already; adds to the copies."""
    for node in order:
        if node in copies:
            continue
        row, arguments = source.operations[node], source.arguments[node]
        if row is CONSTANT:
            copies[node] = shared.constant(source.numbers[node])
        elif not arguments:
            copies[node] = shared.leaf(row)
        else:
            operands = [copies[argument] for argument in arguments]
            copies[node] = shared.apply(_specialised(row, shared.number(operands[-1])), *operands)


def _specialised(row: Operation, last: float | None) -> Operation:
    """The row to differentiate by, for what is known of the last argument."""
    if row.name != "pow":
        return row
    return _PLAIN_POW if last is not None and _loses_nothing(last) else _POW


@cache
def _loses_nothing(exponent: float) -> bool:
    """Is the exponent minus 1 exact?"""
    return abs(exponent) < 2**53 and Fraction(exponent) - 1 == Fraction(exponent - 1)
