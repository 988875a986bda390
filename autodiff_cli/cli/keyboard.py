"""Single keys from the terminal, also where standard input is something else."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from ..errors import USAGE, AutodiffError


@contextmanager
def pressed() -> Iterator[Callable[[], str]]:
    """A function that waits for a key and returns it: a character, an escape sequence, or several that came at once.

    It returns "" where the terminal is gone. No key gets lost or is echoed between two calls.
    """
    try:
        import termios
        import tty
    except ImportError:  # Windows
        yield click.getchar
        return
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY)
    except OSError:
        raise AutodiffError("there is no terminal to press keys on", hint="leave --step out", code=USAGE) from None
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)
        yield lambda: os.read(terminal, 32).decode(errors="ignore")
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
        os.close(terminal)
