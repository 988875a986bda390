"""The whole screen of a terminal, which is restored at the end."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

from .screen import Screen, Segments

_ENTER, _LEAVE = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"  # another screen, without a cursor
_CLEAR = "\x1b[H\x1b[2J"


@contextmanager
def full_screen(out: TextIO) -> Iterator[None]:
    """Within the block the screen of a terminal is another one, without a cursor."""
    out.write(_ENTER)
    try:
        yield
    finally:
        out.write(_LEAVE)
        out.flush()


def show(lines: Sequence[Segments], out: TextIO) -> None:
    """Replace what the screen shows; there are no more lines than it has."""
    screen = Screen(out)
    out.write(_CLEAR + "\n".join(screen.text(*line) for line in lines))
    out.flush()
