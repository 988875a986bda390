"""Second derivatives as nodes: those that the graph does not show to be zero."""

from collections.abc import Sequence

from .. import transforms
from ..graph import Graph
from ..sparsity import dependencies
from .copying import copy
from .shared_graph import Shared


def second_derivatives(shared: Shared, gradient: Sequence[int], nodes: Sequence[int]) -> dict[tuple[int, int], int]:
    """(i, j) with i <= j → the node of a second derivative, added to the graph, where it is not always zero.

    `gradient` are the derivatives with respect to `nodes`. Each row is made from a copy of the part of the graph that
    its first derivative depends on, so that a sum of small terms takes no more time than its terms.
    """
    found: dict[tuple[int, int], int] = {}
    for i, places in enumerate(dependencies(shared.graph, gradient, nodes)):
        part, there = _part(shared.graph, gradient[i])
        columns = [j for j in sorted(places) if j >= i and nodes[j] in there]
        slopes = transforms.derivative(part, there[gradient[i]], [there[nodes[j]] for j in columns])
        back = {copied: node for node, copied in there.items()}
        copy(shared, part, part.needed(slopes), back)
        found |= {(i, j): back[slope] for j, slope in zip(columns, slopes, strict=True)}
    return {place: node for place, node in found.items() if shared.number(node) != 0}


def _part(graph: Graph, result: int) -> tuple[Graph, dict[int, int]]:
    """A copy of what a node depends on, and where in it each node is."""
    found: set[int] = set()
    pending = [result]
    while pending:
        node = pending.pop()
        if node not in found:
            found.add(node)
            pending += graph.arguments[node]
    part, there = Graph(), dict[int, int]()
    for node in sorted(found):
        there[node] = part.add(graph.operations[node], tuple([there[a] for a in graph.arguments[node]]))
        if node in graph.numbers:
            part.numbers[there[node]] = graph.numbers[node]
    return part, there
