"""The progress of long work, on standard error."""

import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sized
from contextlib import contextmanager
from threading import Timer
from time import monotonic
from typing import TYPE_CHECKING, TypeAlias, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress

Item = TypeVar("Item")
Advance: TypeAlias = Callable[[int, int], None]
"""takes the number of rows that have just been finished, and the size of all that are"""

_DELAY = 1.0  # seconds, before progress is shown


def progress(items: Iterable[Item], what: str, total: int | None = None) -> Generator[Item, None, None]:
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
    from .progress_line import progress_line

    total = len(items) if isinstance(items, Sized) else total
    with progress_line(what, total is not None) as bar:
        task = bar.add_task(what, total=total, completed=done)
        for item in items_left:
            yield item
            bar.advance(task)


def waiting(items: Iterable[Item], what: str) -> Generator[Item, None, None]:
    """Yield the items, with the time that has passed on standard error after a second."""
    from .progress_line import time_line

    with _after_delay(time_line(what)) as line:
        line.add_task(what, total=None)
        yield from items


@contextmanager
def meter(size: int | None, work: str = "computing", *, is_hidden: bool = False) -> Iterator[Advance]:
    """Yield a function that shows the progress on a terminal, to be called when more rows are finished.

    The `size` is that of all rows, in any unit; without it no remaining time is shown. `work` says what is done.
    """
    if is_hidden or not sys.stderr.isatty():
        yield lambda rows, size: None
        return
    from .progress_line import row_line

    rows = 0

    def advance(more: int, done: int) -> None:
        nonlocal rows
        rows += more
        line.update(task, completed=done, rows=rows)

    with _after_delay(row_line(work, size is not None and size > 0)) as line:
        task = line.add_task(work, total=size, rows=0)
        yield advance


@contextmanager
def _after_delay(line: "Progress") -> "Iterator[Progress]":
    """The line, which is shown after a second."""
    timer = Timer(_DELAY, line.start)
    timer.daemon = True
    timer.start()
    try:
        yield line
    finally:
        timer.cancel()
        line.stop()
