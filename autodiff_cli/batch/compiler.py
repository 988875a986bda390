"""From a graph to a plan: each node becomes one or a few steps, each with the register that it writes to."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy

from ..arithmetic import arrays
from ..codegen.language import CONDITIONS, LOGIC
from ..operations import CONSTANT
from .gradients import PREFERRED, Lowered
from .plan import Array, Bank, Place, Plan, Step


def compiled(lowered: Lowered) -> Plan:
    """The plan for a graph of operations on columns."""
    cells = _Cells(lowered)
    results = [cells.number(node) for node in lowered.results]
    allocation = _Allocation(cells.cells, results)
    registers = {bank: allocation.counts[bank] for bank in _REGISTERS}
    return Plan(tuple(allocation.steps), tuple(cells.constants), len(lowered.columns), len(results), registers)


_REGISTERS = (Bank.NUMBER, Bank.TRUTH, Bank.MASK)


class _Cell(NamedTuple):
    """An array that is computed, or that is there."""

    bank: Bank
    which: int = 0
    """of a column or a constant"""
    function: Callable[..., object] | None = None
    sources: tuple[int, ...] = ()
    bits: bool = False
    """does it work on the bits of its numbers?"""


class _Cells:
    """The arrays that nodes need, in order. A choice is made of bits: masks of ones and zeros cut numbers out."""

    def __init__(self, lowered: Lowered) -> None:
        self.cells: list[_Cell] = []
        self.constants: list[float] = []
        self._graph = graph = lowered.graph
        self._known: dict[tuple[object, ...], int] = {}
        self._cells: dict[int, int] = {
            node: self._add(_Cell(Bank.COLUMN, place)) for place, node in enumerate(lowered.columns)
        }
        for node in graph.needed(lowered.results):
            if node not in self._cells:
                self._cells[node] = self._cell(node)

    def _add(self, cell: _Cell) -> int:
        self.cells.append(cell)
        return len(self.cells) - 1

    def _once(self, bank: Bank, function: Callable[..., object], *sources: int, bits: bool = False) -> int:
        """The cell of a function of others, one for all who ask."""
        key = bank, function, sources
        if key not in self._known:
            self._known[key] = self._add(_Cell(bank, 0, function, sources, bits))
        return self._known[key]

    def _cell(self, node: int) -> int:
        row, arguments = self._graph.operations[node], self._graph.arguments[node]
        if row is CONSTANT:
            self.constants.append(self._graph.numbers[node])
            return self._add(_Cell(Bank.CONSTANT, len(self.constants) - 1))
        if row.name == "where":
            return self._chosen(self._mask(arguments[0]), arguments[1], arguments[2])
        if row is PREFERRED:
            larger, equal, a, b = arguments
            chosen = self._chosen(self._mask(larger), a, b)
            return self._once(Bank.NUMBER, _tied, self._truth(equal), self.number(a), self.number(b), chosen)
        function = arrays.function(row, len(arguments))
        assert function is not None, row.name
        sources = [self._truth(a) if row.name in LOGIC else self.number(a) for a in arguments]
        return self._once(Bank.TRUTH if row.name in CONDITIONS else Bank.NUMBER, function, *sources)

    def _chosen(self, mask: int, a: int, b: int) -> int:
        """`a` where the mask has ones, else `b`."""
        first, second, zero = self.number(a), self.number(b), self._graph.numbers.get
        if zero(b) == 0:
            return self._once(Bank.NUMBER, numpy.bitwise_and, first, mask, bits=True)
        if zero(a) == 0:
            inside = self._once(Bank.NUMBER, numpy.bitwise_and, second, mask, bits=True)
        else:
            change = self._once(Bank.NUMBER, numpy.bitwise_xor, first, second, bits=True)
            inside = self._once(Bank.NUMBER, numpy.bitwise_and, change, mask, bits=True)
        return self._once(Bank.NUMBER, numpy.bitwise_xor, inside, second, bits=True)

    def number(self, node: int) -> int:
        """The node's cell as numbers."""
        cell = self._cells[node]
        return self._once(Bank.NUMBER, _copied, cell) if self.cells[cell].bank is Bank.TRUTH else cell

    def _truth(self, node: int) -> int:
        """The node's cell as truth values."""
        cell = self._cells[node]
        return cell if self.cells[cell].bank is Bank.TRUTH else self._once(Bank.TRUTH, _nonzero, cell)

    def _mask(self, node: int) -> int:
        """Ones where the node holds, zeros where not, in each bit."""
        ones = self._once(Bank.MASK, _copied, self._truth(node))
        return self._once(Bank.MASK, numpy.negative, ones)


class _Allocation:
    """The steps that compute cells, and the places that they use."""

    def __init__(self, cells: Sequence[_Cell], results: Sequence[int]) -> None:
        self.steps: list[Step] = []
        self.counts = dict.fromkeys(_REGISTERS, 0)
        self._free: dict[Bank, list[int]] = {bank: [] for bank in _REGISTERS}
        self._places: list[Place] = []
        given: dict[int, int] = {}
        for place, result in enumerate(results):
            if cells[result].function is not None:
                given.setdefault(result, place)
        last = {source: index for index, cell in enumerate(cells) for source in cell.sources}
        for index, cell in enumerate(cells):
            self._places.append(self._place(index, cell, last, given))
        for place, node in enumerate(results):
            if self._places[node] != Place(Bank.RESULT, place):
                self.steps.append(Step(_copied, (self._places[node],), Place(Bank.RESULT, place)))

    def _place(self, index: int, cell: _Cell, last: dict[int, int], given: dict[int, int]) -> Place:
        """Where a cell is, and the step that computes it; it may be written over what is read for the last time."""
        if cell.function is None:
            return Place(cell.bank, cell.which)
        for source in dict.fromkeys(cell.sources):
            if last[source] == index and self._places[source].bank in self._free:
                self._free[self._places[source].bank].append(self._places[source].which)
        target = Place(Bank.RESULT, given[index]) if index in given else Place(cell.bank, self._register(cell.bank))
        sources = [self._places[source] for source in cell.sources]
        if cell.bits:
            places = [place if place.bank is Bank.MASK else place._replace(bits=True) for place in (*sources, target)]
            self.steps.append(Step(cell.function, tuple(places[:-1]), places[-1]))
        else:
            self.steps.append(Step(cell.function, tuple(sources), target))
        return target

    def _register(self, bank: Bank) -> int:
        if self._free[bank]:
            return self._free[bank].pop()
        self.counts[bank] += 1
        return self.counts[bank] - 1


def _copied(source: Array, out: Array) -> None:
    numpy.copyto(out, source)


def _nonzero(source: Array, out: Array) -> None:
    numpy.not_equal(source, 0.0, out)


def _tied(equal: Array, a: Array, b: Array, chosen: Array, out: Array) -> None:
    """What was chosen, but the mean of `a` and `b` where they belong to equal numbers, which is rare."""
    mean = 0.5 * a + 0.5 * b if numpy.count_nonzero(equal) else None
    if out is not chosen:
        numpy.copyto(out, chosen)
    if mean is not None:
        numpy.copyto(out, mean, where=equal)
