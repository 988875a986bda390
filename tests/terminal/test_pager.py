"""Long output goes through a pager where it is asked for, and only on a terminal."""

import sys
from pathlib import Path

import pytest
from processes import on_a_terminal, run

WORDS = ("eval", "a*b", "--set", "a=1", "b=2")


@pytest.fixture
def pager(tmp_path: Path) -> str:
    """A pager that shows each line in brackets, and in which variable it is told of colours."""
    script = tmp_path / "pager.py"
    script.write_text("import os, sys\nfor line in sys.stdin: print(f'<{line.rstrip()}>', os.environ['LESS'])\n")
    return f"{sys.executable} {script}"


def test_the_pager_has_the_whole_output_with_its_colours(pager: str) -> None:
    lines = on_a_terminal(*WORDS, "--pager", PAGER=pager, LESS="FRX").splitlines()
    assert len(lines) == 6
    assert all(line.startswith("<") and line.endswith("> FRX") for line in lines)
    assert "\x1b[36ma\x1b[0m" in lines[2]


def test_the_option_may_stand_before_the_command(pager: str) -> None:
    assert on_a_terminal("--pager", *WORDS, PAGER=pager).startswith("<")


def test_a_pipe_and_an_error_need_no_pager(pager: str) -> None:
    for command in (pager, "less '"):
        assert run(*WORDS, "--pager", PAGER=command).stdout == run(*WORDS).stdout
    assert on_a_terminal("eval", "a*", "--pager", PAGER=pager, NO_COLOR="1").startswith("error:")


def test_whoever_leaves_the_pager_ends_the_command_quietly(tmp_path: Path) -> None:
    formula = tmp_path / "long.expr"
    formula.write_text("+".join(f"sin({i}*x)" for i in range(2000)))
    shown = on_a_terminal("eval", "-f", str(formula), "--set", "x=1", "--nodes", "all", "--pager", PAGER="head -n 2")
    assert len(shown.splitlines()) == 2


def test_without_a_pager_the_terminal_shows_the_output() -> None:
    assert "operation" in on_a_terminal(*WORDS, "--pager", PAGER="no-such-pager")
