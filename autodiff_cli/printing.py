"""A graph as text in the language."""

from collections.abc import Mapping

from .graph import Graph
from .operations import CONSTANT, PREFIX
from .spelling import CALL, shortest, spelled

_NEGATIVE = PREFIX["-"].precedence
Text = tuple[str, int]
"""a text, and how tightly it binds"""


def expression(graph: Graph, node: int, names: Mapping[int, Text]) -> str:
    """A node as one expression, with what it was computed from written out; `names` says what some nodes are called."""
    texts = dict(names)
    for part in _parts(graph, node, names):
        row = graph.operations[part]
        if row is CONSTANT:
            texts[part] = _constant(graph, part)
        else:
            operands = [texts[argument] for argument in graph.arguments[part]]
            texts[part] = spelled(row, operands), row.precedence if row.symbol else CALL
    return texts[node][0]


def _parts(graph: Graph, node: int, names: Mapping[int, Text]) -> list[int]:
    """The nodes without a name that a node is written with, each after its arguments."""
    found: set[int] = set()
    pending = [node]
    while pending:
        part = pending.pop()
        if part not in found and part not in names:
            found.add(part)
            pending += graph.arguments[part]
    return sorted(found)


def _constant(graph: Graph, node: int) -> Text:
    number = graph.numbers[node]
    return graph.labels.get(node) or shortest(number), CALL if not number < 0 else _NEGATIVE
