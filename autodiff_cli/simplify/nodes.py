"""Nodes of a graph, each made once, and what their formulas cost."""

from collections.abc import Sequence

from ..graph import Graph
from ..operations import OPERATIONS, Operation
from .numbers import Exact, digits, double

MOST = 10**9  # a cost that counts as any larger one
_MUL = OPERATIONS["mul"]
_DIGITS, _SMALL = 15, 10


class Nodes:
    """Adds nodes to a graph. The cost of a node is how many nodes its formula is written with."""

    def __init__(self, graph: Graph, *, decimals: bool) -> None:
        self.graph, self.decimals = graph, decimals
        self.costs: dict[int, int] = {}
        self._nodes: dict[object, int] = {}

    def enter(self, node: int, *, is_leaf: bool = False) -> None:
        """A node that is there already; one that is a leaf costs as much as a name."""
        arguments = () if is_leaf else self.graph.arguments[node]
        self.costs[node] = self._cost(arguments)
        if arguments:
            self._nodes.setdefault((self.graph.operations[node], arguments), node)

    def _cost(self, arguments: Sequence[int]) -> int:
        return min(MOST, 1 + sum([self.costs[argument] for argument in arguments]))

    def add(self, row: Operation, *arguments: int) -> int:
        """The node of an operation."""
        key = row, arguments
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = self.graph.add(row, arguments)
            self.costs[node] = self._cost(arguments)
        return node

    def constant(self, number: float, name: str | None = None) -> int:
        """The node of a number that is not negative, or of a constant with a name."""
        key = number, name
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = self.graph.constant(number)
            self.costs[node] = 1
            if name is not None:
                self.graph.labels[node] = name
        return node

    def fraction(self, value: Exact) -> tuple[float, float]:
        """A positive number as one double, or as a quotient of two."""
        if value.denominator == 1:
            return double(value), 1.0
        if self.decimals and digits(value) <= _DIGITS:
            return double(value), 1.0
        limit = _SMALL if self.decimals else 2**53
        if value.numerator > limit or value.denominator > limit:
            return double(value), 1.0
        return float(value.numerator), float(value.denominator)

    def product(self, nodes: Sequence[int]) -> int:
        """The product of nodes, from left to right; 1 without any."""
        if not nodes:
            return self.constant(1.0)
        result = nodes[0]
        for node in nodes[1:]:
            result = self.add(_MUL, result, node)
        return result
