"""The plan of a computation on columns: a value and its gradient as straight-line code, made once for a program.

The steps work on registers, which hold one block of rows; a register that is needed no more is written over.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple

from numpy.typing import NDArray

from ..graph import Graph

CACHE = 2**25
"""bytes that stay near the processor"""
MIN_ROWS, MAX_ROWS = 2048, 32768
"""rows of a block: with fewer, calling a function costs more than what it computes"""
LONG = 4
"""how much longer blocks are beside other threads"""


class RegisterKind(IntEnum):
    """Where an array is kept, and what it holds: doubles, truth values, or masks of 64 equal bits."""

    COLUMN, RESULT, NUMBER, CONSTANT, TRUTH, MASK = range(6)


_BYTES = dict.fromkeys(RegisterKind, 8) | {RegisterKind.CONSTANT: 0, RegisterKind.TRUTH: 1}


class PlanStep(NamedTuple):
    """A function, and what takes its arguments from the list of all arrays: the operands, then the target."""

    function: Callable[..., object]
    arguments: Callable[[list[NDArray[Any]]], tuple[Any, ...]]


class Branch(NamedTuple):
    """One side of a select."""

    move: PlanStep | None
    """brings the branch's array to the target of the select, if it is not there already"""
    step: int | None
    """the step that computes the branch's array, if any"""


class Select(NamedTuple):
    """A step that takes each row from one of two branches."""

    condition: int
    """the index of its condition in `BranchElision.conditions`"""
    first: Branch
    second: Branch


class BranchElision(NamedTuple):
    """What is needed to leave out the branches that no row of a block takes."""

    graph: Graph
    columns: Sequence[int]
    """their nodes"""
    order: Sequence[int]
    """the nodes that conditions are computed from"""
    conditions: Sequence[tuple[int, int | None]]
    """the node that is true where the first branch is taken; the node that is true where neither is, as they tie"""
    selects: Mapping[int, Select]
    """step → its branches"""
    sources: Sequence[Sequence[int]]
    """for each step, the steps whose results it reads"""
    result_steps: Sequence[int]


@dataclass(frozen=True)
class ExecutionPlan:
    """The steps from columns to results.

    A step finds its arrays in one list: first those of each `RegisterKind`, in this order, then the same arrays once
    more, with the doubles among them viewed as 64-bit integers.
    """

    steps: tuple[PlanStep, ...]
    constants: tuple[float, ...]
    counts: Mapping[RegisterKind, int]
    """how many arrays there are of each kind"""
    branch_elision: BranchElision | None = None

    @property
    def block(self) -> int:
        """How many rows a thread computes at a time: as many as the cache holds."""
        return self._rows(CACHE, MAX_ROWS)

    @property
    def long_block(self) -> int:
        """The same beside other threads, which wait for each other between two steps: the fewer steps, the better."""
        return self._rows(LONG * CACHE, LONG * MAX_ROWS)

    def _rows(self, size: int, most: int) -> int:
        """A power of two: the rows that fit into a number of bytes."""
        return max(MIN_ROWS, min(most, 1 << int(size / self._row_bytes).bit_length() - 1))

    @property
    def cost(self) -> float:
        """The work for a row, in steps whose registers are in the cache."""
        return len(self.steps) * max(1.0, MIN_ROWS * self._row_bytes / CACHE)

    @property
    def _row_bytes(self) -> int:
        return sum(count * _BYTES[kind] for kind, count in self.counts.items())
