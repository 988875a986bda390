"""The report of `autodiff check --sweep`: difference quotients in double precision for smaller and smaller steps."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..notation import rounded
from ..output.report import Cell, Column, Line, Records, Report, Row, Table
from .sweep import DifferenceStep, best

_COLUMNS = (
    Column("h", is_number=True),
    *(Column("forward", is_number=True), Column("error", is_number=True, alone="forward error"), Column("", "green")),
    *(Column("central", is_number=True), Column("error", is_number=True, alone="central error"), Column("", "green")),
)


@dataclass(frozen=True)
class SweepReport(Report):
    """The gradient and, for each of its names, the difference quotients; a plain line is a record."""

    gradient: Mapping[str, float]
    sweeps: Sequence[tuple[str, Sequence[DifferenceStep]]]
    """the steps of each input"""

    def tables(self) -> Iterator[Table | Line]:
        """A table for each input, in which the best steps are marked."""
        for number, (name, steps) in enumerate(self.sweeps):
            if number:
                yield ()
            yield Cell(name, "bold cyan"), Cell(f"   gradient {self.gradient[name]!r}", "cyan")
            yield Table(_COLUMNS, _rows(steps))

    def records(self) -> Records:
        """A row for each input and step."""
        header = ("name", "step", "forward", "forward_error", "central", "central_error")
        return Records(header, [(name, *asdict(step).values()) for name, steps in self.sweeps for step in steps])

    def document(self) -> dict[str, Any]:
        """A list of the records."""
        header, rows = self.records()
        return {"sweep": [dict(zip(header, row, strict=True)) for row in rows]}


def _rows(steps: Sequence[DifferenceStep]) -> Iterator[Row]:
    forward, central = (best(steps, error) for error in ("forward_error", "central_error"))
    for step in steps:
        yield Row(
            (
                f"{step.step:.0e}",
                *(rounded(step.forward, 10), f"{step.forward_error:.1e}", "← best" if step.step == forward else ""),
                *(rounded(step.central, 10), f"{step.central_error:.1e}", "← best" if step.step == central else ""),
            )
        )
