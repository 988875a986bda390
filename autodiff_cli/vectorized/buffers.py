"""Memory for results, reused once no result refers to it: the system takes long to allocate new pages."""

import weakref
from collections import Counter, deque
from collections.abc import Iterable
from contextlib import suppress

import numpy
from numpy.typing import NDArray

from ..arithmetic.arrays import Doubles

_MOST_KEPT = 2**30  # bytes
FEW = 128
"""rows below which reusing memory, and finding out where columns begin, takes longer than it saves"""
LINE = 8
"""doubles in a line of the processor's cache; a vector that crosses lines takes twice as long to load or store"""
_APART = 5 * LINE  # between columns: those whose distance is a power of two evict one another from the cache

_free: deque[NDArray[numpy.float64]] = deque()
"""memory that is not in use"""


def place_in_line(columns: Iterable[Doubles]) -> int:
    """The place in a cache line, 0 to 7, at which most columns begin."""
    places = Counter(column.ctypes.data // 8 % LINE for column in columns)
    return max(places, key=places.__getitem__, default=0)


def result_columns(count: int, rows: int, place: int = 0) -> Doubles:
    """An array of `count` columns of doubles with arbitrary contents; its memory is reused once all of it is released.

    All columns begin at the same place in a cache line, unless they are short.
    """
    if rows < FEW:  # no new pages
        return numpy.empty((count, rows))
    distance = -(-rows // LINE) * LINE + _APART
    memory = _taken(count * distance + LINE)
    first = (place - memory.ctypes.data // 8) % LINE
    view = numpy.frombuffer(memory.data, count=count * distance, offset=8 * first)  # lives as long as any part of it
    weakref.finalize(view, _give_back, memory)
    return view.reshape(count, distance)[:, :rows]


def _taken(size: int) -> NDArray[numpy.float64]:
    """Memory for `size` doubles, and not for many more; no two threads get the same."""
    with suppress(IndexError):  # another thread took the last
        for _ in range(len(_free)):
            memory = _free.popleft()
            if size <= len(memory) <= 2 * size:
                return memory
            _free.append(memory)
    return numpy.empty(size)


def _give_back(memory: NDArray[numpy.float64]) -> None:
    _free.append(memory)
    with suppress(IndexError):  # another thread took the last
        while sum(kept.nbytes for kept in tuple(_free)) > _MOST_KEPT:
            _free.popleft()
