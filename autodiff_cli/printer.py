"""A graph as text in the language: one node as an expression, or many as statements.

A value that is used more than once, or would be too long, gets a name. Equal nodes should be one node already. One pass
over the nodes does it all, whatever their number and depth.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import count
from typing import NamedTuple

from .graph import Graph
from .notation import CALL, is_constant, operation_text, shortest
from .operations import CONSTANT, INPUT, NEG
from .work_budget import NODE, charge

WIDTH = 100
"""columns of a statement, where possible"""
_CHEAP = frozenset(["add", "sub", "mul", "div", "neg", "pow"])
_NUMBER = re.compile(r"-?[\d.]+(e[+-]?\d+)?")

Text = tuple[str, int]
"""a text, and how tightly it binds"""


def expression(graph: Graph, node: int, names: Mapping[int, Text]) -> str:
    """A node as one expression in terms of the nodes in `names`, whose texts are given."""
    texts = dict(names)
    for part in () if node in names else graph.needed_by(node, leaves=names):
        texts[part] = text(graph, part, texts)
    return texts[node][0]


def text(graph: Graph, node: int, texts: Mapping[int, Text]) -> Text:
    """A constant as its name or its number; another node as an operation on its arguments, whose texts are given.

    Arguments equal to their default are left out.
    """
    operation, arguments = graph.operations[node], graph.arguments[node]
    if operation is CONSTANT:
        return (graph.labels[node], CALL) if node in graph.labels else number(graph.numbers[node])
    for default in reversed(operation.defaults):
        last = arguments[-1]
        if graph.operations[last] is not CONSTANT or last in graph.labels or graph.numbers[last] != default:
            break
        arguments = arguments[:-1]
    written = operation_text(operation, [texts[argument] for argument in arguments])
    return written, operation.precedence if operation.symbol else CALL


def number(value: float) -> Text:
    """A number as it is written."""
    digits = shortest(value)
    return digits, NEG.precedence if digits.startswith("-") else CALL


class Statement(NamedTuple):
    """`name = text`; an expression without a name has the name ""."""

    name: str
    text: str
    node: int
    is_default: bool = False
    """whether it gives an input its default; otherwise it names a value"""

    def __str__(self) -> str:
        if not self.name:
            return self.text
        if _NUMBER.fullmatch(self.text) and not self.is_default:
            return f"{self.name} = ({self.text})"  # without the parentheses it would be an input
        return f"{self.name} = {self.text}"


def unused_name(name: str, taken: Collection[str]) -> str:
    """The name, with underscores appended until it differs from all that are taken."""
    while name in taken:
        name += "_"
    return name


class Listing:
    """The statements that compute some nodes.

    `leaves` has the texts of inputs and constants, `labels` the nodes that are always referred to by a name of their
    own, and `taken` the names that mean something else.
    """

    def __init__(
        self, graph: Graph, leaves: Mapping[int, Text], labels: Mapping[int, str], taken: Collection[str]
    ) -> None:
        self.graph, self.labels = graph, labels
        self.statements: list[Statement] = []
        self._texts = dict(leaves)
        self._taken = {*taken, *labels.values()}
        self._numbers = count(1)

    def write(self, outputs: Iterable[tuple[str, int]]) -> list[Statement]:
        """The statements for some outputs, each a name and a node; those of the outputs come last, in their order."""
        outputs = list(outputs)
        self._taken |= {name for name, _ in outputs}
        order = self.graph.needed(node for _, node in outputs)
        charge(NODE * len(order))
        uses = Counter([argument for node in order for argument in self.graph.arguments[node]])
        uses.update(node for _, node in outputs)
        for node in order:
            if node not in self._texts:
                self._texts[node] = self._text(node)
            if node in self.labels or (uses[node] > 1 and self._is_worth_a_name(node)):
                self._name(node)
        for name, node in outputs:
            self.statements.append(Statement(name, self._texts[node][0], node))
        return self.statements

    def _text(self, node: int) -> Text:
        """The text of a node; its longest arguments get statements of their own until it is short enough."""
        written = text(self.graph, node, self._texts)
        while len(written[0]) > WIDTH:
            longest = max(self.graph.arguments[node], key=lambda argument: len(self._texts[argument][0]))
            if len(self._texts[longest][0]) <= WIDTH // 4 or not self._name(longest):
                break
            written = text(self.graph, node, self._texts)
        return written

    def _is_worth_a_name(self, node: int) -> bool:
        """Whether a node is more than a number, a name or a cheap operation on these."""
        graph, is_long = self.graph, len(self._texts[node][0]) > WIDTH // 3
        operation, arguments = graph.operations[node], graph.arguments[node]
        if not arguments:
            return False
        return operation.name not in _CHEAP or any(graph.arguments[a] for a in arguments) or is_long

    def _name(self, node: int) -> bool:
        """Give a node a statement of its own; False if it is a leaf or has one already."""
        written, _ = self._texts[node]
        if not self.graph.arguments[node] or written in self._taken:
            return False
        name = self.labels.get(node) or next(name for n in self._numbers if (name := f"t{n}") not in self._taken)
        self._taken.add(name)
        self.statements.append(Statement(name, written, node))
        self._texts[node] = name, CALL
        return True


def leaf_texts(graph: Graph, order: Iterable[int], taken: Collection[str]) -> dict[int, Text]:
    """The texts of the inputs and constants among some nodes; a constant whose name is in `taken` is a number."""
    texts: dict[int, Text] = {}
    for node in order:
        label = graph.labels.get(node, "")
        if graph.operations[node] is INPUT:
            texts[node] = label, CALL
        elif graph.operations[node] is CONSTANT:
            is_named = label not in taken and is_constant(label, graph.numbers[node])
            texts[node] = (label, CALL) if is_named else number(graph.numbers[node])
    return texts


def defaults(graph: Graph, order: Iterable[int]) -> Iterator[Statement]:
    """A statement for each input that has a default."""
    for node in order:
        if graph.operations[node] is INPUT and node in graph.numbers:
            yield Statement(graph.labels[node], shortest(graph.numbers[node]), node, is_default=True)
