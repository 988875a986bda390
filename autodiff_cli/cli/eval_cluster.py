"""`autodiff eval --data FOLDER -o FOLDER`: many files, each computed by itself, on this machine or on a cluster."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from .. import files
from ..data import formats
from ..errors import USAGE, AutodiffError
from . import formula as shared

if TYPE_CHECKING:
    from ..data.cluster.partitions import DataSet
    from ..data.cluster.running import Outcome, Outcomes
    from ..data.cluster.task import Task
    from ..data.layout import Layout
    from .data import Request

OPTIONS = (
    click.option(
        "--cluster",
        metavar="ADDRESS",
        help="Compute the files of --data on a Dask cluster: its scheduler's HOST:PORT or file, or local.",
    ),
    click.option(
        "--retries",
        type=click.IntRange(0),
        metavar="N",
        help="How often a task of a cluster that failed is tried again; 3 without this.",
    ),
)


def wanted(request: "Request") -> bool:
    """Whether there is a folder, a pattern or a URL to be computed, or a file on a cluster."""
    data = request.data or ""
    is_pattern = any(sign in data for sign in "*?[") and not os.path.exists(data)
    return bool(request.cluster) or "://" in data or is_pattern or os.path.isdir(data)


def run(
    request: "Request", planned: "Callable[[Sequence[str]], Layout]", *, strict: bool, allow_nonfinite: bool
) -> AutodiffError | None:
    """Write the folder of results. `planned` says what becomes of columns of these names.

    What comes back is the error that the rows without results amount to.
    """
    out, data = _folders(request)
    from ..data.cluster.folder import Folder
    from ..data.cluster.partitions import data_set, names
    from ..data.cluster.task import Task
    from ..data.cluster.whole import write
    from ..data.failed_rows import Troubles

    found = data_set(data, request.data_format)
    columns = names(found)
    plan = planned(columns)
    task = Task(plan, columns, found.system, Folder(out), strict, allow_nonfinite)
    troubles = Troubles(
        "row", plan.computation, lambda notice: shared.warn([notice]), strict=strict, allow_nonfinite=allow_nonfinite
    )
    with (
        files.exit_on_signals(),
        task.folder.or_nothing(),  # once more when the processes that were started here are gone
        _outcomes(request, task, found) as outcomes,
        _meter(found) as advance,
    ):
        notices = write(found, task.folder, outcomes, troubles, advance)
    shared.warn(notices)
    return troubles.error()


def _folders(request: "Request") -> tuple[str, str]:
    """Where to, and where from. Raises an error for what does not go with a folder."""
    data, out = request.data, request.out
    if not data or data == "-":
        hint = "name it with --data"
        raise AutodiffError("`--cluster` needs a file or folder that all machines see", hint=hint, code=USAGE)
    if not out or out == "-" or formats.format_of(out) not in (None, "parquet"):
        hint = "name one with -o FOLDER"
        raise AutodiffError("the results of many files are a folder of Parquet files", hint=hint, code=USAGE)
    shared.refuse(("format_", "precision"), "is not for a folder, whose results are Parquet files")
    if request.cluster is None:
        shared.refuse(("retries",), "is for --cluster")
    elif request.cluster != "local":
        shared.refuse(("jobs",), "is for this machine; the workers of a cluster have their own threads")
    return out, data


@contextmanager
def _outcomes(request: "Request", task: "Task", data: "DataSet") -> "Iterator[Outcomes]":
    """What becomes of each file, from where it is computed."""
    from ..data.cluster import running
    from ..vectorized.executor import cores

    if request.cluster is None:
        yield running.on_this_machine(task, data.partitions, request.jobs or cores())
        return
    from ..data.cluster.connection import connected

    retries = running.RETRIES if request.retries is None else request.retries
    with connected(request.cluster, request.jobs or cores()) as client:
        yield running.on_cluster(client, task, data.partitions, retries)


@contextmanager
def _meter(data: "DataSet") -> "Iterator[Callable[[Outcome], None]]":
    """A function that is told of each file that is done, and shows it to a person who waits."""
    size = 0

    def shown(outcome: "Outcome") -> None:
        nonlocal size
        size += outcome.partition.size
        advance(outcome.done.rows)

    if not sys.stderr.isatty():
        yield lambda outcome: None
        return
    from ..terminal import meter

    with meter(data.size, lambda: size) as advance:
        yield shown
