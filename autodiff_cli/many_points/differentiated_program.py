"""Derivatives of a program as graphs of the operations that columns of numbers have: backward, and forward.

What they give can be differentiated again. The gradient of a few inputs is best computed forward, so that nothing has
to be kept; that of many backward.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from .. import engine, rules
from ..arithmetic.symbolic import Symbols
from ..graph import Graph
from ..lowering.copying import copy
from ..lowering.folded_graph import FoldedGraph
from ..lowering.lowering import Lowering, Target
from ..operations import EQ, GT, INPUT, LT, MAX, MIN, Operation
from ..transforms import derivative
from ..vectorized.plan import PREFERRED, Plan, plan_for
from .bound_program import BoundProgram

_WINS = {MAX: GT, MIN: LT}
"""operation that picks one of its two operands → the comparison that holds where this is the first"""

_NodeDual = tuple[int, dict[int, int]]
"""a node, and the nodes of its derivatives: input → derivative"""


class DifferentiatedProgram(NamedTuple):
    """A program and the derivatives of some of its nodes, in one graph, in an order in which they are best computed."""

    program: BoundProgram
    rows: list[list[int]]
    """for each node that was differentiated its derivatives, in the order of `wrt`"""

    def again(self, outputs: Sequence[int]) -> BoundProgram:
        """The program with these nodes as its outputs, in a newly folded graph, to be differentiated again."""
        program, source, graph = self.program, self.program.graph, FoldedGraph()
        leaves = {node for node in (*program.columns, *program.wrt) if not source.arguments[node]}
        copies = {leaf: graph.add(INPUT) for leaf in sorted(leaves)}
        copy(graph, source, source.needed([*outputs, *program.wrt]), copies)
        graph.numbers |= {copies[leaf]: source.numbers[leaf] for leaf in leaves if leaf in source.numbers}
        columns, results, wrt = ([copies[node] for node in nodes] for nodes in (program.columns, outputs, program.wrt))
        return BoundProgram(graph, columns, results, wrt)

    def plan(self, results: Sequence[int], target: Target) -> Plan:
        """The plan for some nodes, in terms of the operations that an executor has."""
        graph, columns, lowered = self.program.graph, self.program.columns, FoldedGraph()
        copies = {leaf: lowered.add(graph.operations[leaf]) for leaf in columns}
        copies |= {node: lowered.constant(n) for node, n in graph.numbers.items() if node not in copies}
        Lowering(target, lowered).copy(graph, graph.needed(results), copies)
        return plan_for(lowered, [copies[leaf] for leaf in columns], [copies[result] for result in results])


def reverse_mode(program: BoundProgram, nodes: Sequence[int]) -> DifferentiatedProgram:
    """The partial derivatives of some nodes, by a backward sweep for each."""
    graph = program.graph.cut(())
    symbols = _ColumnSymbols(graph)
    rows = [derivative(graph, node, program.wrt, symbols=symbols) for node in nodes]
    return DifferentiatedProgram(program._replace(graph=graph), rows)


def forward_mode(program: BoundProgram, nodes: Sequence[int]) -> DifferentiatedProgram | None:
    """The partial derivatives of some nodes, by one forward sweep; None if one is with respect to a computed node."""
    if any(program.graph.arguments[node] for node in program.wrt):
        return None
    return _slopes(program, nodes, {node: {node: 1.0} for node in program.wrt}, program.wrt)


def along(program: BoundProgram, nodes: Sequence[int], direction: Sequence[float]) -> DifferentiatedProgram:
    """The slopes of some nodes along a direction, which has a component for each node of `wrt`; these are leaves."""
    seeds = {node: {0: component} for node, component in zip(program.wrt, direction, strict=True) if component}
    return _slopes(program, nodes, seeds, [0])


def _slopes(
    program: BoundProgram, nodes: Sequence[int], seeds: Mapping[int, Mapping[int, float]], directions: Sequence[int]
) -> DifferentiatedProgram:
    """The slopes of some nodes in some directions; `seeds` has the components of leaves: direction → number.

    Each value is followed by its slopes and what only these need.
    """
    source, graph = program.graph, Graph()
    symbols = _ColumnSymbols(graph)
    zero = symbols.constant(0.0)
    leaves: dict[int, int] = {}
    graph.paste(source, (node for node in range(len(source)) if not source.arguments[node]), leaves)
    values: dict[int, _NodeDual] = {
        node: (leaf, {direction: symbols.constant(slope) for direction, slope in seeds.get(node, {}).items()})
        for node, leaf in leaves.items()
    }
    engine.forward(source, source.needed([*nodes, *program.outputs]), values, _Duals(symbols))
    rows = [[values[node][1].get(direction, zero) for direction in directions] for node in nodes]
    columns, outputs, wrt = ([values[n][0] for n in group] for group in (program.columns, program.outputs, program.wrt))
    return DifferentiatedProgram(BoundProgram(graph, columns, outputs, wrt), rows)


class _ColumnSymbols(Symbols):
    """Nodes as numbers; the larger or smaller of two operands passes on its adjoint by one comparison."""

    def pullback(self, operation: Operation, count: int, wanted: tuple[int, ...]) -> Callable[..., Sequence[int]]:
        """The operation's contributions to the adjoints of its arguments."""
        if operation not in _WINS or count != 2:
            return super().pullback(operation, count, wanted)
        zero = self.constant(0.0)

        def contributions(adjoint: int, _: int, a: int, b: int) -> Sequence[int]:
            return self.preferred(operation, a, b, adjoint, zero), self.preferred(operation, b, a, adjoint, zero)

        return contributions

    def preferred(self, operation: Operation, a: int, b: int, of_a: int, of_b: int) -> int:
        """`of_a` where `max` or `min` picks `a`, `of_b` where it picks `b`, their mean where these are equal."""
        if of_a == of_b:
            return of_a
        return self.node(PREFERRED, self.node(_WINS[operation], a, b), self.node(EQ, a, b), of_a, of_b)


class _Duals:
    """Nodes with their derivatives: the arithmetic of forward mode."""

    SECONDS = 1.2e-5
    """the approximate time of an operation"""

    def __init__(self, symbols: _ColumnSymbols) -> None:
        self.symbols = symbols

    def function(self, operation: Operation, count: int) -> Callable[..., _NodeDual]:
        """The operation on nodes with derivatives."""
        picks = operation in _WINS and count == 2
        derivatives = self._of_pick(operation) if picks else self._by_chain_rule(operation, count)

        def apply(*operands: _NodeDual) -> _NodeDual:
            value = self.symbols.node(operation, *(node for node, _ in operands))
            return value, derivatives(value, *operands)

        return apply

    def _by_chain_rule(self, operation: Operation, count: int) -> Callable[..., dict[int, int]]:
        """The operation's pullback, applied to a derivative of an argument in place of the adjoint, gives its part."""
        places = rules.sloping_arguments(operation, count)
        only = [tuple(place == other for other in range(count)) for place in range(count)]
        pullbacks = {place: self.symbols.pullback(operation, count, only[place]) for place in places}

        def derivatives(value: int, *operands: _NodeDual) -> dict[int, int]:
            nodes = [node for node, _ in operands]
            sums: dict[int, int] = {}
            for place in places:
                for source, partial in operands[place][1].items():
                    term = pullbacks[place](partial, value, *nodes)[place]
                    sums[source] = self.symbols.add(sums[source], term) if source in sums else term
            return sums

        return derivatives

    def _of_pick(self, operation: Operation) -> Callable[..., dict[int, int]]:
        def derivatives(_: int, first: _NodeDual, second: _NodeDual) -> dict[int, int]:
            zero, (a, of_a), (b, of_b) = self.symbols.constant(0.0), first, second
            return {
                source: self.symbols.preferred(operation, a, b, of_a.get(source, zero), of_b.get(source, zero))
                for source in of_a | of_b
            }

        return derivatives
