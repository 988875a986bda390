"""The chain rule step by step: what the backward sweep passes on at each node."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import isnan, nan
from typing import NamedTuple

from ..evaluation import Evaluation, sweep_backward
from ..evaluation.nonfinite import varying
from ..notation import CALL
from ..printer import Text
from ..work_budget import charge
from .local_derivatives import LocalDerivatives

_STEP = 5e-5  # the work of recording and writing one, in seconds


class Contribution(NamedTuple):
    """The contribution of one use of a node to its adjoint: the adjoint of the result times the local derivative."""

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
    binding: int
    """the precedence of the text of the rule"""


@dataclass(frozen=True)
class BackwardStep:
    """A node in the backward sweep: its adjoint, complete, and what is passed on to its arguments."""

    node: int
    adjoint: float
    contributions: tuple[Contribution, ...]


@dataclass(frozen=True)
class Explanation:
    """An evaluation and the steps of its backward sweep, in their order: the output first."""

    evaluation: Evaluation
    steps: tuple[BackwardStep, ...]
    derivatives: LocalDerivatives
    """the local derivatives as formulas"""
    adjoints: list[float | None]
    """an entry for each node: the sum of its contributions; None where no gradient is computed"""
    varying: bytearray
    """marks of the nodes that vary with what the gradients are with respect to, other than in steps"""

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


def explain(evaluation: Evaluation, names: Mapping[int, Text], beside: Iterable[int] = ()) -> Explanation:
    """Run the backward sweep of an evaluation again, and record its steps in detail.

    `names` are those of the nodes in the rules; `beside` are nodes whose adjoints are computed in addition to those of
    the evaluation.
    """
    program, graph, order = evaluation.program, evaluation.program.graph, evaluation.order
    nodes = [node for node in (*evaluation.nodes.values(), *beside) if node is not None]
    active = graph.dependent(order, nodes)
    swept = sweep_backward(graph, order, evaluation.values, program.output, active)
    derivatives = LocalDerivatives(graph, evaluation.values, names)
    steps = tuple(
        _step(evaluation, node, swept[node], active, derivatives)
        for node in reversed(order)
        if active[node] and graph.arguments[node]
    )
    adjoints = [(adjoint or 0.0) if mark else None for adjoint, mark in zip(swept, active, strict=True)]
    for named in evaluation.nodes.values():
        if named is not None:
            adjoints[named] = evaluation.adjoints[named]  # which may be a limit
    return Explanation(evaluation, steps, derivatives, adjoints, varying(evaluation, nodes))


def _step(
    evaluation: Evaluation, node: int, adjoint: float | None, active: bytearray, derivatives: LocalDerivatives
) -> BackwardStep:
    """The step of a node; it passes nothing on where no path reaches it, so that it has no adjoint."""
    charge(_STEP)
    arguments = evaluation.program.graph.arguments[node]
    wanted = tuple([active[argument] for argument in arguments])
    locals_ = evaluation.contributions(node, 1.0, wanted)
    products = [None] * len(arguments) if adjoint is None else evaluation.contributions(node, adjoint, wanted)
    rules = derivatives.texts(node, wanted)
    if isnan(evaluation.values[node]):  # which has no derivative, whatever its rule would give
        rules = [("nan", CALL) if isnan(local or 0.0) else rule for rule, local in zip(rules, locals_, strict=True)]
    nothing = nan if isnan(evaluation.value) else 0.0  # every derivative of nan is nan
    contributions = [
        Contribution(node, place, argument, rule, locals_[place] or 0.0, products[place] or nothing, binding)
        for place, (argument, (rule, binding)) in enumerate(zip(arguments, rules, strict=True))
        if wanted[place]
    ]
    return BackwardStep(node, 0.0 if adjoint is None else adjoint, tuple(contributions))
