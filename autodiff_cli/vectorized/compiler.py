"""The compiler: from a program to the plan that computes its value and gradient for columns of numbers.

`gradient_graph` differentiates, `instruction_selection` picks the functions, `register_allocation` their registers.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from operator import itemgetter
from typing import Any

from numpy.typing import NDArray

from ..program import Program
from .gradient_graph import GradientGraph, bind, forward_mode, reverse_mode
from .instruction_selection import InstructionSelection, copy
from .plan import Branch, BranchElision, ExecutionPlan, PlanStep, RegisterKind, Select
from .register_allocation import Register, RegisterAllocation

_FEW_PARTIALS = 8  # up to this many are tried in forward mode
_FEW_CONDITIONS = 8  # with fewer it does not pay to compute bounds


def gradient_plan(
    program: Program, columns: Sequence[str], given: Mapping[str, float], wrt: Sequence[str]
) -> ExecutionPlan:
    """The plan for a program's value, followed by its partial derivatives with respect to the names of `wrt`.

    `columns` names the inputs that differ from row to row; the others have their numbers in `given`, or defaults.
    Raises AutodiffError for inputs that have no number, all at once.
    """
    bound = bind(program, columns, given, wrt)
    plans = [compiled(reverse_mode(bound))]
    if 0 < len(wrt) <= _FEW_PARTIALS and (graph := forward_mode(bound)) is not None:
        plans.append(compiled(graph))
    return min(plans, key=lambda plan: plan.cost)


def compiled(graph: GradientGraph) -> ExecutionPlan:
    """The plan that computes the results of a graph."""
    selection = InstructionSelection(graph)
    allocation = RegisterAllocation(selection)
    counts = allocation.counts | {
        RegisterKind.COLUMN: len(graph.columns),
        RegisterKind.CONSTANT: len(selection.constants),
    }
    arrays = _ArrayList({kind: counts[kind] for kind in RegisterKind})
    steps = tuple(
        PlanStep(instruction.function, arrays.take(*instruction.registers)) for instruction in allocation.code
    )
    elision = _branch_elision(graph, selection, allocation, arrays)
    return ExecutionPlan(steps, tuple(selection.constants), arrays.counts, elision)


class _ArrayList:
    """The list from which the steps of a plan take their arrays, as `ExecutionPlan` describes it."""

    def __init__(self, counts: Mapping[RegisterKind, int]) -> None:
        self.counts = counts
        self._size = sum(counts.values())
        self._starts = dict(zip(counts, accumulate(counts.values(), initial=0), strict=False))

    def _index(self, register: Register) -> int:
        return self._starts[register.kind] + register.position + self._size * register.as_bits

    def take(self, *registers: Register) -> Callable[[list[NDArray[Any]]], tuple[Any, ...]]:
        """What takes the arrays of two or more registers from the list."""
        return itemgetter(*map(self._index, registers))


def _branch_elision(
    graph: GradientGraph, selection: InstructionSelection, allocation: RegisterAllocation, arrays: _ArrayList
) -> BranchElision | None:
    """What is needed to leave out branches; None where there are few conditions."""
    positions, code = allocation.positions, allocation.code
    conditions = list(dict.fromkeys((operands.condition, operands.tie) for operands in selection.selects.values()))
    if len(conditions) < _FEW_CONDITIONS:
        return None
    condition_index = {condition: index for index, condition in enumerate(conditions)}

    def branch(select: int, operand: int) -> Branch:
        source, target = allocation.registers[operand], allocation.registers[select]
        move = None if source == target else PlanStep(copy, arrays.take(source, target))
        return Branch(move, positions.get(operand))

    selects = {
        positions[index]: Select(condition_index[condition, tie], branch(index, first), branch(index, second))
        for index, (first, second, condition, tie) in selection.selects.items()
    }
    sources = [tuple([positions[a] for a in instruction.operands if a in positions]) for instruction in code]
    result_steps = [step for step, (_, registers, _) in enumerate(code) if registers[-1].kind is RegisterKind.RESULT]
    order = graph.graph.needed(node for pair in conditions for node in pair if node is not None)
    return BranchElision(graph.graph, graph.columns, order, conditions, selects, sources, result_steps)
