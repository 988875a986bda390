"""The formulas of the table as small graphs: what an operation computes, and what it passes backward.

The language's own parser reads them when they are first needed. They serve every arithmetic.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache, wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec, Protocol, TypeVar

from . import engine
from .errors import Source
from .graph import Graph, SharedGraph
from .operations import ADD, CONSTANT, DIV, INTERNAL, MUL, NEG, PARAMETER, WHERE, Operation
from .parser import run
from .parser.builder import Builder, Stack

Others = ParamSpec("Others")
Result = TypeVar("Result")

MOST_ARGUMENTS = 40
NOTHING = "nothing"
"""the label of the zero that an operation passes on to what it did not choose: no path leads there"""
_CACHE_SIZE = 1024


class Rule(NamedTuple):
    """A small graph from parameters to results; a result that is None is always zero."""

    graph: Graph
    parameters: tuple[int, ...]
    results: tuple[int | None, ...]


def cached(
    function: Callable[Concatenate[Operation, int, Others], Result],
) -> Callable[Concatenate[Operation, int, Others], Result]:
    """Cache the results of a function of an operation and its number of arguments.

    There may be any number of formulas, so the cache is bounded; operations on very many arguments are not cached.
    """
    with_cache = lru_cache(_CACHE_SIZE)(function)

    @wraps(function)
    def lookup(*key: Any, **options: Any) -> Result:
        chosen: Callable[..., Result] = with_cache if key[1] <= MOST_ARGUMENTS else function
        return chosen(*key, **options)

    return lookup


@cached
def formula(operation: Operation, count: int, text: str) -> Rule:
    """A text in an operation's parameters, such as its `value` or its `meaning`, as a rule."""
    builder = _RuleBuilder(operation, count)
    return Rule(builder.graph, builder.arguments, (builder.read(text),))


@cached
def singular(operation: Operation, count: int) -> Rule:
    """The condition under which an operation has no derivative; the parameters are the result y and the arguments."""
    builder = _RuleBuilder(operation, count)
    return Rule(builder.graph, (builder.y, *builder.arguments), (builder.read(operation.singular),))


@cached
def pullback(operation: Operation, count: int, wanted: tuple[int, ...], *, textbook: bool = False) -> Rule:
    """Return the contributions of an operation's adjoint to the adjoints of the wanted arguments.

    The parameters are the adjoint g, the result y and the arguments; result i is g times the partial for argument i,
    or None where that is always zero or not wanted. A choice stays outermost, `where(c, g*p, 0)` instead of
    `g*where(c, p, 0)`, so that the branch not taken adds 0 even if g is infinite. Where the operation chooses, that 0
    is labelled NOTHING, which keeps it apart from a zero that was computed. With `textbook` the partials are those that
    a person would write.
    """
    builder = _RuleBuilder(operation, count)
    texts = operation.textbook_partials if textbook else operation.partials
    if operation.variadic:
        partials = builder.read(texts[0])
    else:
        partials = tuple(builder.read(text) if want else None for text, want in zip(texts, wanted, strict=True))
    results = tuple(
        builder.times(p) if want and p is not None else None for p, want in zip(partials, wanted, strict=True)
    )
    return Rule(builder.graph, (builder.adjoint, builder.y, *builder.arguments), results)


@cached
def sloping_arguments(operation: Operation, count: int) -> tuple[int, ...]:
    """The positions of the arguments in which an operation has a slope: none for a comparison or a step."""
    results = pullback(operation, count, (True,) * count).results
    return tuple(position for position, result in enumerate(results) if result is not None)


class FormulaArithmetic(engine.Functions, Protocol):
    """Operations on one kind of number, and constants of that kind."""

    def constant(self, number: float, name: str | None = None) -> Any:
        """A number, or the constant with that name."""


def function(rule: Rule, arithmetic: FormulaArithmetic, nothing: Any = 0.0) -> Callable[..., list[Any]]:
    """A rule as a function from its parameters to its results, in any arithmetic.

    `nothing` stands for what is passed on to an argument that was not chosen, and for a result that is always zero; it
    defaults to the arithmetic's zero.
    """
    graph, parameters, results = rule
    order = graph.needed(result for result in results if result is not None)
    zero = arithmetic.constant(0.0) if nothing == 0 and None in results else nothing
    constants = {node: nothing if nothing != 0 and graph.labels.get(node) == NOTHING
                 else arithmetic.constant(graph.numbers[node], graph.labels.get(node))
                 for node in order if node in graph.numbers}  # fmt: skip
    steps = [node for node in order if graph.arguments[node]]
    functions: dict[tuple[Operation, int], Callable[..., Any]] = {}

    def apply(*arguments: Any) -> list[Any]:
        values = constants | dict(zip(parameters, arguments, strict=True))
        engine.forward(graph, steps, values, arithmetic, functions)
        return [zero if result is None else values[result] for result in results]

    return apply


def meaning(operation: Operation, count: int, arithmetic: FormulaArithmetic) -> Callable[..., Any]:
    """The operation on `count` numbers as its `meaning` in simpler operations, in any arithmetic."""
    apply = function(formula(operation, count, operation.meaning), arithmetic)
    return lambda *numbers: apply(*numbers)[0]


class _EntrywiseGraph(SharedGraph):
    """A graph in which an operation is also applied to tuples of nodes."""

    __slots__ = ()

    def add(self, operation: Operation, arguments: tuple[Any, ...] = (), start: int = 0, end: int = 0) -> Any:
        """Add an operation on nodes; on a tuple entry by entry or, if it is variadic, on all entries at once."""
        if not any(isinstance(argument, tuple) for argument in arguments):
            return super().add(operation, arguments)
        if operation.variadic:
            return super().add(operation, *arguments)
        count = next(len(argument) for argument in arguments if isinstance(argument, tuple))
        columns = [argument if isinstance(argument, tuple) else (argument,) * count for argument in arguments]
        return tuple(super(_EntrywiseGraph, self).add(operation, entries) for entries in zip(*columns, strict=True))


class _RuleBuilder(Builder):
    """Reads the formulas of an operation; for a variadic one a value may be a tuple with an entry for each argument."""

    def __init__(self, operation: Operation, count: int) -> None:
        super().__init__(Source("", f"the operation {operation.name}"))
        graph = self.graph = _EntrywiseGraph()
        self.adjoint, self.y, *arguments = (graph.add(PARAMETER) for _ in range(count + 2))
        self._unchosen = graph.constant(0.0, label=NOTHING if operation.chooses else None)
        self.arguments = tuple(arguments)
        self._scope: dict[str, Any] = {"y": self.y}
        if operation.variadic:
            self._scope |= {"a": self.arguments, "all": self.arguments}
        else:
            self._scope |= dict(zip(operation.names, self.arguments, strict=True))

    def read(self, text: str) -> Any:
        """The node (or the tuple of nodes) of a formula in the parameters of the operation."""
        self.source = Source(text, self.source.name)
        self.names = dict(self._scope)
        self._assigned.clear()
        run(self)
        assert self._output is not None and not self._free, f"{self.source.name}: {text}"
        return self._output[0]

    def assignment(self, stack: Stack, end: int) -> Stack:
        """Give a value a name; in a rule this is never an input."""
        (below, name, start), node, _ = stack
        self.names[name] = node
        return below, None, start

    def call(self, stack: Stack, end: int) -> Stack:
        """Apply a function of the table, one that only its formulas call, or `sum` to a tuple."""
        (((below, name, start), _, _), arguments, _), _, _ = stack
        if name in INTERNAL:
            return below, self.graph.add(INTERNAL[name], tuple(arguments)), start
        return (below, self._sum(arguments[0]), start) if name == "sum" else super().call(stack, end)

    def _sum(self, terms: Sequence[int]) -> int:
        while len(terms) > 1:  # in pairs, so that rounding error and depth grow only with the logarithm of their number
            pairs = [self.graph.add(ADD, (a, b)) for a, b in zip(terms[::2], terms[1::2], strict=False)]
            terms = pairs + list(terms[len(terms) - len(terms) % 2 :])
        return terms[0]

    def is_literal(self, node: int) -> bool:
        """Accept any argument; the table's own calls need no check."""
        return True

    def times(self, partial: int) -> int | None:
        """Multiply the adjoint by a partial, in the shortest form; None for zero."""
        graph, g = self.graph, self.adjoint
        operation, arguments = graph.operations[partial], graph.arguments[partial]
        if operation is CONSTANT and graph.numbers[partial] in (0, 1):
            return g if graph.numbers[partial] else None
        if operation is NEG:
            inner = arguments[0]
            if graph.operations[inner] is WHERE:  # a branch that was not chosen has no sign
                condition, *chosen = graph.arguments[inner]
                return self.times(graph.add(WHERE, (condition, *(graph.add(NEG, (branch,)) for branch in chosen))))
            negated = self.times(inner)
            return None if negated is None else graph.add(NEG, (negated,))
        if operation is WHERE:
            branches = [self.times(branch) for branch in arguments[1:]]
            nodes = tuple([self._unchosen if branch is None else branch for branch in branches])
            return graph.add(WHERE, (arguments[0], *nodes))
        if operation is DIV and graph.numbers.get(arguments[0]) == 1:
            return graph.add(DIV, (g, arguments[1]))
        if operation is DIV and arguments[0] == self.y:  # g/b goes to the dividend; y/b may be too small for a double
            return graph.add(MUL, (graph.add(DIV, (g, arguments[1])), self.y))
        return graph.add(MUL, (g, partial))
