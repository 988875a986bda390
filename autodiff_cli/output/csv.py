"""Comma-separated values: `name,value,grad`, a line for each input and for what --wrt names, then the output."""

import csv
from collections.abc import Iterator
from typing import TextIO

from ..errors import printable
from . import Report, verdicts


def write(report: Report, out: TextIO, delimiter: str = ",") -> None:
    """Write the report; the gradient of a node that depends on no input is empty."""
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(("name", "value", report.derivative, *(() if report.verdicts is None else verdicts.FIELDS)))
    writer.writerows(rows(report))


def rows(report: Report) -> Iterator[tuple[str, ...]]:
    """The rows without the header."""
    evaluation = report.evaluation
    checked = report.verdicts is not None
    for name in report.without_node():
        yield printable(name), "", "0.0", *(verdicts.cells(None) if checked else ())
    for node in report.rows(report.nodes or "inputs"):
        adjoint = evaluation.adjoints[node]
        grad = "" if adjoint is None else repr(adjoint)
        verdict = verdicts.cells(report.verdict(node)) if checked else ()
        yield printable(report.name(node)), repr(evaluation.values[node]), grad, *verdict
