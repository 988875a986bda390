"""Copies of the nodes of a graph in a folded one, of which derivatives can be taken."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from functools import cache

from ..graph import Graph
from ..operations import POW, Operation
from .folded_graph import FoldedGraph

_PLAIN_POW = replace(POW, partials=POW.textbook_partials)
"""the power for an exponent that loses no digit when 1 is subtracted: the textbook's derivative is as accurate"""
_HALVED_POW = replace(POW, partials=("t = a^((b - 1)/2); b*t*t", POW.textbook_partials[1]))
"""the same for an exponent with which a^(b - 1) may overflow although b*a^(b - 1) does not"""

_HELD = "held "


def _held(number: int) -> Operation:
    """The operation whose result is its argument, in a node that is never merged with another one.

    One can differentiate with respect to such a node alone, and not to what equals it. Each number makes another
    operation.
    """
    return Operation(f"{_HELD}{number}", "a", ("1",), "the argument", value="a")


def copy_held(target: FoldedGraph, source: Graph, nodes: Iterable[int], copies: dict[int, int]) -> dict[int, int]:
    """Copy computed nodes, or numbers, with respect to which one can then differentiate: each copy is a held node.

    Returns these copies with the nodes that they equal; adds to the copies.
    """
    equals = {}
    for node in sorted(set(nodes)):
        copy(target, source, source.needed_by(node, leaves=copies), copies)
        inner = copies[node]
        copies[node] = target.add(_held(node), (inner,))
        equals[copies[node]] = inner
    return equals


def copy(target: FoldedGraph, source: Graph, order: Iterable[int], copies: dict[int, int]) -> None:
    """Copy the nodes of an order, except those that already have a copy; adds to the copies."""
    target.copy(source, order, copies, _Differentiable(target))


class _Differentiable:
    """Operations on nodes, of which a power has the derivative that suits its exponent."""

    def __init__(self, graph: FoldedGraph) -> None:
        self._graph = graph

    def function(self, operation: Operation, count: int) -> Callable[..., int]:
        """The operation on `count` nodes."""
        if operation.name.startswith(_HELD):
            return lambda a: self._graph.add(operation, (a,))
        return self._power if operation.name == POW.name else self._graph.function(operation, count)

    def _power(self, base: int, exponent: int) -> int:
        number, power = self._graph.number(exponent), POW
        if number is not None and _loses_nothing(number):
            power = _HALVED_POW if -1 < number < 1 / 16 else _PLAIN_POW
        return self._graph.apply(power, base, exponent)


@cache
def _loses_nothing(exponent: float) -> bool:
    return abs(exponent) < 2**53 and Fraction(exponent) - 1 == Fraction(exponent - 1)
