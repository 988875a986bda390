"""The whole screen of a terminal, which is restored at the end."""

from collections.abc import Sequence
from types import TracebackType
from typing import TextIO

from .screen import Screen, Segments
from .size import size

_ENTER, _LEAVE = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"  # another screen, without a cursor
_CLEAR = "\x1b[H\x1b[2J"


class FullScreen:
    """A context in which the screen of a terminal shows lines, and no cursor."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    @property
    def size(self) -> tuple[int, int]:
        """The columns and lines that there are now."""
        return size(self._out)

    def __enter__(self) -> "FullScreen":
        self._write(_ENTER)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._write(_LEAVE)

    def show(self, lines: Sequence[Segments]) -> None:
        """Replace what is shown; there are no more lines than the screen has."""
        screen = Screen(self._out)
        self._write(_CLEAR + "\n".join(screen.text(*line) for line in lines))

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()
