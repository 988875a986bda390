"""The report on a Jacobian: each output with its value and its partial derivatives."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..output.report import Content, Records, Report, Table, table_of_numbers
from .jacobian import Jacobian


@dataclass(frozen=True)
class JacobianReport(Report):
    """A Jacobian with the values of its outputs."""

    jacobian: Jacobian
    precision: int = 4

    def tables(self) -> Iterator[Table]:
        """A row for each output."""
        header = ("output", "value", *self.jacobian.names)
        rows: Iterator[Sequence[Content]] = ((name, value, *partials) for name, value, partials in self._outputs())
        yield table_of_numbers(header, rows, self.precision, goes_on=True)

    def records(self) -> Records:
        """A row for each output and input; of a Jacobian without inputs, a row for each output."""
        names = self.jacobian.names
        rows = (
            (output, value, name, partial)
            for output, value, partials in self._outputs()
            for name, partial in (zip(names, partials, strict=True) if names else [(None, None)])
        )
        return Records(("output", "value", "input", "partial"), rows)

    def document(self) -> dict[str, Any]:
        """The value of each output, and the matrix with the names of its rows and columns."""
        jacobian = self.jacobian
        matrix = {"outputs": list(jacobian.outputs), "inputs": list(jacobian.names), "matrix": jacobian.rows}
        return {"outputs": jacobian.outputs, "jacobian": matrix}

    def lines(self) -> Iterator[Sequence[Content]]:
        """An output and its value, then a line for each partial derivative of it."""
        for output, value, partials in self._outputs():
            yield output, value
            yield from ((output, name, partial) for name, partial in zip(self.jacobian.names, partials, strict=True))

    def _outputs(self) -> Iterator[tuple[str, float, Sequence[float]]]:
        rows = zip(self.jacobian.outputs.items(), self.jacobian.rows, strict=True)
        return ((output, value, partials) for (output, value), partials in rows)
