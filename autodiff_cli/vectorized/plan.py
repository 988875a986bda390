"""The plan of a computation on columns: straight-line code, made once from a graph of operations on columns."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ..lowering.target_language import CONDITIONS, LOGIC
from ..operations import CONSTANT, INPUT, WHERE, Operation
from ..work_budget import NODE, charge
from .differentiated_program import PREFERRED, ColumnGraph

TRUTH = Operation("truth", "a", (), "whether a number is not zero")
NUMBER = Operation("number", "a", (), "1 for a condition that holds, else 0")
_CONDITIONS = {WHERE: 1, PREFERRED: 2}
"""operation → how many of its first operands are conditions"""


class Step(NamedTuple):
    """An operation on the results of earlier steps; without operands, a column or a constant.

    The result of a comparison is a condition, which is not a number: `TRUTH` and `NUMBER` turn one into the other.
    """

    operation: Operation
    operands: tuple[int, ...] = ()

    @property
    def is_condition(self) -> bool:
        """Whether the result is true or false."""
        return self.operation.name in CONDITIONS or self.operation.name == TRUTH.name


@dataclass(frozen=True)
class Plan:
    """The steps from columns, which are the first, to results. A value is the number of the step that computes it."""

    constants: Mapping[int, float]
    """step → its number"""
    steps: tuple[Step, ...]
    results: tuple[int, ...]
    """the values of the outputs and of their derivatives"""

    @cached_property
    def last_uses(self) -> list[list[int]]:
        """For each step the computed values that no later step uses, and that are not results."""
        seen, last = {*self.results, *(value for value, step in enumerate(self.steps) if not step.operands)}, []
        for step in reversed(self.steps):
            last.append([value for value in dict.fromkeys(step.operands) if value not in seen])
            seen.update(step.operands)
        return last[::-1]

    @cached_property
    def most_kept(self) -> int:
        """The largest number of computed values that are kept at the same time."""
        kept = most = 0
        for step, values in zip(self.steps, self.last_uses, strict=True):
            kept += bool(step.operands)
            most = max(most, kept)
            kept -= len(values)
        return most


def cheapest_plan(graphs: Iterable[ColumnGraph]) -> Plan:
    """The plan with the fewest steps and values to keep, of those for graphs with the same results."""
    return min(map(plan_for, graphs), key=lambda plan: len(plan.steps) + plan.most_kept)


def plan_for(graph: ColumnGraph) -> Plan:
    """The plan that computes the results of a graph."""
    return _Planning(graph).plan


class _Planning:
    """Steps for the nodes of a graph, in their order."""

    def __init__(self, graph: ColumnGraph) -> None:
        self._graph = graph.graph
        self._steps = [Step(INPUT) for _ in graph.columns]
        self._constants: dict[int, float] = {}
        self._values = {node: value for value, node in enumerate(graph.columns)}
        """node → its value"""
        self._shared: dict[Step, int] = {}
        order = self._graph.needed(graph.results)
        charge(NODE * len(order))
        for node in order:
            if node not in self._values:
                self._values[node] = self._value(node)
        results = tuple([self._number(node) for node in graph.results])
        self.plan = Plan(self._constants, tuple(self._steps), results)

    def _value(self, node: int) -> int:
        operation, operands = self._graph.operations[node], self._graph.arguments[node]
        if operation is CONSTANT:
            return self._constant(self._graph.numbers[node])
        count = len(operands) if operation.name in LOGIC else _CONDITIONS.get(operation, 0)
        truths, numbers = map(self._truth, operands[:count]), map(self._number, operands[count:])
        return self._step(operation, *truths, *numbers)

    def _constant(self, number: float) -> int:
        self._constants[len(self._steps)] = number
        self._steps.append(Step(CONSTANT))
        return len(self._steps) - 1

    def _step(self, operation: Operation, *operands: int) -> int:
        """The step of an operation on these values; a new one if there is none yet."""
        step = Step(operation, operands)
        if step not in self._shared:
            self._shared[step] = len(self._steps)
            self._steps.append(step)
        return self._shared[step]

    def _number(self, node: int) -> int:
        value = self._values[node]
        return self._step(NUMBER, value) if self._steps[value].is_condition else value

    def _truth(self, node: int) -> int:
        value = self._values[node]
        return value if self._steps[value].is_condition else self._step(TRUTH, value)
