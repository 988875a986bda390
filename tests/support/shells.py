"""Shells at a terminal, into which keys are typed."""

import os
import re
import select
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from places import ROOT

pty = pytest.importorskip("pty")

START = {
    "bash": ("bash", "--norc", "--noprofile", "-i"),
    "zsh": ("zsh", "-f", "-i"),
}
SETUP = {
    "bash": """bind -x '"\\C-g": printf "<%s>\\n" "$READLINE_LINE"'; bind 'set bell-style none'""",
    "zsh": """unsetopt beep; autoload -Uz compinit && compinit -D; said() { print -r -- "<$BUFFER>" }; """
    """zle -N said; bindkey '^I' complete-word; bindkey '^G' said""",
}
TAB, LINE_IS, CLEAR = "\t", "\a", "\x15"
_SECONDS = 30


class Terminal:
    """A shell in a folder of its own, which completes the command lines of autodiff."""

    def __init__(self, shell: str, folder: Path, environment: Mapping[str, str]) -> None:
        self._process, self._terminal = pty.fork()
        if self._process == 0:
            os.chdir(folder)
            os.execvpe(shell, START[shell], dict(environment))  # noqa: S606  # it is the child of the fork
        self._seen = ""
        self.run(SETUP[shell])
        self.run(f'eval "$(autodiff completion {shell})"')

    def run(self, command: str) -> None:
        """Run a command, which ends before this returns."""
        self._seen = ""
        self.type(f"{command}; echo fi''nished\n")
        self._wait_for(r"finished\r")

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._terminal, keys.encode())

    def completed(self, line: str, keys: str = TAB) -> str:
        """The line after its end was completed."""
        self._seen = ""
        self.type(line + keys + LINE_IS)
        found = self._wait_for(r"<(.*)>\r")
        self.type(CLEAR)
        return found[1]

    def shown(self, line: str) -> str:
        """The screen where the end of a line can be completed in several ways."""
        self.completed(line, TAB + TAB)
        return self._seen

    def _wait_for(self, pattern: str) -> re.Match[str]:
        end = time.monotonic() + _SECONDS
        while not (found := re.search(pattern, self._seen)):
            ready, _, _ = select.select([self._terminal], [], [], max(0.0, end - time.monotonic()))
            assert ready, f"the shell does not answer; it shows {self._seen!r}"
            self._seen += os.read(self._terminal, 65536).decode(errors="replace")
        return found

    def close(self) -> None:
        """End the shell."""
        os.close(self._terminal)
        os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)


@contextmanager
def terminal(shell: str, folder: Path) -> Iterator[Terminal]:
    """A shell in the folder, which has a program `autodiff`."""
    opened = Terminal(shell, folder, environment(folder))
    try:
        yield opened
    finally:
        opened.close()


def environment(folder: Path) -> dict[str, str]:
    """An environment whose path begins with a folder that holds `autodiff`."""
    programs = folder / ".programs"
    programs.mkdir(exist_ok=True)
    program = programs / "autodiff"
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m autodiff_cli "$@"\n')
    program.chmod(0o755)
    path = f"{programs}:{os.environ['PATH']}"
    return {"PATH": path, "HOME": str(folder), "TERM": "xterm", "PS1": "$ ", "LC_ALL": "C.UTF-8"}
