"""A derivative that somebody wrote down, compared with the true one at many points with many digits.

`sweep` is the textbook's experiment beside it: difference quotients in double precision, for smaller and smaller steps.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from ..errors import AutodiffError, Remedy
from ..evaluation import Evaluation, evaluate
from ..program import Program
from .finite_differences import HighPrecisionPoint

_DIGITS = 60
_SAME = 1e-9
STEPS = tuple(10.0**-exponent for exponent in range(1, 13))


@dataclass(frozen=True)
class Counterexample:
    """A point at which a derivative that was written down is not the true one."""

    name: str
    """with respect to what"""
    point: dict[str, float]
    true: float
    written: float


@dataclass(frozen=True)
class Verification:
    """How many points were compared, how many lie outside of a domain, and the simplest point that says no."""

    compared: int
    skipped: int
    counterexample: Counterexample | None


def verify(program: Program, derivatives: Mapping[str, Program], points: Iterable[Mapping[str, float]]) -> Verification:
    """Compare derivatives, one formula for each name, with the true ones at points given in the order of simplicity.

    Both are evaluated with 60 digits, so that only what is wrong on paper differs. A point where either is not defined
    is skipped.
    """
    compared = skipped = 0
    for point in points:
        wrong = _compare(program, derivatives, point)
        if wrong is None:
            skipped += 1
            continue
        compared += 1
        if wrong:
            return Verification(compared, skipped, wrong[0])
    return Verification(compared, skipped, None)


def _compare(
    program: Program, derivatives: Mapping[str, Program], point: Mapping[str, float]
) -> list[Counterexample] | None:
    """The derivatives that are wrong at a point; None where it lies outside of a domain."""
    exact = HighPrecisionPoint(evaluate(program, _known(program, point), list(derivatives)), _DIGITS)
    finite = exact.context.isfinite
    if not finite(exact.values[program.output]):
        return None
    wrong = []
    for name, derivative in derivatives.items():
        node = program.inputs.get(name, program.names.get(name))
        true = exact.context.zero if node is None else exact.adjoints[node]
        around = HighPrecisionPoint(evaluate(derivative, _known(derivative, point), ()), _DIGITS)
        written = around.values[derivative.output]
        if not finite(true) or not finite(written):
            return None
        size = 0 if node is None else exact.sizes[node]
        if abs(true - written) > _SAME * abs(true) + 1e-50 * size:
            wrong.append(Counterexample(name, dict(point), float(true), float(written)))
    return wrong


def _known(program: Program, point: Mapping[str, float]) -> dict[str, float]:
    names = program.inputs.keys() | program.constants.keys()
    return {name: number for name, number in point.items() if name in names}


@dataclass(frozen=True)
class DifferenceStep:
    """The difference quotients of one step in double precision, and their distance from the gradient."""

    step: float
    forward: float
    forward_error: float
    central: float
    central_error: float


def sweep(evaluation: Evaluation, name: str) -> list[DifferenceStep]:
    """Forward and central differences for steps of 0.1, 0.01, … 1e-12, as a textbook shows them."""
    program, gradient = evaluation.program, evaluation.gradient[name]
    point = {other: evaluation.values[node] for other, node in evaluation.inputs.items()}

    def value(nudge: float) -> float:
        return evaluate(program, point | {name: point[name] + nudge}, ()).value

    if name not in point:
        raise AutodiffError(
            f"`{name}` is computed, so it cannot be nudged", remedy=Remedy("leave out", (), "leave it out of `wrt`")
        )
    steps = []
    for step in STEPS:
        forward = (value(step) - evaluation.value) / step
        central = (value(step) - value(-step)) / (2 * step)
        steps.append(DifferenceStep(step, forward, abs(forward - gradient), central, abs(central - gradient)))
    return steps


def best(steps: Sequence[DifferenceStep], error: str) -> float:
    """The step with the smallest error, of the kind that is named."""
    return min(steps, key=lambda step: _size(getattr(step, error))).step


def _size(error: Any) -> float:
    return float(error) if isfinite(error) else float("inf")
