"""From a graph of operations on columns to the plan that computes its results."""

from collections.abc import Iterable

from ..lowering.language import LOGIC
from ..operations import CONSTANT, INPUT, WHERE, Operation
from ..work import NODE, charge
from .differentiated_program import PREFERRED, ColumnGraph
from .plan import NUMBER, TRUTH, Plan, Step

_CONDITIONS = {WHERE: 1, PREFERRED: 2}
"""operation → how many of its first operands are conditions"""


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
