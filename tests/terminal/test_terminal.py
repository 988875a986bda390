"""Output on a terminal and in a pipe: widths and progress."""

import re
from itertools import count, islice

import pytest
from processes import on_a_terminal, run

from autodiff_cli.terminal.progress import progress


def test_a_narrow_terminal_shortens_the_text_of_a_node_in_its_middle() -> None:
    names = " + ".join(f"variable{i}" for i in range(20))
    seen = on_a_terminal("eval", names, "--set", *(f"variable{i}=1" for i in range(20)), columns=60, NO_COLOR="1")
    plain = re.sub(r"\x1b\[[0-9;]*m", "", seen)
    assert all(len(line) <= 60 for line in plain.splitlines())
    assert re.search(r"variable0 .*….* variable19", plain)


def test_an_error_and_its_hint_are_broken_between_words() -> None:
    lines = on_a_terminal("eval", "2 + * 3", columns=40, NO_COLOR="1").splitlines()
    assert lines[:2] == ["error: expected an operand after `+`,", "  found `*`"]
    assert lines[-2:] == ["hint: add a number, a name or an", "  expression in parentheses"]


@pytest.mark.slow
def test_a_pipe_is_as_wide_as_columns_say_or_80() -> None:
    name = "a_rather_long_name_for_an_input_of_a_formula_that_takes_some_room"
    words = ("eval", f"{name}*2", "--set", f"{name}=1")
    for columns, width in {"40": 40, "": 80, "0": 80, "abc": 80, "-5": 80, "²": 80}.items():
        lines = run(*words, COLUMNS=columns).stdout.decode().splitlines()
        assert max(map(len, lines)) <= width
        assert max(map(len, lines)) > width // 2
    assert run(*words, COLUMNS="99999999").stdout == run(*words, COLUMNS="200").stdout


def test_markup_in_a_formula_reaches_the_table_as_it_is() -> None:
    done = run("eval", "a*b", "--set", "a=1", "b=2", "--output", "[red]")
    assert b"[red]" in done.stderr
    assert done.returncode == 1


def test_progress_asks_for_an_item_only_when_it_is_wanted() -> None:
    assert list(islice(progress(count(), "counting"), 3)) == [0, 1, 2]


@pytest.mark.slow
def test_a_long_check_shows_its_progress_on_a_terminal() -> None:
    words = ("check", "sin(x)*exp(y)", "--points", "6000", "--over", "x=-2:2", "y=-1:1", "--format", "plain")
    assert "checking" in on_a_terminal(*words)
    assert run(*words[:3], "20", *words[4:]).stderr == b""


def test_a_table_in_a_pipe_has_no_spaces_at_the_ends_of_its_lines() -> None:
    lines = run("eval", "2*x", "--set", "x=1").stdout.decode().splitlines()
    assert lines
    assert not [line for line in lines if line != line.rstrip()]


def test_a_narrow_terminal_shows_the_rows_of_a_grid_as_records() -> None:
    words = ("eval", "a*b*c*d", "--over", "a=1:1:1", "b=1:1:1", "c=1:1:1", "d=2:2:1")
    lines = re.sub(r"\x1b\[[0-9;]*m", "", on_a_terminal(*words, columns=40)).splitlines()
    assert lines == [*("a: 1.0000", "b: 1.0000", "c: 1.0000", "d: 2.0000", "value: 2.0000"),
                     *("grad_a: 2.0000", "grad_b: 2.0000", "grad_c: 2.0000", "grad_d: 1.0000")]  # fmt: skip
