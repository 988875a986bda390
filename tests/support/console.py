"""Console sessions as tests: `$ command`, then what it prints, as a person sees it.

Lines that begin with `2> ` are expected on standard error, a last line `[exit 3]` is the exit code (0 without it), and
a line `…` stands for any number of lines. A command goes on in the next line after a backslash.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Step:
    """One command of a session, with what it must print."""

    command: str
    stdout: list[str] = field(default_factory=list)
    stderr: list[str] = field(default_factory=list)
    code: int = 0


def steps(text: str) -> Iterator[Step]:
    """The commands of a session."""
    step: Step | None = None
    going_on = False
    for line in text.splitlines():
        if going_on and step is not None:
            step.command += "\n" + line
        elif line.startswith("$ "):
            if step is not None:
                yield step
            step = Step(line[2:])
        elif step is not None and (exit_code := re.fullmatch(r"\[exit (\d+)\]", line)):
            step.code = int(exit_code[1])
        elif step is not None:
            is_error = line.startswith("2>")
            (step.stderr if is_error else step.stdout).append(line[3:] if is_error else line)
        going_on = step is not None and line.endswith("\\") and (going_on or line.startswith("$ "))
    if step is not None:
        yield step


def run(command: str, folder: Path) -> tuple[list[str], list[str], int]:
    """Run a shell command as a person would, with this environment's autodiff: its output, errors and exit code."""
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "FORCE_COLOR")}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    environment["PYTHONUTF8"] = "1"
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, stdin=subprocess.DEVNULL, timeout=120
    )
    return _lines(done.stdout), _lines(done.stderr), done.returncode


def _lines(output: bytes) -> list[str]:
    return [line.rstrip() for line in output.decode().splitlines()]


def check(text: str, folder: Path) -> int:
    """Run every command of a session and compare; returns how many there were."""
    session = list(steps(text))
    for step in session:
        stdout, stderr, code = run(step.command, folder)
        seen = f"$ {step.command}\n" + "\n".join([*stdout, *("2> " + line for line in stderr), f"[exit {code}]"])
        assert _matches(step.stdout, stdout), seen
        assert _matches(step.stderr, stderr), seen
        assert code == step.code, seen
    return len(session)


def _matches(expected: list[str], seen: list[str]) -> bool:
    while expected and not expected[-1]:
        expected = expected[:-1]
    while seen and not seen[-1]:
        seen = seen[:-1]
    pattern = "".join(r"(?:.*\n)*?" if line.strip() == "…" else re.escape(line.rstrip()) + "\n" for line in expected)
    return re.fullmatch(pattern, "".join(line + "\n" for line in seen)) is not None
