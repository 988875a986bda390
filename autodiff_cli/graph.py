"""The computation graph: a tape of nodes, each an operation on nodes before it.

A node is its index. The order in which nodes are added is a topological order, so a forward sweep is a loop and a
backward sweep the reverse loop, however deep the formula is nested. Columns, not objects: a million nodes are ordinary.
"""

from array import array
from collections import defaultdict
from collections.abc import Container, Iterable
from itertools import compress

from .operations import CONSTANT, INPUT, Operation


class Graph:
    """Nodes in the order of their creation; `operations[i]`, `arguments[i]` and so on describe node i."""

    __slots__ = ("arguments", "ends", "labels", "numbers", "operations", "starts", "unwritten")

    def __init__(self) -> None:
        self.operations: list[Operation] = []
        self.arguments: list[tuple[int, ...]] = []
        self.labels: dict[int, str] = {}
        self.numbers: dict[int, float] = {}
        """the values of constants, and of inputs that have a default"""
        self.unwritten: set[int] = set()
        """the nodes that have no text of their own in the source, such as parts of a sum or a derivative written out"""
        self.starts, self.ends = array("Q"), array("Q")
        """[start, end) of the node's text in the source, in characters"""

    def __len__(self) -> int:
        return len(self.operations)

    def add(self, operation: Operation, arguments: tuple[int, ...] = (), start: int = 0, end: int = 0) -> int:
        """Append a node and return its index."""
        index = len(self.operations)
        self.operations.append(operation)
        self.arguments.append(arguments)
        self.starts.append(start)
        self.ends.append(end)
        return index

    def constant(self, number: float, start: int = 0, end: int = 0) -> int:
        """Append a constant and return its index."""
        index = self.add(CONSTANT, (), start, end)
        self.numbers[index] = number
        return index

    def span(self, node: int) -> tuple[int, int]:
        """The place of the node's text in the source, as [start, end)."""
        return self.starts[node], self.ends[node]

    def cut(self, nodes: Iterable[int]) -> "Graph":
        """A copy in which these nodes are inputs, whatever they were computed from; indices stay the same."""
        copy = Graph()
        copy.operations, copy.arguments = self.operations.copy(), self.arguments.copy()
        copy.labels, copy.numbers, copy.unwritten = self.labels.copy(), self.numbers.copy(), self.unwritten.copy()
        copy.starts, copy.ends = self.starts[:], self.ends[:]
        for node in nodes:
            copy.operations[node], copy.arguments[node] = INPUT, ()
        return copy

    def paste(
        self, source: "Graph", nodes: Iterable[int], copies: dict[int, int], span: tuple[int, int] | None = None
    ) -> None:
        """Append copies of nodes of another graph, with their names and numbers, and add them to `copies`.

        The nodes are in topological order; those that already have a copy are skipped. `span` is where the copies
        are in the source, if not where the nodes are.
        """
        for node in nodes:
            if node in copies:
                continue
            arguments = tuple([copies[argument] for argument in source.arguments[node]])
            copy = copies[node] = self.add(source.operations[node], arguments, *(span or source.span(node)))
            if node in source.labels:
                self.labels[copy] = source.labels[node]
            if node in source.numbers:
                self.numbers[copy] = source.numbers[node]
            if node in source.unwritten:
                self.unwritten.add(copy)

    def needed(self, outputs: Iterable[int]) -> list[int]:
        """The nodes that the outputs depend on, themselves included, in topological order."""
        marks = bytearray(len(self))
        for output in outputs:
            marks[output] = 1
        arguments = self.arguments
        for node in range(len(marks) - 1, -1, -1):
            if marks[node]:
                for argument in arguments[node]:
                    marks[argument] = 1
        return list(compress(range(len(marks)), marks))

    def needed_by(self, *nodes: int, leaves: Container[int] = ()) -> list[int]:
        """The nodes that these depend on, themselves included, in topological order; no other node is visited.

        Other nodes among the `leaves`, and those that only these depend on, are left out.
        """
        needed, pending = {*nodes}, [*nodes]
        while pending:
            for part in self.arguments[pending.pop()]:
                if part not in needed and part not in leaves:
                    needed.add(part)
                    pending.append(part)
        return sorted(needed)

    def dependent(self, order: Iterable[int], inputs: Iterable[int]) -> bytearray:
        """Mark every node of the order that depends on one of the inputs, and the inputs themselves."""
        marks = bytearray(len(self))
        for node in inputs:
            marks[node] = 1
        arguments = self.arguments
        for node in order:
            for argument in arguments[node]:
                if marks[argument]:
                    marks[node] = 1
                    break
        return marks


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
