"""A graph without equal nodes, and how conditions, and choices by them, fold in it."""

from abc import ABC, abstractmethod
from math import isnan

from ..graph import Graph
from ..operations import OPERATIONS, Operation
from .language import CONDITIONS

_ADD, _SUB, _MUL, _DIV, _NEG, _WHERE, _NOT, _OR, _EQ, _NE = (
    OPERATIONS[name] for name in ("add", "sub", "mul", "div", "neg", "where", "not", "or", "eq", "ne")
)
_SYMMETRIC = frozenset(OPERATIONS[name] for name in ("add", "mul", "eq", "ne", "and", "or", "max", "min", "hypot"))


class Choices(ABC):
    """A graph that grows by operations on its nodes."""

    def __init__(self) -> None:
        self.graph = Graph()
        self._nodes: dict[object, int] = {}
        self._supports: dict[int, int | None] = {}
        """a sum or a choice → the condition without which it is zero"""

    @abstractmethod
    def apply(self, row: Operation, *arguments: int) -> int:
        """The node of an operation on nodes: what it folds to, one that is there already, or a new one."""

    def leaf(self, row: Operation) -> int:
        """A new node without arguments."""
        return self.graph.add(row)

    def constant(self, number: float) -> int:
        """The node of a number."""
        key = repr(number)
        if key not in self._nodes:
            self._nodes[key] = self.graph.constant(number)
        return self._nodes[key]

    def number(self, node: int) -> float | None:
        """The number of a constant."""
        return self.graph.numbers.get(node)

    def _node(self, row: Operation, arguments: tuple[int, ...]) -> int:
        key = row, tuple(sorted(arguments)) if row in _SYMMETRIC and len(arguments) == 2 else arguments
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = self.graph.add(row, arguments)
        return node

    def _is(self, node: int, row: Operation) -> bool:
        return self.graph.operations[node] is row

    def _inside(self, node: int) -> int:
        return self.graph.arguments[node][0]

    # ---- Conditions --------------------------------------------------------------------------------------------------

    def is_condition(self, node: int) -> bool:
        """Is the node true or false, never nan?"""
        return self.graph.operations[node].name in CONDITIONS

    def _opposite(self, a: int, b: int) -> bool:
        """Is one condition the negation of the other?"""
        first, second = self.graph.operations[a], self.graph.operations[b]
        if {first, second} == {_EQ, _NE}:
            return sorted(self.graph.arguments[a]) == sorted(self.graph.arguments[b])
        return (first is _NOT and self._inside(a) == b) or (second is _NOT and self._inside(b) == a)

    def _not(self, a: int) -> int | None:
        if self._is(a, _EQ):
            return self.apply(_NE, *self.graph.arguments[a])
        if self._is(a, _NE):
            return self.apply(_EQ, *self.graph.arguments[a])
        return self._inside(a) if self._is(a, _NOT) and self.is_condition(self._inside(a)) else None

    def _and(self, a: int, b: int) -> int | None:
        for number, other in ((self.number(a), b), (self.number(b), a)):
            if number == 0:
                return self.constant(0.0)
            if number is not None and self.is_condition(other):
                return other
        return self.constant(0.0) if self._opposite(a, b) else a if a == b and self.is_condition(a) else None

    def _or(self, a: int, b: int) -> int | None:
        for number, other in ((self.number(a), b), (self.number(b), a)):
            if number is not None and number != 0:
                return self.constant(1.0)
            if number == 0 and self.is_condition(other):
                return other
        return self.constant(1.0) if self._opposite(a, b) else a if a == b and self.is_condition(a) else None

    def _where(self, condition: int, a: int, b: int) -> int | None:
        number = self.number(condition)
        if number is not None:
            return self.constant(number) if isnan(number) else a if number else b
        if not self.is_condition(condition):
            return None
        if self._is(condition, _NOT) and self.is_condition(self._inside(condition)):
            return self.apply(_WHERE, self._inside(condition), b, a)
        if self.number(b) == 0 and self._support(a) == condition:
            return a
        return a if a == b else None

    def _support(self, node: int) -> int | None:
        """The condition without which a node is zero: that of a choice, or of a sum of two such nodes."""
        if node not in self._supports and self.graph.operations[node] in (_ADD, _SUB):
            first, second = [self._chosen_by(part) for part in self.graph.arguments[node]]
            self._supports[node] = None if first is None or second is None else self.apply(_OR, first, second)
        return self._chosen_by(node)

    def _chosen_by(self, node: int) -> int | None:
        node = self._unscaled(node)
        if node not in self._supports and self._is(node, _WHERE):
            condition, a, b = self.graph.arguments[node]
            if self.number(b) == 0:
                self._supports[node] = condition
            elif self.number(a) == 0:
                self._supports[node] = self.apply(_NOT, condition)
        return self._supports.get(node)

    def _unscaled(self, node: int) -> int:
        """What a node is a multiple of by a number, so that both are zero together."""
        row, arguments = self.graph.operations[node], self.graph.arguments[node]
        if row is _NEG or (row is _DIV and self.number(arguments[1])):
            return arguments[0]
        if row is _MUL:
            return next((b for a, b in (arguments, arguments[::-1]) if self.number(a) is not None), node)
        return node
