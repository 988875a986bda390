"""Graphs in terms of the operations that a target has; one that it lacks is replaced by its formula in the table.

A short formula takes the place of the operation; a longer one becomes a helper function, if the language has these.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from typing import Protocol

from .. import rules
from ..graph import Graph
from ..operations import ABS, ERFC, MUL, NE, OPERATIONS, POW, WHERE, Operation
from ..rules import Rule
from . import special_functions
from .folded_graph import FoldedGraph
from .target_language import TargetLanguage

_PRODUCTS = (2, 3, 4)  # exponents
_ROOT = Operation("root", "a", (), "a^0.5", value="where(a == -inf, inf, sqrt(a + 0.0))")
"""a power that takes a square root's time, with the power's results at -0 and -inf"""
_MOST_INLINED = 3  # operations; a formula with more is worth a function
_MOST_PARAMETERS = 8  # a function of more would be called once


@cache
def formula(operation: Operation, count: int, shortest: bool = False) -> Rule:
    """Return the formula of an operation on `count` arguments in simpler operations, as accurate as the engine.

    A target that expands every formula asks for the `shortest`, which need not be the one that the engine uses.
    """
    ways = [operation.value, special_functions.FORMULAS.get(operation.name, "")]
    return rules.formula(operation, count, next(filter(None, reversed(ways) if shortest else ways), operation.meaning))


@cache
def literal(operation: Operation, number: float) -> Operation:
    """The operation that is left of one whose first argument is a whole number written out."""
    text = special_functions.LITERALS[operation.name](int(number))
    return Operation(f"{operation.name}{int(number)}", "a", (), f"{operation.name}({int(number)}, a)", value=text)


class Target(Protocol):
    """A language as lowering sees it: the operations that it has."""

    @property
    def expands_all(self) -> bool:
        """Whether every formula of the table is expanded."""

    def knows(self, operation: Operation, count: int) -> bool:
        """Whether the language computes the operation."""


class Lowering:
    """Copies nodes of any graph into a folded one, in terms of the operations of a target."""

    SECONDS = 9e-6
    """the approximate time of an operation"""

    def __init__(self, target: Target, graph: FoldedGraph) -> None:
        self.target, self.graph = target, graph

    def copy(self, source: Graph, order: Iterable[int], copies: dict[int, int]) -> None:
        """Copy the nodes of an order, except those that already have a copy; adds to the copies."""
        self.graph.copy(source, order, copies, self)

    def function(self, operation: Operation, count: int) -> Callable[..., int]:
        """The operation on `count` nodes; one that was specialised for its derivative is the table's again."""
        return partial(self.apply, OPERATIONS.get(operation.name, operation))

    def apply(self, operation: Operation, *arguments: int) -> int:
        """The node of an operation on nodes of the graph."""
        graph, count = self.graph, len(arguments)
        if all(argument in graph.numbers for argument in arguments):
            return graph.apply(operation, *arguments)
        if operation is WHERE and not graph.is_condition(arguments[0]):
            return self._chosen(*arguments)
        if operation.name == POW.name and graph.number(arguments[1]) in _PRODUCTS:
            return self._product(arguments[0], int(graph.number(arguments[1]) or 0))
        if operation.name == POW.name and graph.number(arguments[1]) == 0.5 and self.target.expands_all:
            return self._inside(_ROOT, arguments[:1])
        number = graph.number(arguments[0]) if operation.literal else None
        if number is not None:
            return self.apply(literal(operation, number), *arguments[1:])
        if self.target.knows(operation, count):
            return graph.apply(operation, *arguments)
        if operation.variadic and not operation.value and count != 2:
            return self._in_pairs(operation, arguments)
        return self._inside(operation, arguments)

    def _product(self, a: int, exponent: int) -> int:
        """A small power by multiplications, which are faster and no less accurate."""
        square = self.apply(MUL, a, a)
        return square if exponent == 2 else self.apply(MUL, square, a if exponent == 3 else square)

    def _chosen(self, condition: int, a: int, b: int) -> int:
        """A choice by a number, which may be nan."""
        graph = self.graph
        if graph.number(condition) is not None:
            return graph.apply(WHERE, condition, a, b)
        chosen = graph.apply(WHERE, graph.apply(NE, condition, graph.constant(0.0)), a, b)
        nan = graph.constant(float("nan"))
        return graph.apply(WHERE, graph.apply(NE, condition, condition), nan, chosen)

    def _in_pairs(self, operation: Operation, arguments: tuple[int, ...]) -> int:
        """An operation of any number of arguments by that of two: `max`, `min`, `hypot`."""
        if len(arguments) == 1:
            return self.apply(ABS, arguments[0]) if operation.meaning else arguments[0]
        terms = list(arguments)
        while len(terms) > 1:
            pairs = [self.apply(operation, a, b) for a, b in zip(terms[::2], terms[1::2], strict=False)]
            terms = pairs + terms[len(terms) - len(terms) % 2 :]
        return terms[0]

    def _inside(self, operation: Operation, arguments: tuple[int, ...]) -> int:
        """The nodes of the operation's formula, or a call of the function made of it."""
        shortest = self.target.expands_all and not self.target.knows(ERFC, 1)
        rule = formula(operation, len(arguments), shortest)
        if not self.target.expands_all and len(arguments) <= _MOST_PARAMETERS and size(rule) > _MOST_INLINED:
            return self.graph.apply(operation, *arguments)
        (result,) = rules.function(rule, self)(*arguments)
        return int(result)

    def constant(self, number: float, name: str | None = None) -> int:
        """The node of a number; its name makes no difference to code."""
        return self.graph.constant(number)


def size(rule: Rule) -> int:
    """The number of operations in a formula, without those on numbers alone."""
    graph = rule.graph
    order = graph.needed(result for result in rule.results if result is not None)
    marks = graph.dependent(order, rule.parameters)
    return sum(1 for node in order if marks[node] and graph.arguments[node])


def lowered(
    language: TargetLanguage, source: Graph, leaves: Iterable[int], results: Iterable[int | None]
) -> tuple[FoldedGraph, Mapping[int, int]]:
    """A graph of the language's operations for some results, and its node for each node of the graph given."""
    graph = FoldedGraph()
    copies = {leaf: graph.add(source.operations[leaf]) for leaf in leaves}
    Lowering(language, graph).copy(source, source.needed(r for r in results if r is not None), copies)
    return graph, copies
