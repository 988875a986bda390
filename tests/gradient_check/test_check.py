"""The gradient check: the verdicts it must give, and that no wrong rule passes."""

import re
from dataclasses import replace
from math import inf, isclose
from pathlib import Path
from typing import NamedTuple

import pytest

from autodiff_cli import parse
from autodiff_cli.evaluation import evaluate
from autodiff_cli.gradient_check.checker import Checker, Verdict, check
from autodiff_cli.gradient_check.summary import Summary
from autodiff_cli.operations import OPERATIONS, TABLE, Operation
from autodiff_cli.program import Program

HERE = Path(__file__).resolve().parent

import fuzz_check
import mutants


class Nasty(NamedTuple):
    name: str
    formula: str
    point: dict[str, float]
    wrt: str
    verdict: str
    also: str


def _read(line: str) -> Nasty:
    *before, wrt, verdict, also = re.split(r"\s+\|\s+|\s+\|$", line)
    name, formula, point = before
    numbers = {key: float(number) for key, number in (word.split("=") for word in point.split())}
    return Nasty(name, formula, numbers, wrt, verdict, also)


LINES = (HERE / "cases.txt").read_text(encoding="utf-8").splitlines()
NASTY = [_read(line) for line in LINES if line and not line.startswith("#")]
SLOW = {"lgamma near its zero, squared"}


def _verdict(formula: str, point: dict[str, float], wrt: str) -> Verdict:
    return next(verdict for verdict in check(parse(formula), point) if verdict.name == wrt)


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=pytest.mark.slow if case.name in SLOW else (), id=case.name) for case in NASTY],
)
def test_a_nasty_case_gets_its_verdict(case: Nasty) -> None:
    verdict = _verdict(case.formula, case.point, case.wrt)
    assert verdict.verdict == case.verdict, verdict
    assert verdict.reason or verdict.verdict == "ok", "only a verdict that is simply ok has nothing to explain"
    for words in re.findall(r'"([^"]*)"', case.also):
        assert words in verdict.reason
    for side, slope in re.findall(r"(left|right)=(\S+)", case.also):
        found = getattr(verdict, side)
        assert found is not None and (found == float(slope) or isclose(found, float(slope), abs_tol=1e-9))
    for least, most in re.findall(r"lost=(\d+)(?:\.\.(\d+))?", case.also):
        assert verdict.digits_lost is not None and int(least) <= verdict.digits_lost <= int(most or least)


def test_there_are_more_than_eighty_nasty_cases_each_with_a_name_of_its_own() -> None:
    assert len({case.name for case in NASTY}) == len(NASTY) > 80


# ---- Wrong rules ---------------------------------------------------------------------------------------------------


def _changed(program: Program, kind: str, operation: Operation) -> Program:
    made = mutants.mutant(operation, kind, 0 if not operation.literal else 1, operation)
    graph = parse(program.source.text).graph
    graph.operations = [made if used is operation else used for used in graph.operations]
    return replace(program, graph=graph)


def _probe(operation: Operation) -> tuple[str, dict[str, float]]:
    """The operation at a point inside of its domain, where its rule does not give 0."""
    middle = {(-1.0, 1.0): 0.3, (0.0, 1.0): 0.4, (1.0, inf): 1.7}
    names = ["a", "b", "c"] if operation.variadic else list(operation.names)
    point = {name: 1.3 + 0.5 * place for place, name in enumerate(names)}
    for name, interval in zip(names, operation.domain, strict=False):
        point[name] = middle.get((float(interval[0]), float(interval[1])), point[name])
    if operation.name in ("max", "hypot"):
        point["a"] = 5.0
    if operation.name == "clip":
        point |= {"a": 1.0, "b": 0.0, "c": 2.0}
    operands = ["2" if operation.literal and name == names[0] else name for name in names]
    if not operation.symbol:
        return f"{operation.called}({', '.join(operands)})", point
    return f" {operation.symbol} ".join(operands) if len(operands) > 1 else f"{operation.symbol} {operands[0]}", point


@pytest.mark.slow
@pytest.mark.parametrize("operation", TABLE, ids=lambda operation: operation.name)
def test_every_rule_of_the_table_is_ok_and_is_not_with_a_small_mistake(operation: Operation) -> None:
    formula, point = _probe(operation)
    program = parse(formula)
    point = {name: number for name, number in point.items() if name in program.inputs}
    wrt = "b" if operation.literal else "a"
    right = check(program, point, [wrt])[0]
    assert right.verdict == "ok", right
    for kind in ("factor 1+1e-7", "wrong sign", "twice", "missing"):
        wrong = check(_changed(program, kind, operation), point, [wrt])[0]
        assert wrong.verdict == ("ok" if right.gradient == 0 else "mismatch"), (kind, wrong)


def test_a_mistake_that_matters_at_this_point_only_elsewhere_is_ok() -> None:
    program = _changed(parse("sin(x)*0"), "wrong sign", OPERATIONS["sin"])
    assert check(program, {"x": 1})[0].verdict == "ok"


def test_a_wrong_rule_does_not_hide_behind_a_branch_that_rounding_chose() -> None:
    program = _changed(parse("max(x + 1e16, 1e16)*3"), "factor too much", OPERATIONS["max"])
    assert check(program, {"x": 0.5})[0].verdict == "mismatch"


def test_a_wrong_rule_is_found_where_double_precision_falls_short_too() -> None:
    program = _changed(parse("(1 - cos(x))/x^2"), "twice", OPERATIONS["cos"])
    assert check(program, {"x": 1e-9})[0].verdict == "mismatch"


@pytest.mark.parametrize("text", ["max(x*1.1, 0.3)*2", "min(x*1.1, 3)*2", "max(x*3, x + 2)", "max(x*1.1, x + 0.1)"])
@pytest.mark.parametrize("factor", [1e-3, 20.0, 1e3])
def test_a_choice_explains_no_wrong_gradient_as_rounding(text: str, factor: float) -> None:
    evaluation = evaluate(parse(text), {"x": 1.0})
    wrong = [adjoint and adjoint * factor for adjoint in evaluation.adjoints]
    assert Checker(replace(evaluation, adjoints=wrong)).all()[0].verdict == "mismatch"


@pytest.mark.slow
def test_a_difference_that_cancels_within_a_function_of_the_rules_is_explained() -> None:
    program, point = parse("beta(x, y)"), {"x": -1.652891874284049, "y": 2.5}
    assert check(program, point, ["x"], seconds=60)[0].verdict == "ok, ill-conditioned"


# ---- Random programs -----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_no_right_gradient_of_a_random_program_is_called_wrong() -> None:
    outcomes = list(fuzz_check.outcomes(1, 300, mutated=False))
    assert len(outcomes) == 300
    assert [outcome for outcome in outcomes if outcome.failed] == []


@pytest.mark.slow
def test_no_wrong_gradient_of_a_random_program_is_accepted() -> None:
    outcomes = list(fuzz_check.outcomes(1, 150, mutated=True))
    assert len(outcomes) == 150
    assert [outcome for outcome in outcomes if outcome.failed] == []


# ---- What it is asked for ------------------------------------------------------------------------------------------


def test_every_node_can_be_checked() -> None:
    verdicts = check(parse("n = x*y; tanh(n)^2"), {"x": 1, "y": 0.5}, nodes=True)
    assert [verdict.name for verdict in verdicts] == ["x", "y", "n", "tanh(n)", "tanh(n)^2"]
    assert {verdict.verdict for verdict in verdicts} == {"ok"}
    assert verdicts[-1].gradient == verdicts[-1].difference == 1


def test_a_wrong_rule_shows_at_the_nodes_below_it() -> None:
    program = _changed(parse("n = x*y; exp(tanh(n))"), "wrong sign", OPERATIONS["tanh"])
    found = {verdict.name: verdict.verdict for verdict in check(program, {"x": 1, "y": 0.5}, nodes=True)}
    assert found == dict.fromkeys("xyn", "mismatch") | {"tanh(n)": "ok", "exp(tanh(n))": "ok"}


def test_a_name_that_the_program_does_not_use_has_gradient_0() -> None:
    verdict = check(parse("x^2"), {"x": 3, "t": 1}, ["t"])[0]
    assert (verdict.verdict, verdict.gradient, verdict.difference, verdict.node) == ("ok", 0.0, 0.0, None)


def test_a_time_limit_gives_an_honest_answer() -> None:
    verdict = check(parse("x^2"), {"x": 3}, seconds=0.0)[0]
    assert verdict.verdict == "undecided"
    assert "within 0 seconds" in verdict.reason


def test_digits_whose_time_would_pass_the_limit_are_not_begun() -> None:
    slow = Checker(evaluate(parse("gamma(x)"), {"x": -170.3}), 0.01)
    assert [verdict.verdict for verdict in slow.all()] == ["undecided"]
    assert 30 in slow._points
    assert 960 not in slow._points


def test_a_summary_without_records_takes_no_memory_for_a_verdict() -> None:
    summary = Summary(keeps_records=False)
    for number in range(1, 4):
        summary.add(f"point {number}", {"x": number}, check(parse("x^3"), {"x": number})[0])
    assert summary.counts == {"ok": 3}
    assert summary.worst is not None
    assert summary.entries == []


def test_a_time_limit_holds_for_each_of_many_inputs() -> None:
    program = parse("\n".join(["t = x", *(f"t = t*sin(y{i})" for i in range(2000))]))
    names = ["x", *(f"y{i}" for i in range(100))]
    verdicts = check(program, dict.fromkeys(program.inputs, 1.5), names, seconds=1e-4)
    assert {verdict.verdict for verdict in verdicts} == {"undecided"}


def test_the_relative_error_is_that_of_the_gradient() -> None:
    assert check(parse("3*x"), {"x": 2})[0].relative_error == 0
    assert _verdict("abs(x)", {"x": 0}, "x").relative_error is None


@pytest.mark.slow
def test_a_program_of_a_hundred_thousand_nodes_is_checked() -> None:
    program = parse("t = x*y\n" + "t = t*0.99 + z\n" * 50_000)
    assert len(program.graph) > 100_000
    verdicts = check(program, {"x": 1, "y": 2, "z": 0.1}, ["z"], seconds=60)
    assert [verdict.verdict for verdict in verdicts] == ["ok"]
