"""Nodes as numbers: an operation on nodes of a graph adds a node to it, so that a sweep backward builds the derivative.

Equal nodes are one node, and only what is free is folded: 0 and 1 in sums and products, double signs, the product of two
constants. A choice between an adjoint and 0 stays outermost: the branch that was not taken adds 0 however steep it is.
"""

from collections.abc import Callable, Sequence

from .. import rules
from ..graph import Graph
from ..operations import CONSTANT, OPERATIONS, Operation

_ADD, _SUB, _MUL, _DIV, _NEG, _WHERE, _AND, _NOT = (
    OPERATIONS[name] for name in ("add", "sub", "mul", "div", "neg", "where", "and", "not")
)


class Symbols:
    """Operations on the nodes of one graph, which grows."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._nodes: dict[object, int] = {}
        for node, operation in enumerate(graph.operations):
            if graph.arguments[node]:
                self._nodes.setdefault((operation, graph.arguments[node]), node)

    def function(self, row: Operation, count: int) -> Callable[..., int]:
        """The operation on so many nodes."""
        return lambda *arguments: self.apply(row, arguments)

    def add(self, a: int, b: int) -> int:
        """The sum of two nodes."""
        return self.apply(_ADD, (a, b))

    def pullback(self, row: Operation, count: int, wanted: tuple[bool, ...]) -> Callable[..., Sequence[int]]:
        """The operation's contributions to the adjoints of its arguments: a copy of its rule for these nodes."""
        rule = rules.pullback(row, count, wanted)
        results = [result for result in rule.results if result is not None]
        order = [node for node in rule.graph.needed(results) if node not in rule.parameters]

        def contributions(*nodes: int) -> Sequence[int]:
            copies = dict(zip(rule.parameters, nodes, strict=True))
            for node in order:
                copies[node] = self._copy(rule.graph, node, copies)
            return [self.constant(0.0) if result is None else copies[result] for result in rule.results]

        return contributions

    def _copy(self, graph: Graph, node: int, copies: dict[int, int]) -> int:
        if graph.operations[node] is CONSTANT:
            return self.constant(graph.numbers[node], graph.labels.get(node))
        return self.apply(graph.operations[node], tuple([copies[argument] for argument in graph.arguments[node]]))

    def constant(self, number: float, label: str | None = None) -> int:
        """The node of a number, or of a constant with a name."""
        key = repr(number), label
        if key not in self._nodes:
            self._nodes[key] = self.graph.constant(number)
            if label is not None:
                self.graph.labels[self._nodes[key]] = label
        return self._nodes[key]

    def apply(self, row: Operation, arguments: tuple[int, ...]) -> int:
        """The node of an operation on nodes: a folded one, one that is there already, or a new one."""
        folded = self._folded(row, arguments)
        if folded is not None:
            return folded
        key = row, arguments
        if key not in self._nodes:
            self._nodes[key] = self.graph.add(row, arguments)
        return self._nodes[key]
