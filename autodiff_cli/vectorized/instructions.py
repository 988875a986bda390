"""The arrays that a graph of operations on columns is computed by, each from others before it."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy

from ..arithmetic import arrays
from ..lowering.language import CONDITIONS, LOGIC
from ..operations import CONSTANT, OPERATIONS
from .gradients import PREFERRED, Lowered
from .plan import Array, Bank

_DIV = OPERATIONS["div"]
_BETTER = {"max": "gt", "min": "lt"}


class Cell(NamedTuple):
    """An array that is computed, or that is there."""

    bank: Bank
    which: int = 0
    """of a column or a constant"""
    function: Callable[..., object] | None = None
    sources: tuple[int, ...] = ()
    bits: bool = False
    """does it work on the bits of its numbers?"""


class Choice(NamedTuple):
    """Between two cells, row by row."""

    a: int
    b: int
    when: int
    """the node of the graph that says `a`"""
    tie: int | None = None
    """the node that says neither; all else is `b`"""


class Cells:
    """The arrays that nodes need, in order. A choice is made of bits: masks of ones and zeros cut numbers out."""

    def __init__(self, lowered: Lowered) -> None:
        self.cells: list[Cell] = []
        self.choices: dict[int, Choice] = {}
        """the cells that are one of two others in each row"""
        self.constants: list[float] = []
        self._graph = graph = lowered.graph
        self._known: dict[tuple[object, ...], int] = {}
        self._comparisons = {
            (row.name, arguments): node
            for node, (row, arguments) in enumerate(zip(graph.operations, graph.arguments, strict=True))
            if row.name in _BETTER.values()
        }
        self._cells: dict[int, int] = {
            node: self._add(Cell(Bank.COLUMN, place)) for place, node in enumerate(lowered.columns)
        }
        for node in graph.needed(lowered.results):
            if node not in self._cells:
                self._cells[node] = self._cell(node)

    def _add(self, cell: Cell) -> int:
        self.cells.append(cell)
        return len(self.cells) - 1

    def _once(self, bank: Bank, function: Callable[..., object], *sources: int, bits: bool = False) -> int:
        """The cell of a function of others, one for all who ask."""
        key = bank, function, sources
        if key not in self._known:
            self._known[key] = self._add(Cell(bank, 0, function, sources, bits))
        return self._known[key]

    def _cell(self, node: int) -> int:
        row, arguments = self._graph.operations[node], self._graph.arguments[node]
        if row is CONSTANT:
            return self._constant(self._graph.numbers[node])
        if row.name == "where":
            condition, a, b = arguments
            return self._choice(self._chosen(self._mask(condition), a, b), Choice(a, b, condition))
        if row is PREFERRED:
            larger, equal, a, b = arguments
            chosen = self._chosen(self._mask(larger), a, b)
            found = self._once(Bank.NUMBER, _tied, self._truth(equal), self.number(a), self.number(b), chosen)
            return self._choice(found, Choice(a, b, larger, equal))
        function = arrays.function(row, len(arguments))
        assert function is not None, row.name
        sources = [self._truth(a) if row.name in LOGIC else self.number(a) for a in arguments]
        if row is _DIV and (inverse := _inverse(self._graph.numbers.get(arguments[1], 0.0))):
            return self._once(Bank.NUMBER, numpy.multiply, sources[0], self._constant(inverse))
        bank = Bank.TRUTH if row.name in CONDITIONS else Bank.NUMBER
        cell = self._once(bank, _NAMED.get(row.name, function), *sources)
        for a, b in (arguments, arguments[::-1]) if row.name in _BETTER else ():
            when = self._comparisons.get((_BETTER[row.name], (a, b)))
            if when is not None:
                self._choice(cell, Choice(a, b, when))
        return cell

    def _constant(self, number: float) -> int:
        self.constants.append(number)
        return self._add(Cell(Bank.CONSTANT, len(self.constants) - 1))

    def _choice(self, cell: int, choice: Choice) -> int:
        """Note that a cell is one of two in each row; in `choice` these are nodes."""
        self.choices[cell] = choice._replace(a=self.number(choice.a), b=self.number(choice.b))
        return cell

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
        return self._once(Bank.NUMBER, copied, cell) if self.cells[cell].bank is Bank.TRUTH else cell

    def _truth(self, node: int) -> int:
        """The node's cell as truth values."""
        cell = self._cells[node]
        return cell if self.cells[cell].bank is Bank.TRUTH else self._once(Bank.TRUTH, _nonzero, cell)

    def _mask(self, node: int) -> int:
        """Ones where the node holds, zeros where not, in each bit."""
        ones = self._once(Bank.MASK, copied, self._truth(node))
        return self._once(Bank.MASK, numpy.negative, ones)


def copied(source: Array, out: Array) -> None:
    """The same again, of another type if need be."""
    numpy.copyto(out, source)


def _inverse(number: float) -> float:
    """By what to multiply instead of dividing, which takes longer; 0 where the result would not be the same."""
    mantissa, exponent = math.frexp(number)
    return 1 / number if abs(mantissa) == 0.5 and abs(exponent) < 1000 else 0.0


def maximum(a: Array, b: Array, out: Array) -> None:
    """The larger of two."""
    numpy.maximum(a, b, out=out)


def minimum(a: Array, b: Array, out: Array) -> None:
    """The smaller of two."""
    numpy.minimum(a, b, out=out)


_NAMED = {"max": maximum, "min": minimum}
"""what NumPy wants its target named for; for all else the target is the last argument"""


def _nonzero(source: Array, out: Array) -> None:
    numpy.not_equal(source, 0.0, out)


def _tied(equal: Array, a: Array, b: Array, chosen: Array, out: Array) -> None:
    """What was chosen, but the mean of `a` and `b` where they belong to equal numbers, which is rare."""
    mean = 0.5 * a + 0.5 * b if numpy.count_nonzero(equal) else None
    if out is not chosen:
        numpy.copyto(out, chosen)
    if mean is not None:
        numpy.copyto(out, mean, where=equal)
