"""The arguments of a command line are sorted into options and formulas."""

import json
from pathlib import Path

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


def test_a_formula_may_follow_a_column_whose_name_ends_with_an_equals_sign(tmp_path: Path) -> None:
    (tmp_path / "points.csv").write_text("a=\n3\n", encoding="utf-8")
    arguments = ["eval", "--data", str(tmp_path / "points.csv"), "--map", "x=a=", "x^2", "--no-inputs"]
    done = CliRunner().invoke(group, arguments, catch_exceptions=False)
    assert done.stdout == "value,grad_x\n9,6\n"


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (["x", "--hesian"], "there is no option `--hesian`", "did you mean `--hessian`?"),
        (["x", "--wrt"], "`--wrt` needs a value", "`autodiff eval --help` shows how it is used"),
        (["x", "--wrt", "--hessian"], "`--wrt` needs a value", "`autodiff eval --help` shows how it is used"),
        (["x", "--set", "3"], "--set takes NAME=NUMBER, not `3`", "write --set a=2 b=-3, without spaces around `=`"),
        (["x", "--set", "x=", "3"], "--set takes NAME=NUMBER, not `x=`", "write --set x=3, without spaces around `=`"),
        (["x", "--set=y=4,x=", "3"], "--set takes NAME=NUMBER, not `x=`", "write --set x=3, without spaces around `=`"),
        (["a", "+", "b"], "more than one formula: `a` and `+`", 'put a formula with spaces in quotes: "a + b"'),
        (["-v", "-v", "--set", "v=2"], "`-v` is for --data and --over", "leave it out"),
        (["a", "a=2"], "more than one formula: `a` and `a=2`", "numbers for inputs follow --set: --set a=2"),
    ],
)
def test_arguments_that_make_no_sense_are_errors(arguments: list[str], message: str, hint: str) -> None:
    error = CliRunner().invoke(group, ["eval", *arguments], prog_name="autodiff").exception
    assert isinstance(error, AutodiffError)
    assert (error.message, error.hint, error.code) == (message, hint, USAGE)
