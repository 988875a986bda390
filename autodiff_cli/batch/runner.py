"""A plan at work: in blocks of rows that stay in the cache, on several cores."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy

from .plan import Array, Bank, Plan

_CACHE = 2**20  # bytes
_SMALLEST, _LARGEST = 1024, 32768  # rows


def run(plan: Plan, columns: Sequence[Array], results: Sequence[Array], jobs: int = 1) -> None:
    """Fill the results, arrays of doubles as long as the columns; without columns, with one number each.

    The rows are shared among so many threads: NumPy computes without Python's lock.
    """
    rows = len(results[0])
    block = block_size(plan)
    if jobs == 1 or rows <= block:
        _run(plan, columns, results, range(0, rows, block))
        return
    blocks = range(0, rows, block)
    with ThreadPoolExecutor(jobs) as pool:
        shares = [blocks[share::jobs] for share in range(jobs)]
        list(pool.map(lambda share: _run(plan, columns, results, share), shares))


def block_size(plan: Plan) -> int:
    """How many rows are computed at a time: as many as the cache holds."""
    arrays = plan.numbers + plan.columns + plan.results + plan.truths / 8
    return max(_SMALLEST, min(_LARGEST, 1 << int(_CACHE / 8 / arrays).bit_length() - 1))


def _run(plan: Plan, columns: Sequence[Array], results: Sequence[Array], blocks: range) -> None:
    """Compute the blocks of rows that begin at these, in registers of this thread."""
    rows, size = len(results[0]), block_size(plan)
    numbers = [numpy.empty(size) for _ in range(plan.numbers)]
    truths = [numpy.empty(size, dtype=bool) for _ in range(plan.truths)]
    constants = [numpy.float64(constant) for constant in plan.constants]
    with numpy.errstate(all="ignore"):
        for start in blocks:
            end = min(start + size, rows)
            if end - start < size:
                numbers, truths = ([register[: end - start] for register in bank] for bank in (numbers, truths))
            ins, outs = ([column[start:end] for column in bank] for bank in (columns, results))
            banks: list[list[Array]] = [ins, outs, numbers, truths, constants]
            assert len(banks) == len(Bank)
            for function, (bank, index), sources in plan.steps:
                function(*[banks[kind][which] for kind, which in sources], out=banks[bank][index])
