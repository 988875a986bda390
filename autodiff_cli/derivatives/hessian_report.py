"""The Hessian: a matrix for people, long form for spreadsheets and scripts, a field of the JSON object."""

import csv
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from .. import terminal
from ..errors import printable
from ..notation import decimal, elided
from ..output import Report, finite_or_text, json, matrices, plain, table
from .hessian import Hessian

MOST_COLUMNS = 20
"""a table of more inputs lists the entries that are not zero"""
MOST_DENSE = 100
"""for programs, a Hessian of more inputs has only the entries that may differ from zero"""

_DELIMITERS = {"csv": ",", "tsv": "\t"}
_NAME_WIDTH = 30  # columns


def write(report: Report, hessian: Hessian, name: str, out: TextIO) -> None:
    """Write the report with the Hessian, in the format of that name; CSV and TSV have the Hessian alone."""
    if name == "json":
        json.write(replace(report, fields={"hessian": _fields(hessian)}), out)
    elif name in _DELIMITERS:
        writer = csv.writer(out, delimiter=_DELIMITERS[name], lineterminator="\n")
        writer.writerow(("row", "column", "value"))
        writer.writerows(_lines(hessian))
    elif name == "plain":
        plain.write(report, out)
        out.writelines(" ".join(line) + "\n" for line in _lines(hessian))
    else:
        table.write(replace(report, nodes=report.nodes or "inputs"), out)
        if hessian.names:
            console = terminal.console(out)
            console.print()
            (_matrix if len(hessian.names) <= MOST_COLUMNS else _list)(hessian, console, report.precision)


def _lines(hessian: Hessian) -> Iterator[tuple[str, str, str]]:
    """Row, column and number of every entry."""
    names = [printable(name) for name in hessian.names]
    places = range(len(names))
    entries = hessian.entries
    wanted = ((i, j) for i in places for j in places) if len(names) <= MOST_DENSE else entries
    return ((names[i], names[j], repr(entries.get((i, j), 0.0))) for i, j in wanted)


def _fields(hessian: Hessian) -> dict[str, Any]:
    fields: dict[str, Any] = {"inputs": list(hessian.names)}
    if len(hessian.names) <= MOST_DENSE:
        fields["matrix"] = [[finite_or_text(number) for number in row] for row in hessian.matrix]
    else:
        fields["entries"] = [[i, j, finite_or_text(number)] for (i, j), number in hessian.entries.items()]
    return fields | {"directions": hessian.directions}


def _matrix(hessian: Hessian, console: Console, precision: int) -> None:
    names = hessian.names
    places = range(len(names))
    numbers = {place: decimal(number, precision) for place, number in hessian.entries.items()}
    cells = [[numbers.get((i, j), matrices.ZERO) for j in places] for i in places]
    matrices.show(console, "hessian", names, names, cells)


def _list(hessian: Hessian, console: Console, precision: int) -> None:
    """The entries on and above the diagonal that are not zero."""
    entries = [(i, j, number) for (i, j), number in hessian.entries.items() if i <= j and number != 0]
    listed = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for heading in ("row", "column", "hessian"):
        listed.add_column(heading, no_wrap=True, justify="right" if heading == "hessian" else "left")
    for i, j, number in entries[: table.MOST_ROWS]:
        names = (Text(elided(printable(hessian.names[place]), _NAME_WIDTH), style="cyan") for place in (i, j))
        listed.add_row(*names, decimal(number, precision))
    console.print(listed)
    console.print(_caption(hessian, len(entries)), style="dim")


def _caption(hessian: Hessian, found: int) -> str:
    shown = f"the first {table.MOST_ROWS:,} of " if found > table.MOST_ROWS else ""
    ways = f"{hessian.directions:,} direction{'s' * (hessian.directions != 1)}"
    return f"{shown}{found:,} entries that are not 0, each pair once; {len(hessian.names):,} inputs, {ways}"
