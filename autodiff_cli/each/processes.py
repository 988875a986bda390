"""Work that is all Python, on several cores: processes in place of threads."""

import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from multiprocessing import connection, parent_process
from typing import Any, TypeVar

from ..parallel import in_order

Item = TypeVar("Item")
Done = TypeVar("Done")

_work: Callable[[Any], Any]


def in_processes(items: Iterable[Item], work: Callable[[Item], Done], jobs: int) -> Generator[Done, None, None]:
    """What the work makes of each item, by so many processes; all else is as `pipeline.in_order` has it.

    The work, its items and what it makes of them go from one process to another, so they can be pickled.
    """
    with ProcessPoolExecutor(jobs, initializer=_begin, initargs=(work,)) as pool:
        pool.submit(os.getpid).result()  # the processes are started before the threads, which could not be copied
        try:
            with closing(in_order(items, lambda item: pool.submit(_do, item).result(), jobs)) as results:
                yield from results
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _begin(work: Callable[[Any], Any]) -> None:
    """Make a process ready: it ends with the one that started it, which alone is told of an interrupt."""
    global _work
    _work = work
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _do(item: Any) -> Any:
    return _work(item)
