"""A short run of random programs in every way; `python -m tests.fuzz.differential` is the long one."""

import shutil
from collections.abc import Sequence

import pytest

pytest.importorskip("scipy", reason="columns need SciPy")

from random_programs import Case

from tests.fuzz import differential
from tests.fuzz.differential import TARGETS, Truth, run, subject, verdict

_TOOLS = {"c": "gcc", "javascript": "node", "rust": "rustc", "fortran": "gfortran"}
HERE = ("point", "columns", "each", "diff", "taylor", "hessian")
THERE = [target for target in TARGETS if target not in _TOOLS or shutil.which(_TOOLS[target])]


@pytest.mark.parametrize(
    ("cases", "ways"), [(80, HERE), pytest.param(200, (*HERE, *THERE), marks=pytest.mark.slow)], ids=["here", "all"]
)
def test_all_ways_answer_alike(cases: int, ways: Sequence[str], capsys: pytest.CaptureFixture[str]) -> None:
    tallies, findings = run(1, cases, ways)
    assert not findings, capsys.readouterr().out
    assert all(tally["right"] > cases // 2 for way, tally in tallies.items() if way != "all")


def test_a_slope_is_not_judged_where_rounding_decides_the_side_of_a_kink(monkeypatch: pytest.MonkeyPatch) -> None:
    case = Case("abs(sinc(erf(z)) % 4.57689364996912e+89)", {"z": -7.0}, "z", ordinary=False)
    monkeypatch.setattr(differential.random_programs, "case", lambda seed, number: case)
    tallies, findings = run(1, 1, ("point", "columns"))
    assert not findings
    assert tallies["point"] == tallies["columns"] == {"no digit is certain": 1}


def test_columns_may_leave_the_range_of_doubles_where_they_are_computed_forward(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    case = Case("acosh(cosh(log(abs(z))))", {"z": 1e-160}, "z", ordinary=False)
    monkeypatch.setattr(differential.random_programs, "case", lambda seed, number: case)
    tallies, findings = run(1, 1, ("point", "columns"))
    assert not findings
    assert (tallies["point"], tallies["columns"]) == (
        {"right": 1},
        {"out of the range of doubles on the way forward": 1},
    )


def test_a_wrong_answer_is_found() -> None:
    case = subject(1, 0)
    assert not isinstance(case, str)
    answer = case.evaluation.value, case.evaluation.gradient[case.case.wrt]
    assert isinstance(case.truth, Truth)
    assert verdict(case, answer) == "right"
    assert verdict(case, (answer[0], answer[1] * (1 + 1e-11) + 1e-300)).startswith("wrong: ")
    assert verdict(case, (float("nan"), None)).startswith("wrong: ")
