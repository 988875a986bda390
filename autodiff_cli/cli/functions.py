"""`autodiff functions`: the table of operations."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import click

from ..errors import AutodiffError
from ..notation import signature
from ..operations import ALIASES, FUNCTIONS, INFIX, LIST_FUNCTIONS, OPERATIONS, PREFIX, Operation
from ..output import write
from ..output.json import write_document
from ..output.report import Cell, Column, Line, Report, Row, Table
from ..parser.diagnostics.synonyms import similar_function
from . import options
from .completion import completers
from .output import output_file

_FORMATS = ("table", "json")
_UNFOLDS = "replaced by operations on numbers when the formula is read"
_COLUMNS = (Column("written", "cyan", wraps=True), Column("derivative", wraps=True), Column("what it is", wraps=True))

_HELP = """List the operations and functions of the language with their derivatives, or describe one in full.

\b
  autodiff functions
  autodiff functions tanh
  autodiff functions "^"
  autodiff functions --format json | jq -r '.[].name'

In the derivatives a, b, c are the arguments and y is the result."""


@click.command(help=_HELP)
@click.argument("name", required=False, shell_complete=completers.functions)
@options.format_option(_FORMATS)
@options.out_option
def command(name: str | None, format_: str | None, out: str | None) -> None:
    """Write the table of operations, or those of one name in detail."""
    with output_file.redirected(out):
        lists = [word for word in LIST_FUNCTIONS if name is None or word == ALIASES.get(name, name)]
        operations = list(OPERATIONS.values()) if name is None else [] if lists else _named(name)
        report = Catalogue(operations, is_detailed=name is not None, lists=lists)
        chosen = output_file.format_of(format_, out, (*_FORMATS, "jsonl"))
        if chosen == "jsonl":
            for operation in report.document():
                write_document(operation, sys.stdout)
        else:
            write(report, chosen, sys.stdout)


def _named(name: str) -> list[Operation]:
    word = {"**": "^", **ALIASES}.get(name, name)
    symbols = [table[word] for table in (INFIX, PREFIX) if word in table]
    operations = symbols or FUNCTIONS.get(word) or ([OPERATIONS[word]] if word in OPERATIONS else [])
    operations = operations or [
        listed for listed in OPERATIONS.values() if "".join(signature(listed).split()) == "".join(name.split())
    ]
    if not operations:
        hint = similar_function(name.partition("(")[0]) or "`autodiff functions` lists them all"
        raise AutodiffError(f"there is no function `{name}`", hint=hint)
    return operations


# ---- The report -----------------------------------------------------------------------------------------------------


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
            yield (Cell(f"  {_UNFOLDS}", "dim"),)
            yield Cell(f"  {'example':<20}", "dim"), Cell(example, "dim")
        for number, operation in enumerate(self.operations):
            if number:
                yield ()
            yield Cell(signature(operation), "bold cyan"), Cell(f"   {operation.doc}", "cyan")
            for heading, text in _details(operation):
                yield Cell(f"  {heading:<20}", "dim"), Cell(_spaced(text), "dim")

    def document(self) -> list[dict[str, Any]]:
        """A list with an object for each operation."""
        return [*map(_document, self.operations), *map(_document_of_lists, self.lists)]


def _row(operation: Operation) -> Row:
    aliases = "".join(f", {alias}" for alias in operation.aliases)
    written = Cell(signature(operation)), Cell(aliases, "dim")
    return Row((written, _derivatives(operation), operation.doc))


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


def _derivatives(operation: Operation) -> str:
    """The partial derivatives on one line; "…" for one that takes more than an expression."""
    return "; ".join("…" if ";" in partial else partial for partial in operation.textbook_partials)


def _spaced(formula: str) -> str:
    """A formula of the table with a space after each statement."""
    return "; ".join(statement.strip() for statement in formula.split(";"))
