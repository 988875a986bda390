"""The report on the table of operations, for `autodiff functions`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from ..notation import signature
from ..operations import LIST_FUNCTIONS, Operation
from .report import Cell, Column, Line, Report, Row, Table

UNFOLDS = "replaced by operations on numbers when the formula is read"
_COLUMNS = (Column("written", "cyan", wraps=True), Column("derivative", wraps=True), Column("what it is", wraps=True))


@dataclass(frozen=True)
class Catalogue(Report):
    """Operations: a row for each, or all that there is to know of them."""

    operations: Sequence[Operation]
    is_detailed: bool = False
    lists: Sequence[str] = ()
    """the names of functions of lists"""

    def tables(self) -> Iterator[Table | Line]:
        """A table, or with details a paragraph for each operation."""
        if not self.is_detailed:
            yield Table(_COLUMNS, chain(map(_row, self.operations), map(_row_of_lists, self.lists)))
            return
        for name in self.lists:
            written, doc, example = LIST_FUNCTIONS[name]
            yield Cell(written, "bold cyan"), Cell(f"   {doc}", "cyan")
            yield (Cell(f"  {UNFOLDS}", "dim"),)
            yield Cell(f"  {'example':<20}", "dim"), Cell(example, "dim")
        for number, operation in enumerate(self.operations):
            if number:
                yield ()
            yield Cell(signature(operation), "bold cyan"), Cell(f"   {operation.doc}", "cyan")
            for heading, text in _details(operation):
                yield Cell(f"  {heading:<20}", "dim"), Cell(spaced(text), "dim")

    def document(self) -> list[dict[str, Any]]:
        """A list with an object for each operation."""
        return [*map(_document, self.operations), *map(_document_of_lists, self.lists)]


def _row(operation: Operation) -> Row:
    aliases = "".join(f", {alias}" for alias in operation.aliases)
    written = Cell(signature(operation)), Cell(aliases, "dim")
    return Row((written, derivative(operation), operation.doc))


def _document(operation: Operation) -> dict[str, Any]:
    return {
        "name": operation.name,
        "written": signature(operation),
        "aliases": list(operation.aliases),
        "parameters": list(operation.names),
        "variadic": operation.variadic,
        "partials": list(operation.partials),
        "textbook": list(operation.textbook_partials),
        "singular": operation.singular or None,
        "meaning": operation.meaning or None,
        "doc": operation.doc,
        "example": operation.example,
    }


def _document_of_lists(name: str) -> dict[str, Any]:
    """The object for a function of lists: it has the fields of an operation, but no derivative of its own."""
    written, doc, example = LIST_FUNCTIONS[name]
    operation = Operation(name, "*a", (), doc, example=example)
    return _document(operation) | {"written": written, "parameters": []}


def _row_of_lists(name: str) -> Row:
    written, doc, _ = LIST_FUNCTIONS[name]
    return Row((Cell(written.partition("), ")[0].removesuffix(")") + ")"), "", doc))


def _details(operation: Operation) -> list[tuple[str, str]]:
    lines = [("also written", ", ".join(operation.aliases))]
    names = ("a",) if operation.variadic else operation.names
    for name, partial, textbook in zip(names, operation.partials, operation.textbook_partials, strict=True):
        lines += [
            (f"derivative for {name}" if len(operation.names) > 1 else "derivative", textbook),
            ("computed as", partial if partial != textbook else ""),
        ]
    lines += [
        ("no derivative where", operation.singular),
        ("no second one where", operation.bent),
        ("value computed as", operation.value if operation.value != operation.meaning else ""),
        ("means", operation.meaning),
        ("example", operation.example),
    ]
    return [(heading, text) for heading, text in lines if text]


def derivative(operation: Operation) -> str:
    """The partial derivatives on one line; "…" for one that takes more than an expression."""
    return "; ".join("…" if ";" in partial else partial for partial in operation.textbook_partials)


def spaced(formula: str) -> str:
    """A formula of the table with a space after each statement."""
    return "; ".join(statement.strip() for statement in formula.split(";"))
