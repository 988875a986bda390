"""The report on a minimum: the point, what holds it there, and why the search ended; or the points on the way."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..notation import counted, decimal
from ..output.report import Cell, Column, Content, Line, Records, Report, Row, Table, table_of_numbers
from .minimize import Minimum

_FIELDS = (
    "point",
    "value",
    "gradient",
    "converged",
    "reason",
    "kind",
    "eigenvalues",
    "active",
    "multipliers",
    "evaluations",
)


@dataclass(frozen=True)
class MinimumReport(Report):
    """A minimum of the function of that name."""

    output: str
    minimum: Minimum
    precision: int = 4
    has_trace: bool = False
    """whether the points on the way are reported: in JSON in addition to the minimum, in other formats instead of it"""

    def tables(self) -> Iterator[Table | Line]:
        """A row for each variable, one for each multiplier, and why the search ended."""
        minimum = self.minimum
        if self.has_trace:
            header, rows = self.records()
            yield Table([Column(name, is_number=True, most=60) for name in header], map(Row, rows), self.precision)
        else:
            yield table_of_numbers(("variable", "value", "gradient"), self.records().rows, self.precision)
        if minimum.multipliers:
            yield ()
            yield table_of_numbers(("active", "multiplier"), minimum.multipliers.items(), self.precision)
        yield ()
        yield (
            Cell(f"{self.output} = {decimal(minimum.value, self.precision)}", "bold"),
            Cell(self._curvature() if minimum.converged else ""),
        )
        count = counted(minimum.evaluations, "evaluation")
        yield (Cell(f"{minimum.reason}; {count}", "dim" if minimum.converged else "yellow"),)

    def _curvature(self) -> str:
        """The kind of the point, and the eigenvalues that determine it."""
        eigenvalues = [decimal(value, self.precision) for value in self.minimum.eigenvalues]
        if not eigenvalues:
            return f", a {self.minimum.kind} where active bounds and constraints leave no way to go"
        kind = self.minimum.kind if self.minimum.kind in ("flat", "not known") else f"a {self.minimum.kind}"
        ends = f"is {eigenvalues[0]}" if len(eigenvalues) == 1 else f"from {eigenvalues[0]} to {eigenvalues[-1]}"
        return f", {kind}: curvature {ends}"

    def records(self) -> Records:
        """A row for each variable, or for each point on the way."""
        minimum = self.minimum
        if self.has_trace:
            rows = ((step, *place.vector, place.value) for step, place in enumerate(minimum.trace))
            return Records(("step", *minimum.point, self.output), rows)
        variables = ((name, number, minimum.gradient[name]) for name, number in minimum.point.items())
        return Records(("name", "value", "gradient"), variables)

    def document(self) -> dict[str, Any]:
        """All that is known of the minimum."""
        minimum = self.minimum
        document = {field: getattr(minimum, field) for field in _FIELDS}
        if self.has_trace:
            document["trace"] = [{"point": list(step.vector), "value": step.value} for step in minimum.trace]
        return document

    def lines(self) -> Iterator[Sequence[Content]]:
        """The value, then a variable and its number in each line; or the points on the way."""
        if self.has_trace:
            yield from self.records().rows
        else:
            yield (self.minimum.value,)
            yield from self.minimum.point.items()
