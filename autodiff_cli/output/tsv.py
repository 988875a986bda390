"""Tab-separated values: `csv` with tabs."""

from typing import TextIO

from . import Report, csv


def write(report: Report, out: TextIO) -> None:
    """Write the report; the gradient of a node that depends on no input is empty."""
    csv.write(report, out, delimiter="\t")
