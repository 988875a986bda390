"""Operations taken apart: `tanh(n)` as `(exp(2*n) - 1)/(exp(2*n) + 1)`, by their meaning in the table."""

from collections.abc import Collection
from dataclasses import replace

from . import rules
from .graph import Graph
from .operations import CONSTANT, Operation
from .program import Program


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
    graph: Graph, row: Operation, arguments: tuple[int, ...], span: tuple[int, int], names: Collection[str]
) -> int:
    """The node for an operation: itself, or the nodes of its meaning."""
    if not row.meaning or row.name not in names:
        return graph.add(row, arguments, *span)
    rule = rules.value(row, len(arguments), row.meaning)
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
