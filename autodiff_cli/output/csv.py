"""Comma-separated values, or with another delimiter: the records of a report; numbers have all their digits."""

import csv
from typing import TextIO

from ..terminal.printable_text import printable
from .report import Report


def write(report: Report, out: TextIO, delimiter: str) -> None:
    """Write the header, if there is one, and the rows."""
    header, rows = report.records()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    if header:
        writer.writerow(header)
    writer.writerows([printable(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
