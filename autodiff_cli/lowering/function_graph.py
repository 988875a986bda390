"""The graph of a generated function: a program and its derivatives, the same for every language."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .. import transforms
from ..graph import Graph
from ..operations import INPUT
from ..program import Program
from ..sparsity import dependencies
from .copying import copy, copy_held
from .folded_graph import FoldedGraph
from .function_request import FunctionRequest


@dataclass(frozen=True)
class FunctionGraph:
    """A graph of the table's operations without equal nodes, and which of its nodes are the results."""

    request: FunctionRequest
    graph: Graph
    inputs: dict[str, int]
    """the inputs of the function, in the order of the text → their nodes"""
    value: int
    gradient: list[int]
    hessian: dict[tuple[int, int], int]
    """(i, j) with i <= j, counted along the gradient → the second derivative, where it is not always zero"""
    hints: dict[int, str]
    """names for nodes in the code: those of the program, and `d_n` for the derivative with respect to n"""

    @property
    def wrt(self) -> tuple[str, ...]:
        """The names of the gradient."""
        return tuple(self.request.wrt)


def function_graph(request: FunctionRequest) -> FunctionGraph:
    """Return the graph of a program's value, gradient and, if asked for, second derivatives."""
    program, source = request.program, request.program.graph
    values, final = FoldedGraph(), FoldedGraph()
    copies = {node: values.constant(number) for node, number in request.numbers.items()}
    bound = [node for node in request.wrt.values() if source.operations[node] is not INPUT or node in copies]
    equals = copy_held(values, source, bound, copies)
    copy(values, source, source.needed([program.output, *request.wrt.values()]), copies)
    value, nodes = copies[program.output], [copies[node] for node in request.wrt.values()]
    labels = _labels(program, copies)
    named = [node for node in labels if values.arguments[node]]
    slopes = transforms.derivative(values, value, [*nodes, *named])
    # Second derivatives need the held nodes, which the final graph lacks; without these it serves, as it is shorter.
    second = _second_derivatives(values, slopes[: len(nodes)], nodes) if request.hessian and equals else {}
    moved: dict[int, int] = {}
    inputs = {name: copies[node] for name, node in request.inputs.items()}
    for node, inner in equals.items():
        copy(final, values, values.needed_by(inner, leaves=moved), moved)
        moved[node] = moved[inner]
    copy(final, values, values.needed([value, *inputs.values(), *nodes, *slopes, *second.values()]), moved)
    gradient = [moved[slope] for slope in slopes[: len(nodes)]]
    second = {place: moved[node] for place, node in second.items() if final.number(moved[node]) != 0}
    if request.hessian and not equals:
        second = _second_derivatives(final, gradient, [moved[node] for node in nodes])
    hints = {moved[slope]: f"d_{labels[node]}" for node, slope in zip(named, slopes[len(nodes) :], strict=True)}
    hints |= {moved[node]: label for node, label in labels.items() if node in moved}
    return FunctionGraph(
        request,
        final,
        {name: moved[node] for name, node in inputs.items()},
        moved[value],
        gradient,
        second,
        {node: hint for node, hint in hints.items() if final.arguments[node]},
    )


def _labels(program: Program, copies: Mapping[int, int]) -> dict[int, str]:
    labels = {copies[node]: label for node, label in program.graph.labels.items() if node in copies}
    if program.output_name:
        labels.setdefault(copies[program.output], program.output_name)
    return labels


def _second_derivatives(
    graph: FoldedGraph, gradient: Sequence[int], nodes: Sequence[int]
) -> dict[tuple[int, int], int]:
    """(i, j) with i <= j → the node of a second derivative, added to the graph, where it is not always zero.

    `gradient` are the derivatives with respect to `nodes`. Each row is made from a copy of the part of the graph that
    its first derivative depends on, so that a sum of small terms takes no more time than its terms.
    """
    second: dict[tuple[int, int], int] = {}
    for i, places in enumerate(dependencies(graph, gradient, nodes)):
        part, copies = Graph(), dict[int, int]()
        part.paste(graph, graph.needed_by(gradient[i]), copies)
        columns = [j for j in sorted(places) if j >= i and nodes[j] in copies]
        slopes = transforms.derivative(part, copies[gradient[i]], [copies[nodes[j]] for j in columns])
        back = {copied: node for node, copied in copies.items()}
        copy(graph, part, part.needed(slopes), back)
        second |= {(i, j): back[slope] for j, slope in zip(columns, slopes, strict=True)}
    return {place: node for place, node in second.items() if graph.number(node) != 0}
