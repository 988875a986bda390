"""A program's value and gradient as one graph of the operations that columns of numbers have.

The gradient of a few inputs is computed in forward mode, so that nothing has to be kept; that of many in reverse mode.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from .. import engine, rules
from ..arithmetic.symbolic import Symbols
from ..evaluation import used
from ..graph import Graph
from ..lowering.copying import copy
from ..lowering.folded_graph import FoldedGraph
from ..lowering.lowering import Lowering
from ..operations import EQ, GT, INPUT, LT, MAX, MIN, WHERE, Operation
from ..program import Program
from ..transforms import derivative

PREFERRED = Operation(
    "preferred",
    "a, b, c, d",
    (),
    "c if a holds, the mean of c and d if b holds, else d",
    value="where(a, c, where(b, (c + d)/2, d))",
)
"""a number that belongs to the larger, or the smaller, of two operands: `b` says that these are equal"""

WINS = {MAX: GT, MIN: LT}
"""operation that picks one of its two operands → the comparison that holds where this is the first"""

Knows = Callable[[Operation, int], bool]
"""whether an executor has an operation on so many columns; it has `where` and `PREFERRED` besides"""

Dual = tuple[int, dict[int, int]]
"""a node, and the nodes of its derivatives: input → derivative"""


class GradientGraph(NamedTuple):
    """A graph of operations on columns."""

    graph: Graph
    columns: list[int]
    results: list[int]
    """the nodes of the value and of the partial derivatives"""


class BoundProgram(NamedTuple):
    """A program in whose graph all inputs but the columns have their numbers."""

    graph: Graph
    columns: list[int]
    output: int
    wrt: list[int | None]
    """the nodes to differentiate by; None for a name that the program does not have"""


def bind(program: Program, columns: Sequence[str], given: Mapping[str, float], wrt: Sequence[str]) -> BoundProgram:
    """Give each input that is no column its number in `given`, or its default.

    Raises AutodiffError for inputs that the output depends on and that have no number, all at once.
    """
    inputs = program.point(dict.fromkeys(columns, 0.0) | dict(given))
    names = [inputs.get(name, program.names.get(name)) for name in wrt]
    source, graph, copies = program.graph, FoldedGraph(), dict[int, int]()
    numbers = {name: source.numbers[node] for name, node in inputs.items() if node in source.numbers} | dict(given)
    needed = used(source.needed([program.output]), inputs)
    absent = [name for name in needed if name not in columns and name not in numbers]
    if absent:
        raise program.missing(absent)
    for name, node in inputs.items():
        is_leaf = name in columns or name in wrt
        copies[node] = graph.add(INPUT) if is_leaf else graph.constant(numbers.get(name, 0.0))
    copy(graph, source, source.needed([program.output, *(node for node in names if node is not None)]), copies)
    for name, node in inputs.items():
        if name in wrt and name not in columns:
            graph.numbers[copies[node]] = numbers.get(name, 0.0)  # only now, so that it was not folded
    leaves = [copies[inputs[name]] for name in columns]
    wrt_nodes = [None if node is None else copies[node] for node in names]
    return BoundProgram(graph.cut(()), leaves, copies[program.output], wrt_nodes)


def reverse_mode(bound: BoundProgram, knows: Knows) -> GradientGraph:
    """Value and gradient by one sweep backward, in the operations that an executor has."""
    graph = bound.graph.cut(())
    nodes = [node for node in bound.wrt if node is not None]
    partials = iter(derivative(graph, bound.output, nodes, symbols=_ColumnSymbols(graph)))
    zero = graph.constant(0.0)
    results = [bound.output, *(zero if node is None else next(partials) for node in bound.wrt)]
    return _lowered(graph, graph.needed(results), bound.columns, results, knows)


def forward_mode(bound: BoundProgram, knows: Knows) -> GradientGraph | None:
    """Value and gradient by one sweep forward; None where the gradient is with respect to a node that is computed."""
    graph = bound.graph.cut(())
    if any(graph.arguments[node] for node in bound.wrt if node is not None):
        return None
    duals = _Duals(graph)
    one, zero = duals.symbols.constant(1.0), duals.symbols.constant(0.0)
    order = graph.needed([bound.output])
    values: list[Dual] = [(node, {node: one} if node in bound.wrt else {}) for node in range(len(graph))]
    engine.forward(graph, order, values, duals)
    value, partials = values[bound.output]
    results = [value, *(zero if node is None else partials.get(node, zero) for node in bound.wrt)]
    return _lowered(graph, duals.order(results), bound.columns, results, knows)


def _lowered(
    graph: Graph, order: Iterable[int], columns: Sequence[int], results: Sequence[int], knows: Knows
) -> GradientGraph:
    """The graph in terms of the operations that columns have."""
    lowered = FoldedGraph()
    copies = {leaf: lowered.add(graph.operations[leaf]) for leaf in columns}
    copies |= {node: lowered.constant(n) for node, n in graph.numbers.items() if node not in copies}
    Lowering(_ColumnOperations(knows), lowered).copy(graph, order, copies)
    return GradientGraph(lowered, [copies[leaf] for leaf in columns], [copies[result] for result in results])


class _ColumnOperations:
    """The operations that columns have; all others are taken apart."""

    splits = True

    def __init__(self, knows: Knows) -> None:
        self._knows = knows

    def knows(self, operation: Operation, count: int) -> bool:
        return operation in (PREFERRED, WHERE) or self._knows(operation, count)


class _ColumnSymbols(Symbols):
    """Nodes as numbers; the larger or smaller of two operands passes on its adjoint by one comparison."""

    def pullback(self, operation: Operation, count: int, wanted: tuple[bool, ...]) -> Callable[..., Sequence[int]]:
        """The operation's contributions to the adjoints of its arguments."""
        if operation not in WINS or count != 2:
            return super().pullback(operation, count, wanted)
        zero = self.constant(0.0)

        def contributions(adjoint: int, _: int, a: int, b: int) -> Sequence[int]:
            return self.preferred(operation, a, b, adjoint, zero), self.preferred(operation, b, a, adjoint, zero)

        return contributions

    def preferred(self, operation: Operation, a: int, b: int, of_a: int, of_b: int) -> int:
        """`of_a` where `max` or `min` picks `a`, `of_b` where it picks `b`, their mean where these are equal."""
        if of_a == of_b:
            return of_a
        return self.node(PREFERRED, self.node(WINS[operation], a, b), self.node(EQ, a, b), of_a, of_b)


class _Duals:
    """Nodes with their derivatives: the arithmetic of forward mode."""

    def __init__(self, graph: Graph) -> None:
        self.graph, self.symbols = graph, _ColumnSymbols(graph)
        self._sequence: list[int] = []
        """each value, followed by its derivatives"""

    def function(self, operation: Operation, count: int) -> Callable[..., Dual]:
        """The operation on nodes with derivatives."""
        picks = operation in WINS and count == 2
        derivatives = self._of_pick(operation) if picks else self._by_chain_rule(operation, count)

        def apply(*operands: Dual) -> Dual:
            start = len(self.graph)
            value = self.symbols.node(operation, *(node for node, _ in operands))
            partials = derivatives(value, *operands)
            self._sequence += value, *range(start, len(self.graph))
            return value, partials

        return apply

    def _by_chain_rule(self, operation: Operation, count: int) -> Callable[..., dict[int, int]]:
        """A derivative is passed on as an adjoint would be handed back."""
        places = rules.sloping_arguments(operation, count)
        only = [tuple(place == other for other in range(count)) for place in range(count)]
        pullbacks = {place: self.symbols.pullback(operation, count, only[place]) for place in places}

        def derivatives(value: int, *operands: Dual) -> dict[int, int]:
            nodes = [node for node, _ in operands]
            sums: dict[int, int] = {}
            for place in places:
                for source, partial in operands[place][1].items():
                    term = pullbacks[place](partial, value, *nodes)[place]
                    sums[source] = self.symbols.add(sums[source], term) if source in sums else term
            return sums

        return derivatives

    def _of_pick(self, operation: Operation) -> Callable[..., dict[int, int]]:
        def derivatives(_: int, first: Dual, second: Dual) -> dict[int, int]:
            zero, (a, of_a), (b, of_b) = self.symbols.constant(0.0), first, second
            return {
                source: self.symbols.preferred(operation, a, b, of_a.get(source, zero), of_b.get(source, zero))
                for source in of_a | of_b
            }

        return derivatives

    def order(self, results: Sequence[int]) -> list[int]:
        """What the results need, each value followed by its derivatives, and these by nothing they do not need."""
        arguments, wanted = self.graph.arguments, set(self.graph.needed(results))
        order: dict[int, None] = {}
        for root in (*self._sequence, *results):
            pending = [root] if root in wanted else []
            while pending:
                missing = [argument for argument in arguments[pending[-1]] if argument not in order]
                if missing:
                    pending += missing
                else:
                    order.setdefault(pending.pop())
        return list(order)
