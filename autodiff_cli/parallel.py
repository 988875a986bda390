"""Long work: in several threads, with the results in the order of the items, or with its progress shown."""

from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextvars import ContextVar
from queue import SimpleQueue
from threading import BoundedSemaphore, Event, Thread
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
Progress = Callable[[Sequence[Any]], Iterable[Any]]
"""iterates over the items of long work, and may show the progress"""

_ITEMS_PER_THREAD = 2  # one being worked on, and one read ahead or waiting for its turn


_stop_events: ContextVar[tuple[Event, ...]] = ContextVar("stop_events", default=())
"""one event for each function below that this thread works for; it is set when its work is no longer wanted"""


def check_cancelled() -> None:
    """Raise CancelledError in a thread whose work is no longer wanted: an `in_order` has been closed, or others failed.

    Long work should call this now and then, because Python does not exit before these threads have ended.
    """
    if any(event.is_set() for event in _stop_events.get()):
        raise CancelledError


def in_order(items: Iterable[Item], work: Callable[[Item], Result], jobs: int) -> Generator[Result, None, None]:
    """Yield `work(item)` for each item, in order; `jobs` threads do the work.

    With one job the calling thread does it. Otherwise a separate thread takes the items, so that results come out while
    the next item is awaited. That thread is abandoned when the generator is closed, since it may be waiting for a pipe
    that never delivers. An exception from the items or the work is raised here, in its turn.
    The caller must close a generator that it does not exhaust.
    """
    if jobs == 1:
        yield from map(work, items)
        return
    room, stopped = BoundedSemaphore(_ITEMS_PER_THREAD * jobs), Event()
    pool = _threads(jobs, stopped)
    queue: SimpleQueue[Future[Result] | None] = SimpleQueue()

    def submit() -> None:
        """Submit the items to the pool while there is room; None marks the end of the queue."""
        try:
            for item in items:
                room.acquire()
                if stopped.is_set():
                    return
                queue.put(pool.submit(work, item))
        except BaseException as error:  # to be raised where the results are taken
            failed: Future[Result] = Future()
            failed.set_exception(error)
            queue.put(failed)
        queue.put(None)

    try:
        Thread(target=submit, daemon=True).start()
        while (future := queue.get()) is not None:
            yield future.result()
            room.release()
    finally:
        stopped.set()
        pool.shutdown(wait=False, cancel_futures=True)


def together(work: Callable[[], None], jobs: int) -> None:
    """Call `work` in `jobs` threads at the same time, two or more, of which this is one.

    An exception of this call is raised at once, that of another after this call; the others are then cancelled.
    """
    stopped = Event()
    others = _threads(jobs - 1, stopped)
    try:
        calls = [others.submit(work) for _ in range(jobs - 1)]
        work()
        for call in calls:
            call.result()
    finally:
        stopped.set()
        others.shutdown(wait=False)


def _threads(count: int, stopped: Event) -> ThreadPoolExecutor:
    """Threads that are cancelled where this one is, and when `stopped` is set."""
    return ThreadPoolExecutor(count, initializer=_stop_events.set, initargs=((*_stop_events.get(), stopped),))
