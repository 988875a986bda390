"""The plan of a computation on columns: straight-line code, made once from a graph of operations on columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ..graph import Graph, SharedGraph
from ..operations import CONDITIONS, CONSTANT, INPUT, LOGIC, NE, WHERE, Operation
from ..work_budget import NODE, charge

PREFERRED = Operation(
    "preferred",
    "a, b, c, d",
    ("0", "0", "where(a, 1, where(b, 0.5, 0))", "where(a, 0, where(b, 0.5, 1))"),
    "c if a holds, the mean of c and d if b holds, else d",
    value="where(a, c, where(b, (c + d)/2, d))",
)
"""a number that belongs to the larger, or the smaller, of two operands: `b` is whether these are equal"""

_LEADING_CONDITIONS = {WHERE: 1, PREFERRED: 2}
"""operation → how many of its first operands are conditions"""


@dataclass(frozen=True)
class Plan:
    """A graph whose first nodes are the columns, and whose nodes are all computed, in their order.

    A comparison or a logical operation gives a condition, which is not a number: logical operations and choices
    take conditions, everything else takes numbers.
    """

    graph: Graph
    results: tuple[int, ...]
    """the nodes of the outputs and of their derivatives"""

    def __len__(self) -> int:
        return len(self.graph)

    def is_condition(self, node: int) -> bool:
        """Whether a node is true or false."""
        return self.graph.operations[node] in CONDITIONS

    @cached_property
    def last_uses(self) -> list[list[int]]:
        """For each node the computed ones that no later node uses, and that are not results."""
        arguments = self.graph.arguments
        seen, last = {*self.results, *(node for node, operands in enumerate(arguments) if not operands)}, []
        for operands in reversed(arguments):
            last.append([node for node in dict.fromkeys(operands) if node not in seen])
            seen.update(operands)
        return last[::-1]

    @property
    def cost(self) -> int:
        """The number of nodes, and of those that are kept."""
        return len(self) + self.most_kept

    @cached_property
    def most_kept(self) -> int:
        """The largest number of computed nodes that are kept at the same time."""
        kept = most = 0
        for operands, released in zip(self.graph.arguments, self.last_uses, strict=True):
            kept += bool(operands)
            most = max(most, kept)
            kept -= len(released)
        return most


def plan_for(source: Graph, columns: Sequence[int], results: Sequence[int]) -> Plan:
    """The plan that computes the results of a graph: its nodes, with conversions between numbers and conditions."""
    graph = SharedGraph()
    copies = {node: graph.add(INPUT) for node in columns}

    def number(node: int) -> int:
        copy = copies[node]
        if graph.operations[copy] not in CONDITIONS:
            return copy
        return graph.add(WHERE, (copy, graph.constant(1.0), graph.constant(0.0)))

    def condition(node: int) -> int:
        copy = copies[node]
        return copy if graph.operations[copy] in CONDITIONS else graph.add(NE, (copy, graph.constant(0.0)))

    order = source.needed(results)
    charge(NODE * len(order))
    for node in order:
        operation, operands = source.operations[node], source.arguments[node]
        if operation is CONSTANT:
            copies[node] = graph.constant(source.numbers[node])
        elif operands:
            count = len(operands) if operation in LOGIC else _LEADING_CONDITIONS.get(operation, 0)
            copies[node] = graph.add(operation, (*map(condition, operands[:count]), *map(number, operands[count:])))
    return Plan(graph, tuple([number(node) for node in results]))
