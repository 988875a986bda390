"""The textbook experiment: difference quotients in double precision, for smaller and smaller steps."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import inf, isfinite
from typing import Any

from ..errors import AutodiffError, Remedy
from ..evaluation import Evaluation, evaluate
from ..notation import rounded
from ..output.report import Cell, Column, Line, Records, Report, Row, Table
from .report import reasons
from .verdicts import Verdict

STEPS = tuple(10.0**-exponent for exponent in range(1, 13))
_MARK = Column("", "green", is_spare=True)
_COLUMNS = (
    Column("h", is_number=True),
    *(Column("forward", is_number=True), Column("error", is_number=True, alone="forward error"), _MARK),
    *(Column("central", is_number=True), Column("error", is_number=True, alone="central error"), _MARK),
)


@dataclass(frozen=True)
class DifferenceStep:
    """The difference quotients of one step in double precision, and their distance from the gradient."""

    step: float
    forward: float
    forward_error: float
    central: float
    central_error: float


def step_sweep(evaluation: Evaluation, name: str) -> list[DifferenceStep]:
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


@dataclass(frozen=True)
class StepSweepReport(Report):
    """The gradient and, for each of its names, the difference quotients; a plain line is a record."""

    gradient: Mapping[str, float]
    sweeps: Sequence[tuple[str, Sequence[DifferenceStep]]]
    """the steps of each input"""
    verdicts: Sequence[Verdict]

    def tables(self) -> Iterator[Table | Line]:
        """A table for each input, in which the best steps are marked, and a line for each verdict with a reason."""
        for number, (name, steps) in enumerate(self.sweeps):
            if number:
                yield ()
            yield Cell(name, "bold cyan"), Cell(f"   gradient {self.gradient[name]!r}", "cyan")
            yield Table(_COLUMNS, _rows(steps), goes_on=True)
        yield from reasons(self.verdicts)

    def records(self) -> Records:
        """A row for each input and step."""
        header = ("name", "step", "forward", "forward_error", "central", "central_error")
        return Records(header, [(name, *asdict(step).values()) for name, steps in self.sweeps for step in steps])

    def document(self) -> dict[str, Any]:
        """A list of the records."""
        header, rows = self.records()
        return {"sweep": [dict(zip(header, row, strict=True)) for row in rows]}


def _rows(steps: Sequence[DifferenceStep]) -> Iterator[Row]:
    """The steps, with as many digits as a table of 80 columns has room for."""
    forward, central = (_best(steps, error) for error in ("forward_error", "central_error"))
    for step in steps:
        yield Row(
            (
                f"{step.step:.0e}",
                *(rounded(step.forward, 9), f"{step.forward_error:.1e}", "← best" if step.step == forward else ""),
                *(rounded(step.central, 9), f"{step.central_error:.1e}", "← best" if step.step == central else ""),
            )
        )


def _best(steps: Sequence[DifferenceStep], error: str) -> float | None:
    """The step with the smallest error, None where none is smaller than another; `error` is the field to compare."""
    sizes = {step.step: size if isfinite(size := getattr(step, error)) else inf for step in steps}
    best = min(sizes, key=sizes.__getitem__)
    return best if sizes[best] < max(sizes.values()) else None
