"""What is done with one partition, on whatever machine: read, computed block by block, written."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...errors import AutodiffError, Notice
from ..failed_rows import FailedRows
from ..formats import TEXTS, Destination, reader, writer
from ..job import Job
from ..layout import ColumnLayout
from .folder import Folder
from .partitions import Partition, said_of
from .storage import opened


@dataclass(frozen=True)
class Task:
    """What is done with every partition; it can be pickled."""

    plan: ColumnLayout
    names: Sequence[str]
    """the columns that every partition has"""
    system: Any
    """the file system of the partitions"""
    folder: Folder
    strict: bool = False
    """a row without a result is an error"""
    allow_nonfinite: bool = False


class Done(NamedTuple):
    """What has become of a partition."""

    rows: int
    unreadable: int
    odd: int
    """rows whose result is not finite"""
    notices: list[Notice]
    """the first rows that cannot be read or whose result is not finite"""
    size: int
    """bytes of the file that was written"""


def compute(task: Task, partition: Partition) -> Done | AutodiffError:
    """Write the results of a partition.

    An error of the data is returned, because trying again would not mend it; one of a disk or a network is raised.
    """
    try:
        with (
            said_of(partition),
            opened(task.system, partition.path) as source,
            task.folder.part(partition.target) as out,
        ):
            found = _copied(task, partition, reader(partition.format, source), out)
            notices = [Notice(f"{partition.shown}: {notice.message}") for notice in found.notices]
            return found._replace(size=out.tell(), notices=notices)
    except AutodiffError as error:
        if isinstance(error.__context__, OSError):
            raise
        return error


def _copied(task: Task, partition: Partition, table: Any, out: Any) -> Done:
    """Write what a reader gives, and what is computed of it; in bounded memory."""
    _require(task.names, table.names)
    if partition.group is not None:
        table.select_group(partition.group)
    plan = task.plan
    target = writer("parquet", out, Destination(table, plan.kept, list(plan.inputs.values()), plan.results))
    job = Job(table, plan.computation, target, plan.inputs, plan.results)
    notices: list[Notice] = []
    troubles = FailedRows(
        "line" if table.format in TEXTS else "row",
        plan.computation,
        notices.append,
        strict=task.strict,
        allow_nonfinite=task.allow_nonfinite,
    )
    try:
        for done in map(job, table.parts(plan.needed)):
            troubles.add(done)
            target.append(done.encoded)
            task.folder.check()
    finally:
        target.close()  # in any case: what is forgotten open complains
    return Done(troubles.rows, troubles.unreadable, troubles.nonfinite, notices, 0)


def _require(expected: Sequence[str], names: Sequence[str]) -> None:
    if list(expected) == list(names):
        return
    absent = [f"`{name}`" for name in expected if name not in names]
    more = [f"`{name}`" for name in names if name not in expected]
    what = f"lacks {', '.join(absent)}" if absent else f"has {', '.join(more)} too" if more else "has another order"
    raise AutodiffError(f"this {what}", hint="all partitions must have the columns of the first")
