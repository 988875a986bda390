"""Tab-separated values: `csv` with tabs."""

from typing import TextIO

from ..formulas import Answer
from . import Manner, TextWriter, csv


class Writer(TextWriter):
    """Writes the rows, below a header."""

    def __init__(self, out: TextIO) -> None:
        super().__init__(out, "\t".join(csv.HEADINGS) + "\n")


def encode(answer: Answer, manner: Manner) -> str:
    """The rows of a line."""
    return csv.encode(answer, manner, delimiter="\t")
