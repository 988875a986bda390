"""The executor: runs a plan for blocks of rows, on several threads."""

import os
from collections.abc import Iterable, Sequence
from contextlib import closing
from itertools import chain, repeat
from math import ceil
from threading import current_thread, main_thread
from typing import Any

import numpy
from numpy.typing import NDArray

from ..arithmetic.arrays import Doubles
from ..parallel import check_cancelled, in_order
from .buffers import result_columns
from .plan import ExecutionPlan, PlanStep, RegisterKind
from .uniform_branches import FIRST, uniform_branches

_GROUP = 16  # blocks of a single thread whose bounds are computed together
_UNCHECKED_STEPS = 64  # between two checks for a cancellation: some tenths of a second at most
_REGISTER_TYPES = {RegisterKind.NUMBER: float, RegisterKind.TRUTH: bool, RegisterKind.MASK: numpy.int64}


def cores() -> int:
    """How many cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def run(plan: ExecutionPlan, columns: Sequence[Doubles], rows: int, jobs: int = 1) -> tuple[list[Doubles], list[slice]]:
    """The results for columns of `rows` rows, and the blocks of rows that hold some number that is not finite.

    The rows are shared among `jobs` threads. Raises CancelledError in a thread whose result nobody wants any more.
    """
    results = result_columns(plan.counts[RegisterKind.RESULT], rows)
    jobs = max(1, min(jobs, ceil(rows / plan.block)))
    groups = _groups(plan, rows, jobs)
    size = groups[0][0].stop if groups else 0
    remaining = iter(groups)

    def work(_: int) -> list[slice]:
        return _Executor(plan, columns, results, size).run(remaining)  # each thread takes a group whenever it is free

    with closing(in_order(range(jobs), work, jobs)) as nonfinite_blocks:
        return results, sorted(chain.from_iterable(nonfinite_blocks), key=lambda block: block.start)


def _groups(plan: ExecutionPlan, rows: int, jobs: int) -> list[Sequence[slice]]:
    """Blocks of rows, in groups whose bounds are computed together, which takes as long for many blocks as for one.

    All threads have as many blocks. A group takes blocks from everywhere, as some parts of the data are more work.
    """
    is_alone = jobs == 1 and current_thread() is main_thread()  # any other thread has others beside it
    most = plan.block if is_alone else plan.long_block
    size = max(1, ceil(rows / (jobs * ceil(rows / (jobs * most)))) if jobs > 1 else most)
    blocks = [slice(start, min(start + size, rows)) for start in range(0, rows, size)]
    together = max(1, _GROUP * plan.block // size) if plan.branch_elision else 1
    count = min(jobs * ceil(len(blocks) / (together * jobs)), len(blocks))
    return [blocks[first::count] for first in range(count)]


class _Executor:
    """A plan with the registers of one thread."""

    def __init__(self, plan: ExecutionPlan, columns: Sequence[Doubles], results: Sequence[Doubles], size: int) -> None:
        """The blocks have at most `size` rows."""
        self._plan, self._columns, self._results = plan, columns, results
        self._registers = {kind: numpy.empty((plan.counts[kind], size), of) for kind, of in _REGISTER_TYPES.items()}
        self._constants = [numpy.array(constant, float) for constant in plan.constants]

    def run(self, groups: Iterable[Sequence[slice]]) -> list[slice]:
        """Compute groups of blocks; returns the blocks that hold some number that is not finite."""
        elision, nonfinite = self._plan.branch_elision, []
        with numpy.errstate(all="ignore"):
            for blocks in groups:
                branches = uniform_branches(elision, self._columns, blocks) if elision else repeat(b"", len(blocks))
                for block, taken in zip(blocks, branches, strict=True):
                    self._run_block(block, self._elided(taken) if any(taken) else self._plan.steps)
                    if not all(numpy.isfinite(result[block]).all() for result in self._results):
                        nonfinite.append(block)
        return nonfinite

    def _run_block(self, block: slice, steps: Sequence[PlanStep]) -> None:
        arrays = self._arrays(block)
        for first in range(0, len(steps), _UNCHECKED_STEPS):
            check_cancelled()
            for function, arguments in steps[first : first + _UNCHECKED_STEPS]:
                function(*arguments(arrays))

    def _arrays(self, block: slice) -> list[NDArray[Any]]:
        """The list from which the steps take their arrays."""
        rows = block.stop - block.start
        by_kind: dict[RegisterKind, list[NDArray[Any]]] = {
            kind: list(registers[:, :rows]) for kind, registers in self._registers.items()
        }
        by_kind[RegisterKind.COLUMN] = [column[block] for column in self._columns]
        by_kind[RegisterKind.RESULT] = [result[block] for result in self._results]
        by_kind[RegisterKind.CONSTANT] = self._constants
        arrays = list(chain.from_iterable(by_kind[kind] for kind in RegisterKind))
        return arrays + [array.view(numpy.int64) if array.dtype == float else array for array in arrays]

    def _elided(self, taken: bytes) -> Sequence[PlanStep]:
        """The steps without the branches that no row takes; `taken` comes from `uniform_branches`."""
        elision, plan_steps = self._plan.branch_elision, self._plan.steps
        assert elision is not None
        steps: list[PlanStep] = []
        needed, step = bytearray(len(plan_steps)), len(plan_steps)
        for result_step in elision.result_steps:
            needed[result_step] = 1
        while (step := needed.rfind(1, 0, step)) >= 0:
            select = elision.selects.get(step)
            code = taken[select.condition] if select else 0
            if not select or not code:
                steps.append(plan_steps[step])
                for source in elision.sources[step]:
                    needed[source] = 1
                continue
            branch = select.first if code == FIRST else select.second
            if branch.step is not None:
                needed[branch.step] = 1
            if branch.move is not None:
                steps.append(branch.move)
        steps.reverse()
        return steps
