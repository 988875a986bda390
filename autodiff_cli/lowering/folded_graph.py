"""Graphs for code: equal operations on the same nodes are one node, and operations are folded.

Folding changes no result, except for the sign of a zero or of a nan: `a + -b` is `a - b`, `where(c, a, 0) +
where(not c, b, 0)` is `where(c, a, b)`, and an operation on numbers is the number that the engine gives.
"""

from collections.abc import Callable, Iterable
from functools import partial
from math import frexp, isfinite, isnan
from sys import float_info

from .. import engine
from ..arithmetic import floats
from ..graph import Graph, SharedGraph
from ..operations import (
    ADD,
    AND,
    COMPARISONS,
    CONDITIONS,
    CONSTANT,
    DIV,
    EQ,
    HYPOT,
    MAX,
    MIN,
    MUL,
    NE,
    NEG,
    NOT,
    OR,
    SUB,
    WHERE,
    Operation,
)

_SYMMETRIC = frozenset((ADD, MUL, EQ, NE, AND, OR, MAX, MIN, HYPOT))


class FoldedGraph(SharedGraph):
    """A graph that grows by operations on its nodes, each folded where it can be."""

    def __init__(self) -> None:
        super().__init__()
        self._supports: dict[int, int | None] = {}
        """a sum or a choice → the condition without which it is zero"""
        self._folds: dict[str, Callable[..., int | None]] = {
            "neg": self._neg, "add": self._add, "sub": self._sub, "mul": self._mul, "div": self._div, "pow": self._pow,
            "not": self._not, "where": self._where,
            "and": partial(self._junction, decisive=False), "or": partial(self._junction, decisive=True),
            **{operation.name: partial(self._compared, operation) for operation in COMPARISONS},
        }  # fmt: skip
        """operation → what it folds to where not all its arguments are numbers"""

    def copy(
        self, source: Graph, order: Iterable[int], copies: dict[int, int], arithmetic: engine.Functions | None = None
    ) -> None:
        """Copy those nodes of an order that have no copy yet, and add them to the copies.

        The arithmetic, whose numbers are nodes of this graph, determines what an operation becomes.
        """
        order = [node for node in order if node not in copies]
        for node in order:
            if source.operations[node] is CONSTANT:
                copies[node] = self.constant(source.numbers[node])
            elif not source.arguments[node]:
                copies[node] = self.add(source.operations[node])
        engine.forward(source, order, copies, arithmetic or self)

    def function(self, operation: Operation, count: int) -> Callable[..., int]:
        """The operation on `count` nodes."""
        return partial(self.apply, operation)

    def apply(self, operation: Operation, *arguments: int) -> int:
        """The node of an operation on nodes: what it folds to, one that is there already, or a new one."""
        numbers = [self.numbers[argument] for argument in arguments if argument in self.numbers]
        if arguments and len(numbers) == len(arguments):
            return self.constant(floats.function(operation, len(arguments))(*numbers))
        fold = self._folds.get(operation.name)
        folded = fold(*arguments) if fold else None
        return self._node(operation, arguments) if folded is None else folded

    def _node(self, operation: Operation, arguments: tuple[int, ...]) -> int:
        """The node of an operation as it is; the operands of a symmetric one may be in either order."""
        swapped = arguments[::-1]
        if operation in _SYMMETRIC and len(arguments) == 2 and self.has(operation, swapped):
            return self.add(operation, swapped)
        return self.add(operation, arguments)

    def number(self, node: int) -> float | None:
        """The number of a constant; None for another node."""
        return self.numbers.get(node)

    def _is(self, node: int, operation: Operation) -> bool:
        return self.operations[node] is operation

    def _inside(self, node: int) -> int:
        return self.arguments[node][0]

    # ---- Arithmetic --------------------------------------------------------------------------------------------------

    def _neg(self, a: int) -> int | None:
        if self._is(a, SUB) and self._is(self._inside(a), NEG):  # -(-x - y) is x + y
            return self.apply(ADD, self._inside(self._inside(a)), self.arguments[a][1])
        return self._inside(a) if self._is(a, NEG) else None

    def _add(self, a: int, b: int) -> int | None:
        for first, second in ((a, b), (b, a)):
            positive = self._negated(second)
            if positive is not None:
                return self.apply(SUB, first, positive)
        return self._merged(a, b) if self._is(a, WHERE) and self._is(b, WHERE) else None

    def _negated(self, node: int) -> int | None:
        """The node of which a node is the negative, if no operation is needed for it; else None."""
        if self._is(node, NEG):
            return self._inside(node)
        operation, arguments = self.operations[node], self.arguments[node]
        if operation is MUL or operation is DIV:
            number = self.number(arguments[0])
            if number is not None and number < 0:
                return self.apply(operation, self.constant(-number), arguments[1])
        return None

    def _merged(self, a: int, b: int) -> int | None:
        """The sum of two choices by the same or the opposite condition, where one of each pair of terms is zero."""
        (c, when, otherwise), (d, then, or_else) = self.arguments[a], self.arguments[b]
        if self._opposite(c, d):
            then, or_else = or_else, then
        elif c != d:
            return None
        pairs = (when, then), (otherwise, or_else)
        if not any(all(self.number(branch) == 0 for branch in pair) for pair in pairs) and not all(
            any(self.number(branch) == 0 for branch in pair) for pair in pairs
        ):
            return None
        return self.apply(WHERE, c, *[self._sum(*pair) for pair in pairs])

    def _sum(self, a: int, b: int) -> int:
        """The sum of two terms, of which one may be zero; choices inside choices are not merged further."""
        if 0 in (self.number(a), self.number(b)):
            return b if self.number(a) == 0 else a
        both = self._is(a, WHERE) and self._is(b, WHERE)
        return self._node(ADD, (a, b)) if both else self.apply(ADD, a, b)

    def _sub(self, a: int, b: int) -> int | None:
        positive = self._negated(b)
        return None if positive is None else self.apply(ADD, a, positive)

    def _mul(self, a: int, b: int) -> int | None:
        for number, other in ((a, b), (b, a)):
            if self.number(number) in (1, -1):
                return other if self.number(number) == 1 else self.apply(NEG, other)
        return self._signed(MUL, a, b) or self._scaled(a, b)

    def _scaled(self, a: int, b: int) -> int | None:
        """A number times a multiple, where one of the factors is a power of two, so that nothing is rounded again."""
        factor = self.number(a)
        if factor is None or not self._is(b, MUL):
            return None
        inner = self.number(self._inside(b))
        if inner is None or 0.5 not in (abs(frexp(n)[0]) for n in (factor, inner)):
            return None
        if not isfinite(factor * inner) or abs(factor * inner) < float_info.min:
            return None
        return self.apply(MUL, self.constant(factor * inner), self.arguments[b][1])

    def _div(self, a: int, b: int) -> int | None:
        if self.number(b) in (1, -1):
            return a if self.number(b) == 1 else self.apply(NEG, a)
        return self._signed(DIV, a, b)

    def _signed(self, operation: Operation, a: int, b: int) -> int | None:
        """A product or quotient with the minus signs of its operands taken outside."""
        if not self._is(a, NEG) and not self._is(b, NEG):
            return None
        plain = self.apply(operation, *[self._inside(node) if self._is(node, NEG) else node for node in (a, b)])
        return plain if self._is(a, NEG) and self._is(b, NEG) else self.apply(NEG, plain)

    def _pow(self, a: int, b: int) -> int | None:
        return a if self.number(b) == 1 else None

    # ---- Conditions, and choices by them -----------------------------------------------------------------------------

    def is_condition(self, node: int) -> bool:
        """Whether the node is true or false, never nan."""
        return self.operations[node] in CONDITIONS

    def _compared(self, operation: Operation, a: int, b: int) -> int | None:
        """A comparison with nan is decided whatever the other operand is; some compilers warn about it."""
        numbers = [number for number in (self.number(a), self.number(b)) if number is not None and isnan(number)]
        return self.constant(floats.function(operation, 2)(numbers[0], numbers[0])) if numbers else None

    def _opposite(self, a: int, b: int) -> bool:
        first, second = self.operations[a], self.operations[b]
        if {first, second} == {EQ, NE}:
            return sorted(self.arguments[a]) == sorted(self.arguments[b])
        return (first is NOT and self._inside(a) == b) or (second is NOT and self._inside(b) == a)

    def _not(self, a: int) -> int | None:
        if self._is(a, EQ):
            return self.apply(NE, *self.arguments[a])
        if self._is(a, NE):
            return self.apply(EQ, *self.arguments[a])
        return self._inside(a) if self._is(a, NOT) and self.is_condition(self._inside(a)) else None

    def _junction(self, a: int, b: int, *, decisive: bool) -> int | None:
        """The node that `and` or `or` folds to, if any; a `decisive` operand decides the result alone."""
        for number, other in ((self.number(a), b), (self.number(b), a)):
            if number is not None and (number != 0) == decisive:
                return self.constant(float(decisive))
            if number is not None and self.is_condition(other):
                return other
        if self._opposite(a, b):
            return self.constant(float(decisive))
        return a if a == b and self.is_condition(a) else None

    def _where(self, condition: int, a: int, b: int) -> int | None:
        number = self.number(condition)
        if number is not None:
            return self.constant(number) if isnan(number) else a if number else b
        if not self.is_condition(condition):
            return None
        if self._is(condition, NOT) and self.is_condition(self._inside(condition)):
            return self.apply(WHERE, self._inside(condition), b, a)
        if self.number(b) == 0 and self._support(a) == condition:
            return a
        return a if a == b else None

    def _support(self, node: int) -> int | None:
        """The condition without which a node is zero: that of a choice, or of a sum of two such nodes."""
        if node not in self._supports and self.operations[node] in (ADD, SUB):
            first, second = [self._chosen_by(part) for part in self.arguments[node]]
            self._supports[node] = None if first is None or second is None else self.apply(OR, first, second)
        return self._chosen_by(node)

    def _chosen_by(self, node: int) -> int | None:
        node = self._unscaled(node)
        if node not in self._supports and self._is(node, WHERE):
            condition, a, b = self.arguments[node]
            if self.number(b) == 0:
                self._supports[node] = condition
            elif self.number(a) == 0:
                self._supports[node] = self.apply(NOT, condition)
        return self._supports.get(node)

    def _unscaled(self, node: int) -> int:
        """The node of which a node is a multiple by a number; both are zero together."""
        operation, arguments = self.operations[node], self.arguments[node]
        if operation is NEG or (operation is DIV and self.number(arguments[1])):
            return arguments[0]
        if operation is MUL:
            return next((b for a, b in (arguments, arguments[::-1]) if self.number(a) is not None), node)
        return node
