"""The report on a solution: each root with how well it is known, or the points on the way to it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..notation import counted
from ..output.report import Cell, Column, Content, Line, Records, Report, Row, Table
from .solve import Solution

_QUALITIES = ("residual", "digits", "multiplicity", "condition")


@dataclass(frozen=True)
class SolutionReport(Report):
    """The roots of equations in these unknowns."""

    names: Sequence[str]
    solution: Solution
    precision: int = 4
    has_trace: bool = False
    """whether the points on the way are reported: in JSON in addition to the roots, in other formats instead of them"""

    def tables(self) -> Iterator[Table | Line]:
        """A row for each root, or for each point on the way, and why the search ended."""
        header, rows = self.records()
        if self.has_trace or self.solution.roots:
            yield Table([Column(name, is_number=True, most=60) for name in header], map(Row, rows), self.precision)
            yield ()
        steps = len(self.solution.trace) - 1
        taken = f"; {counted(steps, 'step')}" if self.solution.roots and steps > 0 else ""
        yield (Cell(f"{self.solution.reason}{taken}", "dim" if self.solution.converged else "yellow"),)

    def records(self) -> Records:
        """A row for each root, or for each point on the way."""
        if self.has_trace:
            steps = ((step, *vector) for step, vector in enumerate(self.solution.trace))
            return Records(("step", *self.names), steps)
        rows = ((*root.point.values(), *(getattr(root, name) for name in _QUALITIES)) for root in self.solution.roots)
        return Records((*self.names, *_QUALITIES), rows)

    def document(self) -> dict[str, Any]:
        """The roots, and why the search ended."""
        solution = self.solution
        roots = [{"point": root.point, **{name: getattr(root, name) for name in _QUALITIES}} for root in solution.roots]
        trace = {"trace": [list(vector) for vector in solution.trace]} if self.has_trace else {}
        return {
            "roots": roots,
            "complete": solution.complete,
            "converged": solution.converged,
            "reason": solution.reason,
            **trace,
        }

    def lines(self) -> Iterator[Sequence[Content]]:
        """An unknown and its number in each line, or a point on the way."""
        if self.has_trace:
            yield from self.records().rows
        else:
            yield from (item for root in self.solution.roots for item in root.point.items())
