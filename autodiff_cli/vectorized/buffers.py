"""Memory for results, used again when nobody has the results any more: the system takes long to hand out new pages."""

import weakref
from collections import deque

import numpy
from numpy.typing import NDArray

from ..arithmetic.arrays import Doubles

_MOST_KEPT = 2**30  # bytes

_free: deque[NDArray[numpy.float64]] = deque()
"""memory that nobody uses now"""


def result_columns(count: int, rows: int) -> list[Doubles]:
    """Return columns of doubles with arbitrary contents; their memory is used again once all of them are gone."""
    memory = _taken(count * rows)
    view = numpy.frombuffer(memory.data, count=count * rows)  # lives as long as any part of it
    weakref.finalize(view, _give_back, memory)
    return list(view.reshape(count, rows))


def _taken(size: int) -> NDArray[numpy.float64]:
    """Memory for `size` doubles, and not for many more; no two threads get the same."""
    for _ in range(len(_free)):
        try:
            memory = _free.popleft()
        except IndexError:  # another thread took it
            break
        if size <= len(memory) <= 2 * size:
            return memory
        _free.append(memory)
    return numpy.empty(size)


def _give_back(memory: NDArray[numpy.float64]) -> None:
    _free.append(memory)
    while sum(kept.nbytes for kept in tuple(_free)) > _MOST_KEPT:
        _free.popleft()
