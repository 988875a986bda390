"""Blocks of rows, computed by several threads."""

import os
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import ceil
from typing import Protocol

from ..arithmetic.arrays import Doubles
from ..parallel import check_cancelled, together
from .buffers import FEW, LINE, place_in_line, result_columns
from .plan import Plan

_EVEN = 16  # rows, a multiple of every vector's size
_LEAST_WORK = 8_000_000  # steps of rows, below which starting threads takes longer than they save


class Executor(Protocol):
    """An object that computes a plan for a block of rows; any number of threads may use it."""

    plan: Plan
    block: int
    """the number of rows that a block should have"""

    def over(self, columns: Sequence[Doubles], results: Doubles) -> Callable[[slice], bool]:
        """A function that computes a block of `results`, a row for each, and returns whether all are finite."""


def cores() -> int:
    """The number of cores that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def run(executor: Executor, columns: Sequence[Doubles], rows: int, jobs: int = 1) -> tuple[Doubles, list[slice]]:
    """The results for columns of `rows` rows, and the blocks of rows that hold some number that is not finite.

    The rows are shared among `jobs` threads. Raises CancelledError in a thread whose result is no longer wanted.
    """
    place = place_in_line(columns) if rows >= FEW else 0
    results = result_columns(len(executor.plan.results), rows, place)
    return results, shared(executor, rows, jobs, executor.over(columns, results), -place % LINE)


def shared(executor: Executor, rows: int, jobs: int, compute: Callable[[slice], bool], offset: int = 0) -> list[slice]:
    """Compute blocks of rows in `jobs` threads, or fewer; return those for which `compute` gave False, ascending.

    `offset` is the first row at which a cache line begins: 0 to 7.
    """
    jobs = min(jobs, max(1, rows * len(executor.plan) // _LEAST_WORK))
    blocks = _blocks(rows, executor.block, jobs, offset)
    remaining, unfinished = iter(blocks), list[slice]()  # each thread takes a block whenever it is free

    def work() -> None:
        for block in remaining:
            check_cancelled()
            if not compute(block):
                unfinished.append(block)

    jobs = min(jobs, len(blocks))
    if jobs > 1:
        together(work, jobs)
    else:
        work()
    return sorted(unfinished, key=lambda block: block.start)


def _blocks(rows: int, most: int, jobs: int, offset: int = 0) -> list[slice]:
    """Blocks of at most `most` rows, as many for each thread; all but the first begin with a cache line."""
    each = ceil(rows / (jobs * ceil(rows / (jobs * most)))) if rows else 1
    size = -(-each // _EVEN) * _EVEN
    starts = range(size - -offset % _EVEN, rows, size)
    return [slice(start, stop) for start, stop in pairwise([0, *starts, rows])] if rows else []
