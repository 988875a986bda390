"""Nodes in terms of what a language has: what it lacks is taken apart by the table's own formulas, or made a function.

A short formula takes the place of the operation; a longer one becomes a helper function, in a language with functions.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Protocol

from .. import rules
from ..graph import Graph
from ..operations import CONSTANT, OPERATIONS, PARAMETER, Operation
from ..rules import Rule
from . import special_functions
from .language import Language
from .shared_graph import Shared

_ABS, _MUL, _NE, _WHERE = (OPERATIONS[name] for name in ("abs", "mul", "ne", "where"))
_PRODUCTS = (2, 3, 4)  # exponents
_SHORT = 3  # operations; a formula with more is worth a function
_FEW = 8  # arguments; a function of more would be called once


@cache
def formula(row: Operation, count: int, apart: bool = False) -> Rule:
    """What an operation on so many arguments computes, in simpler ones: as the engine does, else as accurately.

    Where everything is taken apart, there may be a shorter way than by the functions that the engine uses.
    """
    ways = [row.value, special_functions.FORMULAS.get(row.name, "")]
    return rules.value(row, count, next(filter(None, reversed(ways) if apart else ways), row.meaning))


@cache
def literal(row: Operation, number: float) -> Operation:
    """The operation that is left of one whose first argument is a whole number written out."""
    text = special_functions.LITERALS[row.name](int(number))
    return Operation(f"{row.name}{int(number)}", "a", (), f"{row.name}({int(number)}, a)", value=text)


@cache
def single(row: Operation, count: int) -> Rule:
    """The operation itself as a formula of its arguments."""
    graph = Graph()
    parameters = tuple(graph.add(PARAMETER) for _ in range(count))
    return Rule(graph, parameters, (graph.add(row, parameters),))


class Abilities(Protocol):
    """What a language can do by itself, as far as lowering asks."""

    @property
    def splits(self) -> bool:
        """Is every formula of the table to be taken apart?"""

    def knows(self, row: Operation, count: int) -> bool:
        """Does the language compute the operation?"""


class Lowering:
    """Copies nodes of any graph into a shared one, in terms of a language."""

    def __init__(self, language: Abilities, shared: Shared) -> None:
        self.language, self.shared = language, shared

    def copy(self, graph: Graph, order: Iterable[int], copies: dict[int, int]) -> None:
        """Copy the nodes of an order, but for those that have a copy already; adds to the copies."""
        for node in order:
            if node in copies:
                continue
            if graph.operations[node] is CONSTANT:
                copies[node] = self.shared.constant(graph.numbers[node])
            else:
                row = OPERATIONS.get(graph.operations[node].name, graph.operations[node])
                copies[node] = self.apply(row, *[copies[a] for a in graph.arguments[node]])

    def apply(self, row: Operation, *arguments: int) -> int:
        """The node of an operation on nodes of the shared graph."""
        shared, count = self.shared, len(arguments)
        if all(argument in shared.graph.numbers for argument in arguments):
            return shared.apply(row, *arguments)
        if row is _WHERE and not shared.is_condition(arguments[0]):
            return self._chosen(*arguments)
        if row.name == "pow" and shared.number(arguments[1]) in _PRODUCTS:
            return self._product(arguments[0], int(shared.number(arguments[1]) or 0))
        number = shared.number(arguments[0]) if row.literal else None
        if number is not None:
            return self.apply(literal(row, number), *arguments[1:])
        if self.language.knows(row, count):
            return shared.apply(row, *arguments)
        if row.variadic and not row.value and count != 2:
            return self._in_pairs(row, arguments)
        return self._inside(row, arguments)

    def _product(self, a: int, exponent: int) -> int:
        """A small power by multiplications, which are faster and no less accurate."""
        square = self.apply(_MUL, a, a)
        return square if exponent == 2 else self.apply(_MUL, square, a if exponent == 3 else square)

    def _chosen(self, condition: int, a: int, b: int) -> int:
        """A choice by a number, which may be nan."""
        shared = self.shared
        if shared.number(condition) is not None:
            return shared.apply(_WHERE, condition, a, b)
        chosen = shared.apply(_WHERE, shared.apply(_NE, condition, shared.constant(0.0)), a, b)
        nan = shared.constant(float("nan"))
        return shared.apply(_WHERE, shared.apply(_NE, condition, condition), nan, chosen)

    def _in_pairs(self, row: Operation, arguments: tuple[int, ...]) -> int:
        """An operation of any number of arguments by that of two: `max`, `min`, `hypot`."""
        if len(arguments) == 1:
            return self.apply(_ABS, arguments[0]) if row.meaning else arguments[0]
        terms = list(arguments)
        while len(terms) > 1:
            pairs = [self.apply(row, a, b) for a, b in zip(terms[::2], terms[1::2], strict=False)]
            terms = pairs + terms[len(terms) - len(terms) % 2 :]
        return terms[0]

    def _inside(self, row: Operation, arguments: tuple[int, ...]) -> int:
        """The nodes of the operation's formula, or a call of the function made of it."""
        rule = formula(row, len(arguments), self.language.splits)
        if not self.language.splits and len(arguments) <= _FEW and size(rule) > _SHORT:
            return self.shared.apply(row, *arguments)
        (result,) = rule.results
        assert result is not None
        copies = dict(zip(rule.parameters, arguments, strict=True))
        self.copy(rule.graph, rule.graph.needed([result]), copies)
        return copies[result]


def size(rule: Rule) -> int:
    """How many operations a formula has, those on numbers alone aside."""
    graph = rule.graph
    order = graph.needed(result for result in rule.results if result is not None)
    marks = graph.dependent(order, rule.parameters)
    return sum(1 for node in order if marks[node] and graph.arguments[node])


def lowered(
    language: Language, graph: Graph, leaves: Iterable[int], results: Iterable[int | None]
) -> tuple[Shared, Mapping[int, int]]:
    """A graph of the language's operations for some results, and its node for each node of the graph given."""
    shared = Shared()
    copies = {leaf: shared.leaf(graph.operations[leaf]) for leaf in leaves}
    Lowering(language, shared).copy(graph, graph.needed(r for r in results if r is not None), copies)
    return shared, copies
