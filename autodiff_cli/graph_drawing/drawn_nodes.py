"""The nodes of a graph that are drawn: all or some of them, in the whole graph or near the output."""

from collections.abc import Callable
from typing import NamedTuple

from ..graph import Graph


class DrawnNode(NamedTuple):
    """A node that is drawn, with the arguments that it is drawn with."""

    arguments: tuple[int, ...]
    """nodes that are drawn too, in the order of the operation's arguments"""
    skips_operations: bool = False
    """whether nodes that are not drawn are between it and its arguments"""
    lacks_arguments: bool = False
    """whether some of its arguments are not drawn"""


def drawn_nodes(graph: Graph, output: int, is_kept: Callable[[int], bool], depth: float) -> dict[int, DrawnNode]:
    """The nodes to draw, in topological order: the kept ones at most `depth` steps away from the output.

    The arguments of a kept node are the kept nodes that it is computed from, directly or through others.
    """
    near: dict[int, DrawnNode] = {}
    level = [output]
    while level and depth >= 0:
        near |= {node: _kept_arguments(graph, node, is_kept) for node in level}
        arguments = [argument for node in level for argument in near[node].arguments]
        level = [node for node in dict.fromkeys(arguments) if node not in near]
        depth -= 1
    return {node: _among(near, near[node]) for node in sorted(near)}


def _kept_arguments(graph: Graph, node: int, is_kept: Callable[[int], bool]) -> DrawnNode:
    arguments = graph.arguments[node]
    if all(map(is_kept, arguments)):
        return DrawnNode(arguments)
    kept, seen, pending = [], set(), list(arguments)
    while pending:
        argument = pending.pop()
        if argument in seen:
            continue
        seen.add(argument)
        if is_kept(argument):
            kept.append(argument)
        else:
            pending += graph.arguments[argument]
    return DrawnNode(tuple(sorted(kept)), skips_operations=True)


def _among(drawn: dict[int, DrawnNode], node: DrawnNode) -> DrawnNode:
    """The node without the arguments that are not drawn."""
    arguments = tuple([argument for argument in node.arguments if argument in drawn])
    return DrawnNode(arguments, node.skips_operations, len(arguments) < len(node.arguments))
