"""A plan at work: in blocks of rows, on several threads."""

import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import chain, repeat
from math import ceil
from threading import current_thread, main_thread

import numpy

from ..parallel import check_cancelled, in_order
from .branches import FIRST, decisions
from .plan import Array, Bank, Plan, Step

_AT_ONCE = 16  # blocks of a lonely thread whose bounds are computed together
_UNCHECKED = 64  # steps between two looks whether the result is still wanted: some tenths of a second at most
_KINDS = {Bank.NUMBER: float, Bank.TRUTH: bool, Bank.MASK: numpy.int64}
"""the registers"""


def cores() -> int:
    """How many cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def run(plan: Plan, columns: Sequence[Array], rows: int, jobs: int = 1) -> tuple[list[Array], list[slice]]:
    """The results for columns of doubles of so many rows, and the blocks of rows among which some are not finite.

    The rows are shared among so many threads. Raises CancelledError in a thread whose result nobody wants any more.
    """
    results = list(numpy.empty((plan.results, rows)))
    jobs = max(1, min(jobs, ceil(rows / plan.block)))
    groups = iter(_groups(plan, rows, jobs))

    def work(_: int) -> list[slice]:
        return _run(plan, columns, results, groups)  # whoever is free takes the next group

    with closing(in_order(range(jobs), work, jobs)) as found:
        return results, sorted(chain.from_iterable(found), key=lambda block: block.start)


def _groups(plan: Plan, rows: int, jobs: int) -> list[Sequence[slice]]:
    """Blocks of rows in groups that are computed together: of one block, or of more where bounds decide.

    These take as long for many blocks as for one. A group has every so-many-th block, so that all have as much to do.
    """
    alone = jobs == 1 and current_thread() is main_thread()  # other threads have others beside them
    most = plan.block if alone else plan.long_block
    size = max(1, ceil(rows / (jobs * ceil(rows / (jobs * most)))) if rows and jobs > 1 else most)
    blocks = [slice(start, min(start + size, rows)) for start in range(0, rows, size)]
    together = max(1, _AT_ONCE * plan.block // size) if plan.shortcuts else 1
    count = min(jobs * ceil(len(blocks) / (together * jobs)), len(blocks))
    return [blocks[first::count] for first in range(count)]


def _run(
    plan: Plan, columns: Sequence[Array], results: Sequence[Array], groups: Iterator[Sequence[slice]]
) -> list[slice]:
    """Compute groups of blocks in registers of this thread."""
    machine, found = None, []
    with numpy.errstate(all="ignore"):
        for blocks in groups:
            machine = machine or _Machine(plan, blocks[0].stop - blocks[0].start)
            decided = decisions(plan.shortcuts, columns, blocks) if plan.shortcuts else repeat(b"", len(blocks))
            for block, codes in zip(blocks, decided, strict=True):
                outs = [result[block] for result in results]
                machine.run([column[block] for column in columns], outs, codes)
                if not machine.is_finite(outs):
                    found.append(block)
    return found


class _Machine:
    """A plan and its registers. Where a block's rows choose alike, what they do not choose is left out."""

    def __init__(self, plan: Plan, rows: int) -> None:
        """Its blocks have at most so many rows."""
        self._plan = plan
        self._registers = {bank: numpy.empty((plan.counts[bank], rows), kind) for bank, kind in _KINDS.items()}
        self._constants = [numpy.array(constant, float) for constant in plan.constants]
        self._marks = numpy.empty(rows, bool)

    def run(self, columns: Sequence[Array], results: Sequence[Array], codes: bytes) -> None:
        """Compute a block, whose choices are decided as the codes say."""
        arrays = self._arrays(columns, results)
        steps = self._shortened(codes) if any(codes) else self._plan.steps
        for first in range(0, len(steps), _UNCHECKED):
            check_cancelled()
            for function, operands in steps[first : first + _UNCHECKED]:
                function(*operands(arrays))

    def is_finite(self, results: Sequence[Array]) -> bool:
        """Is everything in a block?"""
        marks = self._marks[: len(results[0])]
        return all(numpy.isfinite(result, out=marks).all() for result in results)

    def _arrays(self, columns: Sequence[Array], results: Sequence[Array]) -> list[Array]:
        """All arrays for a block, as the plan orders them."""
        rows = len(results[0])
        banks = {bank: list(arrays[:, :rows]) for bank, arrays in self._registers.items()}
        banks |= {Bank.COLUMN: list(columns), Bank.RESULT: list(results), Bank.CONSTANT: self._constants}
        arrays = list(chain.from_iterable(banks[bank] for bank in self._plan.counts))
        return arrays + [array.view(numpy.int64) if array.dtype == float else array for array in arrays]

    def _shortened(self, codes: bytes) -> Sequence[Step]:
        """The steps that are needed, where all rows choose alike the way of what they choose."""
        assert self._plan.shortcuts is not None
        *_, either, needs, last = self._plan.shortcuts
        steps, found = self._plan.steps, []
        needed, step = bytearray(len(steps)), len(steps)
        for result in last:
            needed[result] = 1
        while (step := needed.rfind(1, 0, step)) >= 0:
            choice = either.get(step)
            code = codes[choice.decision] if choice else 0
            if not choice or not code:
                found.append(steps[step])
                for source in needs[step]:
                    needed[source] = 1
                continue
            move, made = choice.first if code == FIRST else choice.second
            if made is not None:
                needed[made] = 1
            if move is not None:
                found.append(move)
        found.reverse()
        return found
