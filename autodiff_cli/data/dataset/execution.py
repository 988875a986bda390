"""All partitions of a data set computed into one folder: on the workers of a cluster, or on this machine."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing, suppress
from itertools import chain, islice
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, TextIO

from ...errors import AutodiffError, Notice
from ...parallel import in_order
from ..failed_rows import MOST_NAMED, FailedRows
from .connection import require_versions, versions
from .file_systems import reason_of
from .finished_parts import FinishedParts
from .output_folder import OutputFolder
from .partition_task import PartitionResult, PartitionTask, compute
from .partitions import DataSet, Partition

if TYPE_CHECKING:
    from distributed import Client, Future

RETRIES = 3
_SUBMITTED = 5000  # partitions that the scheduler knows of: many for the largest cluster, few for its memory
_WORKER_TIMEOUT = 300  # seconds in which a worker must come where none is left
_POLL = 5.0  # seconds without a result after which the workers are counted

PartitionResults = Generator[PartitionResult, None, None]


def run_on_this_machine(task: PartitionTask, partitions: Sequence[Partition], jobs: int) -> PartitionResults:
    """Yield the result of each partition, in order; several are computed at a time.

    Raises AutodiffError for a partition that cannot be read or computed.
    """

    def work(partition: Partition) -> PartitionResult | AutodiffError:
        try:
            return compute(task, partition)
        except OSError as error:
            return AutodiffError(f"{partition.shown}: {reason_of(error)}")

    with closing(in_order(partitions, work, jobs)) as results:
        yield from map(_raise_error, results)


def run_on_cluster(
    client: "Client", task: PartitionTask, partitions: Sequence[Partition], retries: int
) -> PartitionResults:
    """Yield the result of each partition as soon as it is there; when this is closed, no further one begins.

    A task that fails is tried `retries` times more; one whose worker is lost goes to another worker. Raises
    AutodiffError for an error in a partition, and for a partition that fails every time.
    """
    # the task is sent once: workers hand it on to each other, and it is made again where it is lost
    shared = client.submit(_pair, task, versions(), pure=False)
    waiting = iter(partitions)
    finished: SimpleQueue[Future] = SimpleQueue()
    running: dict[str, tuple[Future, Partition]] = {}

    def submit(count: int) -> None:
        for partition in islice(waiting, count):
            future = client.submit(_compute_on_worker, shared, partition, pure=False, retries=retries)
            running[future.key] = future, partition
            future.add_done_callback(finished.put)

    try:
        submit(_SUBMITTED)
        while running:
            futures = _next_finished(finished, client)
            submit(len(futures))
            for future, result in zip(futures, _gathered(client, futures), strict=True):
                _, partition = running.pop(future.key)
                done = _raise_error(result or _result(future, partition))
                task.layout.computation.engines |= done.engines  # the worker has a copy of its own
                yield done
    finally:
        client.cancel([future for future, _ in running.values()])


def begin(data: DataSet, folder: OutputFolder, job: str) -> list[PartitionResult]:
    """Make the folder ready; returns what an earlier run of the same job has finished, if the folder `resumes` it."""
    if folder.resumes:
        folder.adopt(lambda temporary: FinishedParts(temporary, job).is_of_this_job())
    record = FinishedParts(folder.temporary, job)
    finished = list(record.results(data.partitions)) if folder.resumes else []
    folder.begin([partition.target for partition in data.partitions], {done.partition.target for done in finished})
    if folder.is_local:
        record.begin()
    return finished


def write_results(
    folder: OutputFolder,
    job: str,
    finished: Sequence[PartitionResult],
    results: PartitionResults,
    failed_rows: FailedRows,
    advance: Callable[[PartitionResult], None],
    errors: TextIO | None,
) -> list[Notice]:
    """Write the folder, completely or not at all, and count its rows: those of an earlier run and of these results.

    Returns warnings of the first failed rows, in the order of the data. `advance` is called with each result. What the
    parts have in their lists of errors is written to `errors`.
    """
    record, sizes = FinishedParts(folder.temporary, job), dict[Partition, int]()
    recorded = {result.partition for result in finished}

    def add(result: PartitionResult) -> None:
        sizes[result.partition] = result.size
        if folder.is_local and result.partition not in recorded:
            record.add(result)
        advance(result)

    def all_results() -> PartitionResults:
        yield from finished
        yield from results

    with folder.removed_on_error():
        notices = count_results(all_results(), failed_rows, add)
        if errors is not None:
            errors.writelines(folder.all_errors(partition.target for partition in sorted(sizes)))
        folder.finish({partition.target: size for partition, size in sizes.items()})
    return notices


def count_results(
    results: PartitionResults, failed_rows: FailedRows, advance: Callable[[PartitionResult], None]
) -> list[Notice]:
    """Count the rows of the results, and call `advance` with each.

    Returns warnings of the first failed rows, in the order of the data.
    """
    notices: dict[Partition, list[Notice]] = {}
    with closing(results):
        for result in results:
            if result.notices:
                notices[result.partition] = result.notices
            failed_rows.counts = failed_rows.counts.plus(result.counts)
            advance(result)
    return list(islice(chain.from_iterable(notices[partition] for partition in sorted(notices)), MOST_NAMED))


def _next_finished(finished: "SimpleQueue[Future]", client: "Client") -> "list[Future]":
    """The tasks that have ended, at least one. Raises AutodiffError where no worker is left and none comes in time."""
    while True:
        with suppress(Empty):
            return [finished.get(timeout=_POLL), *(finished.get() for _ in range(finished.qsize()))]
        try:
            client.wait_for_workers(1, timeout=_WORKER_TIMEOUT)
        except TimeoutError:
            message = f"the Dask cluster has had no workers for {_WORKER_TIMEOUT} seconds"
            hint = "start some with `dask worker ADDRESS`, and then this job again"
            raise AutodiffError(message, hint=hint) from None


def _gathered(client: "Client", futures: "Sequence[Future]") -> Sequence[PartitionResult | AutodiffError | None]:
    """The results of tasks that have ended, in one message; None for each where one of the tasks has failed."""
    if all(future.status == "finished" for future in futures):
        with suppress(Exception):  # the tasks are then asked one by one which of them it was
            results: Sequence[PartitionResult | AutodiffError] = client.gather(futures)
            return results
    return [None] * len(futures)


def _pair(task: PartitionTask, expected: Mapping[str, str]) -> tuple[PartitionTask, Mapping[str, str]]:
    return task, expected


def _compute_on_worker(
    shared: tuple[PartitionTask, Mapping[str, str]], partition: Partition
) -> PartitionResult | AutodiffError:
    """Compute a partition on a worker that may have joined late, so that its versions are not checked yet."""
    task, expected = shared
    try:
        require_versions(expected)
    except AutodiffError as error:
        return error
    return compute(task, partition)


def _result(future: "Future", partition: Partition) -> PartitionResult | AutodiffError:
    """The result of a task that has ended, or the error for why it failed every time."""
    from distributed import CancelledError, KilledWorker

    try:
        result: PartitionResult | AutodiffError = future.result()
    except AutodiffError as error:
        return error
    except KilledWorker:
        message = f"{partition.shown}: one worker after the other ended while it computed this"
        return AutodiffError(message, hint="perhaps for want of memory: give each fewer threads, or smaller partitions")
    except CancelledError:
        return AutodiffError("the connection to the Dask scheduler is lost", hint="start it again, and then this job")
    except OSError as error:
        return AutodiffError(f"{partition.shown}: {reason_of(error)}")
    return result


def _raise_error(result: PartitionResult | AutodiffError) -> PartitionResult:
    if isinstance(result, AutodiffError):
        raise result
    return result
