"""A graph to which operations on lists are added, entry by entry. A list is a tuple of nodes, or of lists."""

import math
import operator
from collections.abc import Callable, Iterator
from typing import Any

from ..graph import Graph
from ..operations import ADD, CONSTANT, MUL, OPERATIONS, Operation

_OF_NUMBERS: dict[Operation, Callable[..., float]] = {
    OPERATIONS[name]: function
    for name, function in {
        **{name: getattr(operator, name) for name in ("add", "sub", "mul", "mod", "neg", "pow")},
        **{name: getattr(math, name) for name in ("floor", "ceil", "trunc")},
        "div": operator.truediv,
        "abs": abs,
        "round": round,
        "min": min,
        "max": max,
    }.items()
}
"""the operations in a number that has to be known when the text is read, such as an index"""


class Unknown:
    """A value that is known only when the function whose definition is being read is called."""


UNKNOWN = Unknown()


class DifferentLengths(Exception):  # noqa: N818  # the builder turns it into an error with a place
    """An operation on lists of different lengths, which are its arguments."""


class DifferentDepths(Exception):  # noqa: N818  # likewise
    """An operation on a list of numbers and a list of lists; its arguments say how deep each is, 0 for a number."""


class ListGraph(Graph):
    """A graph in which an operation on lists is one operation for each of their entries."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[int, float | None] = {}

    def add(self, operation: Operation, arguments: tuple[Any, ...] = (), start: int = 0, end: int = 0) -> Any:
        """Append an operation, for lists one for each entry; a number goes with every entry."""
        for argument in arguments:
            if argument.__class__ is not int:
                return self._add_entries(operation, arguments, start, end)
        return super().add(operation, arguments, start, end)

    def _add_entries(self, operation: Operation, arguments: tuple[Any, ...], start: int, end: int) -> Any:
        if UNKNOWN in arguments:
            return UNKNOWN
        if len({depth(argument) for argument in arguments} - {0}) > 1:
            raise DifferentDepths(*map(depth, arguments))
        lengths = {len(argument) for argument in arguments if isinstance(argument, tuple)}
        if len(lengths) > 1:
            raise DifferentLengths(*[len(argument) if isinstance(argument, tuple) else 0 for argument in arguments])
        entries = []
        for index in range(*lengths):
            chosen = tuple([argument[index] if isinstance(argument, tuple) else argument for argument in arguments])
            entries.append(self.add(operation, chosen, start, end))
        self.unwritten.update(entry for entry in entries if entry.__class__ is int)
        return tuple(entries)

    def total(self, operation: Operation, terms: Iterator[Any], start: int, end: int) -> Any:
        """The first term, and the others added (or multiplied) to it one after the other."""
        total, is_first = next(terms), True
        for term in terms:
            if not is_first and total.__class__ is int:
                self.unwritten.add(total)
            total, is_first = self.add(operation, (total, term), start, end), False
        return total

    def dot(self, left: tuple[int, ...], right: tuple[int, ...], start: int, end: int) -> Any:
        """The sum of the products of the entries of two lists of the same length."""
        products = self.add(MUL, (left, right), start, end)
        return self.total(ADD, iter(products), start, end)

    def number(self, value: Any) -> float | None:
        """The number that a value is whatever the inputs are; None for one that is computed from an input."""
        pending = [value] if value.__class__ is int and value not in self._known else []
        while pending:
            node = pending[-1]
            missing = [argument for argument in self.arguments[node] if argument not in self._known]
            pending += missing
            if not missing:
                self._known[node] = self._computed(node)
                pending.pop()
        return self._known.get(value) if value.__class__ is int else None

    def _computed(self, node: int) -> float | None:
        operation, numbers = self.operations[node], [self._known[argument] for argument in self.arguments[node]]
        if operation is CONSTANT:
            return self.numbers[node]
        if operation not in _OF_NUMBERS or None in numbers:
            return None
        try:
            return float(_OF_NUMBERS[operation](*numbers))
        except (ArithmeticError, TypeError, ValueError):
            return None

    def plain(self) -> Graph:
        """The same nodes in a graph of the usual kind."""
        graph = Graph()
        for column in Graph.__slots__:
            setattr(graph, column, getattr(self, column))
        return graph


# ---- Lists ---------------------------------------------------------------------------------------------------------


def depth(value: Any) -> int:
    """The depth of the lists in a value: 0 for a number, 1 for a list of numbers."""
    return 1 + max(map(depth, value)) if isinstance(value, tuple) else 0


def mapped(value: Any, nodes: dict[int, int]) -> Any:
    """The value with other nodes in place of some."""
    return tuple([mapped(entry, nodes) for entry in value]) if isinstance(value, tuple) else nodes.get(value, value)


def replaced(value: Any, path: list[int], node: int) -> Any:
    """The list with a node in place of the entry with these numbers. Raises LookupError where there is none."""
    if not path:
        return node
    index = path[0] - 1
    if not isinstance(value, tuple) or index >= len(value):
        raise LookupError
    return (*value[:index], replaced(value[index], path[1:], node), *value[index + 1 :])
