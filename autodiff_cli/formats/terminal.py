"""The terminal as Rich sees it: colours only where a person looks, and no edge in a pipe."""

import re
import sys
from collections.abc import Iterator, Sequence
from time import monotonic
from typing import Any, TextIO, TypeVar, cast

from rich.console import Console

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
