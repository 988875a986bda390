"""The answers to many formulas, one after the other: encoded in any process, then written by one."""

import io
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TextIO

from .. import output
from ..evaluation.report import Nodes
from .formulas import Answer
from .report import AnswerReport, Heading


class Encoder(NamedTuple):
    """Makes of answers what a stream of the same format writes."""

    format: str
    nodes: Nodes | None = None
    """the nodes that have an entry; None leaves them to the format"""
    precision: int = 4
    """digits after the point in the table"""

    def __call__(self, answers: Iterable[Answer]) -> list[Any]:
        """A row of a table for each answer, or a text of them all."""
        if self.format == "table":
            from .table import row

            return [row(answer, self.precision) for answer in answers]
        text = io.StringIO()
        for answer in answers:
            output.write(AnswerReport(answer, self.nodes), self.format, text)
        return [text.getvalue()]


def answer_stream(format_: str, out: TextIO) -> Callable[[Sequence[Any]], None]:
    """The function that writes what an `Encoder` makes to an open text file, so that whoever reads that has it.

    The answers are a table that grows, or texts below a heading, where the format has one.
    """
    if format_ == "table":
        from .table import GrowingTable

        return GrowingTable(out).write
    output.write(Heading(), format_, out)

    def write(encoded: Sequence[str]) -> None:
        out.writelines(encoded)
        out.flush()

    return write
