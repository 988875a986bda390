"""The reports of a gradient check: verdicts alone, and verdicts next to the nodes of an evaluation."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..evaluation.report import EvaluationReport
from ..notation import rounded
from ..output.report import Cell, Column, Content, Line, Records, Report, Row, Table
from .verdicts import Verdict

FIELDS = ("difference", "relative_error", "verdict", "reason", "left", "right", "digits_lost")
"""the columns of a checked gradient in records"""

_COLUMNS = (Column("difference", is_number=True), Column("error", is_number=True), Column("verdict"))
_STYLES = {"mismatch": "bold red", "undecided": "yellow", "not differentiable": "yellow"}


@dataclass(frozen=True)
class VerdictsReport(Report):
    """Verdicts on the gradients of inputs, or with `nodes` on those of all nodes, which may share a name."""

    verdicts: Sequence[Verdict]
    precision: int = 4
    nodes: bool = False

    def tables(self) -> Iterator[Table | Line]:
        """A row for each verdict, and a line for each that has a reason."""
        columns = (Column("name", "cyan", most=60), Column("gradient", is_number=True), *_COLUMNS)
        rows = [Row((verdict.name, verdict.gradient, *cells(verdict))) for verdict in self.verdicts]
        yield Table(columns, rows, self.precision)
        yield from reasons(self.verdicts)

    def records(self) -> Records:
        """A row for each verdict."""
        rows = [(verdict.name, verdict.gradient, *record(verdict)) for verdict in self.verdicts]
        return Records(("name", "grad", *FIELDS), rows)

    def document(self) -> dict[str, Any]:
        """A list of verdicts on nodes, or an object from the name of each input to its verdict."""
        if self.nodes:
            return {"nodes": [{"name": verdict.name, **fields(verdict)} for verdict in self.verdicts]}
        return {"check": {verdict.name: fields(verdict) for verdict in self.verdicts}}

    def lines(self) -> Iterator[Sequence[Content]]:
        """A name and its verdict in each line."""
        return ((verdict.name, verdict.verdict) for verdict in self.verdicts)


@dataclass(frozen=True, kw_only=True)
class CheckedEvaluationReport(EvaluationReport):
    """An evaluation with the verdicts on its gradients."""

    verdicts: Sequence[Verdict]

    def tables(self) -> Iterator[Table | Line]:
        """The nodes, and a line for each verdict that has a reason."""
        yield from super().tables()
        yield from reasons(self.verdicts)

    @property
    def columns(self) -> Sequence[Column]:
        """The columns of the table."""
        return *super().columns, *_COLUMNS

    def cells(self, name: str, node: int | None) -> Sequence[Content | Cell]:
        """A name in the table, and its node; None if the output does not depend on it."""
        verdict = self._verdict(name, node)
        return *super().cells(name, node), *(() if verdict is None else cells(verdict))

    @property
    def header(self) -> Sequence[str]:
        """The header of the records."""
        return *super().header, *FIELDS

    def record(self, name: str, node: int | None) -> Sequence[Content]:
        """A name among the records, and its node; None if the output does not depend on it."""
        return *super().record(name, node), *record(self._verdict(name, node))

    def document(self) -> dict[str, Any]:
        """The document of an evaluation, with the verdict on each name of the gradient."""
        unused_last = sorted(self.evaluation.nodes.items(), key=lambda item: item[1] is None)
        verdicts = {name: self._verdict(name, node) for name, node in unused_last}
        checked = {name: fields(verdict) for name, verdict in verdicts.items() if verdict is not None}
        return super().document() | {"check": checked}

    def node(self, node: int) -> dict[str, Any]:
        """A node in the document; the verdict on an input is elsewhere, as other names need not be unique."""
        verdict = None if self.evaluation.is_input(node) else self._verdict("", node)
        return super().node(node) | ({} if verdict is None else {"check": fields(verdict)})

    def lines(self) -> Iterator[Sequence[Content]]:
        """The value, then a name, its partial derivative and the verdict in each line."""
        verdicts = {verdict.name: verdict.verdict for verdict in self.verdicts}
        return ((*line, *(verdicts[name] for name in line[:1] if name in verdicts)) for line in super().lines())

    def _verdict(self, name: str, node: int | None) -> Verdict | None:
        """The verdict on a node, or on a name that the program does not use."""
        return self._verdicts.get(name if node is None else node)

    @cached_property
    def _verdicts(self) -> dict[str | int, Verdict]:
        return {verdict.name if verdict.node is None else verdict.node: verdict for verdict in self.verdicts}


def cells(verdict: Verdict) -> Sequence[Content | Cell]:
    """A verdict in a table: the difference, the relative error, and the verdict in its colour."""
    return verdict.difference, error(verdict), Cell(verdict.verdict, style(verdict.verdict))


def record(verdict: Verdict | None) -> Sequence[Content]:
    """A verdict among records: the content of `FIELDS`, empty without a verdict."""
    return [None if verdict is None else getattr(verdict, name) for name in FIELDS]


def fields(verdict: Verdict) -> dict[str, Any]:
    """A verdict in a document."""
    return {name: getattr(verdict, name) for name in ("gradient", *FIELDS)}


def style(verdict: str) -> str:
    """The colour of a verdict's words."""
    return _STYLES.get(verdict, "green")


def error(verdict: Verdict) -> str:
    """The relative error with two digits; "" where there is none."""
    if verdict.relative_error is None:
        return ""
    return f"{verdict.relative_error:.1e}" if verdict.relative_error else "0"


def explanation(verdict: Verdict) -> str:
    """The reason for the verdict, with the slopes on either side; "" for a verdict that is simply ok."""
    sides = (("left", verdict.left), ("right", verdict.right))
    slopes = ", ".join(f"{rounded(slope)} on the {side}" for side, slope in sides if slope is not None)
    return verdict.reason + (f"; the slope is {slopes}" if slopes else "")


def reasons(verdicts: Iterable[Verdict]) -> Iterator[Line]:
    """An empty line, then a line for each verdict that has a reason; nothing where none has."""
    explained = [verdict for verdict in verdicts if verdict.reason]
    if explained:
        yield ()
    for verdict in explained:
        yield Cell(f"{verdict.name}: ", "bold"), Cell(explanation(verdict))
