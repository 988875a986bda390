"""Graphs for code: equal operations on the same nodes are one node, and what changes no bit of any result is folded.

Two results may differ in the sign of a zero or of a nan, no more: `a + -b` is `a - b`, `where(c, a, 0) + where(not c,
b, 0)` is `where(c, a, b)`, and an operation on numbers is the number that the engine gives.
"""

from collections.abc import Callable
from math import frexp, isfinite

from ..arithmetic import floats
from ..operations import OPERATIONS, Operation
from .folding import Choices

_ADD, _SUB, _MUL, _DIV, _NEG, _WHERE = (OPERATIONS[name] for name in ("add", "sub", "mul", "div", "neg", "where"))


class Shared(Choices):
    """A graph that grows by operations on its nodes."""

    def __init__(self) -> None:
        super().__init__()
        self._folds: dict[str, Callable[..., int | None]] = {
            "neg": self._neg, "add": self._add, "sub": self._sub, "mul": self._mul, "div": self._div, "pow": self._pow,
            "not": self._not, "and": self._and, "or": self._or, "where": self._where,
        }  # fmt: skip
        """operation → what it folds to where not all its arguments are numbers"""

    def apply(self, row: Operation, *arguments: int) -> int:
        """The node of an operation on nodes: what it folds to, one that is there already, or a new one."""
        known = self.graph.numbers
        numbers = [known[argument] for argument in arguments if argument in known]
        if arguments and len(numbers) == len(arguments):
            return self.constant(floats.function(row, len(arguments))(*numbers))
        fold = self._folds.get(row.name)
        folded = fold(*arguments) if fold else None
        return self._node(row, arguments) if folded is None else folded

    def _neg(self, a: int) -> int | None:
        if self._is(a, _SUB) and self._is(self._inside(a), _NEG):  # -(-x - y) is x + y
            return self.apply(_ADD, self._inside(self._inside(a)), self.graph.arguments[a][1])
        return self._inside(a) if self._is(a, _NEG) else None

    def _add(self, a: int, b: int) -> int | None:
        for first, second in ((a, b), (b, a)):
            positive = self._negated(second)
            if positive is not None:
                return self.apply(_SUB, first, positive)
        return self._merged(a, b) if self._is(a, _WHERE) and self._is(b, _WHERE) else None

    def _negated(self, node: int) -> int | None:
        """What a node is the negative of, if that takes no operation to say."""
        if self._is(node, _NEG):
            return self._inside(node)
        row, arguments = self.graph.operations[node], self.graph.arguments[node]
        if row is _MUL or row is _DIV:
            number = self.number(arguments[0])
            if number is not None and number < 0:
                return self.apply(row, self.constant(-number), arguments[1])
        return None

    def _merged(self, a: int, b: int) -> int | None:
        """The sum of two choices by the same or the opposite condition, where one of each pair of terms is zero."""
        (c, when, otherwise), (d, then, or_else) = self.graph.arguments[a], self.graph.arguments[b]
        if self._opposite(c, d):
            then, or_else = or_else, then
        elif c != d:
            return None
        pairs = (when, then), (otherwise, or_else)
        if not any(all(self.number(branch) == 0 for branch in pair) for pair in pairs) and not all(
            any(self.number(branch) == 0 for branch in pair) for pair in pairs
        ):
            return None
        return self.apply(_WHERE, c, *[self._sum(*pair) for pair in pairs])

    def _sum(self, a: int, b: int) -> int:
        """The sum of two terms, of which one may be zero; choices inside of choices are not merged further."""
        if 0 in (self.number(a), self.number(b)):
            return b if self.number(a) == 0 else a
        both = self._is(a, _WHERE) and self._is(b, _WHERE)
        return self._node(_ADD, (a, b)) if both else self.apply(_ADD, a, b)

    def _sub(self, a: int, b: int) -> int | None:
        positive = self._negated(b)
        return None if positive is None else self.apply(_ADD, a, positive)

    def _mul(self, a: int, b: int) -> int | None:
        for number, other in ((a, b), (b, a)):
            if self.number(number) in (1, -1):
                return other if self.number(number) == 1 else self.apply(_NEG, other)
        return self._signed(_MUL, a, b) or self._scaled(a, b)

    def _scaled(self, a: int, b: int) -> int | None:
        """A number times a multiple, where one of the factors is a power of two, so that nothing is rounded anew."""
        factor = self.number(a)
        if factor is None or not self._is(b, _MUL):
            return None
        inner = self.number(self._inside(b))
        if inner is None or not isfinite(factor * inner) or 0.5 not in (abs(frexp(n)[0]) for n in (factor, inner)):
            return None
        return self.apply(_MUL, self.constant(factor * inner), self.graph.arguments[b][1])

    def _div(self, a: int, b: int) -> int | None:
        if self.number(b) in (1, -1):
            return a if self.number(b) == 1 else self.apply(_NEG, a)
        return self._signed(_DIV, a, b)

    def _signed(self, row: Operation, a: int, b: int) -> int | None:
        """A product or quotient with the minus signs of its operands taken outside."""
        if not self._is(a, _NEG) and not self._is(b, _NEG):
            return None
        plain = self.apply(row, *[self._inside(node) if self._is(node, _NEG) else node for node in (a, b)])
        return plain if self._is(a, _NEG) and self._is(b, _NEG) else self.apply(_NEG, plain)

    def _pow(self, a: int, b: int) -> int | None:
        return a if self.number(b) == 1 else None
