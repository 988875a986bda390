"""The group of commands: their modules and their help."""

import ast
from importlib import import_module
from pathlib import Path

import click
import console
import pytest
from click.testing import CliRunner
from places import ROOT

from autodiff_cli.cli import COMMANDS, group
from autodiff_cli.cli.command_line.arguments import ShortForm
from autodiff_cli.errors import MISMATCH

FOLDER = ROOT / "autodiff_cli/cli"
VERBS = {
    *("Compare", "Compute", "Draw", "Find", "Fit", "Go", "List", "Print"),
    *("Say", "Show", "Solve", "Start", "Translate", "Type", "Walk", "Write"),
}


def _command(name: str) -> click.Command:
    command: click.Command = import_module(f"autodiff_cli.cli.{name}").command
    return command


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_the_function_of_its_module(name: str) -> None:
    callback = _command(name).callback
    while hasattr(callback, "__wrapped__"):  # click's pass_context
        callback = callback.__wrapped__
    assert callback is not None
    assert Path(callback.__code__.co_filename) in (FOLDER / f"{name}.py", FOLDER / name / "__init__.py")
    assert callback.__code__.co_name == "command"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_nothing_looks_for_the_context_of_click(path: Path) -> None:
    names = {getattr(node, "attr", getattr(node, "id", "")) for node in ast.walk(ast.parse(path.read_text("utf-8")))}
    assert "get_current_context" not in names


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_has_every_option_with_a_text(name: str) -> None:
    text = CliRunner().invoke(group, [name, "--help"]).output
    for option in _command(name).params:
        if isinstance(option, click.Option):
            assert option.help
            assert f"\n  {', '.join(option.opts)}" in text or isinstance(option, ShortForm)


def test_a_command_returns_its_exit_code() -> None:
    assert group.main(["verify", "x^2", "2*x", "--wrt", "x"], standalone_mode=False) == 0
    assert group.main(["verify", "x^2", "x", "--wrt", "x"], standalone_mode=False) == MISMATCH


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_fits_a_narrow_terminal_but_for_examples(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    text = CliRunner().invoke(group, [name, "--help"]).output
    wide = [line for line in text.splitlines() if len(line) > 40]
    assert all(line.startswith("    ") for line in wide), wide
    assert [*map(str.strip, wide)] == [line.strip() for line in wide if "autodiff" in line or "=" in line]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_and_its_examples_fit_80_columns(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = CliRunner().invoke(group, [name, "--help"]).output
    assert [line for line in text.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_says_what_a_command_does(name: str) -> None:
    assert COMMANDS[name].split()[0] in VERBS
    assert (_command(name).help or "").split()[0] in VERBS


@pytest.mark.slow
def test_the_examples_of_the_help_work_as_they_stand(tmp_path: Path) -> None:
    (tmp_path / "model.expr").write_text("a*b", encoding="utf-8")
    (tmp_path / "points.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    examples = [line.strip() for line in (group.help or "").splitlines() if line.startswith("  ")]
    assert len(examples) > 5
    for example in examples:
        assert console.run(example, tmp_path)[2] == 0, example


def test_the_help_lists_the_commands_in_their_order() -> None:
    text = CliRunner().invoke(group, ["--help"]).output
    listed = [line.split()[0] for line in text.partition("Commands:\n")[2].partition("\n\n")[0].splitlines()]
    assert listed == list(COMMANDS)
