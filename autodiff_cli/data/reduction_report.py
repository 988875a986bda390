"""The report on the sum or the mean of a formula over many rows, with its derivatives."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from ..derivatives import hessian_report
from ..derivatives.hessian import Hessian
from ..many_points.quantities import ResultColumn
from ..notation import counted
from ..output.report import Cell, Column, Content, Line, Records, Report, Row, Table
from ..program import Program


@dataclass(frozen=True)
class ReductionReport(Report):
    """The results for all rows together, as one object."""

    reduction: str
    """`sum` or `mean`"""
    rows: int
    """their number"""
    program: Program
    results: Sequence[tuple[ResultColumn, float]]
    precision: int = 4

    @property
    def value(self) -> float:
        """The sum or mean of the values."""
        return self.results[0][1]

    @property
    def gradient(self) -> dict[str, float]:
        """Name → the derivative by it."""
        return {result.by[0]: number for result, number in self.results if len(result.by) == 1}

    @property
    def hessian(self) -> Hessian | None:
        """The second derivatives, where there are any."""
        names, entries = tuple(self.gradient), dict[tuple[int, int], float]()
        for result, number in self.results:
            if len(result.by) == 2:
                i, j = map(names.index, result.by)
                entries[i, j] = entries[j, i] = number
        return Hessian(names, entries, 0) if entries else None

    def tables(self) -> Iterator[Table | Line]:
        """A row for each name and one for the value, and the Hessian."""
        numbers = [Column(heading, is_number=True) for heading in (self.reduction, "grad")]
        rows = [Row((Cell(name, "cyan"), None, partial)) for name, partial in self.gradient.items()]
        value = Row((self.program.text(self.program.output), self.value, None), "bold")
        caption = f"the {self.reduction} over {counted(self.rows, 'row')}"
        yield Table([Column("node", most=60), *numbers], [*rows, value], self.precision, caption)
        if self.hessian:
            yield ()
            yield hessian_report.table(self.hessian, self.precision)

    def records(self) -> Records:
        """One row, with the columns that each row of the data would have."""
        return Records([result.name for result, _ in self.results], [[number for _, number in self.results]])

    def document(self) -> dict[str, Any]:
        """The document of an evaluation, without nodes."""
        output, lists = self.program.output_name, self.program.given_lists(self.gradient)
        document: dict[str, Any] = {"output": output, "value": self.value, "gradient": self.gradient}
        if lists:
            document["gradient_lists"] = lists
        if self.hessian:
            document["hessian"] = {"inputs": self.hessian.names, "matrix": self.hessian.matrix}
        return document | {"reduce": self.reduction, "rows": self.rows}

    def lines(self) -> Iterator[Sequence[Content]]:
        """The lines of an evaluation, and of its Hessian."""
        yield (self.value,)
        yield from self.gradient.items()
        if self.hessian:
            names, matrix = self.hessian.names, self.hessian.matrix
            yield from ((names[i], names[j], matrix[i][j]) for i, j in product(range(len(names)), repeat=2))
