"""A plan: a value and its gradient as a straight line of operations on columns of numbers.

It is made once for a program: equal subexpressions are computed once, and what depends on no column is a number. The
steps work on registers, columns of one block of rows; a register that is needed no more is written over.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple

from ..graph import Graph
from ..program import Program

Array = Any
"""of doubles, of truth values, or of whole numbers with the bits of doubles"""

CACHE = 2**25
"""bytes that stay near the processor"""
FEWEST, MOST = 2048, 32768
"""rows of a block: with fewer, calling a function costs more than what it computes"""
LONG = 4
"""how much longer blocks are beside other threads"""
_FEW = 8
"""the most partial derivatives that are tried forward"""


class Bank(IntEnum):
    """Where an array is kept, and what it holds."""

    COLUMN, RESULT, NUMBER, CONSTANT, TRUTH, MASK = range(6)


_BYTES = {Bank.COLUMN: 8, Bank.RESULT: 8, Bank.NUMBER: 8, Bank.CONSTANT: 0, Bank.TRUTH: 1, Bank.MASK: 8}


class Step(NamedTuple):
    """A function, and how to get what it is called with from the list of all arrays: the sources, the target last."""

    function: Callable[..., Any]
    operands: Callable[[list[Array]], tuple[Any, ...]]


class Way(NamedTuple):
    """One side of a choice: how its array gets to where the choice puts it, and the step that computes it, if any."""

    move: Step | None
    made: int | None


class Either(NamedTuple):
    """A step that gives one of two arrays, or in each row one of them."""

    decision: int
    first: Way
    second: Way


class Shortcuts(NamedTuple):
    """What can be left out in a block all of whose rows choose alike."""

    graph: Graph
    columns: Sequence[int]
    """their nodes"""
    order: Sequence[int]
    """the nodes that decisions are made from"""
    decisions: Sequence[tuple[int, int | None]]
    """the nodes of the conditions that say `a`, and of those that say neither; all else is `b`"""
    either: Mapping[int, Either]
    """step → the choice that it makes"""
    needs: Sequence[Sequence[int]]
    """for each step the steps whose results it reads"""
    last: Sequence[int]
    """the steps that compute the results"""


@dataclass(frozen=True)
class Plan:
    """The steps from columns to results.

    They find their arrays in one list: the columns, the results, the registers and the constants by `Bank`, and after
    these as many with the bits of the doubles among them, as whole numbers.
    """

    steps: tuple[Step, ...]
    constants: tuple[float, ...]
    counts: Mapping[Bank, int]
    """how many arrays there are of each kind, in their order"""
    shortcuts: Shortcuts | None = None

    @property
    def results(self) -> int:
        """How many results a row has."""
        return self.counts[Bank.RESULT]

    @property
    def block(self) -> int:
        """How many rows a thread computes at a time: as many as the cache holds."""
        return self._rows(CACHE, MOST)

    @property
    def long_block(self) -> int:
        """The same beside other threads, which wait for each other between two steps: the fewer steps, the better."""
        return self._rows(LONG * CACHE, LONG * MOST)

    def _rows(self, size: int, most: int) -> int:
        """A power of two: the rows that so many bytes hold."""
        return max(FEWEST, min(most, 1 << int(size / self._bytes).bit_length() - 1))

    @property
    def cost(self) -> float:
        """The work for a row, in steps whose numbers are in the cache."""
        return len(self.steps) * max(1.0, FEWEST * self._bytes / CACHE)

    @property
    def _bytes(self) -> float:
        """What a row takes."""
        return sum(count * _BYTES[bank] for bank, count in self.counts.items())


def gradient_plan(program: Program, columns: Sequence[str], given: Mapping[str, float], wrt: Sequence[str]) -> Plan:
    """The plan for a program's value, followed by its partial derivatives with respect to the names of `wrt`.

    `columns` names the inputs that differ from row to row; the others have their numbers in `given`, or defaults.
    """
    from . import gradients
    from .compiler import compiled

    asked = gradients.problem(program, columns, given, wrt)
    plans = [compiled(gradients.backward(asked))]
    if 0 < len(wrt) <= _FEW and (lowered := gradients.forward(asked)) is not None:
        plans.append(compiled(lowered))
    return min(plans, key=lambda plan: plan.cost)
