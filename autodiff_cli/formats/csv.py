"""Comma-separated values: `name,value,grad`, a line for each input and for what --wrt names, then the output."""

import csv
from typing import TextIO

from ..errors import printable
from . import Report, verdicts


def write(report: Report, out: TextIO, delimiter: str = ",") -> None:
    """Write the report; the gradient of a node that depends on no input is empty."""
    evaluation = report.evaluation
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    checked = report.verdicts is not None
    writer.writerow(("name", "value", report.derivative, *(verdicts.FIELDS if checked else ())))
    for name in report.without_node():
        writer.writerow((printable(name), "", "0.0", *(verdicts.cells(None) if checked else ())))
    for node in report.rows(report.nodes or "inputs"):
        adjoint = evaluation.adjoints[node]
        grad = "" if adjoint is None else repr(adjoint)
        verdict = verdicts.cells(report.verdict(node)) if checked else ()
        writer.writerow((printable(report.name(node)), repr(evaluation.values[node]), grad, *verdict))
