"""Single keys from the terminal, even if standard input is something else."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from ...errors import UsageError


@contextmanager
def key_presses() -> Iterator[Callable[[], str]]:
    """Yield a function that waits for a key and returns its characters, or those of several keys pressed at once.

    The function returns "" if the terminal is gone. Between two calls no key is lost or echoed.
    Raises AutodiffError where there is no terminal.
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
        raise UsageError("there is no terminal to press keys on", "leave --step out") from None
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)
        yield lambda: os.read(terminal, 32).decode(errors="ignore")
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
        os.close(terminal)
