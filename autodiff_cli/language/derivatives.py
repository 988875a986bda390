"""Derivatives inside formulas, as nodes of the same graph."""

from collections.abc import Collection, Sequence
from math import inf, isfinite

from ..graph import Graph
from ..operations import INPUT
from .written_numbers import is_rounded


def derivatives(
    graph: Graph,
    text: str,
    constants: Collection[int],
    output: int,
    variables: Sequence[int],
    named: Collection[int],
) -> list[int]:
    """The derivatives of a node with respect to others, added to the graph; only what the node depends on is visited.

    `text` is that of the program, and `constants` are the nodes of its constants, such as pi. Of the nodes with a name,
    those that do not depend on the variables stay as they are: there may be a derivative by them in turn.
    """
    from ..simplify import readable  # only here: most programs have no derivatives
    from ..transforms import derivative

    order, first = graph.needed_by(output), len(graph)
    part, copies = Graph(), dict[int, int]()
    part.paste(graph, order, copies)
    for node in order:
        if not isfinite(graph.numbers.get(node, inf)) or node in constants:
            continue
        if node in named or is_rounded(graph, text, node):
            part.operations[copies[node]] = INPUT  # nothing is computed with a parameter, or a double that is rounded
    result = copies[output]
    leaves = [copies[variable] for variable in variables if variable in copies]
    raw = derivative(part, result, leaves, textbook=True)
    moves = part.dependent(range(len(order)), leaves)
    fixed = [copies[node] for node in named if node in copies and not moves[copies[node]]]
    computed = [node for node in leaves + fixed if part.arguments[node]]
    used = [copies[node] for node in constants if node in copies]  # a point may give a constant a different number
    slopes = readable(part, result, raw, computed + used)
    originals = {copy: node for node, copy in copies.items()}
    graph.paste(part, part.needed(slopes), originals)
    by_leaf = dict(zip(leaves, [originals[slope] for slope in slopes], strict=True))
    nodes = [by_leaf[copies[v]] if v in copies else graph.constant(0.0) for v in variables]
    return nodes if len(nodes) == 1 else [_apart(graph, node, first) for node in nodes]


def _apart(graph: Graph, node: int, first: int) -> int:
    """A copy of a node that was added from `first` on, so that no other derivative is computed from it."""
    is_new = node >= first and graph.arguments[node]
    return graph.add(graph.operations[node], graph.arguments[node]) if is_new else node
