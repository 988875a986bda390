"""Statements as a program, with the way back from a place in it to what was typed."""

from collections.abc import Sequence

from ..errors import AutodiffError, Notice, Source
from ..language import parse
from .statements import TypedStatement


class SessionProgram:
    """The program of statements. Raises AutodiffError, which points to what was typed, where they are not a program."""

    def __init__(self, statements: Sequence[TypedStatement]) -> None:
        self.statements = statements
        text = "\n".join(statement.line for statement in statements)
        if all(statement.is_function for statement in statements):
            text += "\n0"  # a program has a result
        try:
            self.program = parse(text, allows_list=True)
        except AutodiffError as error:
            raise self.relocated(error) from None

    def relocated(self, error: AutodiffError | Notice) -> AutodiffError:
        """The error with a place in what was typed, for one with a place in the program."""
        source, span = error.source, error.span
        if span is not None:
            source, span = self._place(*span)
        if isinstance(error, Notice):
            return AutodiffError(error.message, span=span, source=source, hint=error.hint)
        error.span, error.source = span, source
        return error

    def _place(self, start: int, end: int) -> tuple[Source, tuple[int, int]]:
        first = 0  # where the statement begins in the program
        for statement in self.statements:
            if start <= first + len(statement.line):
                break
            first += len(statement.line) + 1
        shift = statement.start - first - len(statement.head)
        return statement.source, (max(start + shift, statement.start), end + shift)
