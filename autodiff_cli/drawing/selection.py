"""Which nodes of a graph are drawn: all or some of them, the whole graph or what is near the output."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..graph import Graph


class Part(NamedTuple):
    """A node that is drawn, and what it is drawn as computed from."""

    arguments: tuple[int, ...]
    """nodes that are drawn too, in the order of the operation's arguments"""
    joined: bool = False
    """does it hang on them through nodes that are left out?"""
    cut: bool = False
    """are some of its arguments not drawn?"""


def select(graph: Graph, output: int, kept: Callable[[int], bool], depth: float) -> dict[int, Part]:
    """The nodes that are drawn, in topological order: the kept ones at most `depth` steps away from the output.

    A kept node hangs on the kept nodes that it is computed from, at once or through nodes that are left out.
    """
    parts = {node: _part(graph, node, kept) for node in _near(graph, output, kept, depth)}
    return {node: _among(parts, parts[node]) for node in sorted(parts)}


def _near(graph: Graph, output: int, kept: Callable[[int], bool], depth: float) -> Iterator[int]:
    """The output, the nodes one step away from it, and so on."""
    seen, level = {output}, [output]
    while level and depth >= 0:
        yield from level
        following = [argument for node in level for argument in _part(graph, node, kept).arguments]
        level = [node for node in dict.fromkeys(following) if node not in seen]
        seen.update(level)
        depth -= 1


def _part(graph: Graph, node: int, kept: Callable[[int], bool]) -> Part:
    arguments = graph.arguments[node]
    if all(map(kept, arguments)):
        return Part(arguments)
    found, seen, pending = [], set(), list(arguments)
    while pending:
        argument = pending.pop()
        if argument in seen:
            continue
        seen.add(argument)
        if kept(argument):
            found.append(argument)
        else:
            pending += graph.arguments[argument]
    return Part(tuple(sorted(found)), joined=True)


def _among(parts: dict[int, Part], part: Part) -> Part:
    """The part without the arguments that are not drawn."""
    arguments = tuple([argument for argument in part.arguments if argument in parts])
    return Part(arguments, part.joined, len(arguments) < len(part.arguments))
