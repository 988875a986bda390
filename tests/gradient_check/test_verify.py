"""Written derivatives: those that are right are accepted in every form, those that are wrong are not."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from places import ROOT

from autodiff_cli import AutodiffError, parse
from autodiff_cli.gradient_check.exact_formula import ExactFormula
from autodiff_cli.gradient_check.sampling import sample
from autodiff_cli.gradient_check.verify import Verification, verify
from autodiff_cli.work_budget import WorkBudget

HERE = Path(__file__).resolve().parent


class Claim(NamedTuple):
    name: str
    formula: str
    derivative: str
    wrt: str
    ranges: dict[str, tuple[float, float]]
    answer: str


def _read(line: str) -> Claim:
    name, formula, derivative, wrt, where, answer = re.split(r"\s*\|\s*", line)
    ends = (re.split("[=:]", word) for word in where.split())
    return Claim(name, formula, derivative, wrt, {key: (float(low), float(high)) for key, low, high in ends}, answer)


LINES = (HERE / "verify_cases.txt").read_text(encoding="utf-8").splitlines()
CLAIMS = [_read(line) for line in LINES if line and not line.startswith("#")]


def _verified(claim: Claim, tolerance: float = 0.0) -> Verification:
    program = parse(claim.formula)
    ranges = dict.fromkeys(program.inputs, (-5.0, 5.0)) | claim.ranges
    points = sample(ranges, 30, 0)
    return verify(program, {claim.wrt: parse(claim.derivative)}, points, tolerance)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.name)
def test_a_written_derivative_gets_its_answer(claim: Claim) -> None:
    answer = _verified(claim)
    assert ("yes" if answer.counterexample is None else "no") == claim.answer, answer
    assert answer.compared + answer.skipped == 30 or claim.answer == "no"
    assert answer.compared > answer.skipped


@pytest.mark.parametrize(
    ("formula", "derivative", "tolerance", "equal"),
    [
        ("x/3", "0.3333", 1e-3, True),
        ("x/3", "0.3333", 1e-5, False),
        ("x^2/6 - 2*x/3", "0.3333*x - 0.6667", 1e-3, True),  # 0 at 2, but its terms are not
        ("x^2/6 - 2*x/3", "0.3333*x - 0.66", 1e-3, False),
        ("1.5*abs(x)", "1.4999*where(x > 0, 1, -1)", 1e-3, True),
    ],
)
def test_a_tolerance_is_for_numbers_rounded_by_hand(
    formula: str, derivative: str, tolerance: float, equal: bool
) -> None:
    answer = _verified(Claim("", formula, derivative, "x", {}, ""), tolerance)
    assert (answer.counterexample is None) == equal


def test_a_counterexample_has_both_values() -> None:
    wrong = _verified(Claim("", "cbrt(x)^4", "4/3*x^(1/3)", "x", {"x": (-5, -1)}, "")).counterexample
    assert wrong is not None
    assert wrong.written != wrong.written
    assert wrong.point == {"x": -1.0}
    assert wrong.true == pytest.approx(-4 / 3, rel=1e-15)


def test_a_number_of_a_point_can_be_what_is_written() -> None:
    program, derivative, point = parse("max(x, 0.3)"), parse("1"), {"x": 0.3}
    assert verify(program, {"x": derivative}, [point]).counterexample is not None  # the double is below three tenths
    assert verify(program, {"x": derivative}, [point], written={"x": parse("0.3")}).counterexample is None
    assert verify(parse("sin(x)/x"), {"x": parse("-1/x")}, [{"x": 3.14}], written={"x": parse("pi")}).compared == 1


def test_a_name_that_the_formula_computes_takes_no_number() -> None:
    with pytest.raises(AutodiffError, match="`n` is computed by the program"):
        verify(parse("n = x^2; n"), {"x": parse("2*x")}, [{"x": 1.0, "n": 2.0}])


def test_an_input_without_a_number_is_an_error() -> None:
    with pytest.raises(AutodiffError, match="no value for the input `y`"):
        verify(parse("x^2"), {"x": parse("2*y")}, [{"x": 1.0}])


def test_a_point_whose_value_stays_infinite_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    at = ExactFormula.at
    monkeypatch.setattr(
        ExactFormula,
        "at",
        lambda self, point, digits, *rest, **options: (asked.append(digits), at(self, point, digits, *rest, **options))[
            1
        ],
    )
    assert verify(parse("y/(sign(y) == y)"), {"y": parse("gamma(y)")}, [{"y": 2.5}]) == Verification(0, 1, True, None)
    assert max(asked) == 240


def test_points_are_tried_until_enough_lie_in_the_domain() -> None:
    program, points = parse("sqrt(x - 4)"), [{"x": float(x % 7)} for x in range(100)]
    answer = verify(program, {"x": parse("1/(2*sqrt(x - 4))")}, points, count=20)
    assert (answer.compared, answer.skipped) == (5, 15)
    answer = verify(program, {"x": parse("1/(2*sqrt(x - 4))")}, points, count=2)
    assert (answer.compared, answer.skipped) == (2, 5)


@pytest.mark.parametrize("derivative", ["0", "1", "x"])
@pytest.mark.parametrize("formula", ["beta(x^2, exp(16122.8))", "expm1(x + 1e300)"])
def test_a_slope_that_rounding_hides_confirms_nothing(formula: str, derivative: str) -> None:
    program = parse(formula)
    answer = verify(program, {"x": parse(derivative)}, [{"x": float(x)} for x in range(1, 8)])
    assert (answer.compared, answer.skipped, answer.counterexample) == (0, 7, None)


@pytest.mark.parametrize(("points_before", "budget"), [(0, 0.03), (1, 0.13)])
def test_work_that_ends_at_a_derivative_hides_no_counterexample_to_one_before(
    points_before: int, budget: float
) -> None:
    costly = parse("1" + "".join(f" + 0*polygamma(7, y + {i})" for i in range(50)))  # about 0.1 s at a point
    points = [{"x": 1.0 + i, "y": 0.3 + i / 7} for i in range(points_before + 1)]
    with WorkBudget(budget):
        answer = verify(parse("x^2 + y"), {"x": parse(f"2*x + (x > {points_before})"), "y": costly}, points)
    assert answer.complete
    assert answer.compared == points_before + 1
    assert answer.counterexample is not None
    assert answer.counterexample.point == points[-1]


def test_points_that_were_skipped_before_the_work_ran_out_are_counted() -> None:
    points = [{"x": 1.0 + i / 7, "y": 0.0} for i in range(100)]  # where the function jumps
    with WorkBudget(0.5):
        answer = verify(parse("atan(x/y)"), {"y": parse("-x/(x^2 + y^2)")}, points)
    assert not answer.complete
    assert answer.compared == 0
    assert answer.skipped > 0


@pytest.mark.slow
def test_every_form_of_a_right_derivative_is_accepted_and_a_slightly_wrong_one_is_not() -> None:
    pytest.importorskip("sympy", reason="the forms are SymPy's")
    command = [sys.executable, str(ROOT / "tests/support/verify_forms.py"), "--derivatives", "20", "--limit", "1"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stdout
    assert "forms of 20" in done.stdout
