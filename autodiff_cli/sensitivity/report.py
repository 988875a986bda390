"""The report on sensitivities: the inputs by how much they change the result, and how well conditioned it is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from ..notation import decimal
from ..output.report import Cell, Content, Line, Records, Report, Table, none_if_nan, table_of_numbers
from .analysis import Sensitivity

_HEADER = ("input", "value", "gradient", "elasticity", "low", "high")


@dataclass(frozen=True)
class SensitivityReport(Report):
    """The sensitivities of the output of that name."""

    output: str
    sensitivity: Sensitivity
    precision: int = 4

    def tables(self) -> Iterator[Table | Line]:
        """A row for each input, then what is said of the result."""
        share = f"{100 * self.sensitivity.share:g} %"
        yield table_of_numbers(
            (*_HEADER[:4], f"-{share}", f"+{share}"), self.records().rows, self.precision, goes_on=True
        )
        yield ()
        yield (
            Cell(f"{self.output} = {decimal(self.sensitivity.value, self.precision)}", "bold"),
            Cell(self._condition()),
        )
        if any(row[3] is None for row in self.records().rows):
            yield (Cell("an elasticity is the ratio of relative changes: there is none where a value is 0", "dim"),)
        if not all(isfinite(part.low) and isfinite(part.high) for part in self.sensitivity.inputs.values()):
            yield (Cell("with one of these changes the formula has no finite value: take a smaller one", "dim"),)

    def _condition(self) -> str:
        condition = self.sensitivity.condition
        if condition != condition:
            return ""
        return f", condition number {condition:.3g}: {self.sensitivity.digits_lost:.1f} digits of the inputs are lost"

    def records(self) -> Records:
        """A row for each input."""
        rows = [
            (name, part.value, part.gradient, none_if_nan(part.elasticity), part.low, part.high)
            for name, part in self.sensitivity.inputs.items()
        ]
        return Records(_HEADER, rows)

    def document(self) -> dict[str, Any]:
        """The result, its condition, and each input."""
        rows = self.records().rows
        return {
            "output": self.output,
            "value": self.sensitivity.value,
            "share": self.sensitivity.share,
            "condition": none_if_nan(self.sensitivity.condition),
            "digits_lost": none_if_nan(self.sensitivity.digits_lost),
            "inputs": {name: dict(zip(_HEADER[1:], numbers, strict=True)) for name, *numbers in rows},
        }

    def lines(self) -> Iterator[Sequence[Content]]:
        """An input and its elasticity in each line."""
        return ((name, none_if_nan(part.elasticity)) for name, part in self.sensitivity.inputs.items())
