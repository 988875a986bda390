"""The terminal: its width, colours only where a person looks, and the progress of long work."""

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Timer
from time import monotonic
from typing import Any, TextIO, TypeVar, cast

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.text import Text

Item = TypeVar("Item")

_UNLIMITED = 10_000  # columns
_DELAY = 1.0  # seconds, before progress is shown


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Raise the error, for which the command line has an exit code."""
        raise BrokenPipeError


class _Unpadded:
    """A text file without the spaces at the ends of lines, which are of use only on a terminal."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def __getattr__(self, name: str) -> Any:
        return getattr(self._out, name)

    def write(self, text: str) -> int:
        """Write whole lines of text."""
        return self._out.write(re.sub(r" +$", "", text, flags=re.MULTILINE))


def console(out: TextIO) -> Console:
    """A console that takes all text literally; in a pipe it has neither colours nor a limit of width."""
    screen = _Console(file=out, highlight=False, markup=False, emoji=False)
    if screen.is_terminal:
        return screen
    pipe = cast(TextIO, _Unpadded(out))
    return _Console(file=pipe, highlight=False, markup=False, emoji=False, color_system=None, width=_UNLIMITED)


def progress(items: Sequence[Item], what: str) -> Iterator[Item]:
    """Yield the items, with a progress bar on standard error after a second, if that is a terminal."""
    start = monotonic()
    items_left = iter(items)
    done = 0
    for item in items_left:
        yield item
        done += 1
        if monotonic() - start > _DELAY and sys.stderr.isatty():
            break
    if done == len(items):
        return
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=len(items), completed=done)
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
def meter(size: int | None, done: Callable[[], int]) -> Iterator[Callable[[int], None]]:
    """Yield a function to be called with the number of rows that have just been finished; it shows the progress.

    `done` gives how much of the `size` has been read, in any unit. Without a size no remaining time is shown.
    """
    columns = (BarColumn(), TaskProgressColumn(), _RowCount(), TimeRemainingColumn()) if size else (_RowCount(),)
    progress = Progress(TextColumn("{task.description}"), *columns, console=Console(stderr=True), transient=True)
    task = progress.add_task("computing", total=size, rows=0)
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
