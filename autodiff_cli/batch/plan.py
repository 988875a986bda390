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
_FEW = 8
"""the most partial derivatives that are tried forward"""


class Bank(IntEnum):
    """Where an array is kept, and what it holds."""

    COLUMN, RESULT, NUMBER, CONSTANT, TRUTH, MASK = range(6)


class Place(NamedTuple):
    """One array of a bank; with `bits` the bits of its doubles, as whole numbers."""

    bank: Bank
    which: int
    bits: bool = False


class Step(NamedTuple):
    """An operation on arrays of equal length; called with the sources, and the target last."""

    function: Callable[..., Any]
    sources: tuple[Place, ...]
    target: Place


class Either(NamedTuple):
    """A step that gives one of two arrays, or in each row one of them; and the steps that compute these, if any."""

    decision: int
    a: Place
    b: Place
    to_a: int | None
    to_b: int | None


class Shortcuts(NamedTuple):
    """What can be left out in a block all of whose rows choose alike."""

    graph: Graph
    columns: tuple[int, ...]
    """their nodes"""
    decisions: tuple[tuple[int, int | None], ...]
    """the nodes of the conditions that say `a`, and of those that say neither; all else is `b`"""
    either: Mapping[int, Either]
    """step → the choice that it makes"""
    needs: tuple[tuple[int, ...], ...]
    """for each step the steps whose results it reads"""
    last: tuple[int, ...]
    """the steps that compute the results"""


@dataclass(frozen=True)
class Plan:
    """The steps from columns to results, and how many registers of each kind they need."""

    steps: tuple[Step, ...]
    constants: tuple[float, ...]
    columns: int
    results: int
    registers: Mapping[Bank, int]
    shortcuts: Shortcuts | None = None

    @property
    def block(self) -> int:
        """How many rows are computed at a time: as many as the cache holds."""
        return max(FEWEST, min(MOST, 1 << int(CACHE / self._bytes).bit_length() - 1))

    @property
    def cost(self) -> float:
        """The work for a row, in steps whose numbers are in the cache."""
        return len(self.steps) * max(1.0, FEWEST * self._bytes / CACHE)

    @property
    def _bytes(self) -> float:
        """What a row takes."""
        return 8 * (self.columns + self.results + sum(self.registers.values())) - 7 * self.registers[Bank.TRUTH]


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
