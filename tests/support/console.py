"""Console sessions as tests: `$ command`, then what it prints, as a person sees it.

Lines that begin with `2> ` are expected on standard error, a last line `[exit 3]` is the exit code (0 without it), and
a line `…` stands for any number of lines. A command goes on in the next line after a backslash. What the hints to its
errors propose is done too (see `hints`).
"""

import math
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import hints

_BY_ARRAYS = re.compile(r"--(data|over|readings)\b|autodiff (fit|minimize|solve)\b")
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]\d+)?")
_EVALUATIONS = re.compile(r"\d+ evaluations?")
_LAST_DIGITS = 4e-15
"""the relative difference that NumPy's vector instructions may have between processors"""


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
    return [line.rstrip() for line in output.decode(errors="backslashreplace").splitlines()]


def check(text: str, folder: Path) -> int:
    """Run every command of a session and compare; returns how many there were."""
    session = list(steps(text))
    for step in session:
        stdout, stderr, code = run(step.command, folder)
        seen = f"$ {step.command}\n" + "\n".join([*stdout, *("2> " + line for line in stderr), f"[exit {code}]"])
        assert matches(step.stdout, stdout, exact=not _BY_ARRAYS.search(step.command)), seen
        assert matches(step.stderr, stderr), seen
        assert code == step.code, seen
        _follow_hints(step, folder)
    return len(session)


def _follow_hints(step: Step, folder: Path) -> None:
    """Follow the hints to a command's errors, each in a copy of the folder: the error has to be gone.

    A hint to a result without an error must lead to none.
    """
    error = "error: "
    for line in step.stderr if "autodiff repl" not in step.command else ():
        if line.startswith(("error: ", "warning: ")):
            error = line
        elif line.startswith("hint: "):
            for command in hints.followed(step.command, error, line.removeprefix("hint: ")):
                with TemporaryDirectory() as copy:
                    shutil.copytree(folder, copy, symlinks=True, dirs_exist_ok=True)
                    said = run(command, Path(copy))[1]
                    assert not any(line.startswith(error) for line in said), (
                        f"$ {step.command}\n{line}\n$ {command}\n{said}"
                    )


def check_prompt(text: str, folder: Path) -> int:
    """Type the lines after `> ` and `. ` at the prompt and compare the answers; returns how many there were."""
    lines = text.splitlines()
    typed = [line[2:] for line in lines if line.startswith(("> ", ". "))]
    stdout, stderr, _ = run("autodiff repl <<'END'\n" + "\n".join(typed) + "\nEND", folder)
    assert [*stdout, *stderr] == [line for line in lines if not line.startswith(("> ", ". "))]
    return len(typed)


def matches(expected: list[str], seen: list[str], *, exact: bool = True) -> bool:
    """Whether lines are what is expected; where that need not be exact, numbers may differ in their last digits."""
    while expected and not expected[-1]:
        expected = expected[:-1]
    while seen and not seen[-1]:
        seen = seen[:-1]
    pattern = "".join(r"(?:.*\n)*?" if line.strip() == "…" else _pattern(line, exact) + "\n" for line in expected)
    found = re.fullmatch(pattern, "".join(line + "\n" for line in seen))
    if exact or found is None:
        return found is not None
    compared = [line for line in expected if not _EVALUATIONS.search(line)]
    numbers = [number for line in compared for number in _NUMBER.findall(line)]
    return all(
        math.isclose(float(a), float(b), rel_tol=_LAST_DIGITS) for a, b in zip(numbers, found.groups(), strict=True)
    )


def _pattern(line: str, exact: bool) -> str:
    """A regular expression for a line; where it is not exact, any number stands for another.

    How many evaluations a search takes depends on the version of SciPy, so any number stands for another.
    """
    line = line.rstrip()
    if _EVALUATIONS.search(line):
        return _EVALUATIONS.pattern.join(map(re.escape, _EVALUATIONS.split(line)))
    return re.escape(line) if exact else f"({_NUMBER.pattern})".join(map(re.escape, _NUMBER.split(line)))
