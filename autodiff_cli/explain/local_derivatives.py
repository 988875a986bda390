"""The local derivatives of operations as formulas of a program's nodes: `1 - o^2` for `o = tanh(n)`."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..arithmetic.symbolic import Symbols
from ..graph import Graph
from ..notation import CALL
from ..operations import ADD, CONSTANT, DIV, EQ, INPUT, NEG, POW, Operation
from ..printer import Text, expression


class PartialsGraph(NamedTuple):
    """The local derivatives of one node as a small graph of the node itself and its arguments."""

    graph: Graph
    partials: list[int]
    """a node of the small graph for each argument"""
    leaves: dict[int, int]
    """leaf of the small graph → node of the program; an argument that occurs twice has two leaves"""


def literal(graph: Graph, node: int) -> float | None:
    """The number that a node writes in the formula, with its sign; None for a node that is not just a number."""
    if node in graph.labels:
        return None
    if graph.operations[node] is CONSTANT:
        return graph.numbers[node]
    if graph.operations[node] is NEG:
        (argument,) = graph.arguments[node]
        if graph.operations[argument] is CONSTANT and argument not in graph.labels:
            return -graph.numbers[argument]
    return None


def leaf(graph: Graph, node: int, target: Graph) -> int:
    """Add a node of a graph to another as a leaf: a number that the formula writes as that number, else an input."""
    number = literal(graph, node)
    return target.add(INPUT) if number is None else target.constant(number)


class LocalDerivatives:
    """The local derivatives of a program's nodes at a point, as formulas."""

    def __init__(self, graph: Graph, values: Sequence[float], names: Mapping[int, Text]) -> None:
        """`names` are those of the nodes in the formulas."""
        self._graph, self._values, self._names = graph, values, names
        self._templates: dict[object, list[Text]] = {}

    def texts(self, node: int, wanted: tuple[int, ...]) -> list[Text]:
        """The local derivative for each argument of a node, in the names of nodes; "" for one that is not wanted."""
        graph = self._graph
        nodes = *graph.arguments[node], node
        names = [self._names[operand] for operand in nodes]
        bindings = tuple([binding for _, binding in names])
        literals = tuple([literal(graph, operand) for operand in nodes])
        key = graph.operations[node], wanted, bindings, literals, self._ties(node)
        if key not in self._templates:
            self._templates[key] = self._template(node, wanted, bindings)
        return [(template.format(*[text for text, _ in names]), binding) for template, binding in self._templates[key]]

    def partials_graph(self, node: int, wanted: tuple[int, ...]) -> PartialsGraph:
        """The local derivatives as nodes of a small graph; zeros for those that are not wanted."""
        source, graph = self._graph, Graph()
        nodes = *source.arguments[node], node
        leaves = [leaf(source, operand, graph) for operand in nodes]
        symbols = _SymbolsAtPoint(graph, [self._values[operand] for operand in nodes])
        *arguments, result = leaves
        pullback = symbols.pullback(source.operations[node], len(arguments), wanted)
        partials = pullback(symbols.constant(1.0), result, *arguments)
        return PartialsGraph(graph, list(partials), dict(zip(leaves, nodes, strict=True)))

    def _template(self, node: int, wanted: tuple[int, ...], bindings: Sequence[int]) -> list[Text]:
        local = self.partials_graph(node, wanted)
        places = {
            leaf: (f"{{{place}}}", binding)
            for place, (leaf, binding) in enumerate(zip(local.leaves, bindings, strict=True))
            if local.graph.operations[leaf] is INPUT
        }
        return [
            (expression(local.graph, partial, places), _binding(local.graph, partial)) if is_wanted else ("", CALL)
            for partial, is_wanted in zip(local.partials, wanted, strict=True)
        ]

    def _ties(self, node: int) -> tuple[bool, ...]:
        """For each argument of a maximum or minimum, whether it equals the result: the derivative counts these."""
        graph, values = self._graph, self._values
        if not graph.operations[node].variadic:
            return ()
        return tuple([values[argument] == values[node] for argument in graph.arguments[node]])


def _binding(graph: Graph, node: int) -> int:
    """The precedence of the text of a node."""
    operation = graph.operations[node]
    if operation is CONSTANT:
        return CALL if graph.numbers[node] >= 0 else NEG.precedence
    return operation.precedence if operation.symbol else CALL


class _SymbolsAtPoint(Symbols):
    """Symbols for a derivative at a point, where the count of arguments that tie is a number, not a formula."""

    def __init__(self, graph: Graph, values: Sequence[float]) -> None:
        super().__init__(graph, textbook=True)
        self._values = values
        self._truths: dict[int, float] = {}

    def apply(self, operation: Operation, *arguments: int) -> int:
        """The node of an operation on nodes; a comparison that is counted becomes 1 or 0."""
        if operation is POW and self._number(arguments[1]) == 1:
            return arguments[0]
        if operation is ADD or operation is DIV:
            arguments = tuple([self.constant(self._truths[a]) if a in self._truths else a for a in arguments])
        node = super().apply(operation, *arguments)
        if operation is EQ and max(arguments) < len(self._values):
            a, b = (self._values[argument] for argument in arguments)
            self._truths[node] = float(a == b)
        return node
