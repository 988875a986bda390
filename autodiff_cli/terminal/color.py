"""Whether text has colours, and how a terminal is told about them."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, TextIO, TypeAlias

Choice: TypeAlias = Literal["auto", "always", "never"]

_CODES = {
    "bold": 1,
    "dim": 2,
    "italic": 3,
    "reverse": 7,
    "red": 31,
    "green": 32,
    "yellow": 33,
    "blue": 34,
    "magenta": 35,
    "cyan": 36,
    "bright_black": 90,
}
_NO_TERMINALS = ("dumb", "unknown")

_choice: Choice = "auto"


def choose(choice: Choice) -> None:
    """Decide for this process whether there are colours; `auto` leaves it to the environment and the output."""
    global _choice
    _choice = choice


@contextmanager
def choice_kept() -> Iterator[None]:
    """Undo, at the end of the block, a choice that is made within it."""
    before = _choice
    try:
        yield
    finally:
        choose(before)


def is_colored(out: TextIO, *, is_program: bool = False) -> bool:
    """Whether what is written there has colours.

    Without a choice NO_COLOR forbids them; else FORCE_COLOR and CLICOLOR_FORCE, or a terminal, ask for them. For a
    program, which another command reads from a pipe or a file, the two variables do not.
    """
    if sys.platform == "win32":
        import colorama  # which click needs there

        colorama.just_fix_windows_console()
    if _choice != "auto":
        return _choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR") or os.environ.get("CLICOLOR_FORCE", "0") not in ("", "0"):
        return out.isatty() or not is_program
    return out.isatty() and os.environ.get("TERM", "").lower() not in _NO_TERMINALS


def styled(text: str, style: str) -> str:
    """The text in a style such as `bold red`, as a terminal takes it."""
    codes = ";".join(str(_CODES[word]) for word in style.split())
    return f"\x1b[{codes}m{text}\x1b[0m" if codes and text else text
