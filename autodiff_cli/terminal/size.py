"""The size of the output."""

import os
from typing import TextIO

Size = tuple[int, int]
"""width and height: columns and lines of characters, or pixels"""

COLUMNS, LINES = 80, 24
"""the size where nothing else is known"""


def size(out: TextIO | None) -> Size:
    """Columns and lines: COLUMNS and LINES where they are set, else those of the terminal, else 80 and 24.

    Without an output there is no terminal.
    """
    terminal = _terminal(out)
    return _variable("COLUMNS") or terminal[0] or COLUMNS, _variable("LINES") or terminal[1] or LINES


def width(out: TextIO) -> int:
    """The columns of `size`."""
    return size(out)[0]


def _terminal(out: TextIO | None) -> Size:
    """The size of the terminal that the output is; 0 where it is none."""
    try:
        return os.get_terminal_size(out.fileno()) if out else (0, 0)
    except (OSError, ValueError):
        return 0, 0


def _variable(name: str) -> int:
    """An environment variable as a number; 0 where it is not set, or not to a number."""
    text = os.environ.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 20 else 0
