"""Memory for results, used again when nobody has the results any more: the system takes long to hand out new pages."""

import mmap
import weakref
from typing import Any

import numpy

from .plan import Array

_MOST = 2**30  # bytes that are kept
_kept: dict[bool, list[Any]] = {False: [], True: []}
"""what nobody uses now: memory of this process, and memory that its copies share with it"""


def arrays(count: int, rows: int, *, shared: bool = False) -> list[Array]:
    """So many arrays of doubles, with anything in them; copies of this process can write to those that are shared."""
    size = 8 * count * rows
    memory = _taken(size, shared)
    if memory is None:
        memory = mmap.mmap(-1, size) if shared else numpy.empty(size, numpy.uint8)
    whole = numpy.frombuffer(memoryview(memory), dtype=float, count=count * rows)  # lives as long as any part of it
    weakref.finalize(whole, _give_back, memory, shared)
    return list(whole.reshape(count, rows))


def _taken(size: int, shared: bool) -> Any:
    """Memory that is large enough, and not much larger."""
    free = _kept[shared]
    for place, memory in enumerate(free):
        if size <= len(memory) <= 2 * size:
            return free.pop(place)
    return None


def _give_back(memory: Any, shared: bool) -> None:
    """Keep it, and let go of what has not been used for longest where that is too much."""
    free = _kept[shared]
    free.append(memory)
    while sum(map(len, free)) > _MOST:
        free.pop(0)
