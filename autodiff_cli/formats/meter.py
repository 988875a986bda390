"""How far a long job is: a line on the terminal of standard error, once it has taken a second."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.text import Text

_PATIENCE = 1.0  # seconds


class _Rows(ProgressColumn):
    """How many rows are done, and how many a second."""

    def render(self, task: Task) -> Text:
        """The text of this moment."""
        rows: int = task.fields["rows"]
        seconds = task.elapsed or 0.0
        speed = f"{rows / seconds:,.0f} rows/s" if seconds else ""
        return Text(f"{rows:,} rows  {speed}")


@contextmanager
def meter(size: int | None, done: Callable[[], int]) -> Iterator[Callable[[int], None]]:
    """A function to be called with the number of rows that are finished, each time that there are some.

    `done` says how much of the `size` has been gone through, in whatever unit; without a size there is no time left.
    """
    known = (BarColumn(), TaskProgressColumn(), _Rows(), TimeRemainingColumn()) if size else (_Rows(),)
    progress = Progress(TextColumn("{task.description}"), *known, console=Console(stderr=True), transient=True)
    task = progress.add_task("computing", total=size, rows=0)
    timer = Timer(_PATIENCE, progress.start)
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
