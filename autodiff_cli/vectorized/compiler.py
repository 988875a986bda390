"""From a graph to a plan: each array that it needs is a step, with the register that it writes to."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import accumulate
from operator import itemgetter
from typing import NamedTuple

from .gradients import Lowered
from .instructions import Cell, Cells, Choice, copied
from .plan import Array, Bank, Either, Plan, Shortcuts, Step, Way

_REGISTERS = (Bank.NUMBER, Bank.TRUTH, Bank.MASK)
_FEWEST = 8  # choices for which it pays to look whether all rows are alike


class _Place(NamedTuple):
    """One array of a bank; with `bits` the bits of its doubles, as whole numbers."""

    bank: Bank
    which: int
    bits: bool = False


def compiled(lowered: Lowered) -> Plan:
    """The plan for a graph of operations on columns."""
    cells = Cells(lowered)
    allocation = _Allocation(cells.cells, [cells.number(node) for node in lowered.results], cells.choices)
    counts = allocation.counts | {Bank.COLUMN: len(lowered.columns), Bank.CONSTANT: len(cells.constants)}
    banks = _Banks({bank: counts[bank] for bank in Bank})
    steps = tuple([banks.step(function, *places) for function, places in allocation.steps])
    return Plan(steps, tuple(cells.constants), banks.counts, _shortcuts(lowered, cells.choices, allocation, banks))


class _Banks:
    """Where a place is in the list of all arrays."""

    def __init__(self, counts: Mapping[Bank, int]) -> None:
        self.counts = counts
        self._whole = sum(counts.values())
        self._starts = dict(zip(counts, accumulate(counts.values(), initial=0), strict=False))

    def index(self, place: _Place) -> int:
        """The number of an array."""
        return self._starts[place.bank] + place.which + self._whole * place.bits

    def step(self, function: Callable[..., object], *places: _Place) -> Step:
        """A step on arrays."""
        return Step(function, itemgetter(*map(self.index, places)))

    def move(self, source: _Place, target: _Place, *, lost: bool) -> Step | None:
        """The step that brings an array to a place; two registers are exchanged where the first may be lost."""
        if source == target:
            return None
        if lost and source.bank == target.bank == Bank.NUMBER:
            return Step(partial(_exchange, self._whole, self.index(source), self.index(target)), _all)
        return self.step(copied, source, target)


def _exchange(whole: int, first: int, second: int, arrays: list[Array]) -> None:
    """Let two registers, and their bits, change their places in the list of all arrays."""
    for a, b in ((first, second), (whole + first, whole + second)):
        arrays[a], arrays[b] = arrays[b], arrays[a]


def _all(arrays: list[Array]) -> tuple[list[Array]]:
    return (arrays,)


def _shortcuts(
    lowered: Lowered, choices: Mapping[int, Choice], allocation: "_Allocation", banks: _Banks
) -> Shortcuts | None:
    """What can be left out in blocks that are all alike; None where there are few choices."""
    steps = allocation.made
    found = {cell: choice for cell, choice in choices.items() if cell in steps}
    decisions = list(dict.fromkeys((choice.when, choice.tie) for choice in found.values()))
    if len(decisions) < _FEWEST:
        return None
    numbers = {decision: number for number, decision in enumerate(decisions)}

    def way(cell: int, source: int) -> Way:
        lost = allocation.last.get(source) == cell
        return Way(banks.move(allocation.places[source], allocation.places[cell], lost=lost), steps.get(source))

    either = {
        steps[cell]: Either(numbers[when, tie], way(cell, a), way(cell, b)) for cell, (a, b, when, tie) in found.items()
    }
    needs = [tuple([steps[source] for source in sources if source in steps]) for sources in allocation.reads]
    last = [index for index, (_, places) in enumerate(allocation.steps) if places[-1].bank is Bank.RESULT]
    order = lowered.graph.needed(node for pair in decisions for node in pair if node is not None)
    return Shortcuts(lowered.graph, lowered.columns, order, decisions, either, needs, last)


class _Allocation:
    """The steps that compute cells, and the places that they use."""

    def __init__(self, cells: Sequence[Cell], results: Sequence[int], choices: Mapping[int, Choice]) -> None:
        self.steps: list[tuple[Callable[..., object], list[_Place]]] = []
        """functions, and the places of their sources, the target last"""
        self.reads: list[tuple[int, ...]] = []
        """the cells that each step reads"""
        self.made: dict[int, int] = {}
        """cell → the step that computes it"""
        self.places: dict[int, _Place] = {}
        """where cells are"""
        self.counts = dict.fromkeys(_REGISTERS, 0) | {Bank.RESULT: len(results)}
        self._free: dict[Bank, list[int]] = {bank: [] for bank in _REGISTERS}
        uses = [
            (*cell.sources, *choices[index][:2]) if index in choices else cell.sources
            for index, cell in enumerate(cells)
        ]
        order = _needed(uses, results)
        given: dict[int, int] = {}
        for which, result in enumerate(results):
            if cells[result].function is not None:
                given.setdefault(result, which)
        self.last = {source: index for index in order for source in uses[index]}
        """cell → the cell that uses it last"""
        for index in order:
            self.places[index] = self._place(index, cells[index], uses[index], given)
        for which, result in enumerate(results):
            place = _Place(Bank.RESULT, which)
            if self.places[result] != place:
                self._add(copied, [self.places[result], place], (result,))

    def _add(self, function: Callable[..., object], places: list[_Place], reads: tuple[int, ...]) -> None:
        self.steps.append((function, places))
        self.reads.append(reads)

    def _place(self, index: int, cell: Cell, uses: Sequence[int], given: Mapping[int, int]) -> _Place:
        """Where a cell is, and the step that computes it; it may be written over what is used for the last time."""
        if cell.function is None:
            return _Place(cell.bank, cell.which)
        for source in dict.fromkeys(uses):
            if self.last[source] == index and self.places[source].bank in self._free:
                self._free[self.places[source].bank].append(self.places[source].which)
        target = _Place(Bank.RESULT, given[index]) if index in given else _Place(cell.bank, self._register(cell.bank))
        places = [*(self.places[source] for source in cell.sources), target]
        if cell.bits:
            places = [place if place.bank is Bank.MASK else place._replace(bits=True) for place in places]
        self.made[index] = len(self.steps)
        self._add(cell.function, places, cell.sources)
        return target

    def _register(self, bank: Bank) -> int:
        if self._free[bank]:
            return self._free[bank].pop()
        self.counts[bank] += 1
        return self.counts[bank] - 1


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
