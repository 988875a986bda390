"""The terminal as Rich sees it: colours only where a person looks, and no edge in a pipe."""

from typing import TextIO

from rich.console import Console

_NO_EDGE = 10_000  # columns


def console(out: TextIO) -> Console:
    """A console that takes all text literally; in a pipe it has neither colours nor a width."""
    made = Console(file=out, highlight=False, markup=False, emoji=False)
    if made.is_terminal:
        return made
    return Console(file=out, highlight=False, markup=False, emoji=False, color_system=None, width=_NO_EDGE)
