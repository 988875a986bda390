"""Graphs made from graphs: equal parts as one node, operations taken apart by their meaning, and derivatives.

The nodes of a derivative are appended to the graph that they are the derivative of, so they can be differentiated
again.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from . import engine, rules
from .arithmetic.symbolic import Symbols
from .graph import Graph
from .operations import CONSTANT, Operation
from .program import Program


def merged(program: Program, apart: Collection[str], fixed: Mapping[str, float]) -> Program:
    """A copy of a program in which equal operations on the same nodes are one node.

    Values with different names stay different, and so does what is named in `apart`. `fixed` gives inputs a number for
    good. Raises AutodiffError for a number for a name that the program computes.
    """
    source, target = program.graph, Graph()
    inputs = program.point(fixed)
    numbers = {node: float(fixed[name]) for name, node in inputs.items() if name in fixed}
    kept = {program.names[name] for name in apart if name in program.names}
    known: dict[object, int] = {}
    moved: list[int] = []
    for node, operation in enumerate(source.operations):
        arguments = tuple([moved[argument] for argument in source.arguments[node]])
        label = None if node in numbers else source.labels.get(node)
        number = numbers.get(node, source.numbers.get(node))
        key = (
            (operation, arguments)
            if arguments
            else (repr(number), label)
            if operation is CONSTANT or node in numbers
            else node
        )
        same = None if node in kept else known.get(key)
        if same is not None and (label is None or target.labels.setdefault(same, label) == label):
            moved.append(same)
            continue
        moved.append(target.add(CONSTANT if node in numbers else operation, arguments, *source.span(node)))
        if label is not None:
            target.labels[moved[node]] = label
        if number is not None:
            target.numbers[moved[node]] = number
        if node not in kept:
            known.setdefault(key, moved[node])

    def follow(nodes: Mapping[str, int]) -> dict[str, int]:
        return {name: moved[node] for name, node in nodes.items()}

    return replace(
        program,
        graph=target,
        names={name: moved[node] for name, node in program.names.items() if node not in numbers},
        inputs=follow({name: node for name, node in inputs.items() if name not in fixed}),
        constants=follow({name: node for name, node in program.constants.items() if name not in fixed}),
        output=moved[program.output],
    )


def expand(program: Program, names: Collection[str]) -> Program:
    """The program with the named operations replaced by their meaning, and the parts of that likewise."""
    source = program.graph
    target = Graph()
    moved: dict[int, int] = {}
    for node in range(len(source)):
        arguments = tuple([moved[argument] for argument in source.arguments[node]])
        moved[node] = _copy(target, source.operations[node], arguments, source.span(node), names)
        if node in source.numbers:
            target.numbers[moved[node]] = source.numbers[node]
    target.labels |= {moved[node]: label for node, label in source.labels.items()}

    def follow(nodes: dict[str, int]) -> dict[str, int]:
        return {name: moved[node] for name, node in nodes.items()}

    return replace(
        program,
        graph=target,
        names=follow(program.names),
        inputs=follow(program.inputs),
        constants=follow(program.constants),
        output=moved[program.output],
    )


def _copy(
    graph: Graph, operation: Operation, arguments: tuple[int, ...], span: tuple[int, int], names: Collection[str]
) -> int:
    """The node for an operation: itself, or the nodes of its meaning."""
    if not operation.meaning or operation.name not in names:
        return graph.add(operation, arguments, *span)
    rule = rules.value(operation, len(arguments), operation.meaning)
    (result,) = rule.results
    assert result is not None
    moved = dict(zip(rule.parameters, arguments, strict=True))
    for node in rule.graph.needed([result]):
        if node in moved:
            continue
        operands = tuple([moved[operand] for operand in rule.graph.arguments[node]])
        if rule.graph.operations[node] is CONSTANT:
            moved[node] = graph.constant(rule.graph.numbers[node], *span)
            if node in rule.graph.labels:
                graph.labels[moved[node]] = rule.graph.labels[node]
        else:
            moved[node] = _copy(graph, rule.graph.operations[node], operands, span, names)
            graph.unwritten.add(moved[node])
    return moved[result]


def derivative(
    graph: Graph, output: int, wrt: Sequence[int], *, textbook: bool = False, symbols: Symbols | None = None
) -> list[int]:
    """The nodes of the output's partial derivatives with respect to some nodes, one for each, added to the graph.

    They are made for accuracy; with `textbook` they are made of the rules as a person writes them. `symbols` is an
    arithmetic on the graph's nodes with rules of its own.
    """
    symbols = symbols or Symbols(graph, textbook=textbook)
    order = graph.needed([output])
    active = graph.dependent(order, wrt)
    adjoints: list[int | None] = [None] * len(graph)
    if active[output]:
        adjoints[output] = symbols.constant(1.0)
    engine.backward(graph, order, list(range(len(graph))), adjoints, active, symbols)
    partials = [adjoints[node] for node in wrt]
    return [symbols.constant(0.0) if adjoint is None else adjoint for adjoint in partials]
