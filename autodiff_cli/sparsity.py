"""Sparsity of derivatives: which ones can differ from zero, judged by the graph alone, and which share a sweep."""

from collections.abc import Iterator, Sequence

from . import rules
from .graph import Graph

_BLOCK = 1024  # inputs per pass; the mark of a node has a bit for each


def dependencies(graph: Graph, results: Sequence[int], inputs: Sequence[int]) -> list[set[int]]:
    """For each result the indices of the inputs that it depends on, other than through comparisons and steps."""
    steps = [
        (node, [operands[index] for index in rules.sloping_arguments(graph.operations[node], len(operands))])
        for node in graph.needed(results)
        if (operands := graph.arguments[node])
    ]
    reached: list[set[int]] = [set() for _ in results]
    for first in range(0, len(inputs), _BLOCK):
        marks = [0] * len(graph)
        for index, node in enumerate(inputs[first : first + _BLOCK]):
            marks[node] |= 1 << index
        for node, arguments in steps:
            for argument in arguments:
                marks[node] |= marks[argument]
        for indices, result in zip(reached, results, strict=True):
            indices.update(first + index for index in _bits(marks[result]))
    return reached


def _bits(mark: int) -> Iterator[int]:
    """The indices of the bits that are set, ascending."""
    while mark:
        lowest = mark & -mark
        yield lowest.bit_length() - 1
        mark ^= lowest


def star_colouring(neighbours: Sequence[set[int]]) -> list[int]:
    """A colour, counted from 0, for each vertex of a graph, so that no path of four vertices has only two colours.

    The columns of one colour of a symmetric matrix with this pattern can then be added up, and every entry can still be
    read off: (i, j) or (j, i) is alone in its sum. Greedy, by descending degree: Gebremedhin, Manne and Pothen,
    What color is your Jacobian? (2005), section 4. A set of colours is stored as the bits of an integer.
    """
    size = len(neighbours)
    colours = [-1] * size
    around: list[dict[int, list[int]]] = [{} for _ in range(size)]
    """for each vertex: a colour → its neighbours of that colour"""
    near, blocked = [0] * size, [0] * size
    """the colours of a vertex's neighbours; those that a further neighbour must not have, as they would close a path"""
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
