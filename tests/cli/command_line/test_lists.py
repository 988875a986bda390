"""Lists on the command line are taken apart at commas and blanks."""

from collections import deque

import pytest

from autodiff_cli.cli.command_line.lists import (
    ASSIGNMENTS,
    COLUMNS,
    NAMES,
    PAIRS,
    RELATIONS,
    RENAMES,
    ListEntry,
    ListOption,
    separated,
)


@pytest.mark.parametrize(
    ("entry", "text", "entries"),
    [
        (NAMES, "a,b", ["a", "b"]),
        (NAMES, " a , b c,,", ["a", "b", "c"]),
        (NAMES, ",", []),
        (COLUMNS, "room temperature,height", ["room temperature,height"]),
        (ASSIGNMENTS, "a=1,b=2", ["a=1", "b=2"]),
        (ASSIGNMENTS, "a = 1, b = 2 c=3", ["a = 1", "b = 2", "c=3"]),
        (ASSIGNMENTS, "a=max(1, b=2),b=[3,c=4]", ["a=max(1, b=2)", "b=[3,c=4]"]),
        (ASSIGNMENTS, "a=1,5", ["a=1,5"]),
        (ASSIGNMENTS, "x=0:1:0.5,y=a==b", ["x=0:1:0.5", "y=a==b"]),
        (ASSIGNMENTS, "α=1,x₁=2,x\u0304=3", ["α=1", "x₁=2", "x\u0304=3"]),
        (RENAMES, "my y=a,b, Delta (USD)=c", ["my y=a,b", "Delta (USD)=c"]),
        (RENAMES, "my y=a b=c d,\n  my z=e", ["my y=a", "b=c d", "my z=e"]),
        (RELATIONS, "x >= 1,\n  y <= max(2, x)", ["x >= 1", "y <= max(2, x)"]),
        (PAIRS, "a,b=0.5,c, d = 0.1", ["a,b=0.5", "c, d = 0.1"]),
    ],
)
def test_a_list_is_cut_before_each_entry(entry: ListEntry, text: str, entries: list[str]) -> None:
    assert separated(text, entry) == entries


@pytest.mark.parametrize(
    ("entry", "words", "rest"),
    [
        (NAMES, ["x", "y", "x*y"], ["x*y"]),
        (NAMES, ["x", "y,", "z", "2"], ["2"]),
        (NAMES, ["x", ",", "y", ""], [""]),
        (NAMES, ["x^2", "y"], []),
        (ASSIGNMENTS, ["a=1", "b=2", "c", "d=3"], ["c", "d=3"]),
        (ASSIGNMENTS, ["a=1", "b==2"], ["b==2"]),
        (ASSIGNMENTS, ["a", "b=2"], ["a", "b=2"]),
        (COLUMNS, ["x", "my y", "x*y"], ["x*y"]),
        (COLUMNS, ["x", "x and y"], ["x and y"]),
        (COLUMNS, ["x", "y or not z"], ["y or not z"]),
        (COLUMNS, ["x", "not y"], ["not y"]),
        (RENAMES, ["a=b", "my y=c", "x <= y"], ["x <= y"]),
        (RENAMES, ["Delta(USD)=a", "Delta (EUR)=b", "f(x) = x^2; f(a)"], ["f(x) = x^2; f(a)"]),
        (RENAMES, ["a=b", "y := x^2"], ["y := x^2"]),
        (RENAMES, ["a=b", "a + sum (k=1:3, k)"], ["a + sum (k=1:3, k)"]),
        (PAIRS, ["a,b=0.5", "c=1"], ["c=1"]),
    ],
)
def test_a_list_ends_before_a_word_that_is_no_entry(entry: ListEntry, words: list[str], rest: list[str]) -> None:
    following = deque(words)
    ListOption(["--list"], entry=entry, example="").words([], following)
    assert list(following) == rest


@pytest.mark.parametrize(
    "text",
    [" " * 200_000 + "^", "a, " + " " * 200_000 + "^", "a" + " " * 200_000 + "^", "a," * 100_000 + "^", "(" * 200_000],
)
def test_long_words_are_read_in_linear_time(text: str) -> None:  # in quadratic time it takes minutes, and more
    for entry in (NAMES, COLUMNS, ASSIGNMENTS, RENAMES, PAIRS):
        assert not entry.continues(text)
        separated(text, entry)
