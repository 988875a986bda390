"""Comma-separated values: `name,value,grad`, a line for each input and then one for the output."""

import csv
from typing import TextIO

from ..errors import printable
from . import Report


def write(report: Report, out: TextIO, delimiter: str = ",") -> None:
    """Write the report; the gradient of a node that depends on no input is empty."""
    evaluation = report.evaluation
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(("name", "value", "grad"))
    for node in report.rows(report.nodes or "inputs"):
        adjoint = evaluation.adjoints[node]
        grad = "" if adjoint is None else repr(adjoint)
        writer.writerow((printable(report.name(node)), repr(evaluation.values[node]), grad))
