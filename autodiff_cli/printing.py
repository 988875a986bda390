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
            texts[part] = constant(graph, part)
        else:
            texts[part] = operation(graph, part, texts)
    return texts[node][0]


def operation(graph: Graph, node: int, texts: Mapping[int, Text]) -> Text:
    """A node as an operation on its arguments, whose texts are given; what need not be written is left out."""
    row, arguments = graph.operations[node], graph.arguments[node]
    count = len(arguments)
    for place in range(count - 1, count - 1 - len(row.defaults), -1):
        argument = arguments[place]
        default = row.defaults[place - count]
        if graph.operations[argument] is not CONSTANT or argument in graph.labels or graph.numbers[argument] != default:
            break
        count = place
    texts_of_arguments = [texts[argument] for argument in arguments[:count]]
    return spelled(row, texts_of_arguments), row.precedence if row.symbol else CALL


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


def constant(graph: Graph, node: int) -> Text:
    """A constant as it is written: its name, or its number."""
    return (graph.labels[node], CALL) if node in graph.labels else number(graph.numbers[node])


def number(value: float) -> Text:
    """A number as it is written."""
    text = shortest(value)
    return text, _NEGATIVE if text.startswith("-") else CALL
