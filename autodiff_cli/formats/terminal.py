"""The terminal as Rich sees it: colours only where a person looks, and no edge in a pipe."""

import sys
from collections.abc import Iterator, Sequence
from time import monotonic
from typing import TextIO, TypeVar

from rich.console import Console

Item = TypeVar("Item")

_NO_EDGE = 10_000  # columns


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to the command line, which has an exit code for it."""
        raise BrokenPipeError


def console(out: TextIO) -> Console:
    """A console that takes all text literally; in a pipe it has neither colours nor a width."""
    made = _Console(file=out, highlight=False, markup=False, emoji=False)
    if made.is_terminal:
        return made
    return _Console(file=out, highlight=False, markup=False, emoji=False, color_system=None, width=_NO_EDGE)


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
