"""The report on a Hessian, which follows that on the value and the gradient."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ..evaluation.report import EvaluationReport
from ..notation import counted
from ..output.report import MOST_SHOWN, Cell, Column, Content, Line, Records, Row, Table, table_of_numbers
from .hessian import Hessian

_MOST_COLUMNS = 20  # a table of more inputs lists the entries that are not zero
_MOST_DENSE = 100  # for programs, a Hessian of more inputs has only the entries that may differ from zero
_ZERO = Cell(0.0, "dim")  # an entry that is zero at every point


@dataclass(frozen=True, kw_only=True)
class HessianReport(EvaluationReport):
    """An evaluation with its second derivatives."""

    hessian: Hessian

    def tables(self) -> Iterator[Table | Line]:
        """The inputs and the output, or the nodes that are asked for, and the Hessian as a matrix or as a list."""
        yield from EvaluationReport(self.evaluation, self.nodes or "inputs", self.precision).tables()
        names = self.hessian.names
        if names:
            yield ()
            yield table(self.hessian, self.precision)

    def records(self) -> Records:
        """A row for each entry of the Hessian, without the evaluation."""
        return Records(("row", "column", "value"), self._entries())

    def document(self) -> dict[str, Any]:
        """The document of an evaluation, with the Hessian."""
        hessian = self.hessian
        fields: dict[str, Any] = {"inputs": list(hessian.names)}
        if len(hessian.names) <= _MOST_DENSE:
            fields["matrix"] = hessian.matrix
        else:
            fields["entries"] = [(i, j, number) for (i, j), number in hessian.entries.items()]
        return super().document() | {"hessian": fields | {"directions": hessian.directions}}

    def lines(self) -> Iterator[Sequence[Content]]:
        """The lines of an evaluation, then a row, a column and an entry in each line."""
        yield from super().lines()
        yield from self._entries()

    def _entries(self) -> Iterator[tuple[str, str, float]]:
        names, entry = self.hessian.names, self.hessian.entry
        places = range(len(names))
        wanted = ((i, j) for i in places for j in places) if len(names) <= _MOST_DENSE else self.hessian.entries
        return ((names[i], names[j], entry(i, j)) for i, j in wanted)


def table(hessian: Hessian, precision: int) -> Table:
    """The matrix or, for many names, the list of its entries that are not zero, on and above the diagonal."""
    names, entries = hessian.names, hessian.entries
    if len(names) <= _MOST_COLUMNS:
        places = range(len(names))
        rows = ((names[i], *(entries.get((i, j), hessian.entry(i, j) or _ZERO) for j in places)) for i in places)
        return table_of_numbers(("hessian", *names), rows, precision, goes_on=True)
    columns = [Column("row", "cyan", most=60), Column("column", "cyan", most=60), Column("hessian", is_number=True)]
    listed = [(names[i], names[j], number) for (i, j), number in entries.items() if i <= j and number != 0]
    return Table(columns, map(Row, islice(listed, MOST_SHOWN)), precision, _caption_of(hessian, len(listed)))


def _caption_of(hessian: Hessian, count: int) -> str:
    shown = f"the first {MOST_SHOWN:,} of " if count > MOST_SHOWN else ""
    directions = f", {counted(hessian.directions, 'direction')}" if hessian.directions else ""
    return f"{shown}{count:,} entries that are not 0, each pair once; {len(hessian.names):,} inputs{directions}"
