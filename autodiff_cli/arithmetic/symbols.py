"""Nodes as numbers: an operation on nodes of a graph adds a node to it, so that a sweep backward builds the derivative.

Equal nodes are one node, and only what costs nothing is folded: zeros and ones, double signs, arithmetic of two numbers.
A choice between an adjoint and 0 stays outermost, `where(c, g*p, 0)` for `where(c, g, 0)*p`: the branch that was not
taken adds 0, however steep it is.
"""

import operator
from collections.abc import Callable, Sequence

from .. import rules
from ..graph import Graph
from ..operations import CONSTANT, OPERATIONS, Operation

_ADD, _SUB, _MUL, _DIV, _NEG, _WHERE, _AND, _NOT, _NE = (
    OPERATIONS[name] for name in ("add", "sub", "mul", "div", "neg", "where", "and", "not", "ne")
)
_OF_NUMBERS = {
    OPERATIONS[name]: getattr(operator, name) for name in ("add", "sub", "mul", "neg", "lt", "le", "gt", "ge", "eq", "ne")
}
"""what is folded where every argument is a number"""


class Symbols:
    """Operations on the nodes of one graph, which grows."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._nodes: dict[object, int] = {}
        for node, key in enumerate(zip(graph.operations, graph.arguments, strict=True)):
            if key[1]:
                self._nodes.setdefault(key, node)

    def function(self, row: Operation, count: int) -> Callable[..., int]:
        """The operation on so many nodes."""
        return lambda *arguments: self.apply(row, *arguments)

    def pullback(self, row: Operation, count: int, wanted: tuple[bool, ...]) -> Callable[..., Sequence[int]]:
        """The operation's contributions to the adjoints of its arguments: a copy of its rule, for these nodes."""
        rule = rules.pullback(row, count, wanted)
        order = rule.graph.needed(result for result in rule.results if result is not None)

        def contributions(*nodes: int) -> Sequence[int]:
            copies = dict(zip(rule.parameters, nodes, strict=True))
            for node in order:
                if node not in copies:
                    copies[node] = self._copy(rule.graph, node, copies)
            return [self.constant(0.0) if result is None else copies[result] for result in rule.results]

        return contributions

    def _copy(self, graph: Graph, node: int, copies: dict[int, int]) -> int:
        if graph.operations[node] is CONSTANT:
            return self.constant(graph.numbers[node], graph.labels.get(node))
        return self.apply(graph.operations[node], *[copies[argument] for argument in graph.arguments[node]])

    def add(self, a: int, b: int) -> int:
        """The sum of two nodes."""
        return self.apply(_ADD, a, b)

    def constant(self, number: float, name: str | None = None) -> int:
        """The node of a number, or of a constant with a name."""
        key = repr(number), name
        if key not in self._nodes:
            self._nodes[key] = self.graph.constant(number)
            if name is not None:
                self.graph.labels[self._nodes[key]] = name
        return self._nodes[key]

    def apply(self, row: Operation, *arguments: int) -> int:
        """The node of an operation on nodes: what it folds to, one that is there already, or a new one."""
        folded = self._folded(row, arguments)
        if folded is not None:
            return folded
        key = row, arguments
        if key not in self._nodes:
            self._nodes[key] = self.graph.add(row, arguments)
        return self._nodes[key]

    # ---- Folding --------------------------------------------------------------------------------------------------

    def _number(self, node: int) -> float | None:
        """The number of a constant; None for one with a name, which may be given another number."""
        graph = self.graph
        return graph.numbers[node] if graph.operations[node] is CONSTANT and node not in graph.labels else None

    def _folded(self, row: Operation, arguments: tuple[int, ...]) -> int | None:
        numbers = [self._number(argument) for argument in arguments]
        if row in _OF_NUMBERS and None not in numbers:
            return self.constant(float(_OF_NUMBERS[row](*numbers)))
        if row is _AND and 0 in numbers:
            return self.constant(0.0)
        if row is _WHERE:
            return self._choice(*arguments, *numbers)
        if row is _NEG:
            return self._negative(*arguments)
        if row in (_ADD, _SUB, _MUL, _DIV):
            return self._arithmetic(row, *arguments, *numbers)
        return None

    def _negative(self, a: int) -> int | None:
        return self.graph.arguments[a][0] if self.graph.operations[a] is _NEG else self._lifted(_NEG, (a,), 0)

    def _arithmetic(self, row: Operation, a: int, b: int, left: float | None, right: float | None) -> int | None:
        if right == (0 if row in (_ADD, _SUB) else 1):
            return a
        if row is _ADD or row is _SUB:
            return (b if row is _ADD else self.apply(_NEG, b)) if left == 0 else None
        if left == 0 or (row is _MUL and right == 0):
            return self.constant(0.0)
        if row is _MUL and left == 1:
            return b
        lifted = self._lifted(row, (a, b), 0)
        return self._lifted(row, (a, b), 1) if lifted is None and row is _MUL else lifted

    def _lifted(self, row: Operation, arguments: tuple[int, ...], place: int) -> int | None:
        """The operation inside of a choice with 0 that stands at this place of its arguments."""
        choice = self._with_zero(arguments[place])
        if choice is None:
            return None
        condition, *branches = choice
        before, after = arguments[:place], arguments[place + 1 :]
        moved = [b if self._number(b) == 0 else self.apply(row, *before, b, *after) for b in branches]
        return self.apply(_WHERE, condition, *moved)

    def _with_zero(self, node: int) -> tuple[int, ...] | None:
        """The parts of a choice that has a zero branch."""
        parts = self.graph.arguments[node]
        return parts if self.graph.operations[node] is _WHERE and 0 in map(self._number, parts[1:]) else None

    def _choice(self, c: int, a: int, b: int, number: float | None, left: float | None, right: float | None) -> int | None:
        """One branch where the condition is a number; one choice in place of two, so that 0 never stands deeper."""
        if number is not None and number == number:
            return a if number else b
        if left == 0 == right:
            return a
        inner = self._with_zero(b if left == 0 else a) if 0 in (left, right) else None
        if inner is None:
            return None
        outer = self.apply(_NOT, c) if left == 0 else self._truth(c)
        condition, yes, no = inner
        inside = self.apply(_NOT, condition) if self._number(yes) == 0 else self._truth(condition)
        return self.apply(_WHERE, self.apply(_AND, outer, inside), no if self._number(yes) == 0 else yes, self.constant(0.0))

    def _truth(self, node: int) -> int:
        """A condition as 1 or 0."""
        row = self.graph.operations[node]
        return node if 0 < row.precedence <= _NE.precedence else self.apply(_NE, node, self.constant(0.0))
