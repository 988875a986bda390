"""A program with its derivatives as one graph, before any language: what a function of it has to compute."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .. import transforms
from ..graph import Graph
from ..program import Program
from .copying import copy
from .request import Request
from .second_derivatives import second_derivatives
from .shared_graph import Shared


@dataclass(frozen=True)
class Plan:
    """One graph without equal nodes, and what of it is asked for; operations are the table's."""

    request: Request
    graph: Graph
    inputs: dict[str, int]
    """the inputs of the function, in the order of the text → their nodes"""
    value: int
    gradient: list[int]
    hessian: dict[tuple[int, int], int]
    """(i, j) with i <= j, counted along the gradient → the second derivative, where it is not always zero"""
    hints: dict[int, str]
    """what nodes may be called: the names of the program, and `d_n` for the derivative with respect to n"""

    @property
    def wrt(self) -> tuple[str, ...]:
        """The names of the gradient."""
        return tuple(self.request.wrt)

    @property
    def size(self) -> int:
        """How many operations the value and the derivatives take."""
        return self.operations((self.value, *self.gradient, *self.hessian.values()))

    def operations(self, results: Iterable[int]) -> int:
        """How many operations some of the nodes take."""
        return sum(1 for node in self.graph.needed(results) if self.graph.arguments[node])


def plan(request: Request) -> Plan:
    """What a function has to compute for a program's value, gradient and, if asked for, second derivatives."""
    program, source = request.program, request.program.graph
    shared, final = Shared(), Shared()
    copies = {node: shared.constant(number) for node, number in request.numbers.items()}
    copy(shared, source, source.needed([program.output, *request.wrt.values()]), copies)
    value, nodes = copies[program.output], [copies[node] for node in request.wrt.values()]
    labels = _labels(program, copies)
    named = [node for node in labels if shared.graph.arguments[node]]
    slopes = transforms.derivative(shared.graph, value, [*nodes, *named])
    moved: dict[int, int] = {}
    copy(final, shared.graph, shared.graph.needed([value, *nodes, *slopes]), moved)
    gradient = [moved[slope] for slope in slopes[: len(nodes)]]
    hints = {moved[slope]: f"d_{labels[node]}" for node, slope in zip(named, slopes[len(nodes) :], strict=True)}
    hints |= {moved[node]: label for node, label in labels.items() if node in moved}
    return Plan(
        request,
        final.graph,
        {name: moved[copies[node]] for name, node in request.inputs.items()},
        moved[value],
        gradient,
        second_derivatives(final, gradient, [moved[node] for node in nodes]) if request.second else {},
        {node: hint for node, hint in hints.items() if final.graph.arguments[node]},
    )


def _labels(program: Program, copies: Mapping[int, int]) -> dict[int, str]:
    """What the program calls the nodes."""
    labels = {copies[node]: label for node, label in program.graph.labels.items() if node in copies}
    if program.output_name:
        labels.setdefault(copies[program.output], program.output_name)
    return labels
