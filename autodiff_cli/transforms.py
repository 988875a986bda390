"""Graphs made from graphs: equal parts merged, operations expanded by their meaning, and derivatives.

The nodes of a derivative are appended to the graph of the differentiated node, so they can be differentiated again.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from . import engine, rules
from .arithmetic.symbolic import Symbols
from .graph import Graph, SharedGraph
from .operations import CONSTANT, MUL, Operation
from .program import Program


def merged(program: Program, apart: Collection[str], fixed: Mapping[str, float]) -> Program:
    """A copy of a program in which equal operations on the same nodes are one node.

    Values with different names stay different nodes, and so do those named in `apart`. `fixed` replaces inputs by
    numbers. Raises AutodiffError if it has a name that the program computes.
    """
    source, target = program.graph, Graph()
    shared = SharedGraph(target)
    inputs = program.inputs_given(fixed)
    numbers = {node: float(fixed[name]) for name, node in inputs.items() if name in fixed}
    separate = {program.names[name] for name in apart if name in program.names}
    copies: list[int] = []
    for node, operation in enumerate(source.operations):
        arguments, span = tuple([copies[argument] for argument in source.arguments[node]]), source.span(node)
        label, number = source.labels.get(node), source.numbers.get(node)
        if node in numbers:
            operation, label, number = CONSTANT, None, numbers[node]
        if node in separate:
            copy = target.add(operation, arguments, *span)
        elif operation is CONSTANT and number is not None:
            copy = shared.constant(number, *span, label)
        else:
            copy = shared.add(operation, arguments, *span)
        if label is not None and target.labels.setdefault(copy, label) != label:
            copy = target.add(operation, arguments, *span)
            target.labels[copy] = label
        if number is not None:
            target.numbers[copy] = number
        copies.append(copy)
    names = {name: node for name, node in program.names.items() if node not in numbers}
    inputs = {name: node for name, node in inputs.items() if name not in fixed}
    constants = {name: node for name, node in program.constants.items() if name not in fixed}
    return _copied(replace(program, names=names, inputs=inputs, constants=constants), target, copies)


def _copied(program: Program, graph: Graph, copies: Sequence[int] | Mapping[int, int]) -> Program:
    """The program on another graph; `copies` has the copy of each of its nodes there."""

    def moved(nodes: Mapping[str, int]) -> dict[str, int]:
        return {name: copies[node] for name, node in nodes.items()}

    return replace(
        program,
        graph=graph,
        names=moved(program.names),
        inputs=moved(program.inputs),
        constants=moved(program.constants),
        output=copies[program.output],
    )


def expand(program: Program, names: Collection[str]) -> Program:
    """The program with the named operations replaced by their meaning, recursively."""
    while any(operation.meaning and operation.name in names for operation in program.graph.operations):
        program = _expanded(program, names)
    return program


def _expanded(program: Program, names: Collection[str]) -> Program:
    """The program with the named operations replaced by their meaning, in which they may occur again."""
    source, target = program.graph, Graph()
    copies: dict[int, int] = {}
    for node, operation in enumerate(source.operations):
        arguments = source.arguments[node]
        if not operation.meaning or operation.name not in names:
            target.paste(source, [node], copies)
            continue
        rule = rules.formula(operation, len(arguments), operation.meaning)
        (result,) = rule.results
        assert result is not None
        first = len(target)
        parts = dict(zip(rule.parameters, [copies[argument] for argument in arguments], strict=True))
        target.paste(rule.graph, rule.graph.needed([result]), parts, source.span(node))
        target.unwritten.update(part for part in range(first, len(target)) if target.arguments[part])
        copies[node] = parts[result]
        if node in source.labels:
            target.labels[copies[node]] = source.labels[node]
    return _copied(program, target, copies)


def derivative(
    graph: Graph, output: int, wrt: Sequence[int], *, textbook: bool = False, symbols: Symbols | None = None
) -> list[int]:
    """The nodes of the output's partial derivatives with respect to some nodes, one for each, added to the graph.

    The rules are those for accuracy or, with `textbook`, those that a person would write. `symbols` replaces the usual
    arithmetic on the graph's nodes.
    """
    symbols = symbols or Symbols(graph, textbook=textbook)
    arithmetic = _FactoredAdjoints(symbols)
    order = graph.needed_by(output)
    active = graph.dependent(order, wrt)
    if not active[output]:
        return [symbols.constant(0.0)] * len(wrt)
    nodes, one = list(range(len(graph))), (arithmetic.one, arithmetic.one)
    adjoints = engine.backward(graph, order, nodes, output, active, arithmetic, one)
    partials = [adjoints[node] for node in wrt]
    return [symbols.constant(0.0) if adjoint is None else arithmetic.product(adjoint) for adjoint in partials]


_QUOTIENTS = {"div", "recip"}
"""the operations whose last argument is a divisor b, with the partial derivative -(y/b)"""
_Adjoint = tuple[int, int]
"""nodes whose product is an adjoint: what operations pass on, and the quotients that it is still to be multiplied by"""


class _FactoredAdjoints:
    """Nodes as numbers, with adjoints in two factors, so that the range of doubles suffices for more of them.

    A divisor b passes on -(y/b): too small for a double where `1/exp(x)` is 1e-200, although the slope is not. The
    quotient y is kept as a factor of its own here, so that b meets its own slope first, which is about as large as b.
    """

    SECONDS = Symbols.SECONDS

    def __init__(self, symbols: Symbols) -> None:
        self.symbols, self.one = symbols, symbols.constant(1.0)
        self.function = symbols.function

    def pullback(self, operation: Operation, count: int, wanted: tuple[int, ...]) -> Callable[..., Sequence[_Adjoint]]:
        """The operation's contributions to the adjoints of its arguments."""
        pullback = self.symbols.pullback(operation, count, wanted)

        def contributions(adjoint: _Adjoint, y: int, *arguments: int) -> Sequence[_Adjoint]:
            rest, factor = adjoint
            return [(part, factor) for part in pullback(rest, y, *arguments)]

        def of_quotient(adjoint: _Adjoint, y: int, *arguments: int) -> Sequence[_Adjoint]:
            rest, factor = adjoint
            *of_dividend, divisor = pullback(rest, self.one, *arguments)  # with 1 for y, which becomes a factor
            return *((part, factor) for part in of_dividend), (divisor, self.symbols.apply(MUL, factor, y))

        return of_quotient if operation.name in _QUOTIENTS and not self.symbols.textbook else contributions

    def add(self, a: _Adjoint, b: _Adjoint) -> _Adjoint:
        """The sum of two adjoints, in two factors where one is common."""
        if a[1] == b[1]:
            return self.symbols.add(a[0], b[0]), a[1]
        return self.symbols.add(self.product(a), self.product(b)), self.one

    def product(self, adjoint: _Adjoint) -> int:
        """The node of an adjoint."""
        return self.symbols.apply(MUL, *adjoint)
