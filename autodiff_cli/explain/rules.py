"""The rules of the table, written with the names of a program's nodes: `1 - o^2` for `o = tanh(n)`."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..arithmetic.symbolic import Symbols
from ..graph import Graph
from ..notation import CALL
from ..operations import CONSTANT, INPUT, OPERATIONS, Operation
from ..printer import Text, expression
from ..program import Program

_ADD, _DIV, _EQ, _NEG, _POW = (OPERATIONS[name] for name in ("add", "div", "eq", "neg", "pow"))


class Local(NamedTuple):
    """The local derivatives of one node: a small graph of what it is computed from, and of itself."""

    graph: Graph
    partials: list[int]
    """a node of the small graph for each argument"""
    leaves: dict[int, int]
    """leaf of the small graph → node of the program; an argument that stands twice has two leaves"""


def literal(graph: Graph, node: int) -> float | None:
    """The number that stands in the formula, with its sign, if the node is no more than that."""
    if node in graph.labels:
        return None
    if graph.operations[node] is CONSTANT:
        return graph.numbers[node]
    if graph.operations[node] is _NEG:
        (argument,) = graph.arguments[node]
        if graph.operations[argument] is CONSTANT and argument not in graph.labels:
            return -graph.numbers[argument]
    return None


class LocalRules:
    """The local derivatives of a program's nodes at a point, as formulas."""

    def __init__(self, program: Program, values: Sequence[float], names: Mapping[int, Text] | None = None) -> None:
        self._program, self._values, self._names = program, values, names
        self._templates: dict[object, list[Text]] = {}

    def texts(self, node: int, wanted: tuple[bool, ...]) -> list[Text]:
        """The local derivative for each argument of a node, written with their names; "" for one that is not wanted."""
        graph = self._program.graph
        nodes = *graph.arguments[node], node
        names = [self._name(one) for one in nodes]
        key = (
            graph.operations[node],
            wanted,
            tuple([binding for _, binding in names]),
            tuple([literal(graph, one) for one in nodes]),
            self._equal(node),
        )
        if key not in self._templates:
            self._templates[key] = self._template(node, wanted, [binding for _, binding in names])
        words = [text for text, _ in names]
        return [(template.format(*words), binding) for template, binding in self._templates[key]]

    def local(self, node: int, wanted: tuple[bool, ...]) -> Local:
        """The local derivatives as nodes of a small graph; of those that are not wanted, zeros."""
        source, graph = self._program.graph, Graph()
        nodes = *source.arguments[node], node
        leaves = [self._leaf(graph, one) for one in nodes]
        symbols = _AtPoint(graph, [self._values[one] for one in nodes])
        *arguments, result = leaves
        pullback = symbols.pullback(source.operations[node], len(arguments), wanted)
        partials = pullback(symbols.constant(1.0), result, *arguments)
        return Local(graph, list(partials), dict(zip(leaves, nodes, strict=True)))

    def _template(self, node: int, wanted: tuple[bool, ...], bindings: Sequence[int]) -> list[Text]:
        local = self.local(node, wanted)
        places = {
            leaf: (f"{{{place}}}", binding)
            for place, (leaf, binding) in enumerate(zip(local.leaves, bindings, strict=True))
            if local.graph.operations[leaf] is INPUT
        }
        return [
            (expression(local.graph, partial, places), _binding(local.graph, partial)) if want else ("", CALL)
            for partial, want in zip(local.partials, wanted, strict=True)
        ]

    def _equal(self, node: int) -> tuple[bool, ...]:
        """Which arguments of a choice are equal to its result: its rule counts them."""
        graph, values = self._program.graph, self._values
        if not graph.operations[node].variadic:
            return ()
        return tuple([values[argument] == values[node] for argument in graph.arguments[node]])

    def _leaf(self, graph: Graph, node: int) -> int:
        number = literal(self._program.graph, node)
        return graph.add(INPUT) if number is None else graph.constant(number)

    def _name(self, node: int) -> Text:
        if self._names is not None:
            return self._names[node]
        return self._program.text(node), self._program.binding(node)


def _binding(graph: Graph, node: int) -> int:
    """How tightly a formula holds together."""
    row = graph.operations[node]
    if row is CONSTANT:
        return CALL if graph.numbers[node] >= 0 else _NEG.precedence
    return row.precedence if row.symbol else CALL


class _AtPoint(Symbols):
    """Nodes of a rule, at a point: how many arguments share the largest value is a number there, not a formula."""

    def __init__(self, graph: Graph, values: Sequence[float]) -> None:
        super().__init__(graph, textbook=True)
        self._values = values
        self._truths: dict[int, float] = {}

    def apply(self, row: Operation, *arguments: int) -> int:
        """The node of an operation on nodes; a truth that is counted is 1 or 0."""
        if row is _POW and self._number(arguments[1]) == 1:
            return arguments[0]
        if row is _ADD or row is _DIV:
            arguments = tuple([self.constant(self._truths[a]) if a in self._truths else a for a in arguments])
        node = super().apply(row, *arguments)
        if row is _EQ and max(arguments) < len(self._values):
            a, b = (self._values[argument] for argument in arguments)
            self._truths[node] = float(a == b)
        return node
