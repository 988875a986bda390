"""Comma-separated values in long form, `line,name,value,grad,error`: the rows that one formula has, for each.

They are those of the inputs and the output, or those that `--nodes` chooses. A line with an error has one row, in which
only `line` and `error` are filled in.
"""

import csv
import io
from typing import TextIO

from ...errors import one_line
from ...output import Report
from ...output.csv import rows
from ..formulas import Answer
from . import Manner, TextWriter

HEADINGS = ("line", "name", "value", "grad", "error")


class Writer(TextWriter):
    """Writes the rows, below a header."""

    def __init__(self, out: TextIO) -> None:
        super().__init__(out, ",".join(HEADINGS) + "\n")


def encode(answer: Answer, manner: Manner, delimiter: str = ",") -> str:
    """The rows of a line."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    line = answer.source.line
    if answer.evaluation is not None:
        writer.writerows([(line, *row, "") for row in rows(Report(answer.evaluation, manner.nodes))])
    elif answer.error is not None:
        writer.writerow((line, "", "", "", one_line(answer.error.message)))
    return text.getvalue()
