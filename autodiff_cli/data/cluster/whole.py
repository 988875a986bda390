"""The partitions of a data set written as one folder, with the rows counted that have no result."""

from collections.abc import Callable
from contextlib import closing
from itertools import islice

from ...errors import Notice
from ..failed_rows import MOST_NAMED, FailedRows
from .folder import Folder
from .partitions import DataSet, Partition
from .running import Outcome, Outcomes


def write(
    data: DataSet,
    folder: Folder,
    outcomes: Outcomes,
    troubles: FailedRows,
    advance: Callable[[Outcome], None],
) -> list[Notice]:
    """Write the folder, whole or not at all, and add up the troubles; the first of them, in the order of the data.

    `advance` is called as soon as a partition is done.
    """
    sizes: dict[str, int] = {}
    notices: dict[Partition, list[Notice]] = {}
    with folder.or_nothing():
        folder.begin(partition.target for partition in data.partitions)
        with closing(outcomes):
            for outcome in outcomes:
                partition, done = outcome
                sizes[partition.target] = done.size
                if done.notices:
                    notices[partition] = done.notices
                troubles.rows += done.rows
                troubles.unreadable += done.unreadable
                troubles.nonfinite += done.odd
                advance(outcome)
        folder.finish(sizes)
    return list(islice((notice for partition in sorted(notices) for notice in notices[partition]), MOST_NAMED))
