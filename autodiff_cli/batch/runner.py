"""A plan at work: in blocks of rows that stay in the cache, on several cores."""

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, repeat
from threading import current_thread, main_thread

import numpy

from . import forks, memory
from .cells import copied
from .decisions import FIRST, decisions
from .plan import Array, Bank, Place, Plan

_MUCH = 10**8  # steps times rows, some hundredths of a second
_LONG = 20  # steps for each result: with fewer it takes longer to share a result's memory than to compute it


def cores() -> int:
    """How many cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def run(plan: Plan, columns: Sequence[Array], rows: int, jobs: int = 1) -> tuple[list[Array], list[slice]]:
    """The results for columns of doubles of so many rows, and the blocks of rows among which some are not finite.

    The rows are shared among so many threads. What takes longer is shared among processes: NumPy computes without
    Python's lock, but takes it for a moment between any two steps.
    """
    blocks = [slice(start, min(start + plan.block, rows)) for start in range(0, rows, plan.block)]
    jobs = max(1, min(jobs, len(blocks)))
    alone = jobs == 1 and current_thread() is main_thread()
    worth = len(plan.steps) > _LONG * plan.results and rows * len(plan.steps) > _MUCH
    if worth and not alone and forks.AVAILABLE:
        results = memory.arrays(plan.results, rows, shared=True)
        found = forks.in_forks(lambda share: _run(plan, columns, results, blocks[share::jobs]), jobs)
        return results, _sorted(found)
    results = memory.arrays(plan.results, rows)
    if jobs == 1:
        return results, _run(plan, columns, results, blocks)
    with ThreadPoolExecutor(jobs) as pool:
        found = list(pool.map(lambda share: _run(plan, columns, results, blocks[share::jobs]), range(jobs)))
    return results, _sorted(found)


def _sorted(found: Iterable[Iterable[slice]]) -> list[slice]:
    return sorted(chain.from_iterable(found), key=lambda block: block.start)


def _run(plan: Plan, columns: Sequence[Array], results: Sequence[Array], blocks: Sequence[slice]) -> list[slice]:
    """Compute blocks of rows, in registers of this thread."""
    machine, found = _Machine(plan), []
    with numpy.errstate(all="ignore"):
        decided = decisions(plan.shortcuts, columns, blocks) if plan.shortcuts else repeat(b"", len(blocks))
        for block, codes in zip(blocks, decided, strict=True):
            outs = [result[block] for result in results]
            machine.run([column[block] for column in columns], outs, codes)
            if not machine.is_finite(outs):
                found.append(block)
    return found


Call = tuple[Callable[..., object], list[Array], dict[str, Array]]
"""a function, its sources and its target, named `out`"""


class _Registers:
    """The arrays that steps work on; those that change from block to block are put into the calls anew."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._calls: list[Call] = []
        self._sources: list[tuple[list[Array], int, Place]] = []
        self._targets: list[tuple[dict[str, Array], Place]] = []
        self._banks: dict[Bank, Sequence[Array]] = {}
        self._bits: dict[Bank, Sequence[Array]] = {}
        self._rows = 0

    def calls(self, columns: Sequence[Array], results: Sequence[Array], rows: int) -> list[Call]:
        """What is to be called, with what, for a block of so many rows."""
        if rows != self._rows:
            self._bind(rows)
        for bank, arrays in ((Bank.COLUMN, columns), (Bank.RESULT, results)):
            self._banks[bank], self._bits[bank] = arrays, [array.view(numpy.int64) for array in arrays]
        for sources, index, place in self._sources:
            sources[index] = self.array(place)
        for out, place in self._targets:
            out["out"] = self.array(place)
        return self._calls

    def array(self, place: Place) -> Array:
        """The array at a place."""
        bank, which, bits = place
        return (self._bits if bits else self._banks)[bank][which]

    def _bind(self, rows: int) -> None:
        """Make the registers for so many rows."""
        plan, self._rows = self._plan, rows
        types = {Bank.NUMBER: float, Bank.TRUTH: bool, Bank.MASK: numpy.int64}
        banks = {bank: [numpy.empty(rows, types[bank]) for _ in range(count)] for bank, count in plan.registers.items()}
        banks[Bank.CONSTANT] = [numpy.array(constant, float) for constant in plan.constants]
        self._bits = {bank: [array.view(numpy.int64) for array in banks[bank]] for bank in (Bank.NUMBER, Bank.CONSTANT)}
        self._banks = dict(banks)
        self._calls, self._sources, self._targets = [], [], []
        for function, places, target in plan.steps:
            sources = [self.array(place) if place.bank in banks else None for place in places]
            out = {"out": self.array(target) if target.bank in banks else None}
            self._sources += ((sources, i, place) for i, place in enumerate(places) if place.bank not in banks)
            self._targets += [(out, target)] if target.bank not in banks else []
            self._calls.append((function, sources, out))


class _Machine:
    """A plan and its registers. Where a block's rows choose alike, what they do not choose is left out."""

    def __init__(self, plan: Plan) -> None:
        self._plan, self._registers = plan, _Registers(plan)
        self._marks = numpy.empty(0, bool)

    def run(self, columns: Sequence[Array], results: Sequence[Array], codes: bytes) -> None:
        """Compute a block, whose choices are decided as the codes say."""
        calls = self._registers.calls(columns, results, len(results[0]))
        if any(codes):
            calls = self._shortened(calls, codes)
        for function, sources, out in calls:
            function(*sources, **out)

    def is_finite(self, results: Sequence[Array]) -> bool:
        """Is everything in a block?"""
        rows = len(results[0])
        if len(self._marks) != rows:
            self._marks = numpy.empty(rows, bool)
        return all(numpy.count_nonzero(numpy.isfinite(result, out=self._marks)) == rows for result in results)

    def _shortened(self, calls: Sequence[Call], codes: bytes) -> list[Call]:
        """The calls that are needed, where all rows choose alike a copy of what they choose."""
        assert self._plan.shortcuts is not None
        *_, either, needs, last = self._plan.shortcuts
        needed, found = bytearray(len(calls)), []
        for step in last:
            needed[step] = 1
        for step in range(len(calls) - 1, -1, -1):
            if not needed[step]:
                continue
            choice = either.get(step)
            if choice is None or not codes[choice.decision]:
                found.append(calls[step])
                for source in needs[step]:
                    needed[source] = 1
                continue
            first = codes[choice.decision] == FIRST
            place, chosen = (choice.a, choice.to_a) if first else (choice.b, choice.to_b)
            if chosen is not None:
                needed[chosen] = 1
            target = self._plan.steps[step].target._replace(bits=False)
            if place != target:
                found.append((copied, [self._registers.array(place)], {"out": self._registers.array(target)}))
        found.reverse()
        return found
