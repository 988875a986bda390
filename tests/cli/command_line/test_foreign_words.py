"""Hints for people who try the commands and options of other programs."""

import click
import pytest

from autodiff_cli.cli import COMMANDS, group
from autodiff_cli.cli.command_line import foreign_words
from autodiff_cli.cli.command_line.foreign_words import instead_of_command, no_option
from autodiff_cli.cli.command_line.known_options import options_of

CONTEXT = click.Context(group, info_name="autodiff")


def _command(name: str) -> click.Command:
    command = group.get_command(CONTEXT, name)
    return group if command is None else command


def _has(command: str, option: str) -> bool:
    return option in options_of(_command(command), CONTEXT)


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["help"], "write autodiff --help"),
        (["help", "eval"], "write autodiff eval --help"),
        (["derivative", "x^2"], 'write autodiff diff "x^2"'),
        (["Gradient", "x*y", "--set", "x=1"], 'write autodiff eval "x*y" --set x=1'),
        (["gradient", "x*y"], 'write autodiff diff "x*y"'),
        (["man", "eval"], "write autodiff --man eval"),
        (["hessian", "x"], "write autodiff eval --hessian x"),
        (["evl", "x"], "did you mean `eval`?"),
        (["integral", "x"], "there are no integrals; `autodiff --help` lists the commands"),
        (["frobnicate", "x"], "`autodiff --help` lists the commands"),
        (["x^2", "--set", "x=1"], 'write autodiff eval "x^2" --set x=1'),
    ],
)
def test_what_is_no_command_has_a_hint_that_is_one(words: list[str], hint: str) -> None:
    assert instead_of_command(words, COMMANDS) == hint


def test_what_is_proposed_for_a_command_is_one() -> None:
    for meant in foreign_words._COMMANDS:
        command, _, option = meant.partition(" ")
        assert command in COMMANDS or _has("autodiff", command)
        assert not option or _has(command, option.partition(" ")[0])


def test_what_is_proposed_for_an_option_is_one() -> None:
    proposed = [("", meant) for meant in foreign_words._OPTIONS]
    proposed += [(command, meant) for command, table in foreign_words._OF_COMMANDS.items() for meant in table]
    for command, meant in proposed:
        first, second = [*meant.split(), ""][:2]
        owners = [command] if command else COMMANDS
        assert _has(first, second) if first in COMMANDS else any(_has(owner, first) for owner in owners), meant


def test_no_word_that_is_tried_is_a_command_or_stands_for_two() -> None:
    tried = [word for words in foreign_words._COMMANDS.values() for word in words.split()]
    tried += [word for words in foreign_words._WITHOUT.values() for word in words.split()]
    assert len(tried) == len({*tried} - {*COMMANDS})


@pytest.mark.parametrize(
    ("command", "words", "hint"),
    [
        ("eval", ["x", "--mean"], "did you mean `--reduce mean`?"),
        ("eval", ["x", "--var", "x"], "did you mean `--wrt`?"),
        ("eval", ["x", "--var", "x=1"], "did you mean `--set`?"),
        ("uncertainty", ["x", "--samples", "1000"], "did you mean `--mc`?"),
        ("minimize", ["x", "--x0", "x=1"], "did you mean `--start`?"),
        ("convert", ["x", "--to=c"], "write autodiff export x --to=c"),
        ("diff", ["x", "--to", "c"], "write autodiff export x --to c"),
        ("diff", ["x", "--hessian"], "`--hessian` is an option of `eval`, `export`"),
    ],
)
def test_an_option_of_another_program_has_a_hint(command: str, words: list[str], hint: str) -> None:
    context = click.Context(_command(command), parent=CONTEXT, info_name=command)
    tried = next(word for word in words if word.startswith("-")).partition("=")[0]
    assert no_option(tried, words, context).hint == hint
