"""`autodiff eval` does one of four things, by the options."""

import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec

import pytest
from click.testing import CliRunner

from autodiff_cli.cli import eval as eval_command
from autodiff_cli.cli import group
from autodiff_cli.cli.evaluation import derivatives, many_formulas, many_points
from autodiff_cli.cli.evaluation.request import EvalRequest


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The things that were done, instead of doing them."""
    names: list[str] = []

    def recorder(name: str) -> Callable[[EvalRequest], int]:
        def record(request: EvalRequest) -> int:
            names.append(name)
            return 0

        return record

    for module, name in (
        (eval_command, "_evaluate_point"),
        (derivatives, "evaluate_derivatives"),
        (many_points, "evaluate_points"),
        (many_formulas, "evaluate_lines"),
    ):
        monkeypatch.setattr(module, name, recorder(name))
    return names


@pytest.mark.parametrize(
    ("options", "function"),
    [
        ("", "_evaluate_point"),
        ("--of y", "_evaluate_point"),
        ("--check=nodes", "_evaluate_point"),
        ("--hessian", "evaluate_derivatives"),
        ("--order 2", "evaluate_derivatives"),
        ("--direction x=1", "evaluate_derivatives"),
        ("--of y,z", "evaluate_derivatives"),
        ("--of y --of z", "evaluate_derivatives"),
        ("--data points.csv", "evaluate_points"),
        ("--over x=0:1:0.1", "evaluate_points"),
        ("--data points.csv --hessian", "evaluate_points"),
        ("--each", "evaluate_lines"),
        ("--each --order 2", "evaluate_lines"),
    ],
)
def test_the_options_choose_what_is_done(options: str, function: str, done: list[str]) -> None:
    group.main(["eval", "x", *options.split()], standalone_mode=False)
    assert done == [function]


@pytest.mark.parametrize("option", ["--columns=a", "--no-inputs", "--prefix=d_", "--cluster=local", "--retries=1"])
def test_an_option_for_data_is_refused_without_data(option: str, done: list[str]) -> None:
    purpose = "--data" if option.startswith(("--cluster", "--retries")) else "--data and --over"
    error = CliRunner().invoke(group, ["eval", "x", option]).exception
    assert str(error) == f"error: `{option.partition('=')[0]}` is for {purpose}\n\nhint: leave it out"
    assert done == []


def test_a_single_point_does_not_load_the_rest_of_eval() -> None:
    script = (
        "import sys; from autodiff_cli.cli import group; group.main(['eval', '1+1'], standalone_mode=False);"
        "print(*sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout.split()
    assert "autodiff_cli.cli.eval" in loaded
    of_eval = ["check", "evaluation.many_points", "evaluation.derivatives", "evaluation.many_formulas"]
    others = [f"autodiff_cli.cli.{name}" for name in (*of_eval, "command_line.argument_errors")]
    others += ["autodiff_cli.data.columns", "autodiff_cli.data.several_files", "autodiff_cli.language.relations"]
    assert all(map(find_spec, others))
    assert not {*others} & {*loaded}


def test_a_format_for_data_is_refused_without_data(done: list[str]) -> None:
    error = CliRunner().invoke(group, ["eval", "x", "--format", "parquet"]).exception
    assert str(error) == "error: `--format parquet` is for --data and --over\n\nhint: choose json"
    assert done == []
