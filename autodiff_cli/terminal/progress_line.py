"""The lines that show progress, by Rich; imported once one is shown, since most work is done before."""

import sys

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

_MOST_BAR, _LEAST_BAR = 40, 10  # columns
_NUMBERS, _COUNTS = 15, 48  # columns of the numbers beside the bar, without counts and with them


class _RowCount(ProgressColumn):
    """The number of rows that are done, which is rounded on a narrow terminal, and their number per second."""

    def render(self, task: Task) -> Text:
        """The current text."""
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


def progress_line(what: str, has_total: bool, *, has_rows: bool = False) -> Progress:
    """A line with the fraction done and the time left, or the time that has passed, or with rows.

    Their number is the field `rows` of the task. Where there is room, what is done and a bar precede all that.
    """
    count = _RowCount() if has_rows else TimeElapsedColumn()
    numbers = (TaskProgressColumn(), *[count] * has_rows, TimeRemainingColumn()) if has_total else (count,)
    bar = min(_MOST_BAR, width(sys.stderr) - len(what) - (_COUNTS if has_rows else _NUMBERS))
    lead = (TextColumn("{task.description}"), BarColumn(bar)) if bar >= _LEAST_BAR else ()
    console = Console(stderr=True, width=width(sys.stderr), color_system="auto" if is_colored(sys.stderr) else None)
    return Progress(*lead, *numbers, console=console, transient=True)
