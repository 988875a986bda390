"""The chain rule, step by step: what the two sweeps did at each node, as a teacher would go through it.

The steps are recorded while the engine runs; nothing is computed a second time.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from . import engine
from .arithmetic import floats
from .arithmetic.symbols import Symbols
from .evaluation import Evaluation
from .graph import Graph
from .operations import CONSTANT, INPUT, Operation
from .printing import expression
from .program import Program


class Contribution(NamedTuple):
    """What one use of a node adds to its adjoint: the adjoint of the result times the local derivative."""

    result: int
    """the node that the contribution comes from"""
    place: int
    """which of its arguments the node is, from 0"""
    argument: int
    """the node that it goes to"""
    rule: str
    """the local derivative as a formula of the nodes' names, such as `1 - o^2`"""
    local: float
    """the local derivative as a number"""
    product: float
    """what is passed on"""


@dataclass(frozen=True)
class Step:
    """A node of the sweep backward: the adjoint that has arrived, complete, and what is passed on to the arguments."""

    node: int
    adjoint: float
    contributions: tuple[Contribution, ...]


@dataclass(frozen=True)
class Explanation:
    """An evaluation and the steps of its sweep backward, in their order: the output first."""

    evaluation: Evaluation
    steps: tuple[Step, ...]

    @cached_property
    def received(self) -> dict[int, list[Contribution]]:
        """The contributions that add up to each node's adjoint, in the order in which they arrive."""
        found: dict[int, list[Contribution]] = {}
        for step in self.steps:
            for contribution in step.contributions:
                found.setdefault(contribution.argument, []).append(contribution)
        return found


def explain(evaluation: Evaluation) -> Explanation:
    """Run the sweep backward of an evaluation once more, and write down what it does."""
    graph, order = evaluation.program.graph, evaluation.order
    nodes = [node for node in evaluation.nodes.values() if node is not None]
    active = graph.dependent(order, nodes)
    recorder = _Recorder(evaluation)
    adjoints: list[float | None] = [None] * len(graph)
    if active[evaluation.program.output]:
        adjoints[evaluation.program.output] = 1.0
    values = [_Value(value, node) for node, value in enumerate(evaluation.values)]
    engine.backward(graph, order, values, adjoints, active, recorder)
    return Explanation(evaluation, tuple(recorder.steps))


class _Value(float):
    """A number that knows its node."""

    node: int

    def __new__(cls, number: float, node: int) -> "_Value":
        made = super().__new__(cls, number)
        made.node = node
        return made


class _Recorder:
    """Double precision that writes down what the sweep passes on."""

    add = staticmethod(floats.add)
    function = staticmethod(floats.function)

    def __init__(self, evaluation: Evaluation) -> None:
        self.steps: list[Step] = []
        self._rules = _Rules(evaluation.program)

    def pullback(self, row: Operation, count: int, wanted: tuple[bool, ...]) -> Callable[..., Sequence[float]]:
        """The same contributions as those of double precision, recorded."""
        pullback = floats.pullback(row, count, wanted)

        def recorded(adjoint: float, result: _Value, *arguments: _Value) -> Sequence[float]:
            products, locals_ = (pullback(g, result, *arguments) for g in (adjoint, 1.0))
            texts = self._rules.texts(result.node, wanted)
            contributions = [
                Contribution(result.node, place, argument.node, texts[place], locals_[place], products[place])
                for place, argument in enumerate(arguments)
                if wanted[place]
            ]
            self.steps.append(Step(result.node, adjoint, tuple(contributions)))
            return products

        return recorded


class _Rules:
    """The rules of the table, written with the names of a program's nodes."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def texts(self, node: int, wanted: tuple[bool, ...]) -> list[str]:
        """The local derivative for each argument of a node, written with their names; "" for one that is not wanted."""
        source, graph = self._program.graph, Graph()
        arguments = [self._leaf(graph, argument) for argument in source.arguments[node]]
        result = self._leaf(graph, node)
        symbols = Symbols(graph, textbook=True)
        pullback = symbols.pullback(source.operations[node], len(arguments), wanted)
        partials = pullback(symbols.constant(1.0), result, *arguments)
        names = {
            leaf: self._name(of) for leaf, of in zip((*arguments, result), (*source.arguments[node], node), strict=True)
        }
        return [
            expression(graph, partial, names) if want else "" for partial, want in zip(partials, wanted, strict=True)
        ]

    def _leaf(self, graph: Graph, node: int) -> int:
        source = self._program.graph
        if source.operations[node] is CONSTANT and node not in source.labels:
            return graph.constant(source.numbers[node])
        return graph.add(INPUT)

    def _name(self, node: int) -> tuple[str, int]:
        return self._program.text(node), self._program.binding(node)
