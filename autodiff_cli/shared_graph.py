"""A graph in which equal operations on the same nodes are one node, however often they are added."""

from collections import defaultdict

from .graph import Graph
from .operations import CONSTANT, Operation


class SharedGraph(Graph):
    """A graph in which an operation on the same nodes, or a number with the same label, is added only once.

    Made from another graph, it shares that graph's nodes: what is added to one is added to both.
    """

    __slots__ = ("_constants", "_nodes")

    def __init__(self, graph: Graph | None = None) -> None:
        super().__init__()
        self._nodes: defaultdict[Operation, dict[tuple[int, ...], int]] = defaultdict(dict)
        self._constants: dict[tuple[str, str | None], int] = {}
        if graph is not None:
            for column in Graph.__slots__:
                setattr(self, column, getattr(graph, column))
            for node, arguments in enumerate(graph.arguments):
                if arguments:
                    self._nodes[graph.operations[node]].setdefault(arguments, node)

    def add(self, operation: Operation, arguments: tuple[int, ...] = (), start: int = 0, end: int = 0) -> int:
        """Return the node of an operation on nodes, appended if there is none yet; leaves are always appended."""
        if not arguments:
            return super().add(operation, arguments, start, end)
        nodes = self._nodes[operation]
        node = nodes.get(arguments)
        if node is None:
            node = nodes[arguments] = super().add(operation, arguments, start, end)
        return node

    def has(self, operation: Operation, arguments: tuple[int, ...]) -> bool:
        """Whether there is a node of an operation on these nodes."""
        return arguments in self._nodes[operation]

    def constant(self, number: float, start: int = 0, end: int = 0, label: str | None = None) -> int:
        """Return the node of a number, or of a constant with a label, appended if there is none yet."""
        key = repr(number), label
        node = self._constants.get(key)
        if node is None:
            node = self._constants[key] = super().add(CONSTANT, (), start, end)
            self.numbers[node] = number
            if label is not None:
                self.labels[node] = label
        return node
