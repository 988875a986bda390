"""The arguments of a command line are sorted into options and formulas."""

import json

import pytest
from click.testing import CliRunner

from autodiff_cli.cli import group
from autodiff_cli.errors import USAGE, AutodiffError


def _value(*arguments: str) -> float:
    done = CliRunner().invoke(group, ["eval", "--format", "json", *arguments], catch_exceptions=False)
    value: float = json.loads(done.output)["value"]
    return value


@pytest.mark.parametrize(
    "arguments",
    [
        ["a*b", "--set", "a=2", "b=3"],
        ["--set", "a=2", "b=3", "--", "a*b"],
        ["--set=a=2", "b=3", "a*b"],
        ["--set", "a=2", "--set", "b=3", "a*b"],
        ["--set", "a = 2", "b = 3", "a*b"],
    ],
)
def test_set_takes_the_assignments_that_follow(arguments: list[str]) -> None:
    assert _value(*arguments) == 6


def test_a_formula_may_begin_with_a_minus() -> None:
    assert _value("-x^2", "--set", "x=3") == -9
    assert _value("--set", "x=3", "--", "--x") == 3


def test_an_input_may_be_called_as_a_parameter_of_the_program() -> None:
    assert _value("2*formula", "--set", "formula=3", "--wrt", "formula") == 6


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (["x", "--hesian"], "there is no option `--hesian`", "did you mean `--hessian`?"),
        (["x", "--wrt"], "`--wrt` needs a value", "`autodiff eval --help` shows how it is used"),
        (["x", "--wrt", "--hessian"], "`--wrt` needs a value", "`autodiff eval --help` shows how it is used"),
        (["x", "--set", "3"], "--set takes NAME=NUMBER, not `3`", "write --set a=2 b=-3, without spaces around `=`"),
        (["a", "+", "b"], "more than one formula: `a` and `+`", 'put a formula with spaces in quotes: "a + b"'),
        (["-v", "-v", "--set", "v=2"], "`-v` is for --data and --over", "leave it out"),
        (["a", "a=2"], "more than one formula: `a` and `a=2`", "numbers for inputs follow --set: --set a=2"),
    ],
)
def test_arguments_that_make_no_sense_are_errors(arguments: list[str], message: str, hint: str) -> None:
    error = CliRunner().invoke(group, ["eval", *arguments], prog_name="autodiff").exception
    assert isinstance(error, AutodiffError)
    assert (error.message, error.hint, error.code) == (message, hint, USAGE)
