"""The textbook's experiment: difference quotients in double precision, for smaller and smaller steps."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite

from ..errors import AutodiffError, Remedy
from ..evaluation import Evaluation, evaluate

STEPS = tuple(10.0**-exponent for exponent in range(1, 13))


@dataclass(frozen=True)
class DifferenceStep:
    """The difference quotients of one step in double precision, and their distance from the gradient."""

    step: float
    forward: float
    forward_error: float
    central: float
    central_error: float


def sweep(evaluation: Evaluation, name: str) -> list[DifferenceStep]:
    """Forward and central differences for steps of 0.1, 0.01, … 1e-12, as a textbook shows them.

    Raises AutodiffError for a name that the program computes.
    """
    program, gradient = evaluation.program, evaluation.gradient[name]
    point = {other: evaluation.values[node] for other, node in evaluation.inputs.items()}
    if name not in point and evaluation.nodes[name] is not None:
        raise AutodiffError(
            f"`{name}` is computed, so it cannot be nudged", remedy=Remedy("leave out", (), "leave it out of `wrt`")
        )

    def value(nudge: float) -> float:
        return evaluate(program, point | {name: point.get(name, 0.0) + nudge}, ()).value

    steps = []
    for step in STEPS:
        above, below = value(step), value(-step)
        forward = (above - evaluation.value) / step
        central = (above - below) / (2 * step)
        steps.append(DifferenceStep(step, forward, abs(forward - gradient), central, abs(central - gradient)))
    return steps


def best(steps: Sequence[DifferenceStep], error: str) -> float:
    """The step with the smallest error; `error` is the field to compare."""
    sizes = {step.step: getattr(step, error) for step in steps}
    return min(sizes, key=lambda step: sizes[step] if isfinite(sizes[step]) else inf)
