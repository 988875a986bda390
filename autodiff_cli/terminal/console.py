"""Styled text and tables for people: in colours and within a width on a terminal, plain in a pipe."""

import re
from typing import Any, TextIO, cast

from rich import box
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

__all__ = ["Console", "Grid", "Text", "console", "grid"]

_UNLIMITED = 10_000  # columns


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


def grid() -> Grid:
    """An empty table with a line under its headings."""
    return Grid(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
