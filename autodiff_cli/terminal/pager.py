"""Long output through a pager, which a person scrolls."""

import io
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO, TextIO, cast


class _PagerInput(io.RawIOBase):
    """The standard input of a pager, which starts with the first bytes."""

    def __init__(self, command: list[str]) -> None:
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None

    def writable(self) -> bool:
        """True: it can be written to."""
        return True

    def write(self, data: "bytes | memoryview") -> int:  # type: ignore[override]  # what a buffered writer passes on
        """Pass bytes on. Raises BrokenPipeError when the person has left the pager."""
        if self._process is None:
            environment = {"LESS": "FRX", **os.environ}  # leaves a short text on the screen, and shows colours
            self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, env=environment)  # noqa: S603
        assert self._process.stdin is not None
        self._process.stdin.write(data)
        self._process.stdin.flush()
        return len(data)

    def wait(self) -> None:
        """Wait until the person has left the pager."""
        if self._process is None:
            return
        with suppress(OSError):
            self._process.communicate()
        while self._process.poll() is None:
            with suppress(KeyboardInterrupt):  # which is the pager's
                self._process.wait()


class _PagedTerminal(io.TextIOWrapper):
    """A terminal whose text goes through a pager."""

    def __init__(self, terminal: TextIO, pager: _PagerInput) -> None:
        self._terminal, self._pager = terminal, pager
        super().__init__(cast(BinaryIO, io.BufferedWriter(pager)), terminal.encoding, terminal.errors)

    def isatty(self) -> bool:
        """True: a person reads what is written here."""
        return True

    def fileno(self) -> int:
        """The file descriptor of the terminal, which knows its size."""
        return self._terminal.fileno()

    def finish(self) -> None:
        """Show what is left, and wait until the person has left the pager."""
        try:
            self.flush()
        finally:
            self._pager.wait()


def is_paged(out: TextIO) -> bool:
    """Whether what is written there goes through a pager."""
    return isinstance(out, _PagedTerminal)


@contextmanager
def paged() -> Iterator[None]:
    """Send what is printed on standard output to the pager that PAGER names, if that output is a terminal."""
    terminal, command = sys.stdout, _command()
    if not terminal.isatty() or not command:
        yield
        return
    sys.stdout = output = _PagedTerminal(terminal, _PagerInput(command))
    try:
        yield
    finally:
        sys.stdout = terminal
        with suppress(BrokenPipeError):
            output.finish()


def _command() -> list[str]:
    """The pager with its arguments; empty where there is none."""
    words: list[str] = []
    with suppress(ValueError):  # a quote without its other half
        words = shlex.split(os.environ.get("PAGER", ""))
    candidates = [words] if words else [["less"], ["more"]]
    return next((command for command in candidates if shutil.which(command[0])), [])
