"""The reports on many formulas, one after the other: any process encodes them, and one of them writes."""

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TextIO

from .. import output
from ..errors import AutodiffError
from ..evaluation.report import EvaluationReport, Nodes, summary
from ..output.report import Content, Records, Report
from ..terminal.printable_text import one_line
from .formulas import Answer


class Heading(Report):
    """The header above the answers."""

    def records(self) -> Records:
        """The header alone."""
        return Records(("line", "name", "value", "grad", "error"), ())


@dataclass(frozen=True)
class AnswerReport(Report):
    """The answer to a line; its records follow the header of `Heading`, or those of another answer."""

    answer: Answer
    nodes: Nodes | None = None
    """the nodes in the records, and with "all" in the document"""

    def records(self) -> Records:
        """The records of the evaluation, or one with the error."""
        return Records((), self._rows())

    def _rows(self) -> Iterator[Sequence[Content]]:
        source, evaluation, error, _ = self.answer
        if evaluation is not None:
            for row in EvaluationReport(evaluation, self.nodes).records().rows:
                yield source.line, *row, None
        if error is not None:
            yield source.line, None, None, None, one_line(error.message)

    def document(self) -> dict[str, Any]:
        """Line, output, value and gradient, or line and error."""
        source, evaluation, error, _ = self.answer
        fields = {} if error is None else {"error": _fields(error)}
        if evaluation is not None:
            fields = EvaluationReport(evaluation).document() if self.nodes == "all" else summary(evaluation)
        return {"line": source.line, **fields}

    def lines(self) -> Iterator[Sequence[Content]]:
        """One line: the value, then each name and its partial derivative; or the error."""
        _, evaluation, error, _ = self.answer
        if evaluation is not None:
            yield evaluation.value, *(word for pair in evaluation.gradient.items() for word in pair)
        if error is not None:
            yield "error", one_line(error.message)


def _fields(error: AutodiffError) -> dict[str, str | int | None]:
    return {"message": one_line(error.message), "column": error.column, "hint": one_line(error.hint) or None}


class Encoder(NamedTuple):
    """Turns answers into what a stream of the same format writes."""

    format: str
    nodes: Nodes | None = None
    """the nodes that have an entry; None leaves them to the format"""
    precision: int = 4
    """decimal places in the table"""

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
    """The function that writes what an `Encoder` makes to an open text file, and flushes the file.

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
