"""Memory for results, used again when nobody has the results any more: the system takes long to hand out new pages."""

import mmap
import weakref
from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy

from .plan import Array

_MOST = 2**30  # bytes that are kept
_AROUND = 2**13  # doubles, 64 KiB: what Linux looks at
_kept: dict[bool, deque[Any]] = {False: deque(), True: deque()}
"""what nobody uses now: memory of this process, and memory that its copies share with it"""


def arrays(count: int, rows: int, *, shared: bool = False) -> list[Array]:
    """So many arrays of doubles, with anything in them; copies of this process can write to those that are shared."""
    size = 8 * count * rows
    memory = _taken(size, _kept[shared])
    if memory is None:
        memory = mmap.mmap(-1, size) if shared else numpy.empty(size, numpy.uint8)
    whole = numpy.frombuffer(memoryview(memory), dtype=float, count=count * rows)  # lives as long as any part of it
    weakref.finalize(whole, _give_back, memory, _kept[shared])
    return list(whole.reshape(count, rows))


def touch(shared: Sequence[Array]) -> None:
    """Have the system find the pages of arrays all at once, in a copy of this process, to which it has not given them.

    It looks around what is read, but not around what is written.
    """
    for array in shared:
        array[::_AROUND].max(initial=0.0)


def _taken(size: int, free: deque[Any]) -> Any:
    """Memory that is large enough, and not much larger; no two threads get the same."""
    for _ in range(len(free)):
        try:
            memory = free.popleft()
        except IndexError:
            return None
        if size <= len(memory) <= 2 * size:
            return memory
        free.append(memory)
    return None


def _give_back(memory: Any, free: deque[Any]) -> None:
    """Keep it, and let go of other memory where that is too much."""
    free.append(memory)
    while sum(map(len, tuple(free))) > _MOST:
        free.popleft()
