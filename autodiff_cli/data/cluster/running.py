"""All partitions of a data set, each once: on the workers of a cluster, or on the cores of this machine."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from ...errors import AutodiffError
from ...parallel import in_order
from .connection import require, versions
from .partitions import Partition
from .storage import reason
from .task import Done, Task, compute

AHEAD = 5000
"""partitions that the scheduler knows of at a time: many for the largest cluster, few for its memory"""
RETRIES = 3
GRACE = 300
"""seconds in which a worker must come where none is left"""
_PATIENCE = 5.0  # seconds after which it is asked whether there is still a worker


class Outcome(NamedTuple):
    """What has become of a partition."""

    partition: Partition
    done: Done


Outcomes = Generator[Outcome, None, None]


def on_this_machine(task: Task, partitions: Sequence[Partition], jobs: int) -> Outcomes:
    """What becomes of each partition, in order, several at a time. Raises AutodiffError for one that is broken."""

    def work(partition: Partition) -> Done | AutodiffError:
        try:
            return compute(task, partition)
        except OSError as error:
            return AutodiffError(f"{partition.shown}: {reason(error)}")

    for partition, done in zip(partitions, in_order(partitions, work, jobs), strict=True):
        yield Outcome(partition, _sound(done))


def on_cluster(client: Any, task: Task, partitions: Sequence[Partition], retries: int = RETRIES) -> Outcomes:
    """What becomes of each partition, as soon as it is known. What has not begun when this is closed never begins.

    A task that fails is tried `retries` times more; one whose worker is lost goes to another worker. Raises
    AutodiffError for a partition that is broken and for one that fails every time.
    """
    # what is to be done is a task itself: workers hand it on to each other, and it is made anew where it is lost
    shared = client.submit(_together, task, versions(), pure=False)
    waiting = iter(partitions)
    ended: SimpleQueue[Any] = SimpleQueue()
    running: dict[str, tuple[Any, Partition]] = {}

    def begin(count: int) -> None:
        for partition in islice(waiting, count):
            future = client.submit(_compute, shared, partition, pure=False, retries=retries)
            running[future.key] = future, partition
            future.add_done_callback(ended.put)

    try:
        begin(AHEAD)
        while running:
            futures = _next(ended, client)
            begin(len(futures))
            for future, done in zip(futures, _results(client, futures), strict=True):
                _, partition = running.pop(future.key)
                yield Outcome(partition, _sound(done or _result(future, partition)))
    finally:
        client.cancel([future for future, _ in running.values()])


def _next(ended: "SimpleQueue[Any]", client: Any) -> list[Any]:
    """The tasks that have ended, at least one. Raises AutodiffError where no worker is left and none comes in time."""
    while True:
        with suppress(Empty):
            return [ended.get(timeout=_PATIENCE), *(ended.get() for _ in range(ended.qsize()))]
        try:
            client.wait_for_workers(1, timeout=GRACE)
        except TimeoutError:
            message = f"the Dask cluster has had no workers for {GRACE} seconds"
            raise AutodiffError(
                message, hint="start some with `dask worker ADDRESS`, and then this job again"
            ) from None


def _results(client: Any, futures: Sequence[Any]) -> Sequence[Done | AutodiffError | None]:
    """The results of tasks that have ended, in one message; None for each where one of them has failed."""
    if all(future.status == "finished" for future in futures):
        with suppress(Exception):  # which task that was is asked one by one
            found: Sequence[Done | AutodiffError] = client.gather(futures)
            return found
    return [None] * len(futures)


def _together(task: Task, expected: Mapping[str, str]) -> tuple[Task, Mapping[str, str]]:
    return task, expected


def _compute(shared: tuple[Task, Mapping[str, str]], partition: Partition) -> Done | AutodiffError:
    """A partition, on a worker that may have come late and has not been asked yet what it has."""
    task, expected = shared
    try:
        require(expected)
    except AutodiffError as error:
        return error
    return compute(task, partition)


def _result(future: Any, partition: Partition) -> Done | AutodiffError:
    """The result of a task that has ended, or in what way it failed again and again."""
    from distributed import CancelledError, KilledWorker

    try:
        result: Done | AutodiffError = future.result()
    except AutodiffError as error:
        return error
    except KilledWorker:
        message = f"{partition.shown}: one worker after the other ended while it computed this"
        return AutodiffError(message, hint="perhaps for want of memory: give each fewer threads, or smaller partitions")
    except CancelledError:
        return AutodiffError("the connection to the Dask scheduler is lost", hint="start it again, and then this job")
    except OSError as error:
        return AutodiffError(f"{partition.shown}: {reason(error)}")
    return result


def _sound(done: Done | AutodiffError) -> Done:
    if isinstance(done, AutodiffError):
        raise done
    return done
