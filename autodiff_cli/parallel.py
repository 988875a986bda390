"""Work on many items at a time, with the results in the order of the items, each as soon as it is its turn."""

from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from threading import BoundedSemaphore, Event, Thread
from typing import TypeVar

Item = TypeVar("Item")
Done = TypeVar("Done")

_IN_FLIGHT = 2  # items for each thread: one at work, one read ahead or waiting for its turn


def in_order(items: Iterable[Item], work: Callable[[Item], Done], jobs: int) -> Generator[Done, None, None]:
    """What the work makes of each item, by so many threads; a single one is this thread.

    The items are taken in a thread of their own: while the next one is waited for, what is done comes out. It is left
    behind where nobody wants the rest, as it may wait for a pipe in which nothing will ever come. Whatever the items or
    the work raise is raised here, in its turn. To be closed where it is not run to its end.
    """
    if jobs == 1:
        yield from map(work, items)
        return
    pool = ThreadPoolExecutor(jobs)
    line: SimpleQueue[Future[Done] | None] = SimpleQueue()
    room, stopped = BoundedSemaphore(_IN_FLIGHT * jobs), Event()
    Thread(target=_feed, args=(items, work, pool, line, room, stopped), daemon=True).start()
    try:
        while (done := line.get()) is not None:
            yield done.result()
            room.release()
    finally:
        stopped.set()
        pool.shutdown(wait=False, cancel_futures=True)


def _feed(
    items: Iterable[Item],
    work: Callable[[Item], Done],
    pool: ThreadPoolExecutor,
    line: "SimpleQueue[Future[Done] | None]",
    room: BoundedSemaphore,
    stopped: Event,
) -> None:
    """Hand out the items as long as there is room; None is the last in the line."""
    try:
        for item in items:
            room.acquire()
            if stopped.is_set():
                return
            line.put(pool.submit(work, item))
    except BaseException as error:  # to be raised where the results are taken
        failed: Future[Done] = Future()
        failed.set_exception(error)
        line.put(failed)
    line.put(None)
