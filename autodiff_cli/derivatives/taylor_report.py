"""The reports on derivatives order by order, and on a Taylor series with its polynomial."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..evaluation.report import EvaluationReport
from ..notation import shortest
from ..output.report import Cell, Column, Content, Line, Records, Report, Row, Table
from .taylor import Taylor

_HEADING = 40  # columns


@dataclass(frozen=True)
class TaylorReport(Report):
    """A Taylor series: of which output, in which variable, around which point."""

    output: str | None
    variable: str
    at: float
    taylor: Taylor
    precision: int = 4

    def tables(self) -> Iterator[Table | Line]:
        """A row for each order, and the polynomial."""
        yield _table(self.records(), self.precision)
        yield ()
        yield (Cell(self.polynomial),)

    def records(self) -> Records:
        """A row for each order."""
        pairs = zip(self.taylor.coefficients, self.taylor.derivatives, strict=True)
        rows = [(order, *pair) for order, pair in enumerate(pairs)]
        return Records(("order", "coefficient", "derivative"), rows)

    def document(self) -> dict[str, Any]:
        """The series with the names around it."""
        return {
            "output": self.output,
            "wrt": self.variable,
            "at": self.at,
            "coefficients": self.taylor.coefficients,
            "derivatives": self.taylor.derivatives,
            "polynomial": self.polynomial,
        }

    def lines(self) -> Iterator[Sequence[Content]]:
        """The polynomial alone."""
        yield (self.polynomial,)

    @property
    def polynomial(self) -> str:
        """The series up to its order as a formula in the language: `1 + x - 0.5*x^2`."""
        sign = "-" if self.at > 0 else "+"
        base = self.variable if self.at == 0 else f"({self.variable} {sign} {shortest(abs(self.at))})"
        text = ""
        for power, coefficient in enumerate(self.taylor.coefficients):
            if coefficient != 0:
                term = _term(abs(coefficient), base, power)
                text += f" {'-' if coefficient < 0 else '+'} {term}" if text else "-" * (coefficient < 0) + term
        return text or "0"


def _term(size: float, base: str, power: int) -> str:
    factor = base if power == 1 else f"{base}^{power}"
    if power == 0:
        return shortest(size)
    return factor if size == 1 else f"{shortest(size)}*{factor}"


@dataclass(frozen=True, kw_only=True)
class DerivativesReport(EvaluationReport):
    """The derivatives of orders 0, 1, … with respect to the one name of the gradient; a plain line is a record."""

    derivatives: Sequence[float]

    def tables(self) -> Iterator[Table]:
        """A row for each order."""
        (variable,) = self.evaluation.wrt
        yield _table(Records(("order", f"derivative by {variable}"), self.records().rows), self.precision)

    def records(self) -> Records:
        """A row for each order."""
        return Records(("order", "derivative"), list(enumerate(self.derivatives)))

    def document(self) -> dict[str, Any]:
        """The document of an evaluation, with the derivatives, of which the first two are its value and gradient."""
        (variable,) = self.evaluation.wrt
        value, slope, *_ = self.derivatives
        derivatives = {"wrt": variable, "values": self.derivatives}
        return super().document() | {"value": value, "gradient": {variable: slope}, "derivatives": derivatives}

    def lines(self) -> Iterator[Sequence[Content]]:
        """The records."""
        return iter(self.records().rows)


def _table(records: Records, precision: int) -> Table:
    columns = [Column(heading, is_number=True, most=_HEADING) for heading in records.header]
    return Table(columns, map(Row, records.rows), precision)
