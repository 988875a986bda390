"""The work on one partition, on any machine: it is read, computed block by block, and written."""

from collections.abc import Sequence, Set
from contextlib import nullcontext
from dataclasses import dataclass
from typing import BinaryIO, NamedTuple

from pyarrow.fs import FileSystem

from ...errors import AutodiffError, Notice
from ...many_points.totals import Total
from ..columns import require_same
from ..failed_rows import FailedRows, RowCounts
from ..formats import READ_DEFAULTS, WRITE_DEFAULTS, ReadOptions, TableReader, TableWriter, WriteOptions, writer
from ..formats.interfaces import stored_names
from ..job import Job
from ..layout import ColumnLayout
from ..selection import Condition, RowsWhere
from ..sums import Sums
from .output_folder import OutputFolder
from .partitions import Partition, opened


@dataclass(frozen=True)
class PartitionTask:
    """The work on every partition; it can be pickled."""

    layout: ColumnLayout
    names: Sequence[str]
    """the columns that every partition has"""
    system: FileSystem
    """the file system of the partitions"""
    folder: OutputFolder | None
    """the folder for the results; None if they are added up instead"""
    strict: bool = False
    """a row without a result is an error"""
    allow_nonfinite: bool = False
    options: ReadOptions = READ_DEFAULTS
    """for reading the partitions"""
    condition: Condition | None = None
    """of the rows to compute; None for all of them"""
    format: str = "parquet"
    """of the results"""
    write_options: WriteOptions = WRITE_DEFAULTS
    """for writing the results"""
    records_errors: bool = False
    """the reason of each row without a result is written to the folder's list of errors"""


class PartitionResult(NamedTuple):
    """The counts, notices and sums of one partition that has been computed."""

    partition: Partition
    counts: RowCounts
    notices: list[Notice]
    """the first rows that cannot be read or whose result is not finite"""
    size: int = 0
    """bytes of the file that was written"""
    sums: Sums | None = None
    """of the results, where no file was written"""
    engines: Set[str] = frozenset()
    """those that have computed rows where this was computed"""


def compute(task: PartitionTask, partition: Partition) -> PartitionResult | AutodiffError:
    """Write the results of a partition, or add them up.

    An error in the data is returned, because another attempt would fail too; one of a disk or a network is raised.
    """
    try:
        with (
            nullcontext() if task.folder is None else task.folder.part(partition.target) as out,
            opened(task.system, partition, task.options) as table,  # whose errors begin with its name
        ):
            require_same(task.names, table.names, table.format)
            return _computed(task, partition, table, out)
    except AutodiffError as error:
        if isinstance(error.__context__, OSError):
            raise
        return error


def _computed(task: PartitionTask, partition: Partition, table: TableReader, out: BinaryIO | None) -> PartitionResult:
    """Write the columns and the results of a table, or add the results up, in bounded memory."""
    layout, notices = task.layout, list[Notice]()
    target = Sums([Total()] * len(layout.results)) if out is None else _writer(task, table, out)
    if task.condition is not None:
        table = RowsWhere(table, task.condition)
    job = Job(table, layout, target)
    with task.folder.errors(partition.target) if task.folder and task.records_errors else nullcontext() as errors:
        failed_rows = FailedRows(
            table.format,
            layout.computation,
            notices.append,
            strict=task.strict,
            allow_nonfinite=task.allow_nonfinite,
            errors=errors,
        )
        for part in map(job, enumerate(table.parts(layout.needed))):
            failed_rows.add(part)
            target.append(part.encoded)
            if task.folder is not None:
                task.folder.require_wanted()
        target.close()
    size, sums = out.tell() if out else 0, target if isinstance(target, Sums) else None
    engines = frozenset(layout.computation.engines)
    return PartitionResult(partition, failed_rows.counts, notices, size, sums, engines)


def _writer(task: PartitionTask, table: TableReader, out: BinaryIO) -> TableWriter:
    stored = set(stored_names(table))
    kept = [name for name in task.layout.kept if name in stored]
    return writer(task.format, out, task.layout.destination(table, kept), task.write_options)
