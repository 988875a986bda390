"""Reading: nodes of a graph as forms."""

from collections.abc import Collection, Iterable, Mapping

from ..graph import Graph
from ..notation import is_constant
from ..operations import ADD, CONDITIONS, CONSTANT, DIV, INPUT, MUL, NEG, PARAMETER, POW, SUB, Operation
from .algebra import Algebra
from .forms import Form

_CHAINS = {ADD: "sum", SUB: "sum", NEG: "sum", MUL: "product", DIV: "product"}
_FOLDED: Mapping[Operation, tuple[int, ...]] = {ADD: (), SUB: (), MUL: (1, -1), DIV: (1, -1), POW: (1,)}
"""operation → the second arguments that leave the first as it is, but for its sign"""
_SMALL, _LARGE = 100, 10_000  # whole numbers that are put together, and a power that stays, unlike these: 10^6
_INVERTING = frozenset([SUB, NEG, DIV])  # operations that change the sign, or the exponent's, of their last argument


def is_named_constant(graph: Graph, node: int) -> bool:
    """Whether a node is one of the language's constants, such as pi, and not a number that the program named."""
    label = graph.labels.get(node, "")
    return graph.operations[node] is CONSTANT and is_constant(label, graph.numbers[node])


def with_unevaluated_numbers(graph: Graph, nodes: Iterable[int]) -> set[int]:
    """Those of some nodes, in topological order, in which numbers are still to be put together: `1*x`, `-1*x`, `2^2`.

    That is how a sum over an index reads, term by term. A named node counts as its name.
    """
    unfinished: set[int] = set()
    for node in nodes:
        if node not in graph.labels and (
            _is_arithmetic(graph, node) or not unfinished.isdisjoint(graph.arguments[node])
        ):
            unfinished.add(node)
    return unfinished


def _is_arithmetic(graph: Graph, node: int) -> bool:
    """Whether a node multiplies or divides by 1 or -1, has the exponent 1, or combines small whole numbers."""
    if graph.operations[node] not in _FOLDED:
        return False
    a, b = (_whole_number(graph, argument) for argument in graph.arguments[node])
    if b in _FOLDED[graph.operations[node]] or (graph.operations[node] is MUL and a in (1, -1)):
        return True
    if a is None or b is None or graph.operations[node] is DIV:
        return False
    return graph.operations[node] is not POW or max(a, 1.0) ** b <= _LARGE


def _whole_number(graph: Graph, node: int) -> float | None:
    """The number of a node if it is whole, small and without a name; None otherwise."""
    sign = 1.0
    while graph.operations[node] is NEG and node not in graph.labels:
        (node,), sign = graph.arguments[node], -sign
    number = None if node in graph.labels else graph.numbers.get(node)
    return sign * number if number is not None and number.is_integer() and abs(number) <= _SMALL else None


class Reader:
    """The forms of the nodes that some outputs are made of; the forms of `leaves` are given."""

    def __init__(
        self,
        algebra: Algebra,
        graph: Graph,
        outputs: Iterable[int],
        leaves: Mapping[int, Form],
        written: Collection[int] = (),
    ) -> None:
        self._algebra, self._graph = algebra, graph
        self.forms: dict[int, Form] = {}
        self.collected: set[int] = set()
        """sums with like terms, which their forms have collected, and what contains these"""
        users = _users(graph, outputs, leaves)
        for node in sorted(users):
            if not self.collected.isdisjoint(graph.arguments[node]):
                self.collected.add(node)
            if node in leaves:
                self.forms[node] = leaves[node]
            elif not self._continues(node, users[node]):
                self.forms[node] = self._form(node)
                if graph.operations[node] in CONDITIONS and node in written:
                    algebra.written_conditions.add(self.forms[node])

    def _continues(self, node: int, user: int) -> bool:
        """Whether a node is only a part of a longer sum or product, which is read in one go."""
        chain = _CHAINS.get(self._graph.operations[node])
        return chain is not None and user >= 0 and chain == _CHAINS.get(self._graph.operations[user])

    def _form(self, node: int) -> Form:
        graph, algebra = self._graph, self._algebra
        operation = graph.operations[node]
        if operation in (INPUT, PARAMETER):
            return algebra.leaf(node)
        if operation is CONSTANT:
            return algebra.constant(graph.numbers[node], graph.labels[node] if is_named_constant(graph, node) else None)
        if operation not in _CHAINS:
            return algebra.apply(operation, tuple([self.forms[argument] for argument in graph.arguments[node]]))
        parts = self._chain(node)
        if _CHAINS[operation] == "sum":
            if len({algebra.split(form)[1] for form, _ in parts}) < len(parts):
                self.collected.add(node)
            return algebra.sum(parts)
        return algebra.product(1, [(form, algebra.one if sign > 0 else algebra.minus_one) for form, sign in parts])

    def _chain(self, node: int) -> list[tuple[Form, int]]:
        """The terms of a sum, or the factors of a product, from left to right: 1 or -1 for the inverted ones."""
        parts: list[tuple[Form, int]] = []
        pending = [(node, 1)]
        while pending:
            part, sign = pending.pop()
            if part in self.forms:
                parts.append((self.forms[part], sign))
                continue
            *first, last = self._graph.arguments[part]
            pending.append((last, -sign if self._graph.operations[part] in _INVERTING else sign))
            pending += [(argument, sign) for argument in first]
        return parts


def _users(graph: Graph, outputs: Iterable[int], leaves: Mapping[int, Form]) -> dict[int, int]:
    """The nodes that are read, and the only user of each; -1 for an output, and for a node with several users."""
    users: dict[int, int] = dict.fromkeys(outputs, -1)
    pending = list(users)
    while pending:
        node = pending.pop()
        for argument in graph.arguments[node] if node not in leaves else ():
            if argument not in users:
                pending.append(argument)
            users[argument] = -1 if argument in users else node
    return users
