"""The chain rule, step by step: what the two sweeps did at each node, as a teacher would go through it.

The steps are recorded while the engine runs; nothing is computed a second time.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from .. import engine
from ..arithmetic import floats
from ..evaluation import Evaluation
from ..notation import CALL
from ..operations import Operation
from ..printer import Text
from .rules import LocalRules


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
    binding: int = CALL
    """how tightly the rule's text holds together"""


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
    rules: LocalRules
    """the local derivatives as formulas"""
    adjoints: list[float | None]
    """an entry for each node: what its contributions add up to; None where no gradient is computed"""

    @cached_property
    def received(self) -> dict[int, list[Contribution]]:
        """The contributions that add up to each node's adjoint, in the order in which they arrive."""
        found: dict[int, list[Contribution]] = {}
        for step in self.steps:
            for contribution in step.contributions:
                found.setdefault(contribution.argument, []).append(contribution)
        return found


def explain(evaluation: Evaluation, names: Mapping[int, Text] | None = None, beside: Iterable[int] = ()) -> Explanation:
    """Run the sweep backward of an evaluation once more, and write down what it does.

    `names` says what the nodes are called in the rules, by default what the program calls them; `beside` are nodes
    whose adjoints are wanted besides those of the evaluation.
    """
    program, order = evaluation.program, evaluation.order
    nodes = [node for node in (*evaluation.nodes.values(), *beside) if node is not None]
    active = program.graph.dependent(order, nodes)
    adjoints: list[float | None] = [0.0 if mark else None for mark in active]
    if active[program.output]:
        adjoints[program.output] = 1.0
    recorder = _Recorder(LocalRules(program, evaluation.values, names))
    values = [_Value(value, node) for node, value in enumerate(evaluation.values)]
    engine.backward(program.graph, order, values, adjoints, active, recorder)
    return Explanation(evaluation, tuple(recorder.steps), recorder.rules, adjoints)


class _Value(float):
    """A number that knows its node."""

    __slots__ = ("node",)
    node: int

    def __new__(cls, number: float, node: int) -> "_Value":
        made = super().__new__(cls, number)
        made.node = node
        return made


class _Recorder:
    """Double precision that writes down what the sweep passes on."""

    add = staticmethod(floats.add)
    function = staticmethod(floats.function)

    def __init__(self, rules: LocalRules) -> None:
        self.steps: list[Step] = []
        self.rules = rules

    def pullback(self, row: Operation, count: int, wanted: tuple[bool, ...]) -> Callable[..., Sequence[float]]:
        """The same contributions as those of double precision, recorded."""
        pullback = floats.pullback(row, count, wanted)

        def recorded(adjoint: float, result: _Value, *arguments: _Value) -> Sequence[float]:
            products, locals_ = (pullback(g, result, *arguments) for g in (adjoint, 1.0))
            texts = self.rules.texts(result.node, wanted)
            contributions = [
                Contribution(result.node, place, argument.node, text, locals_[place], products[place], binding)
                for place, (argument, (text, binding)) in enumerate(zip(arguments, texts, strict=True))
                if wanted[place]
            ]
            self.steps.append(Step(result.node, adjoint, tuple(contributions)))
            return products

        return recorded
