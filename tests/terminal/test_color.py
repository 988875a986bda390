"""Colours: where a person looks, unless the environment or an option says otherwise."""

import re

import pytest
from processes import on_a_terminal, run

from autodiff_cli.terminal.messages import colored

ESCAPE = "\x1b"
EVAL = ("eval", "a*b", "--set", "a=1", "b=2")
WRONG = ("eval", "lgo(a)")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("environment", "options", "has_colors"),
    [
        ({}, (), False),
        ({"FORCE_COLOR": "1"}, (), True),
        ({"CLICOLOR_FORCE": "1"}, (), True),
        ({"CLICOLOR_FORCE": "0"}, (), False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, (), False),
        ({"FORCE_COLOR": "1", "NO_COLOR": ""}, (), True),
        ({"NO_COLOR": "1"}, ("--color", "always"), True),
        ({"FORCE_COLOR": "1"}, ("--color=never",), False),
        ({"FORCE_COLOR": "1"}, ("--color", "auto"), True),
    ],
)
def test_in_a_pipe_there_are_colours_where_they_are_asked_for(
    environment: dict[str, str], options: tuple[str, ...], has_colors: bool
) -> None:
    assert (ESCAPE.encode() in run(*EVAL, *options, **environment).stdout) == has_colors
    assert (ESCAPE.encode() in run(*WRONG, *options, **environment).stderr) == has_colors


@pytest.mark.slow
def test_a_program_for_another_command_has_colours_only_where_the_option_asks_for_them() -> None:
    assert ESCAPE.encode() not in run("diff", "x^2", FORCE_COLOR="1").stdout
    assert ESCAPE.encode() in run("diff", "x^2", "--color", "always").stdout
    assert ESCAPE in on_a_terminal("diff", "x^2", FORCE_COLOR="1")


def test_a_terminal_has_colours_unless_they_are_unwanted() -> None:
    assert ESCAPE in on_a_terminal(*EVAL)
    assert ESCAPE not in on_a_terminal(*EVAL, NO_COLOR="1")
    assert ESCAPE not in on_a_terminal(*EVAL, TERM="dumb")
    assert ESCAPE not in on_a_terminal(*EVAL, "--color", "never")


def test_the_option_may_stand_before_the_command() -> None:
    assert ESCAPE.encode() in run("--color", "always", *EVAL).stdout
    assert ESCAPE.encode() not in run("--color", "always", *EVAL, "--color", "never").stdout


@pytest.mark.slow
def test_colours_change_nothing_else() -> None:
    for words in (
        EVAL,
        WRONG,
        ("functions",),
        ("check", "abs(x)", "--set", "x=0"),
        ("verify", "x^2", "x", "--wrt", "x"),
    ):
        plain, coloured = run(*words), run(*words, "--color", "always")
        for stream in ("stdout", "stderr"):
            text = re.sub(rf"{ESCAPE}\[[0-9;]*m", "", getattr(coloured, stream).decode())
            assert text == getattr(plain, stream).decode()


def test_the_parts_of_a_message_have_colours() -> None:
    message = "error: no `b`\n --> <formula>:1:3\n  |\n1 | a*b\n  |   ^\n\nhint: error: add it"
    shown = colored(message)
    assert shown.startswith(f"{ESCAPE}[1;31merror{ESCAPE}[0m: no `b`\n")
    assert f"{ESCAPE}[1;31m  ^{ESCAPE}[0m" in shown
    assert shown.endswith(f"{ESCAPE}[36mhint{ESCAPE}[0m: error: add it")


def test_a_message_and_a_table_load_no_rich() -> None:
    import subprocess
    import sys

    for words in (EVAL, WRONG):
        script = (
            f"import sys; sys.argv = ['autodiff', *{words!r}, '--color', 'always']\n"
            "from autodiff_cli.cli import run\nrun()\nassert 'rich' not in sys.modules"
        )
        subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)


def test_the_caret_stays_below_its_place_on_a_narrow_terminal() -> None:
    formula = "+".join(["a"] * 40) + "+lgo(a)+" + "+".join(["a"] * 40)
    lines = on_a_terminal("eval", formula, columns=40, NO_COLOR="1").splitlines()
    excerpt = next(place for place, line in enumerate(lines) if "lgo(" in line and line.startswith("1 |"))
    assert len(lines[excerpt]) <= 40
    assert lines[excerpt].index("lgo") == lines[excerpt + 1].index("^^^")
