"""The progress of long work, on standard error."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from threading import Timer
from time import monotonic
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.text import Text

Item = TypeVar("Item")

_DELAY = 1.0  # seconds, before progress is shown


def progress(items: Iterable[Item], what: str, total: int | None = None) -> Iterator[Item]:
    """Yield the items, with a progress bar on standard error after a second, if that is a terminal.

    `total` is how many there are, where they do not know it themselves.
    """
    start = monotonic()
    items_left = iter(items)
    done = 0
    for item in items_left:
        yield item
        done += 1
        if monotonic() - start > _DELAY and sys.stderr.isatty():
            break
    else:
        return
    total = len(items) if isinstance(items, Sized) else total
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total, completed=done)
        for item in items_left:
            yield item
            bar.advance(task)


class _RowCount(ProgressColumn):
    """The number of rows that are done, and their number per second."""

    def render(self, task: Task) -> Text:
        """The present text."""
        rows: int = task.fields["rows"]
        seconds = task.elapsed or 0.0
        speed = f"{rows / seconds:,.0f} rows/s" if seconds else ""
        return Text(f"{rows:,} rows  {speed}")


@contextmanager
def meter(size: int | None, done: Callable[[], int], work: str = "computing") -> Iterator[Callable[[int], None]]:
    """Yield a function to be called with the number of rows that have just been finished; it shows the progress.

    `done` gives how much of the `size` has been read, in any unit. Without a size no remaining time is shown. `work`
    says what is done.
    """
    columns = (BarColumn(), TaskProgressColumn(), _RowCount(), TimeRemainingColumn()) if size else (_RowCount(),)
    progress = Progress(TextColumn("{task.description}"), *columns, console=Console(stderr=True), transient=True)
    task = progress.add_task(work, total=size, rows=0)
    timer = Timer(_DELAY, progress.start)
    timer.daemon = True
    timer.start()
    rows = 0

    def advance(more: int) -> None:
        nonlocal rows
        rows += more
        progress.update(task, completed=done(), rows=rows)

    try:
        yield advance
    finally:
        timer.cancel()
        progress.stop()
