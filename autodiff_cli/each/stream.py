"""The answers to many formulas, one after the other: encoded in any process, then written by one."""

import io
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol, TextIO

from .. import output
from ..evaluation.report import Nodes
from .formulas import Answer
from .report import AnswerReport, Heading


class AnswerStream(Protocol):
    """Writes what an `Encoder` makes."""

    def write(self, encoded: Sequence[Any]) -> None:
        """Write encoded answers, in their order, so that whoever reads the file has them."""


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


class TextStream:
    """Writes answers that are texts below a heading, where the format has one."""

    def __init__(self, format_: str, out: TextIO) -> None:
        self._out = out
        output.write(Heading(), format_, out)

    def write(self, encoded: Sequence[str]) -> None:
        """Write texts, in their order."""
        self._out.writelines(encoded)
        self._out.flush()


def answer_stream(format_: str, out: TextIO) -> AnswerStream:
    """A stream to an open text file: a table that grows, or texts."""
    if format_ == "table":
        from .table import GrowingTable

        return GrowingTable(out)
    return TextStream(format_, out)
