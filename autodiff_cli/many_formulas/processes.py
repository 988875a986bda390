"""Work in several processes, for work that is all Python and would keep threads waiting for each other."""

import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from multiprocessing import connection, parent_process
from typing import Any, TypeVar

from ..errors import AutodiffError, Remedy
from ..parallel import in_order

Item = TypeVar("Item")
Result = TypeVar("Result")

_PER_CORE = 4  # processes; more gain nothing and take memory

_work: Callable[[Any], Any]


def in_processes(items: Iterable[Item], work: Callable[[Item], Result], jobs: int) -> Generator[Result, None, None]:
    """Yield `work(item)` for each item, in order; at most `jobs` processes do the work. Else like `parallel.in_order`.

    The work, its items and its results must be picklable. Raises AutodiffError where a process is killed.
    """
    jobs = min(jobs, _PER_CORE * (os.cpu_count() or 1))
    with ProcessPoolExecutor(jobs, initializer=_initialize, initargs=(work,)) as pool:
        pool.submit(os.getpid).result()  # the processes are started before the threads, which could not be copied
        try:
            with closing(in_order(items, lambda item: pool.submit(_do, item).result(), jobs)) as results:
                yield from results
        except BrokenProcessPool:
            message = "one of the processes was ended from outside, perhaps because there was not enough memory"
            raise AutodiffError(
                message, remedy=Remedy("fewer processes", (), "fewer processes need less memory")
            ) from None
        finally:
            pool.shutdown(cancel_futures=True)  # waits: at exit, Python would write to the pipe that the pool closes


def _initialize(work: Callable[[Any], Any]) -> None:
    """Initialize a process, which ends with the one that started it and leaves interrupts to that one."""
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
