"""From a graph to a plan: each array that it needs is a step, with the register that it writes to."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from .cells import Cell, Cells, Choice, copied
from .gradients import Lowered
from .plan import Bank, Either, Place, Plan, Shortcuts, Step

_REGISTERS = (Bank.NUMBER, Bank.TRUTH, Bank.MASK)
_FEWEST = 8  # choices for which it pays to look whether all rows are alike


def compiled(lowered: Lowered) -> Plan:
    """The plan for a graph of operations on columns."""
    cells = Cells(lowered)
    allocation = _Allocation(cells.cells, [cells.number(node) for node in lowered.results], cells.choices)
    plan = allocation.plan(cells.constants, len(lowered.columns))
    return replace(plan, shortcuts=_shortcuts(lowered, cells.choices, allocation))


def _shortcuts(lowered: Lowered, choices: Mapping[int, Choice], allocation: "_Allocation") -> Shortcuts | None:
    """What can be left out in blocks that are all alike; None where there are few choices."""
    steps = allocation.made
    found = {cell: choice for cell, choice in choices.items() if cell in steps}
    decisions = list(dict.fromkeys((choice.when, choice.tie) for choice in found.values()))
    if len(decisions) < _FEWEST:
        return None
    numbers = {decision: number for number, decision in enumerate(decisions)}
    either = {
        steps[cell]: Either(numbers[when, tie], allocation.place(a), allocation.place(b), steps.get(a), steps.get(b))
        for cell, (a, b, when, tie) in found.items()
    }
    needs = [tuple([steps[source] for source in sources if source in steps]) for sources in allocation.reads]
    last = [index for index, step in enumerate(allocation.steps) if step.target.bank is Bank.RESULT]
    return Shortcuts(lowered.graph, tuple(lowered.columns), tuple(decisions), either, tuple(needs), tuple(last))


class _Allocation:
    """The steps that compute cells, and the places that they use."""

    def __init__(self, cells: Sequence[Cell], results: Sequence[int], choices: Mapping[int, Choice]) -> None:
        self.steps: list[Step] = []
        self.reads: list[tuple[int, ...]] = []
        """the cells that each step reads"""
        self.made: dict[int, int] = {}
        """cell → the step that computes it"""
        self._counts = dict.fromkeys(_REGISTERS, 0)
        self._free: dict[Bank, list[int]] = {bank: [] for bank in _REGISTERS}
        self._places: dict[int, Place] = {}
        self._results = len(results)
        uses = [
            (*cell.sources, *choices[index][:2]) if index in choices else cell.sources
            for index, cell in enumerate(cells)
        ]
        order = _needed(uses, results)
        given: dict[int, int] = {}
        for place, result in enumerate(results):
            if cells[result].function is not None:
                given.setdefault(result, place)
        last = {source: index for index in order for source in uses[index]}
        for index in order:
            self._places[index] = self._place(index, cells[index], uses[index], last, given)
        for place, result in enumerate(results):
            if self._places[result] != Place(Bank.RESULT, place):
                self._add(Step(copied, (self._places[result],), Place(Bank.RESULT, place)), (result,))

    def plan(self, constants: Sequence[float], columns: int) -> Plan:
        """The plan of these steps."""
        return Plan(tuple(self.steps), tuple(constants), columns, self._results, self._counts)

    def place(self, cell: int) -> Place:
        """Where a cell is."""
        return self._places[cell]

    def _add(self, step: Step, reads: tuple[int, ...]) -> None:
        self.steps.append(step)
        self.reads.append(reads)

    def _place(
        self, index: int, cell: Cell, uses: Sequence[int], last: Mapping[int, int], given: Mapping[int, int]
    ) -> Place:
        """Where a cell is, and the step that computes it; it may be written over what is used for the last time."""
        if cell.function is None:
            return Place(cell.bank, cell.which)
        for source in dict.fromkeys(uses):
            if last[source] == index and self._places[source].bank in self._free:
                self._free[self._places[source].bank].append(self._places[source].which)
        target = Place(Bank.RESULT, given[index]) if index in given else Place(cell.bank, self._register(cell.bank))
        places = [*(self._places[source] for source in cell.sources), target]
        if cell.bits:
            places = [place if place.bank is Bank.MASK else place._replace(bits=True) for place in places]
        self.made[index] = len(self.steps)
        self._add(Step(cell.function, tuple(places[:-1]), places[-1]), cell.sources)
        return target

    def _register(self, bank: Bank) -> int:
        if self._free[bank]:
            return self._free[bank].pop()
        self._counts[bank] += 1
        return self._counts[bank] - 1


def _needed(uses: Sequence[Sequence[int]], results: Sequence[int]) -> list[int]:
    """The cells that the results are computed from, in order."""
    marks = bytearray(len(uses))
    for result in results:
        marks[result] = 1
    for index in range(len(marks) - 1, -1, -1):
        if marks[index]:
            for source in uses[index]:
                marks[source] = 1
    return [index for index, mark in enumerate(marks) if mark]
