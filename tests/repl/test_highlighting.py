"""The kinds of the parts of a text."""

import pytest

from autodiff_cli.repl.highlighting import fragments
from autodiff_cli.repl.session import Session


def kinds(text: str) -> list[tuple[str, str]]:
    return [(kind, part) for kind, part in fragments(text, Session()) if kind]


def test_words_have_the_kinds_of_the_parser() -> None:
    assert kinds("y = 2.5e-3*sin(x) + pi and foo(3) # why") == [
        ("name", "y"),
        ("number", "2.5e-3"),
        ("function", "sin"),
        ("name", "x"),
        ("constant", "pi"),
        ("word", "and"),
        ("unknown", "foo"),
        ("number", "3"),
        ("comment", " # why"),
    ]


def test_names_are_known_however_they_are_spelled() -> None:
    assert kinds("2*π") == [("number", "2"), ("constant", "π")]


def test_commands_are_no_statements() -> None:
    assert kinds("x = 1\n:diff x") == [("name", "x"), ("number", "1"), ("command", ":diff")]


@pytest.mark.parametrize(
    "text", ["", "\n", "x $ y", "((", "y = \x1b[31m", "a\r\n\r\nb", "  :di ff\n 2)", "é\u0301 § 1e", "#"]
)
def test_no_character_is_lost_however_wrong_the_text(text: str) -> None:
    assert "".join(part for _, part in fragments(text, Session())) == text.replace("\r\n", "\n")
