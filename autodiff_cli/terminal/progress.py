"""The progress of long work, on standard error."""

import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sized
from contextlib import contextmanager
from threading import Timer
from time import monotonic
from typing import TypeAlias, TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from .color import is_colored
from .size import width

Item = TypeVar("Item")
Advance: TypeAlias = Callable[[int, int], None]
"""takes the number of rows that have just been finished, and the size of all that are"""

_DELAY = 1.0  # seconds, before progress is shown
_MOST_BAR, _LEAST_BAR = 40, 10  # columns
_NUMBERS, _COUNTS = 15, 48  # columns of the numbers beside the bar, without counts and with them


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
    total = len(items) if isinstance(items, Sized) else total
    with _line(what, total is not None) as bar:
        task = bar.add_task(what, total=total, completed=done)
        for item in items_left:
            yield item
            bar.advance(task)


def waiting(items: Iterable[Item], what: str) -> Generator[Item, None, None]:
    """Yield the items, with the time that has passed on standard error after a second."""
    with _after_delay(_line(what, False, TimeElapsedColumn())) as line:
        line.add_task(what, total=None)
        yield from items


class _RowCount(ProgressColumn):
    """The number of rows that are done, which is rounded on a narrow terminal, and their number per second."""

    def render(self, task: Task) -> Text:
        """The present text."""
        rows: int = task.fields["rows"]
        seconds = task.elapsed or 0.0
        speed = f"  {_short(rows / seconds)} rows/s" if seconds else ""
        done = f"{rows:,}" if width(sys.stderr) > _COUNTS else _short(rows)
        return Text(f"{done} rows{speed}", no_wrap=True)


def _short(number: float) -> str:
    """A number with a few digits: `950`, `3.2k`, `15M`."""
    for power, unit in ((9, "G"), (6, "M"), (3, "k")):
        if number >= 10**power:
            return f"{number / 10**power:.{0 if number >= 10 ** (power + 1) else 1}f}{unit}"
    return f"{number:.0f}"


def _line(what: str, has_total: bool, *counts: ProgressColumn, room: int = _NUMBERS) -> Progress:
    """A line with the counts, which take `room`, and, where there is more, with what is done and a bar before them."""
    numbers = (TaskProgressColumn(), *counts, TimeRemainingColumn()) if has_total else counts
    bar = min(_MOST_BAR, width(sys.stderr) - len(what) - room)
    lead = (TextColumn("{task.description}"), BarColumn(bar)) if bar >= _LEAST_BAR else ()
    console = Console(stderr=True, width=width(sys.stderr), color_system="auto" if is_colored(sys.stderr) else None)
    return Progress(*lead, *numbers, console=console, transient=True)


@contextmanager
def meter(size: int | None, work: str = "computing") -> Iterator[Advance]:
    """Yield a function that shows the progress, to be called when more rows are finished.

    The `size` is that of all rows, in any unit; without it no remaining time is shown. `work` says what is done.
    """
    rows = 0

    def advance(more: int, done: int) -> None:
        nonlocal rows
        rows += more
        line.update(task, completed=done, rows=rows)

    with _after_delay(_line(work, size is not None and size > 0, _RowCount(), room=_COUNTS)) as line:
        task = line.add_task(work, total=size, rows=0)
        yield advance


@contextmanager
def _after_delay(line: Progress) -> Iterator[Progress]:
    """The line, which is shown after a second."""
    timer = Timer(_DELAY, line.start)
    timer.daemon = True
    timer.start()
    try:
        yield line
    finally:
        timer.cancel()
        line.stop()
