"""The parts that a job has finished, on record beside them, so that the job can go on after it was stopped.

The record has JSON objects on its lines: what the job is, then what became of each part. A line that is not whole was
being written when the job ended, and does not count; each object begins a line, so that such a line spoils no other.
"""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from ...errors import Notice
from ..failed_rows import RowCounts
from .partition_task import PartitionResult
from .partitions import Partition

_RECORD = "finished.jsonl"


class FinishedParts:
    """The record in the temporary folder of a job."""

    def __init__(self, folder: str, job: str) -> None:
        """`job` tells one job from another: its formula, its options, its version."""
        self._path, self._parts, self._job = f"{folder}/{_RECORD}", f"{folder}/parts", job

    def is_of_this_job(self) -> bool:
        """Whether there is a record, of the same job."""
        return next(self._lines(), {}).get("job") == self._job

    def begin(self) -> None:
        """Begin the record, unless an earlier run of the job has begun it."""
        if not self.is_of_this_job():
            self._write({"job": self._job}, "w")

    def add(self, result: PartitionResult) -> None:
        """Add a part that is finished."""
        notices = [notice.message for notice in result.notices]
        source = _source(result.partition)
        self._write({**source, "counts": result.counts, "size": result.size, "notices": notices}, "a")

    def results(self, partitions: Sequence[Partition]) -> Iterator[PartitionResult]:
        """The results of the partitions whose parts are there and whose data have not changed since."""
        lines = {line["target"]: line for line in self._lines() if "counts" in line}
        for partition in partitions:
            line = lines.get(partition.target, {})
            if line.items() >= _source(partition).items() and self._size(partition.target) == line["size"]:
                notices = [Notice(text) for text in line["notices"]]
                yield PartitionResult(partition, RowCounts(*line["counts"]), notices, line["size"])

    def _size(self, target: str) -> int | None:
        with suppress(OSError):
            return os.path.getsize(f"{self._parts}/{target}")
        return None

    def _lines(self) -> Iterator[dict[str, Any]]:
        with suppress(OSError, ValueError), open(self._path, encoding="utf-8") as file:
            for line in file:
                with suppress(ValueError):
                    yield json.loads(line)

    def _write(self, line: dict[str, Any], mode: str) -> None:
        with open(self._path, mode, encoding="utf-8") as file:
            file.write("\n" + json.dumps(line))


def _source(partition: Partition) -> dict[str, Any]:
    """The fields of a record that identify the data of a partition and the name of its results."""
    section = str(partition.section)
    return {"target": partition.target, "path": partition.path, "section": section, "modified": partition.modified}
