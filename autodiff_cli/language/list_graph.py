"""A graph to which operations on lists are added, entry by entry. A list is a tuple of nodes, or of lists."""

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from .. import engine
from ..arithmetic import floats
from ..graph import Graph
from ..operations import ADD, CONSTANT, MUL, Operation

_FOLDED = frozenset(
    ["abs", "add", "ceil", "div", "floor", "max", "min", "mod", "mul", "neg", "pow", "round", "sub", "trunc"]
)
"""the operations in a number that has to be known when the text is read, such as an index"""


class Unknown:
    """A value that is known only when the function whose definition is being read is called."""


UNKNOWN = Unknown()

ListValue: TypeAlias = Any
"""a node, a list, or UNKNOWN: what uses it asks which of them it is"""


class DifferentLists(Exception):  # noqa: N818  # the builder turns it into an error with a place
    """An operation on lists, its arguments, whose entries cannot be combined one by one."""


class ListGraph(Graph):
    """A graph in which an operation on lists is one operation for each of their entries."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[int, float | None] = {}

    def add(
        self, operation: Operation, arguments: tuple[ListValue, ...] = (), start: int = 0, end: int = 0
    ) -> ListValue:
        """Append an operation, for lists one for each entry; a number is combined with every entry."""
        for argument in arguments:
            if argument.__class__ is not int:
                return self._add_entries(operation, arguments, start, end)
        return super().add(operation, arguments, start, end)

    def _add_entries(self, operation: Operation, arguments: tuple[ListValue, ...], start: int, end: int) -> ListValue:
        if UNKNOWN in arguments:
            return UNKNOWN
        lengths = {len(argument) for argument in arguments if isinstance(argument, tuple)}
        if len(lengths) > 1 or len({depth(argument) for argument in arguments} - {0}) > 1:
            raise DifferentLists(*arguments)
        entries = []
        for index in range(*lengths):
            chosen = tuple([argument[index] if isinstance(argument, tuple) else argument for argument in arguments])
            entries.append(self.add(operation, chosen, start, end))
        self.unwritten.update(entry for entry in entries if entry.__class__ is int)
        return tuple(entries)

    def total(self, operation: Operation, terms: Iterator[ListValue], start: int, end: int) -> ListValue:
        """The first term, and the others added (or multiplied) to it one after the other."""
        total, is_first = next(terms), True
        for term in terms:
            if not is_first and total.__class__ is int:
                self.unwritten.add(total)
            total, is_first = self.add(operation, (total, term), start, end), False
        return total

    def dot(self, left: tuple[int, ...], right: tuple[int, ...], start: int, end: int) -> ListValue:
        """The sum of the products of the entries of two lists of the same length."""
        products = self.add(MUL, (left, right), start, end)
        return self.total(ADD, iter(products), start, end)

    def number(self, value: ListValue) -> float | None:
        """The number that a value is whatever the inputs are; None for one that is computed from an input."""
        if value.__class__ is not int:
            return None
        if value not in self._known:
            order = self.needed_by(value, leaves=self._known)
            self._known |= {
                node: self.numbers[node] if self.operations[node] is CONSTANT else None
                for node in order
                if not self.arguments[node]
            }
            engine.forward(self, order, self._known, self)
        return self._known[value]

    def function(self, operation: Operation, count: int) -> Callable[..., float | None]:
        """The operation on `count` numbers, of which any may be unknown: None."""
        compute = floats.function(operation, count) if operation.name in _FOLDED else None

        return lambda *numbers: None if compute is None or None in numbers else compute(*numbers)

    def plain(self) -> Graph:
        """The same nodes in an ordinary graph."""
        graph = Graph()
        for column in Graph.__slots__:
            setattr(graph, column, getattr(self, column))
        return graph


# ---- Lists ---------------------------------------------------------------------------------------------------------


def depth(value: ListValue) -> int:
    """The depth of the lists in a value: 0 for a number, 1 for a list of numbers."""
    return 1 + max(map(depth, value)) if isinstance(value, tuple) else 0


def mapped(value: ListValue, nodes: dict[int, int]) -> ListValue:
    """The value with other nodes in place of some."""
    return tuple([mapped(entry, nodes) for entry in value]) if isinstance(value, tuple) else nodes.get(value, value)


def replaced(value: ListValue, path: list[int], node: int) -> ListValue:
    """The list with a node in place of the entry with these numbers. Raises LookupError where there is none."""
    if not path:
        return node
    index = path[0] - 1
    if not isinstance(value, tuple) or index >= len(value):
        raise LookupError
    return (*value[:index], replaced(value[index], path[1:], node), *value[index + 1 :])
