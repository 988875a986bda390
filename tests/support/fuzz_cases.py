"""One random case for the gradient check: the verdict it gets, and the truth by other means than the check's own."""

from dataclasses import dataclass, field
from math import inf, isfinite
from random import Random
from time import perf_counter
from typing import Any

import mutants
import peer_checks
import random_programs
from random_programs import Case

from autodiff_cli.evaluation import Evaluation, evaluate
from autodiff_cli.gradient_check.checker import Checker, Verdict
from autodiff_cli.gradient_check.finite_differences import nodes_around
from autodiff_cli.gradient_check.point_of_doubles import PointOfDoubles
from autodiff_cli.gradient_check.verdicts import undifferentiable
from autodiff_cli.language import parse
from autodiff_cli.program import Program
from autodiff_cli.work_budget import WorkBudget

FIRST_MUTANT = 10**9
"""cases from this number on have a wrong rule"""
ACCEPTED = ("ok", "ok, ill-conditioned", "ok, subgradient")
_SECONDS = 10.0
_TOLERANCE = 1e-9
_TINY = 1e-320


@dataclass
class Outcome:
    """The verdict of the check on one case."""

    number: int
    case: Case
    mutation: str
    """the mistake in the rule; "" if there is none"""
    verdict: Verdict
    seconds: float
    wrong: bool
    """whether the gradient is not the derivative, beyond what rounding explains"""
    peers: dict[str, bool] = field(default_factory=dict)
    """the other checks that accept the gradient; empty where there is no derivative, or double precision misses it"""

    @property
    def failed(self) -> bool:
        """Whether it is a false alarm or a miss."""
        if self.mutation:
            return self.verdict.verdict in ACCEPTED
        return self.verdict.verdict == "mismatch" and not self.wrong


def run(seed: int, number: int, checks: dict[str, peer_checks.Check] | None = None) -> Outcome | None:
    """Check one case; None where there is nothing to check: no finite value, or a wrong rule that does not matter."""
    case = random_programs.case(seed, number)
    right = _evaluated(parse(case.formula), case)
    drawn = _mutated(right, seed, number) if right and number >= FIRST_MUTANT else ("", right)
    if right is None or drawn is None or drawn[1] is None:
        return None
    mutation, evaluation = drawn
    if mutation and not matters(right, evaluation, case.wrt):
        return None
    start = perf_counter()
    verdict = Checker(evaluation).check(case.wrt, evaluation.inputs[case.wrt], WorkBudget(_SECONDS))
    seconds = perf_counter() - start
    wrong = bool(mutation) or (verdict.verdict == "mismatch" and not _is_right(right, case.wrt))
    outcome = Outcome(number, case, mutation, verdict, seconds, wrong)
    if checks and _is_plain(right, case.wrt):
        value, x = peer_checks.function(right, case.wrt), case.point[case.wrt]
        gradient = evaluation.gradient[case.wrt]
        outcome.peers = {name: peer_checks.accepts(check, value, x, gradient) for name, check in checks.items()}
    return outcome


def _evaluated(program: Program, case: Case) -> Evaluation | None:
    if case.wrt not in program.inputs:
        return None
    evaluation = evaluate(program, {name: case.point[name] for name in program.inputs})
    depends = case.wrt in evaluation.gradient and evaluation.adjoints[program.inputs[case.wrt]] is not None
    return evaluation if depends and isfinite(evaluation.value) else None


def _mutated(right: Evaluation, seed: int, number: int) -> tuple[str, Evaluation | None] | None:
    case = random_programs.case(seed, number)
    nodes = Checker(right).dependents(right.inputs[case.wrt])
    drawn = mutants.draw(Random(f"{seed} {number} mutant"), right.program, nodes) if nodes else None
    return (drawn[0], _evaluated(drawn[1], case)) if drawn else None


# ---- What the derivative truly is -----------------------------------------------------------------------------------


def truth(evaluation: Evaluation, name: str) -> tuple[Any, Any] | None:
    """The smallest and the largest number that is a slope here; None where no statement is possible.

    Where every operation on the way has a derivative it is what the true rules give with so many digits that more
    change nothing. Elsewhere it lies between the difference quotients for one step of 10^-400, with 1300 digits.
    """
    if _singular(evaluation, name):
        return _slopes(evaluation, name)
    node, before = evaluation.inputs[name], None
    for digits in (60, 120, 700, 1400):
        exact = PointOfDoubles(evaluation, digits).adjoints[node]
        if before is not None and abs(exact - before) <= 1e-15 * abs(exact):
            return exact, exact
        before = exact
    return None


def _slopes(evaluation: Evaluation, name: str) -> tuple[Any, Any] | None:
    around = PointOfDoubles(evaluation, 1300)
    node, output = evaluation.inputs[name], evaluation.program.output
    dependents = Checker(evaluation).dependents(node)
    start, value = around.values[node], around.values[output]
    step = (abs(start) or 1) * around.context.mpf("0.7e-400")
    slopes = [(around.output_at(node, start + nudge, dependents)[0] - value) / nudge for nudge in (-step, step)]
    if any(not around.context.isfinite(slope) or abs(slope) > 1e100 * step**-0.001 for slope in slopes):
        return None
    return min(slopes), max(slopes)


def _singular(evaluation: Evaluation, name: str) -> bool:
    """Whether the double evaluation meets, on the way, an operation without a derivative."""
    node = evaluation.inputs[name]
    around = nodes_around(evaluation.program.graph, node, Checker(evaluation).dependents(node))
    return any(undifferentiable(evaluation, other) for other in around)


def _distance(gradient: Any, slopes: tuple[Any, Any]) -> Any:
    """The distance of a gradient from the slopes."""
    if not -inf < gradient < inf:
        return inf
    return max(slopes[0] - gradient, gradient - slopes[1], 0)


def _tolerance(slopes: tuple[Any, Any]) -> Any:
    return _TOLERANCE * max(map(abs, slopes)) + _TINY


def matters(right: Evaluation, wrong: Evaluation, name: str) -> bool:
    """Whether the wrong rule makes the gradient wrong here, in double precision and on paper.

    Then the gradient is further from the truth than the tolerance, and than the right one is by its rounding errors;
    and so is what the wrong rule gives with 240 digits.
    """
    slopes = truth(right, name)
    if slopes is None:
        return False
    error, rounding = (_distance(evaluation.gradient[name], slopes) for evaluation in (wrong, right))
    if error <= max(_tolerance(slopes), 4 * rounding):
        return False
    return bool(_distance(PointOfDoubles(wrong, 240).adjoints[wrong.inputs[name]], slopes) > _tolerance(slopes))


def _is_right(evaluation: Evaluation, name: str) -> bool:
    """Whether the gradient of the true rules is right; an operation on the way may have no derivative."""
    if not _singular(evaluation, name):
        return True
    slopes = truth(evaluation, name)
    return slopes is not None and _distance(evaluation.gradient[name], slopes) <= _tolerance(slopes)


def _is_plain(evaluation: Evaluation, name: str) -> bool:
    """Whether there is a derivative, and the gradient of the true rules equals it in double precision."""
    if _singular(evaluation, name):
        return False
    slopes = truth(evaluation, name)
    return slopes is not None and _distance(evaluation.gradient[name], slopes) <= _tolerance(slopes)
