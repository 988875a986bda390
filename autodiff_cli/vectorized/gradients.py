"""A program's value and gradient as one graph of the operations that columns of numbers have.

The gradient of a few inputs is carried along forward, so that nothing has to be kept; that of many comes backward.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from .. import engine, rules
from ..arithmetic import arrays
from ..arithmetic.symbolic import Symbols
from ..evaluation import used
from ..graph import Graph
from ..lowering.copying import copy
from ..lowering.lowering import Lowering
from ..lowering.shared_graph import Shared
from ..operations import INPUT, OPERATIONS, Operation
from ..program import Program
from ..transforms import derivative

PREFERRED = Operation(
    "preferred",
    "a, b, c, d",
    (),
    "c if a holds, the mean of c and d if b holds, else d",
    value="where(a, c, where(b, (c + d)/2, d))",
)
"""a number that goes with the larger, or the smaller, of two: `b` says that they are equal"""

_EQUAL = OPERATIONS["eq"]
_BETTER = {"max": OPERATIONS["gt"], "min": OPERATIONS["lt"]}

Moving = tuple[int, dict[int, int]]
"""a node, and the nodes of its slopes: input → slope"""


class Lowered(NamedTuple):
    """A graph of operations on columns."""

    graph: Graph
    columns: list[int]
    results: list[int]
    """the nodes of the value and of the partial derivatives"""


class Problem(NamedTuple):
    """What is asked for: the graph with all numbers put in, the columns, the output and what to differentiate by."""

    graph: Graph
    columns: list[int]
    output: int
    wrt: list[int | None]
    """None for a name that the program does not have"""


def problem(program: Program, columns: Sequence[str], given: Mapping[str, float], wrt: Sequence[str]) -> Problem:
    """The program with a number for every input but the columns, and the nodes of names of `wrt`.

    Raises AutodiffError for inputs that the output depends on and that have no number, all at once.
    """
    inputs = program.point(dict.fromkeys(columns, 0.0) | dict(given))
    names = [inputs.get(name, program.names.get(name)) for name in wrt]
    source, shared, copies = program.graph, Shared(), dict[int, int]()
    known = {*columns, *given, *(name for name, node in inputs.items() if node in source.numbers)}
    absent = [name for name in used(source.needed([program.output]), inputs) if name not in known]
    if absent:
        raise program.missing(absent)
    for name, node in inputs.items():
        if name in columns or name in wrt:
            copies[node] = shared.leaf(INPUT)
        else:
            copies[node] = shared.constant(given.get(name, source.numbers.get(node, 0.0)))
    order = source.needed([program.output, *(node for node in names if node is not None)])
    copy(shared, source, order, copies)
    graph = shared.graph
    for name, node in inputs.items():
        if name in wrt and name not in columns:
            graph.numbers[copies[node]] = given.get(name, source.numbers.get(node, 0.0))
    leaves = [copies[inputs[name]] for name in columns]
    return Problem(graph, leaves, copies[program.output], [None if node is None else copies[node] for node in names])


def backward(asked: Problem) -> Lowered:
    """Value and gradient by the sweep backward."""
    graph = asked.graph.cut(())
    nodes = [node for node in asked.wrt if node is not None]
    partials = iter(derivative(graph, asked.output, nodes, symbols=_Adjoints(graph)))
    zero = graph.constant(0.0)
    results = [asked.output, *(zero if node is None else next(partials) for node in asked.wrt)]
    return _lowered(graph, graph.needed(results), asked.columns, results)


def forward(asked: Problem) -> Lowered | None:
    """Value and gradient by one sweep forward, each value followed by its slopes; only with respect to inputs."""
    graph = asked.graph.cut(())
    if any(graph.arguments[node] for node in asked.wrt if node is not None):
        return None
    slopes = _Slopes(graph)
    one, zero = slopes.symbols.constant(1.0), slopes.symbols.constant(0.0)
    order = graph.needed([asked.output])
    values: list[Moving] = [(node, {node: one} if node in asked.wrt else {}) for node in range(len(graph))]
    engine.forward(graph, order, values, slopes)
    value, found = values[asked.output]
    results = [value, *(zero if node is None else found.get(node, zero) for node in asked.wrt)]
    return _lowered(graph, slopes.order(results), asked.columns, results)


def _lowered(graph: Graph, order: Iterable[int], columns: Sequence[int], results: Sequence[int]) -> Lowered:
    shared = Shared()
    copies = {leaf: shared.leaf(graph.operations[leaf]) for leaf in columns}
    copies |= {node: shared.constant(n) for node, n in graph.numbers.items() if node not in copies}
    Lowering(_Arrays(), shared).copy(graph, order, copies)
    return Lowered(shared.graph, [copies[leaf] for leaf in columns], [copies[result] for result in results])


class _Arrays:
    """The operations that columns have; all others are taken apart."""

    splits = True

    def knows(self, row: Operation, count: int) -> bool:
        return row is PREFERRED or row.name == "where" or arrays.function(row, count) is not None


class _Adjoints(Symbols):
    """Nodes for the sweep backward, to which the larger of two passes its adjoint by one comparison."""

    def pullback(self, row: Operation, count: int, wanted: tuple[bool, ...]) -> Callable[..., Sequence[int]]:
        """The operation's contributions to the adjoints of its arguments."""
        if row.name not in _BETTER or count != 2:
            return super().pullback(row, count, wanted)
        zero = self.constant(0.0)

        def contributions(adjoint: int, _: int, a: int, b: int) -> Sequence[int]:
            return self.chosen(row, a, b, adjoint, zero), self.chosen(row, b, a, adjoint, zero)

        return contributions

    def chosen(self, row: Operation, a: int, b: int, of_a: int, of_b: int) -> int:
        """What goes with the larger, or smaller, of two nodes, where each has its own."""
        if of_a == of_b:
            return of_a
        return self.node(PREFERRED, self.node(_BETTER[row.name], a, b), self.node(_EQUAL, a, b), of_a, of_b)


class _Slopes:
    """Nodes with their slopes along some directions: the arithmetic of the sweep forward."""

    def __init__(self, graph: Graph) -> None:
        self.graph, self.symbols = graph, _Adjoints(graph)
        self._listed: list[int] = []

    def function(self, row: Operation, count: int) -> Callable[..., Moving]:
        """The operation on nodes with slopes: a slope is passed on as an adjoint would be handed back."""
        graph, symbols, sloping = self.graph, self.symbols, rules.sloping(row, count)
        only = [tuple(place == other for other in range(count)) for place in range(count)]
        pullbacks = {place: symbols.pullback(row, count, only[place]) for place in sloping}

        def moved(*numbers: Moving) -> Moving:
            nodes, start = [node for node, _ in numbers], len(graph)
            value = symbols.node(row, *nodes)
            found: dict[int, int] = {}
            for place in sloping:
                for direction, slope in numbers[place][1].items():
                    part = pullbacks[place](slope, value, *nodes)[place]
                    found[direction] = symbols.add(found[direction], part) if direction in found else part
            self._listed += value, *range(start, len(graph))
            return value, found

        def chosen(a: Moving, b: Moving) -> Moving:
            start, zero = len(graph), symbols.constant(0.0)
            value = symbols.node(row, a[0], b[0])
            found = {
                direction: symbols.chosen(row, a[0], b[0], a[1].get(direction, zero), b[1].get(direction, zero))
                for direction in a[1] | b[1]
            }
            self._listed += value, *range(start, len(graph))
            return value, found

        return chosen if row.name in _BETTER and count == 2 else moved

    def order(self, results: Sequence[int]) -> list[int]:
        """What the results need, each value followed by its slopes, and these by nothing that they do not need."""
        arguments, wanted = self.graph.arguments, set(self.graph.needed(results))
        found: dict[int, None] = {}
        for root in (*self._listed, *results):
            pending = [root] if root in wanted else []
            while pending:
                missing = [argument for argument in arguments[pending[-1]] if argument not in found]
                if missing:
                    pending += missing
                else:
                    found.setdefault(pending.pop())
        return list(found)
