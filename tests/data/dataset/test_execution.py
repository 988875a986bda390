"""The partitions of a data set on this machine, in several threads."""

from threading import Event
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="data files need PyArrow")

from autodiff_cli.data.dataset import execution
from autodiff_cli.data.dataset.partitions import Partition
from autodiff_cli.errors import AutodiffError
from autodiff_cli.parallel import check_cancelled


def test_an_error_in_a_partition_stops_the_work_on_others(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, stopped = Event(), Event()

    def compute(task: Any, partition: Partition) -> AutodiffError:
        if partition.path == "a":
            begun.wait(60)
            return AutodiffError("a is broken")
        begun.set()
        try:
            while not stopped.wait(0.01):
                check_cancelled()
        finally:
            stopped.set()
        raise AssertionError("it was not stopped")

    monkeypatch.setattr(execution, "compute", compute)
    task: Any = None
    partitions = [Partition(name, name, "csv", name, 0) for name in "ab"]
    with pytest.raises(AutodiffError, match="a is broken") as caught:
        next(execution.run_on_this_machine(task, partitions, 2))
    assert caught.value  # as long as there is the error, its traceback keeps what it came through
    is_stopped = stopped.wait(10)
    stopped.set()
    assert is_stopped
