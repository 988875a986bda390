"""The table of operations, written for people and as JSON."""

import json
from collections.abc import Sequence
from typing import TextIO

from rich import box
from rich.table import Table
from rich.text import Text

from .. import terminal
from ..notation import elided, signature
from ..operations import Operation

_DERIVATIVE_WIDTH = 28  # columns


def write_table(rows: Sequence[Operation], out: TextIO) -> None:
    """One line for each operation: how it is written, the derivative (in short, where it is long), what it is."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for heading in ("written", "derivative", "what it is"):
        table.add_column(heading, no_wrap=heading != "what it is")
    for row in rows:
        written = Text(signature(row), style="cyan") + Text("".join(f", {alias}" for alias in row.aliases), style="dim")
        table.add_row(written, Text(elided(derivative(row), _DERIVATIVE_WIDTH)), Text(row.doc))
    terminal.console(out).print(table)


def write_details(rows: Sequence[Operation], out: TextIO) -> None:
    """All that there is to know about a few operations."""
    console = terminal.console(out)
    for number, row in enumerate(rows):
        if number:
            console.print()
        console.print(Text(f"{signature(row)}", style="bold cyan") + Text(f"   {row.doc}", style="not bold"))
        for heading, text in _details(row):
            console.print(Text(f"  {heading:<20}", style="dim") + Text(spaced(text)), soft_wrap=True)


def _details(row: Operation) -> list[tuple[str, str]]:
    lines = [("also written", ", ".join(row.aliases))]
    names = ("a",) if row.variadic else row.names
    for name, partial, textbook in zip(names, row.partials, row.derivatives, strict=True):
        lines += [
            (f"derivative for {name}" if len(row.names) > 1 else "derivative", textbook),
            ("computed as", partial if partial != textbook else ""),
        ]
    lines += [
        ("no derivative where", row.singular),
        ("value computed as", row.value if row.value != row.meaning else ""),
        ("means", row.meaning),
        ("example", row.example),
    ]
    return [(heading, text) for heading, text in lines if text]


def derivative(row: Operation) -> str:
    """The partial derivatives on one line; "…" for one that takes more than an expression."""
    return "; ".join("…" if ";" in partial else partial for partial in row.derivatives)


def spaced(formula: str) -> str:
    """A formula of the table with a space after each statement."""
    return "; ".join(statement.strip() for statement in formula.split(";"))


def write_json(rows: Sequence[Operation], out: TextIO) -> None:
    """A JSON list with an object for each operation."""
    entries = [
        {
            "name": row.name,
            "written": signature(row),
            "aliases": list(row.aliases),
            "parameters": list(row.names),
            "variadic": row.variadic,
            "partials": list(row.partials),
            "textbook": list(row.derivatives),
            "singular": row.singular or None,
            "meaning": row.meaning or None,
            "doc": row.doc,
            "example": row.example,
        }
        for row in rows
    ]
    out.write(json.dumps(entries, indent=2) + "\n")
