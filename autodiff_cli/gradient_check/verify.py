"""Written derivatives compared with the true ones, at many points and with many digits.

`sweep` is the textbook's experiment: difference quotients in double precision, for smaller and smaller steps.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite

from ..errors import AutodiffError, Remedy
from ..evaluation import Evaluation, evaluate
from ..program import Program
from .finite_differences import HighPrecisionPoint

_DIGITS = 60
_SAME = 1e-9
STEPS = tuple(10.0**-exponent for exponent in range(1, 13))


@dataclass(frozen=True)
class Counterexample:
    """A point at which a written derivative is not the true one."""

    name: str
    """the variable of the derivative"""
    point: dict[str, float]
    true: float
    written: float


@dataclass(frozen=True)
class Verification:
    """The number of points compared, of points skipped as outside of a domain, and the simplest counterexample."""

    compared: int
    skipped: int
    counterexample: Counterexample | None


def verify(program: Program, derivatives: Mapping[str, Program], points: Iterable[Mapping[str, float]]) -> Verification:
    """Compare derivatives, one formula for each name, with the true ones at points given from simple to complicated.

    Both are evaluated with 60 digits, so that rounding makes no difference. Points where one is undefined are skipped.
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
    exact = HighPrecisionPoint(evaluate(program, _restricted(point, program), list(derivatives)), _DIGITS)
    finite = exact.context.isfinite
    if not finite(exact.values[program.output]):
        return None
    wrong = []
    for name, derivative in derivatives.items():
        node = program.inputs.get(name, program.names.get(name))
        true = exact.context.zero if node is None else exact.adjoints[node]
        around = HighPrecisionPoint(evaluate(derivative, _restricted(point, derivative), ()), _DIGITS)
        written = around.values[derivative.output]
        if not finite(true) or not finite(written):
            return None
        size = 0 if node is None else exact.sizes[node]
        if abs(true - written) > _SAME * abs(true) + 1e-50 * size:
            wrong.append(Counterexample(name, dict(point), float(true), float(written)))
    return wrong


def _restricted(point: Mapping[str, float], program: Program) -> dict[str, float]:
    """The part of a point that the program has inputs or constants for."""
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
    """The step with the smallest error; `error` is the field to compare."""
    sizes = {step.step: getattr(step, error) for step in steps}
    return min(sizes, key=lambda step: sizes[step] if isfinite(sizes[step]) else inf)
