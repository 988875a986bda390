"""The chain rule step by step: what the sweep backward passes on at each node, recorded while the engine runs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isnan, nan
from typing import Any, NamedTuple

from .. import engine
from ..arithmetic import floats
from ..evaluation import Evaluation
from ..graph import Graph
from ..notation import CALL
from ..operations import Operation
from ..printer import Text
from ..work import charge
from .local_derivatives import LocalDerivatives

_STEP = 5e-5  # the work of recording and writing one, seconds


class Contribution(NamedTuple):
    """The share of one use of a node in its adjoint: the adjoint of the result times the local derivative."""

    result: int
    """the node that the contribution comes from"""
    place: int
    """the place of the node among its arguments, from 0"""
    argument: int
    """the node that it goes to"""
    rule: str
    """the local derivative as a formula of the nodes' names, such as `1 - o^2`"""
    local: float
    """the local derivative as a number"""
    product: float
    """the number that is passed on"""
    binding: int = CALL
    """the precedence of the text of the rule"""


@dataclass(frozen=True)
class BackwardStep:
    """A node in the sweep backward: its adjoint, complete, and what is passed on to its arguments."""

    node: int
    adjoint: float
    contributions: tuple[Contribution, ...]


@dataclass(frozen=True)
class Explanation:
    """An evaluation and the steps of its sweep backward, in their order: the output first."""

    evaluation: Evaluation
    steps: tuple[BackwardStep, ...]
    derivatives: LocalDerivatives
    """the local derivatives as formulas"""
    adjoints: list[float | None]
    """an entry for each node: the sum of its contributions; None where no gradient is computed"""

    @cached_property
    def received(self) -> dict[int, list[Contribution]]:
        """The contributions that add up to each node's adjoint, in the order of the sweep."""
        received: dict[int, list[Contribution]] = {}
        for step in self.steps:
            for link in step.contributions:
                received.setdefault(link.argument, []).append(link)
        return received

    def is_limit(self, node: int) -> bool:
        """Whether the chain rule leaves a node's adjoint open, so that it is a limit: 0 times infinity, or the like."""
        adjoint, links = self.adjoints[node], self.received.get(node, ())
        return adjoint is not None and adjoint == adjoint and isnan(sum(link.product for link in links))


def explain(evaluation: Evaluation, names: Mapping[int, Text] | None = None, beside: Iterable[int] = ()) -> Explanation:
    """Run the sweep backward of an evaluation again, and record its steps.

    `names` are the names of the nodes in the rules, by default those of the program; `beside` are nodes whose adjoints
    are computed besides those of the evaluation.
    """
    program, order = evaluation.program, evaluation.order
    nodes = [node for node in (*evaluation.nodes.values(), *beside) if node is not None]
    active = program.graph.dependent(order, nodes)
    adjoints: list[float | None] = [None] * len(active)
    if active[program.output]:
        adjoints[program.output] = 1.0
    derivatives = LocalDerivatives(program, evaluation.values, names)
    recorder = _RecordingFloats(derivatives, is_nan=isnan(evaluation.value))
    values = [_NodeValue(value, node) for node, value in enumerate(evaluation.values)]
    engine.backward(program.graph, order, values, adjoints, active, recorder)
    steps = [
        recorder.steps.get(node) or recorder.unreached(program.graph, values, node, active)
        for node in reversed(order)
        if active[node] and program.graph.arguments[node]
    ]
    adjoints = [(adjoint or 0.0) if mark else None for adjoint, mark in zip(adjoints, active, strict=True)]
    for node in evaluation.nodes.values():
        if node is not None:
            adjoints[node] = evaluation.adjoints[node]  # which may be a limit
    return Explanation(evaluation, tuple(steps), recorder.derivatives, adjoints)


class _NodeValue(float):
    """A number with the node that it is the value of."""

    __slots__ = ("node",)
    node: int

    def __new__(cls, number: float, node: int) -> "_NodeValue":
        value = super().__new__(cls, number)
        value.node = node
        return value


class _RecordingFloats:
    """The arithmetic of doubles, which records what the sweep passes on."""

    add = staticmethod(floats.add)
    function = staticmethod(floats.function)

    def __init__(self, derivatives: LocalDerivatives, *, is_nan: bool) -> None:
        """`is_nan` says whether the output is nan."""
        self.steps: dict[int, BackwardStep] = {}
        self.derivatives, self._is_nan = derivatives, is_nan

    def pullback(self, operation: Operation, count: int, wanted: tuple[int, ...]) -> Callable[..., Sequence[Any]]:
        """The pullback of `floats`, recorded."""
        pullback = floats.pullback(operation, count, wanted)

        def recorded(adjoint: float, result: _NodeValue, *arguments: _NodeValue) -> Sequence[Any]:
            products, locals_ = (pullback(g, result, *arguments) for g in (adjoint, 1.0))
            self._record(adjoint, result, arguments, wanted, locals_, products)
            return products

        return recorded

    def _record(
        self,
        adjoint: float,
        result: _NodeValue,
        arguments: Sequence[_NodeValue],
        wanted: tuple[int, ...],
        locals_: Sequence[float | None],
        products: Sequence[float | None],
    ) -> BackwardStep:
        charge(_STEP)
        rules = self.derivatives.texts(result.node, wanted)
        if isnan(result):  # which has no derivative, whatever its rule would give
            rules = [("nan", CALL) if isnan(local or 0.0) else rule for rule, local in zip(rules, locals_, strict=True)]
        nothing = nan if self._is_nan else 0.0  # of what is nan every derivative is
        contributions = [
            Contribution(
                result.node, place, argument.node, rule, locals_[place] or 0.0, products[place] or nothing, binding
            )
            for place, (argument, (rule, binding)) in enumerate(zip(arguments, rules, strict=True))
            if wanted[place]
        ]
        step = self.steps[result.node] = BackwardStep(result.node, adjoint, tuple(contributions))
        return step

    def unreached(self, graph: Graph, values: Sequence[_NodeValue], node: int, active: bytearray) -> BackwardStep:
        """The step of a node that no path reaches: it passes on nothing."""
        arguments = [values[argument] for argument in graph.arguments[node]]
        wanted = tuple([bool(active[argument.node]) for argument in arguments])
        locals_ = floats.pullback(graph.operations[node], len(arguments), wanted)(1.0, values[node], *arguments)
        return self._record(0.0, values[node], arguments, wanted, locals_, (None,) * len(arguments))
