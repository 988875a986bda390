"""Which derivatives can differ from zero, seen from the graph alone, and how few sweeps it takes to compute them."""

from collections.abc import Iterator, Sequence

from . import rules
from .graph import Graph

_BLOCK = 1024  # inputs that are followed at a time, a bit for each in the mark of a node


def dependencies(graph: Graph, results: Sequence[int], inputs: Sequence[int]) -> list[set[int]]:
    """For each result the places of the inputs that it depends on, other than through comparisons and steps."""
    steps = [
        (node, [operands[place] for place in rules.sloping_arguments(graph.operations[node], len(operands))])
        for node in graph.needed(results)
        if (operands := graph.arguments[node])
    ]
    reached: list[set[int]] = [set() for _ in results]
    for first in range(0, len(inputs), _BLOCK):
        marks = [0] * len(graph)
        for place, node in enumerate(inputs[first : first + _BLOCK]):
            marks[node] |= 1 << place
        for node, arguments in steps:
            for argument in arguments:
                marks[node] |= marks[argument]
        for places, result in zip(reached, results, strict=True):
            places.update(first + place for place in _bits(marks[result]))
    return reached


def _bits(mark: int) -> Iterator[int]:
    while mark:
        lowest = mark & -mark
        yield lowest.bit_length() - 1
        mark ^= lowest


def star_colouring(neighbours: Sequence[set[int]]) -> list[int]:
    """A colour, counted from 0, for each vertex of a graph, so that no path of four vertices has only two colours.

    Then columns of a symmetric matrix with this pattern can be added up where they have the same colour, and each entry
    still be told: of (i, j) and (j, i), one stands alone in its sum. Greedy, in the order of the vertices' degrees:
    Gebremedhin, Manne and Pothen, What color is your Jacobian? (2005), section 4. A set of colours is a number's bits.
    """
    size = len(neighbours)
    colours = [-1] * size
    around: list[dict[int, list[int]]] = [{} for _ in range(size)]
    """for each vertex: a colour → its neighbours of that colour"""
    near, blocked = [0] * size, [0] * size
    """the colours around a vertex; those that a neighbour of it must not have, for a path of four would close there"""
    for vertex in sorted(range(size), key=lambda vertex: -len(neighbours[vertex])):
        taken = near[vertex]
        for same in around[vertex].values():
            for other in same:
                taken |= blocked[other] if len(same) == 1 else blocked[other] | near[other]
        colour = colours[vertex] = (~taken & (taken + 1)).bit_length() - 1
        for other in neighbours[vertex] - {vertex}:
            same = around[other].setdefault(colour, [])
            same.append(vertex)
            near[other] |= 1 << colour
            if colours[other] >= 0 and len(same) > 1:
                for end in same if len(same) == 2 else same[-1:]:
                    blocked[end] |= 1 << colours[other]
        for same in around[vertex].values():
            if len(same) > 1:
                for end in same:
                    blocked[end] |= 1 << colour
    return colours
