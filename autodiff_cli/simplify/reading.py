"""Nodes of a graph as forms."""

from collections.abc import Collection, Iterable, Mapping

from ..graph import Graph
from ..operations import CONSTANT, INPUT, OPERATIONS
from ..parser.scope import CONSTANTS as NAMED
from .algebra import Algebra
from .conditions import LOGIC
from .forms import Form
from .numbers import Exact

_ADD, _SUB, _NEG, _MUL, _DIV = (OPERATIONS[name] for name in ("add", "sub", "neg", "mul", "div"))
_SUMS, _PRODUCTS = frozenset([_ADD, _SUB, _NEG]), frozenset([_MUL, _DIV])


def is_named_constant(graph: Graph, node: int) -> bool:
    """Is it one of the language's constants, such as pi, and not a number that the program gave a name?"""
    label = graph.labels.get(node, "")
    return graph.operations[node] is CONSTANT and repr(NAMED.get(label)) == repr(graph.numbers[node])


class Reader:
    """The forms of the nodes that some outputs are made of; those of `leaves` are known."""

    def __init__(
        self,
        algebra: Algebra,
        graph: Graph,
        outputs: Iterable[int],
        leaves: Mapping[int, Form],
        written: Collection[int] = (),
    ) -> None:
        self.algebra, self.graph, self.leaves = algebra, graph, leaves
        self.forms: dict[int, Form] = {}
        self.order, self._uses = _uses(graph, outputs, leaves)
        for node in self.order:
            if not self._is_deferred(node):
                self.forms[node] = self._form(node)
                if graph.operations[node].name in LOGIC and node in written:
                    algebra.written.add(self.forms[node])

    def _is_deferred(self, node: int) -> bool:
        """Is it only a part of a longer sum or product, which is read in one go?"""
        user = self._uses[node]
        if user < 0 or node in self.leaves:
            return False
        row, above = self.graph.operations[node], self.graph.operations[user]
        return (row in _SUMS and above in _SUMS) or (row in _PRODUCTS and above in _PRODUCTS)

    def _form(self, node: int) -> Form:
        graph, algebra = self.graph, self.algebra
        row = graph.operations[node]
        if node in self.leaves:
            return self.leaves[node]
        if row is INPUT:
            return algebra.leaf(node)
        if row is CONSTANT:
            return algebra.constant(graph.numbers[node], graph.labels[node] if is_named_constant(graph, node) else None)
        if row in _SUMS:
            return algebra.sum(self._terms(node))
        if row in _PRODUCTS:
            return algebra.product(1, self._powers(node))
        return algebra.apply(row, tuple([self.forms[argument] for argument in graph.arguments[node]]))

    def _terms(self, node: int) -> list[tuple[Form, Exact]]:
        """The terms of a sum, from left to right."""
        found: list[tuple[Form, Exact]] = []
        pending = [(node, 1)]
        while pending:
            part, sign = pending.pop()
            if part in self.forms:
                found.append((self.forms[part], sign))
                continue
            row, arguments = self.graph.operations[part], self.graph.arguments[part]
            last = sign if row is _ADD else -sign
            pending.append((arguments[-1], last))
            if len(arguments) == 2:
                pending.append((arguments[0], sign))
        return found

    def _powers(self, node: int) -> list[tuple[Form, Form]]:
        """The factors of a product, from left to right."""
        found: list[tuple[Form, Form]] = []
        pending = [(node, 1)]
        while pending:
            part, sign = pending.pop()
            if part in self.forms:
                found.append((self.forms[part], self.algebra.one if sign > 0 else self.algebra.minus_one))
                continue
            a, b = self.graph.arguments[part]
            pending.append((b, sign if self.graph.operations[part] is _MUL else -sign))
            pending.append((a, sign))
        return found


def _uses(graph: Graph, outputs: Iterable[int], leaves: Mapping[int, Form]) -> tuple[list[int], dict[int, int]]:
    """The nodes that are read, in topological order, and the only user of each; -1 for one with several or none."""
    users: dict[int, int] = dict.fromkeys(outputs, -1)
    pending = list(users)
    seen = set(users)
    while pending:
        node = pending.pop()
        if node in leaves:
            continue
        for argument in graph.arguments[node]:
            users[argument] = -1 if argument in users else node
            if argument not in seen:
                seen.add(argument)
                pending.append(argument)
    return sorted(users), users
