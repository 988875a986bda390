"""The evaluation of a program at a point, forward and backward.

The command line prints what `evaluate` returns; `autodiff_cli.evaluate` and `gradient` return parts of it.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite, isnan, nan
from typing import TYPE_CHECKING

from .. import engine
from ..arithmetic import floats
from ..graph import Graph
from ..operations import CONSTANT, INPUT
from ..program import Program, as_double
from ..work_budget import TooMuchWorkError, Work
from .lost_derivatives import may_be_lost, restored

if TYPE_CHECKING:
    from .slope_limits import SlopeLimit

MOST_LIMITS = 100
"""limits of one gradient; other slopes stay open"""
LIMIT_SECONDS = 2
"""the work for the limits of one gradient, or of all gradients that a search or a picture takes"""


@dataclass(frozen=True)
class Evaluation:
    """A program's numbers at one point; `values` and `adjoints` have an entry for each node of the graph."""

    program: Program
    inputs: dict[str, int]
    """the inputs at this point → their nodes"""
    wrt: tuple[str, ...]
    """the names that the gradient is with respect to"""
    nodes: Mapping[str, int | None]
    """the node of each name of `wrt`; None for a name outside the program that is given a number"""
    order: list[int]
    """the nodes that the output depends on, in topological order"""
    values: list[float]
    adjoints: list[float | None]
    """None for a node that depends on nothing that the gradient is with respect to"""

    @property
    def value(self) -> float:
        """The value of the output."""
        return self.values[self.program.output]

    @cached_property
    def gradient(self) -> dict[str, float]:
        """The partial derivative of the output with respect to each name of `wrt`."""
        return {name: 0.0 if node is None else self.adjoints[node] or 0.0 for name, node in self.nodes.items()}

    def operands(self, node: int) -> list[float]:
        """The values of a node's arguments."""
        return [self.values[argument] for argument in self.program.graph.arguments[node]]

    def contributions(self, node: int, adjoint: float, wanted: Sequence[int]) -> Sequence[float | None]:
        """The contributions of a node with this adjoint to those of its arguments: with 1 its partial derivatives.

        `wanted` has 1 or True for the arguments whose contributions are used. One that was not chosen gets None.
        """
        pullback = floats.pullback(self.program.graph.operations[node], len(wanted), tuple(wanted))
        return pullback(adjoint, self.values[node], *self.operands(node))

    def is_input(self, node: int) -> bool:
        """Whether a node is an input at this point."""
        operation = self.program.graph.operations[node]
        return operation is INPUT or (operation is CONSTANT and node in self._input_nodes)

    @cached_property
    def _input_nodes(self) -> frozenset[int]:
        return frozenset(self.inputs.values())

    def settle(self) -> None:
        """Find, as limits, the slopes that the chain rule leaves open, before the gradient is asked for."""
        nodes = {node for node in self.nodes.values() if node is not None}
        settle(self.program.graph, self.order, self.values, self.program.output, self.adjoints, nodes)


def evaluate(program: Program, point: Mapping[str, float], wrt: Sequence[str] | None = None) -> Evaluation:
    """Run the program's graph forward and backward at a point.

    `point` has the numbers of inputs. The gradient is with respect to the inputs or named values in `wrt`, or without
    it to every input that the output depends on. Raises AutodiffError for an input without a number, for a name
    that is computed, and for a name in `wrt` that neither the program nor the point knows.
    """
    evaluation = swept(program, point, wrt)
    evaluation.settle()
    return evaluation


def swept(program: Program, point: Mapping[str, float], wrt: Sequence[str] | None = None) -> Evaluation:
    """Like `evaluate`, but slopes that the chain rule leaves open are nan until they are settled."""
    graph = program.graph
    inputs = program.inputs_given(point)
    order = graph.needed([program.output])
    needed = used(order, inputs)
    values = leaves(program, order, inputs, point)
    nodes: Mapping[str, int | None] = needed
    sources: Iterable[int] = needed.values()
    if wrt is not None:
        sources = set(program.nodes(wrt, inputs, point)).intersection(order)
        nodes = {name: program.node(name, inputs) for name in wrt}
    engine.forward(graph, order, values, floats)
    adjoints = _all_adjoints(program, order, values, graph.dependent(order, sources))
    return Evaluation(program, inputs, tuple(nodes if wrt is None else wrt), nodes, order, values, adjoints)


class Sweeper:
    """The function `swept` for many points that differ in some inputs: what does not depend on these is computed once.

    Raises the errors of `evaluate`.
    """

    def __init__(self, program: Program, point: Mapping[str, float], moving: Sequence[str], wrt: Sequence[str]) -> None:
        self.first = first = swept(program, point, wrt)
        graph, self._moving = program.graph, [first.inputs.get(name) for name in moving]
        changing = graph.dependent(first.order, [node for node in self._moving if node is not None])
        self.changing = [node for node in first.order if changing[node]]
        """the nodes that depend on the moving inputs"""
        sources = set(first.order).intersection(first.nodes.values())
        self.marks = graph.dependent(first.order, sources)
        self.active = [node for node in first.order if self.marks[node]]
        """the nodes that depend on something that the gradient is with respect to"""
        self._values = first.values.copy()

    def values(self, numbers: Iterable[float]) -> list[float]:
        """The value of each node where the moving inputs have these numbers, in a list that the next call changes."""
        values = self._values  # a copy for each call would take as long as computing the unchanged nodes
        for node, number in zip(self._moving, numbers, strict=True):
            if node is not None:
                values[node] = number
        engine.forward(self.first.program.graph, self.changing, values, floats)
        return values

    def at(self, numbers: Iterable[float]) -> Evaluation:
        """The evaluation where the moving inputs have these numbers."""
        values = self.values(numbers).copy()
        adjoints = _all_adjoints(self.first.program, self.active, values, self.marks)
        return replace(self.first, values=values, adjoints=adjoints)


def _all_adjoints(program: Program, order: Sequence[int], values: list[float], active: bytearray) -> list[float | None]:
    """The adjoints of the active nodes, 0 for those that no path reaches."""
    adjoints = sweep_backward(program.graph, order, values, program.output, active)
    return [(adjoint or 0.0) if mark else None for adjoint, mark in zip(adjoints, active, strict=True)]


def sweep_backward(
    graph: Graph, order: Sequence[int], values: list[float], output: int, active: bytearray
) -> list[float | None]:
    """The adjoints of the active nodes; None for a node that no path from the output reaches."""
    return engine.backward(graph, order, values, output, active, floats)


def settle(
    graph: Graph,
    order: Sequence[int],
    values: list[float],
    output: int,
    adjoints: list[float | None],
    nodes: Iterable[int],
) -> None:
    """Replace adjoints that were lost on the way, and those that the chain rule leaves open by limits of the slopes.

    It leaves open what is zero times infinity or infinity minus infinity: a nan although the value is finite. Where the
    value is nan, it has no slope with respect to anything that it depends on.
    """
    if isnan(values[output]):
        for node in nodes:
            adjoints[node] = None if adjoints[node] is None else nan
        return
    if may_be_lost(adjoints, (values[node] for node in order)):
        with suppress(TooMuchWorkError), Work(LIMIT_SECONDS):
            for node, adjoint in restored(graph, order, values, output, adjoints):
                adjoints[node] = adjoint
    doubtful = [node for node in nodes if isnan(adjoints[node] or 0.0)]
    if doubtful and isfinite(values[output]):
        from .slope_limits import slope_limit  # only here: mpmath takes long to start

        with Work(LIMIT_SECONDS):
            for node in doubtful[:MOST_LIMITS]:
                adjoints[node] = slope_limit(graph, order, values, output, {node: 1.0}).slope


def limit(evaluation: Evaluation, *directions: Mapping[int, float]) -> "SlopeLimit":
    """The derivative of the output along directions as a limit of differences.

    A direction maps each node that moves to the distance that it moves in a step.
    """
    from .slope_limits import slope_limit

    program = evaluation.program
    with Work(LIMIT_SECONDS):
        return slope_limit(program.graph, evaluation.order, evaluation.values, program.output, *directions)


def used(order: Sequence[int], inputs: Mapping[str, int]) -> dict[str, int]:
    """The inputs whose nodes are in `order`."""
    needed = set(inputs.values()).intersection(order)
    return {name: node for name, node in inputs.items() if node in needed}


def leaves(
    program: Program, order: Sequence[int], inputs: Mapping[str, int], point: Mapping[str, float]
) -> list[float]:
    """A value for each node: numbers of the point, defaults and constants, and 0 for what is still to be computed.

    Raises AutodiffError if an input in the order has no number.
    """
    numbers, without = program.graph.numbers, {}
    values = [0.0] * len(program.graph)
    for node, number in numbers.items():
        values[node] = number
    for name, node in inputs.items():
        if name in point:
            values[node] = as_double(name, point[name])
        elif node not in numbers:
            without[name] = node
    if without and (absent := used(order, without)):
        raise program.missing(absent, point)
    return values


def assigned_values(program: Program) -> dict[str, float]:
    """The value of every name that the program assigns, where it needs no input."""
    order = program.graph.needed(program.names[name] for name in program.assigned)
    values = leaves(program, order, program.inputs, {})
    engine.forward(program.graph, order, values, floats)
    return {name: values[program.names[name]] for name in program.assigned}
