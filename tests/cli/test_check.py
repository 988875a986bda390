"""`autodiff check` at many points, where its work ends before them."""

import json
from pathlib import Path

import pytest

from autodiff_cli.cli import group
from autodiff_cli.errors import MISMATCH
from autodiff_cli.gradient_check.checker import Checker
from autodiff_cli.work_budget import TooMuchWorkError

LEFT_OUT = (
    "warning: the other points were left out: this takes more work than is allowed\n\nhint: --budget 60 allows more"
)


def _check(formula: str, folder: Path, budget: float, *more: str) -> object:
    """The exit code of a check at 0, 1, … 400."""
    rows = folder / "rows.csv"
    rows.write_text("\n".join(["x", *map(str, range(401))]), encoding="utf-8")
    words = ["check", formula, "--data", str(rows), "--budget", str(budget), *more]
    return group.main(words, standalone_mode=False)


@pytest.mark.parametrize(("formula", "code"), [("relu(x) - relu(-x)", MISMATCH), ("x^2", 0)])
def test_the_verdicts_before_the_end_of_the_work_count(
    formula: str, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _check(formula, tmp_path, 0.1, "--csv") == code
    shown = capsys.readouterr()
    assert 10 < len(shown.out.splitlines()) < 400
    assert shown.err.strip() == LEFT_OUT


def test_json_says_whether_all_points_were_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for budget, complete in ((0.1, False), (10, True)):
        _check("x^2", tmp_path, budget, "--json")
        assert json.loads(capsys.readouterr().out)["complete"] is complete


def test_points_that_were_left_out_are_undecided(tmp_path: Path) -> None:
    assert _check("x^2", tmp_path, 0.1, "--strict") == MISMATCH
    assert _check("x^2", tmp_path, 10, "--strict") == 0


def test_there_is_an_error_where_no_point_was_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(TooMuchWorkError):
        _check("sum(i, 1, 300, x^i)", tmp_path, 0)
    assert capsys.readouterr().out == ""


def test_a_sweep_of_a_smooth_formula_takes_no_time_for_verdicts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(Checker, "all")
    assert group.main(["check", "x^2", "--set", "x=0", "--sweep"], standalone_mode=False) == 0
