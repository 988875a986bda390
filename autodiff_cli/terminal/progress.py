"""The progress of long work, on standard error, if that is a terminal."""

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
"""takes the number of rows that have just been finished, and their size"""

_DELAY = 1.0  # seconds, before progress is shown


def progress(items: Iterable[Item], what: str, total: int | None = None) -> Generator[Item, None, None]:
    """Yield the items, with a bar for how many are done, or for a single one with the time that it takes.

    `total` is how many there are, where they do not know it themselves.
    """
    total = len(items) if isinstance(items, Sized) else total
    with _line(what, None if total == 1 else total) as update:
        for done, item in enumerate(items, 1):
            yield item
            update(done, 0)


@contextmanager
def meter(size: int | None, work: str = "computing", *, is_hidden: bool = False) -> Iterator[Advance]:
    """Yield a function that shows the progress, to be called when more rows are finished.

    The `size` is that of all rows, in any unit; without it no remaining time is shown. `work` says what is done.
    """
    done = rows = 0

    def advance(more: int, size: int) -> None:
        nonlocal done, rows
        done, rows = done + size, rows + more
        update(done, rows)

    with _line(work, size or None, has_rows=True, is_hidden=is_hidden) as update:
        yield advance


@contextmanager
def _line(
    what: str, total: int | None, *, has_rows: bool = False, is_hidden: bool = False
) -> Iterator[Callable[[int, int], None]]:
    """Yield a function that takes how much is done of the total, and how many rows.

    The line that shows this comes after a second: most work is done before, and needs no Rich.
    """
    if is_hidden or not sys.stderr.isatty():
        yield lambda done, rows: None
        return
    begun, state, shown = monotonic(), (0, 0), list["Progress"]()

    def show() -> None:
        from .progress_line import progress_line

        line = progress_line(what, total is not None, has_rows=has_rows)
        line.add_task(what, total=total)
        line.tasks[0].start_time = begun
        shown.append(line)
        update(*state)  # what was done before; from here on the line is told at once
        line.start()

    def update(done: int, rows: int) -> None:
        nonlocal state
        state = done, rows
        for line in shown:
            line.update(line.task_ids[0], completed=done, rows=rows)

    timer = Timer(_DELAY, show)
    timer.daemon = True
    timer.start()
    try:
        yield update
    finally:
        timer.cancel()
        timer.join()
        for line in shown:
            line.stop()
