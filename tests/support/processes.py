"""The program as a process of its own, in a pipe or on a terminal."""

import os
import signal
import subprocess
import sys

import pytest

AUTODIFF = [sys.executable, "-m", "autodiff_cli"]


def run(*arguments: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the program in pipes."""
    return subprocess.run(
        [*AUTODIFF, *arguments], input=stdin, env=_environment() | environment, capture_output=True, timeout=60
    )


def on_a_terminal(*arguments: str, columns: int = 80, **environment: str) -> str:
    """The screen of a person who runs the program in a terminal with that many columns."""
    pty = pytest.importorskip("pty")
    leader, follower = pty.openpty()
    variables = _environment() | {"TERM": "xterm-256color", "COLUMNS": str(columns)} | environment
    process = subprocess.Popen([*AUTODIFF, *arguments], stdin=follower, stdout=follower, stderr=follower, env=variables)
    os.close(follower)
    seen = b""
    while True:
        try:
            part = os.read(leader, 65536)
        except OSError:  # the other side has closed
            break
        if not part:
            break
        seen += part
    process.wait(timeout=60)
    os.close(leader)
    return seen.decode()


def ended_by(number: int) -> int:
    """The return code of a process that a signal has ended.

    An interrupt ends it as a signal, not with an exit code: only then does a shell end its loop too.
    """
    return -number if number == signal.SIGINT else 128 + number


def _environment() -> dict[str, str]:
    """The environment without the variables that change how output looks."""
    return {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
