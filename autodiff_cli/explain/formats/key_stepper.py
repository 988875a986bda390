"""The text of a walkthrough on a terminal, one block for each key that is pressed."""

import re
from typing import TextIO

from ...notation import elided
from ...terminal.screen import Screen, Segments, plain, wrapped
from ...terminal.size import size
from ..walkthrough import Walkthrough
from .text import TextBlock, blocks
from .text_layout import MOST_COLUMNS

_KEY = re.compile(r"\x1b(?:[\[O][0-9;]*)?[^\x1b]?|.", re.DOTALL)
"""the characters of one key: those of many keys begin with that of Escape"""
_NEXT = frozenset(["\r", "\n", " ", "n", "\x1b[C", "\x1b[B", "\x1b[6~", "\x1bOC", "\x1bOB"])
_BACK = frozenset(["b", "p", "\x7f", "\b", "\x1b[D", "\x1b[A", "\x1b[5~", "\x1bOD", "\x1bOA"])
_FIRST = frozenset(["g", "\x1b[H", "\x1b[1~", "\x1bOH"])
_LAST = frozenset(["G", "\x1b[F", "\x1b[4~", "\x1bOF"])
_QUIT = frozenset(["q", "\x1b", "\x04"])
_KEYS = "enter, space: next · b: back · q: quit"
_END = "the end · b: back · enter, q: quit"
_FOOTER = 2  # lines


class KeyStepper:
    """Shows the blocks on the whole screen of a terminal."""

    def __init__(self, walk: Walkthrough, out: TextIO) -> None:
        self._out = out
        self._blocks = list(blocks(walk, min(size(out)[0], MOST_COLUMNS)))
        self._at = 0
        self.is_running = True

    def press(self, keys: str) -> None:
        """Carry out the keys, of which several may come at once; unknown ones do nothing, and "" ends it."""
        self.is_running = self.is_running and bool(keys)
        last = len(self._frames()) - 1
        for key in _KEY.findall(keys):
            if key in _QUIT or (key in _NEXT and self._at >= last):
                self.is_running = False
                return
            step = (key in _NEXT) - (key in _BACK)
            self._at = 0 if key in _FIRST else last if key in _LAST else max(0, min(last, self._at + step))

    def _frames(self) -> list[list[Segments]]:
        """The lines that each key adds; a block that is taller than the screen makes several frames."""
        room = max(1, size(self._out)[1] - _FOOTER)
        return [
            lines[at : at + room] for lines in map(self._wrapped, self._blocks) for at in range(0, len(lines), room)
        ]

    def _wrapped(self, block: TextBlock) -> list[Segments]:
        return [part for line in block.all_lines() for part in wrapped(line, size(self._out)[0])]

    def show(self) -> None:
        """Show the frames so far, as many of their last lines as there is room for, all but the newest dim."""
        frames = self._frames()
        self._at = min(self._at, len(frames) - 1)
        before: list[Segments] = [[(plain(line), "dim")] for frame in frames[: self._at] for line in frame]
        columns, lines = size(self._out)
        room = lines - _FOOTER
        shown = [*before, *frames[self._at]][-room:] if room > 0 else []
        shown += [()] * (room - len(shown))
        keys = _END if self._at == len(frames) - 1 else _KEYS
        footer = elided(f"{self._at + 1} of {len(frames)} · {keys}", columns)
        Screen(self._out).show([*shown, (), [(footer, "reverse")]])
