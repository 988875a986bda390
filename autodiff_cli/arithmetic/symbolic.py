"""Nodes as numbers: an operation on nodes of a graph adds a node to it, so that a backward sweep builds the derivative.

Equal nodes are one node, and only trivial operations are folded: with zero or one, double signs, operations on
numbers. An adjoint that is zero where an operation did not choose an argument is a mask, `where(condition, adjoint,
0)`, and stays one: products and sums are applied inside it. So a branch that is not taken adds 0, however steep it is.
"""

from collections.abc import Callable, Sequence
from functools import partial

from .. import rules
from ..graph import Graph, SharedGraph
from ..operations import ADD, AND, COMPARISONS, CONSTANT, DIV, MUL, NEG, NOT, OR, SUB, WHERE, Operation
from . import floats

_FOLDED = frozenset((ADD, SUB, MUL, NEG, *COMPARISONS))
"""the operations that are folded if every argument is a number"""

_EXACT = 2.0**53  # doubles hold every whole number up to here
_NOTHING = -1
"""in place of a node: what is passed on to an argument that was not chosen"""


def _is_exact(number: float) -> bool:
    """Whether arithmetic with a number does not round: 0.1 + 0.2 is not exact, nor 1e200 * 1e200."""
    return number % 1 == 0 and abs(number) <= _EXACT


class Symbols:
    """Operations on the nodes of one graph, which grows; `textbook` chooses the partials that a person would write."""

    SECONDS = 5.5e-6
    """the approximate time of an operation"""

    def __init__(self, graph: Graph, *, textbook: bool = False) -> None:
        self.graph, self.textbook = SharedGraph(graph), textbook
        self._masks: dict[int, tuple[int, int]] = {}
        """node → its condition, and its value where that holds, which for a sum of masks is the node itself"""

    def function(self, operation: Operation, count: int) -> Callable[..., int]:
        """The operation on `count` nodes."""
        return partial(self.apply, operation)

    def pullback(self, operation: Operation, count: int, wanted: tuple[int, ...]) -> Callable[..., Sequence[int]]:
        """The operation's contributions to the adjoints of its arguments: its rule, applied to these nodes."""
        rule = rules.pullback(operation, count, wanted, textbook=self.textbook)
        formula = rules.function(rule, self, nothing=_NOTHING)
        return lambda *nodes: [self.constant(0.0) if node == _NOTHING else node for node in formula(*nodes)]

    def add(self, a: int, b: int) -> int:
        """The sum of two nodes; for people in the order of the formula, which the backward sweep reverses."""
        return self.apply(ADD, b, a) if self.textbook else self.apply(ADD, a, b)

    def constant(self, number: float, name: str | None = None) -> int:
        """The node of a number, or of a constant with a name."""
        return self.graph.constant(number, label=name)

    def apply(self, operation: Operation, *arguments: int) -> int:
        """Return the node of an operation on nodes: what it folds to, an equal node, or a new one."""
        folded = self._folded(operation, *arguments)
        return self.graph.add(operation, arguments) if folded is None else folded

    def node(self, operation: Operation, *arguments: int) -> int:
        """Return the node of an operation on nodes without folding."""
        return self.graph.add(operation, arguments)

    # ---- Folding -----------------------------------------------------------------------------------------------------

    def _folded(self, operation: Operation, *arguments: int) -> int | None:
        if operation is WHERE:
            return self._choice(*arguments)
        if operation in _FOLDED:
            numbers = [number for argument in arguments if (number := self._number(argument)) is not None]
            if len(numbers) == len(arguments):
                result = floats.function(operation, len(numbers))(*numbers)
                if not self.textbook or all(map(_is_exact, (*numbers, result))):
                    return self.constant(result)
        if operation is NEG:
            return self._negative(*arguments)
        if operation is ADD or operation is SUB:
            return self._sum(operation, *arguments)
        if operation is MUL or operation is DIV:
            return self._product(operation, *arguments)
        return self._both(*arguments) if operation is AND else None

    def _number(self, node: int) -> float | None:
        """The number of a constant; None for other nodes, and for constants with a name, which may be redefined."""
        graph = self.graph
        return graph.numbers[node] if graph.operations[node] is CONSTANT and node not in graph.labels else None

    def _negative(self, a: int) -> int | None:
        if a in self._masks:
            return self._inside(a, NEG, a)
        return self.graph.arguments[a][0] if self.graph.operations[a] is NEG else None

    def _sum(self, operation: Operation, a: int, b: int) -> int | None:
        if self._number(b) == 0:
            return a
        if self._number(a) == 0:
            return b if operation is ADD else self.apply(NEG, b)
        if a not in self._masks or b not in self._masks:
            return None
        (condition, left), (other, right) = self._masks[a], self._masks[b]
        if condition == other and (left, right) != (a, b):
            return self._mask(condition, self.apply(operation, left, right))
        node = self.node(operation, a, b)
        self._masks[node] = (condition if condition == other else self.apply(OR, condition, other)), node
        return node

    def _product(self, operation: Operation, a: int, b: int) -> int | None:
        left, right = self._number(a), self._number(b)
        if left == 0 or (operation is MUL and right == 0):
            return self.constant(0.0)
        if right == 1:
            return a
        if operation is MUL and left == 1:
            return b
        if a in self._masks:
            return self._inside(a, operation, a, b)
        return self._inside(b, operation, a, b) if operation is MUL and b in self._masks else None

    def _both(self, a: int, b: int) -> int | None:
        return a if a == b else self.constant(0.0) if 0 in (self._number(a), self._number(b)) else None

    # ---- Masks -------------------------------------------------------------------------------------------------------

    def _choice(self, condition: int, a: int, b: int) -> int | None:
        """One branch if the condition is a number; a mask if a branch is nothing or a mask itself; None otherwise."""
        number = self._number(condition)
        if number is not None and number == number:
            return a if number else b
        for zero, masked in ((a, b), (b, a)):  # zero times an adjoint that is masked is masked like it
            if masked in self._masks and zero != _NOTHING and self._number(zero) == 0:
                when, inside = self._masks[masked]
                branches = (zero, inside) if masked == b else (inside, zero)
                return self._mask(when, self.node(WHERE, condition, *branches))
        (when_a, a), (when_b, b) = self._unmasked(a), self._unmasked(b)
        zero, one = self.constant(0.0), self.constant(1.0)
        if when_a == one == when_b:
            return None
        chosen = a if when_b == zero else b if when_a == zero else self.node(WHERE, condition, a, b)
        return self._mask(self._chosen(condition, when_a, when_b), chosen)

    def _unmasked(self, node: int) -> tuple[int, int]:
        """The condition under which a node may differ from zero, and its value then."""
        if node in self._masks:
            return self._masks[node]
        return (self.constant(0.0),) * 2 if node == _NOTHING else (self.constant(1.0), node)

    def _chosen(self, condition: int, a: int, b: int) -> int:
        """The condition that is a where a condition holds, else b."""
        zero, one = self.constant(0.0), self.constant(1.0)
        if b == zero:
            return condition if a == one else self.apply(AND, condition, a)
        if a == zero:
            return self._chosen(self.node(NOT, condition), b, zero)
        if a == b:
            return a
        if a == one:
            return self.node(OR, condition, b)
        return self.node(OR, self.node(NOT, condition), a) if b == one else self.node(WHERE, condition, a, b)

    def _inside(self, mask: int, operation: Operation, *arguments: int) -> int:
        """An operation that is zero where the mask among its arguments is, applied to what the mask is elsewhere."""
        condition, inside = self._masks[mask]
        apply = self.node if inside == mask else self.apply
        return self._mask(condition, apply(operation, *[inside if node == mask else node for node in arguments]))

    def _mask(self, condition: int, inside: int) -> int:
        """The node that is zero unless the condition holds."""
        if self._number(inside) == 0 or self._number(condition) == 0:
            return self.constant(0.0)
        if inside in self._masks:
            inner, inside = self._masks[inside]
            condition = self.apply(AND, condition, inner)
        node = self.node(WHERE, condition, inside, self.constant(0.0))
        self._masks[node] = condition, inside
        return node
