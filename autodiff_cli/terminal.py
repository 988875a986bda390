"""The terminal: its width, colours only where a person looks, and how far a long job is."""

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

_NO_EDGE = 10_000  # columns


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to the command line, which has an exit code for it."""
        raise BrokenPipeError


class _Unpadded:
    """A text file that drops the spaces at the ends of lines, which only a terminal has a use for."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def __getattr__(self, name: str) -> Any:
        return getattr(self._out, name)

    def write(self, text: str) -> int:
        """Write whole lines."""
        return self._out.write(re.sub(r" +$", "", text, flags=re.MULTILINE))


def console(out: TextIO) -> Console:
    """A console that takes all text literally; in a pipe it has neither colours nor a width."""
    made = _Console(file=out, highlight=False, markup=False, emoji=False)
    if made.is_terminal:
        return made
    pipe = cast(TextIO, _Unpadded(out))
    return _Console(file=pipe, highlight=False, markup=False, emoji=False, color_system=None, width=_NO_EDGE)


def progress(items: Sequence[Item], what: str) -> Iterator[Item]:
    """The items, with a progress bar on standard error once they have taken a second, if that is a terminal."""
    start = monotonic()
    items_left = iter(items)
    done = 0
    for item in items_left:
        yield item
        done += 1
        if monotonic() - start > 1 and sys.stderr.isatty():
            break
    if done == len(items):
        return
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=len(items), completed=done)
        for item in items_left:
            yield item
            bar.advance(task)


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
