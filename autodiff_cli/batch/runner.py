"""A plan at work: in blocks of rows that stay in the cache, on several cores."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain

import numpy

from .plan import Array, Bank, Place, Plan


def cores() -> int:
    """How many cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def run(plan: Plan, columns: Sequence[Array], results: Sequence[Array], jobs: int = 1) -> list[slice]:
    """Fill the results, arrays of doubles as long as the columns; returns the rows among which some are not finite.

    The rows are shared among so many threads: NumPy computes without Python's lock.
    """
    rows = len(results[0])
    blocks = [slice(start, min(start + plan.block, rows)) for start in range(0, rows, plan.block)]
    if jobs == 1 or len(blocks) <= 1:
        return _run(plan, columns, results, blocks)
    with ThreadPoolExecutor(jobs) as pool:
        found = pool.map(lambda share: _run(plan, columns, results, blocks[share::jobs]), range(jobs))
        return sorted(chain(*found), key=lambda block: block.start)


def _run(plan: Plan, columns: Sequence[Array], results: Sequence[Array], blocks: Sequence[slice]) -> list[slice]:
    """Compute blocks of rows, in registers of this thread."""
    registers, found = _Registers(plan), []
    with numpy.errstate(all="ignore"):
        for block in blocks:
            outs = [result[block] for result in results]
            for function, sources, out in registers.calls([column[block] for column in columns], outs):
                function(*sources, **out)
            if not all(numpy.isfinite(out).all() for out in outs):
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
        self._rows = 0

    def calls(self, columns: Sequence[Array], results: Sequence[Array]) -> list[Call]:
        """What is to be called, with what, for a block."""
        if len(results[0]) != self._rows:
            self._bind(len(results[0]))
        banks = {Bank.COLUMN: columns, Bank.RESULT: results}
        bits = {bank: [array.view(numpy.int64) for array in arrays] for bank, arrays in banks.items()}
        for sources, index, (bank, which, as_bits) in self._sources:
            sources[index] = (bits if as_bits else banks)[bank][which]
        for out, (bank, which, as_bits) in self._targets:
            out["out"] = (bits if as_bits else banks)[bank][which]
        return self._calls

    def _bind(self, rows: int) -> None:
        """Make the registers for so many rows."""
        plan, self._rows = self._plan, rows
        types = {Bank.NUMBER: float, Bank.TRUTH: bool, Bank.MASK: numpy.int64}
        banks = {bank: [numpy.empty(rows, types[bank]) for _ in range(count)] for bank, count in plan.registers.items()}
        banks[Bank.CONSTANT] = [numpy.array(constant, float) for constant in plan.constants]
        bits = {bank: [array.view(numpy.int64) for array in banks[bank]] for bank in (Bank.NUMBER, Bank.CONSTANT)}
        self._calls, self._sources, self._targets = [], [], []

        def known(place: Place) -> Array:
            return (bits if place.bits else banks)[place.bank][place.which] if place.bank in banks else None

        for function, places, target in plan.steps:
            sources, out = [known(place) for place in places], {"out": known(target)}
            self._sources += ((sources, i, place) for i, place in enumerate(places) if place.bank not in banks)
            self._targets += [(out, target)] if target.bank not in banks else []
            self._calls.append((function, sources, out))
