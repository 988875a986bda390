"""Nodes as numbers: an operation on nodes of a graph adds a node to it, so that a sweep backward builds the derivative.

Equal nodes are one node, and only what costs nothing is folded: zeros and ones, double signs, sums of two numbers. An
adjoint that is zero unless a condition holds is a mask, `where(condition, adjoint, 0)`, and stays one: its products
and sums go inside. So the branch that was not taken adds 0, however steep it is.
"""

import operator
from collections.abc import Callable, Sequence

from .. import rules
from ..graph import Graph
from ..operations import CONSTANT, OPERATIONS, Operation

_ADD, _SUB, _MUL, _DIV, _NEG, _WHERE, _AND, _OR, _NOT = (
    OPERATIONS[name] for name in ("add", "sub", "mul", "div", "neg", "where", "and", "or", "not")
)
_OF_NUMBERS: dict[Operation, Callable[..., float]] = {
    OPERATIONS[name]: getattr(operator, name)
    for name in ("add", "sub", "mul", "neg", "lt", "le", "gt", "ge", "eq", "ne")
}
"""what is folded where every argument is a number"""


class Symbols:
    """Operations on the nodes of one graph, which grows; `textbook` takes derivatives as a person writes them."""

    def __init__(self, graph: Graph, *, textbook: bool = False) -> None:
        self.graph, self.textbook = graph, textbook
        self._nodes: dict[object, int] = {}
        self._masks: dict[int, tuple[int, int]] = {}  # node → its condition, and what it is where that holds
        for node, key in enumerate(zip(graph.operations, graph.arguments, strict=True)):
            if key[1]:
                self._nodes.setdefault(key, node)

    def function(self, operation: Operation, count: int) -> Callable[..., int]:
        """The operation on so many nodes."""
        return lambda *arguments: self.apply(operation, *arguments)

    def pullback(self, operation: Operation, count: int, wanted: tuple[bool, ...]) -> Callable[..., Sequence[int]]:
        """The operation's contributions to the adjoints of its arguments: a copy of its rule, for these nodes."""
        rule = rules.pullback(operation, count, wanted, textbook=self.textbook)
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
        """The sum of two nodes; the sweep backward meets them in the opposite order of the formula."""
        return self.apply(_ADD, b, a) if self.textbook else self.apply(_ADD, a, b)

    def constant(self, number: float, name: str | None = None) -> int:
        """The node of a number, or of a constant with a name."""
        key = repr(number), name
        if key not in self._nodes:
            self._nodes[key] = self.graph.constant(number)
            if name is not None:
                self.graph.labels[self._nodes[key]] = name
        return self._nodes[key]

    def apply(self, operation: Operation, *arguments: int) -> int:
        """The node of an operation on nodes: what it folds to, one that is there already, or a new one."""
        folded = self._folded(operation, *arguments)
        return self.node(operation, *arguments) if folded is None else folded

    def node(self, operation: Operation, *arguments: int) -> int:
        """The node of an operation on nodes as it is, not folded."""
        key = operation, arguments
        if key not in self._nodes:
            self._nodes[key] = self.graph.add(operation, arguments)
        return self._nodes[key]

    # ---- Folding -----------------------------------------------------------------------------------------------------

    def _folded(self, operation: Operation, *arguments: int) -> int | None:
        numbers = [self._number(argument) for argument in arguments]
        exact = not self.textbook or all(number is None or number % 1 == 0 for number in numbers)  # 0.1 + 0.2 is not
        if operation in _OF_NUMBERS and None not in numbers and exact:
            return self.constant(float(_OF_NUMBERS[operation](*numbers)))
        if operation is _NEG:
            return self._negative(*arguments)
        if operation is _WHERE:
            return self._choice(*arguments)
        if operation is _ADD or operation is _SUB:
            return self._sum(operation, *arguments)
        if operation is _MUL or operation is _DIV:
            return self._product(operation, *arguments)
        return self._both(*arguments) if operation is _AND else None

    def _number(self, node: int) -> float | None:
        """The number of a constant; None for one with a name, which may be given another number."""
        graph = self.graph
        return graph.numbers[node] if graph.operations[node] is CONSTANT and node not in graph.labels else None

    def _negative(self, a: int) -> int | None:
        if a in self._masks:
            condition, inside = self._masks[a]
            return self._mask(condition, self.apply(_NEG, inside))
        return self.graph.arguments[a][0] if self.graph.operations[a] is _NEG else None

    def _sum(self, operation: Operation, a: int, b: int) -> int | None:
        if self._number(b) == 0:
            return a
        if self._number(a) == 0:
            return b if operation is _ADD else self.apply(_NEG, b)
        if a not in self._masks or b not in self._masks:
            return None
        (condition, left), (other, right) = self._masks[a], self._masks[b]
        if condition == other:
            return self._mask(condition, self.apply(operation, left, right))
        return self._mask(self.apply(_OR, condition, other), self.node(operation, a, b))

    def _product(self, operation: Operation, a: int, b: int) -> int | None:
        left, right = self._number(a), self._number(b)
        if left == 0 or (operation is _MUL and right == 0):
            return self.constant(0.0)
        if right == 1:
            return a
        if operation is _MUL and left == 1:
            return b
        if a in self._masks:
            condition, inside = self._masks[a]
            return self._mask(condition, self.apply(operation, inside, b))
        if operation is _MUL and b in self._masks:
            condition, inside = self._masks[b]
            return self._mask(condition, self.apply(operation, a, inside))
        return None

    def _both(self, a: int, b: int) -> int | None:
        return a if a == b else self.constant(0.0) if 0 in (self._number(a), self._number(b)) else None

    # ---- Masks -------------------------------------------------------------------------------------------------------

    def _choice(self, condition: int, a: int, b: int) -> int | None:
        """One branch where the condition is a number; a mask where a branch is zero, or is a mask itself."""
        number = self._number(condition)
        if number is not None and number == number:
            return a if number else b
        (when_a, a), (when_b, b) = self._unmasked(a), self._unmasked(b)
        zero, one = self.constant(0.0), self.constant(1.0)
        if when_a == one == when_b:
            return None
        chosen = a if when_b == zero else b if when_a == zero else self.node(_WHERE, condition, a, b)
        return self._mask(self._chosen(condition, when_a, when_b), chosen)

    def _unmasked(self, node: int) -> tuple[int, int]:
        """When a node is not zero, as a condition, and what it is then."""
        if node in self._masks:
            return self._masks[node]
        return self.constant(float(self._number(node) != 0)), node

    def _chosen(self, condition: int, a: int, b: int) -> int:
        """The condition a where a condition holds, else b."""
        zero, one = self.constant(0.0), self.constant(1.0)
        if b == zero:
            return condition if a == one else self.apply(_AND, condition, a)
        if a == zero:
            return self._chosen(self.node(_NOT, condition), b, zero)
        if a == b:
            return a
        if a == one:
            return self.node(_OR, condition, b)
        return self.node(_OR, self.node(_NOT, condition), a) if b == one else self.node(_WHERE, condition, a, b)

    def _mask(self, condition: int, inside: int) -> int:
        """Zero unless the condition holds."""
        if self._number(inside) == 0 or self._number(condition) == 0:
            return self.constant(0.0)
        if inside in self._masks:
            inner, inside = self._masks[inside]
            condition = self.apply(_AND, condition, inner)
        node = self.node(_WHERE, condition, inside, self.constant(0.0))
        self._masks[node] = condition, inside
        return node
