"""A graph in which equal operations on the same nodes are one node, however often they are added."""

from .graph import Graph
from .operations import CONSTANT, Operation


class SharedGraph(Graph):
    """A graph in which an operation on the same nodes, or a number with the same label, is added only once.

    Made from another graph, it shares that graph's nodes: what is added to one is added to both.
    """

    __slots__ = ("_nodes",)

    def __init__(self, graph: Graph | None = None) -> None:
        super().__init__()
        self._nodes: dict[object, int] = {}
        if graph is not None:
            for column in Graph.__slots__:
                setattr(self, column, getattr(graph, column))
            for node, key in enumerate(zip(graph.operations, graph.arguments, strict=True)):
                if key[1]:
                    self._nodes.setdefault(key, node)

    def add(self, operation: Operation, arguments: tuple[int, ...] = (), start: int = 0, end: int = 0) -> int:
        """Return the node of an operation on nodes, appended if there is none yet; leaves are always appended."""
        if not arguments:
            return super().add(operation, arguments, start, end)
        node = self._nodes.get((operation, arguments))
        if node is None:
            node = self._nodes[operation, arguments] = super().add(operation, arguments, start, end)
        return node

    def has(self, operation: Operation, arguments: tuple[int, ...]) -> bool:
        """Whether there is a node of an operation on these nodes."""
        return (operation, arguments) in self._nodes

    def constant(self, number: float, start: int = 0, end: int = 0, label: str | None = None) -> int:
        """Return the node of a number, or of a constant with a label, appended if there is none yet."""
        key = repr(number), label
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = super().add(CONSTANT, (), start, end)
            self.numbers[node] = number
            if label is not None:
                self.labels[node] = label
        return node
