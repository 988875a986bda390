"""What `autodiff check` prints: verdicts, and the textbook's table of difference quotients."""

import csv
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TextIO

from rich import box
from rich.table import Table
from rich.text import Text

from .. import terminal
from ..errors import printable
from ..notation import decimal
from ..output import finite_or_text
from ..output.verdicts import FIELDS, cells, error, explanation, fields, style
from .checker import Verdict
from .verify import DifferenceStep, best

_DELIMITERS = {"csv": ",", "tsv": "\t"}


def write(verdicts: Sequence[Verdict], name: str, out: TextIO, precision: int, *, nodes: bool) -> None:
    """Write the verdicts in the format of that name; with `nodes` they are about all nodes, which may share a name."""
    if name == "json":
        every = {"nodes": [{"name": verdict.name, **fields(verdict)} for verdict in verdicts]}
        inputs = {"check": {verdict.name: fields(verdict) for verdict in verdicts}}
        out.write(json.dumps(every if nodes else inputs) + "\n")
    elif name in _DELIMITERS:
        writer = csv.writer(out, delimiter=_DELIMITERS[name], lineterminator="\n")
        writer.writerow(("name", "grad", *FIELDS))
        writer.writerows([printable(one.name), repr(one.gradient), *cells(one)] for one in verdicts)
    elif name == "plain":
        out.writelines(f"{printable(verdict.name)} {verdict.verdict}\n" for verdict in verdicts)
    else:
        _table(verdicts, out, precision)
        explain(verdicts, out)


def _table(verdicts: Sequence[Verdict], out: TextIO, precision: int) -> None:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for heading in ("name", "gradient", "difference", "error", "verdict"):
        table.add_column(heading, no_wrap=True, justify="left" if heading in ("name", "verdict") else "right")
    for verdict in verdicts:
        numbers = (decimal(number, precision) for number in (verdict.gradient, verdict.difference))
        name, word = Text(printable(verdict.name), style="cyan"), Text(verdict.verdict, style=style(verdict))
        table.add_row(name, *numbers, error(verdict), word)
    terminal.console(out).print(table)


def explain(verdicts: Sequence[Verdict], out: TextIO) -> None:
    """A line for each verdict that has a reason."""
    console = terminal.console(out)
    explained = [verdict for verdict in verdicts if verdict.reason]
    if explained:
        console.print()
    for verdict in explained:
        name = Text(f"{printable(verdict.name)}: ", style="bold")
        console.print(name + Text(explanation(verdict), style="not bold"), soft_wrap=True)


@dataclass(frozen=True)
class Swept:
    """The difference quotients of one input for smaller and smaller steps."""

    name: str
    gradient: float
    steps: list[DifferenceStep]


def write_sweep(swept: Sequence[Swept], name: str, out: TextIO) -> None:
    """Write the quotients of every input in the format of that name."""
    columns = ("step", "forward", "forward_error", "central", "central_error")
    rows = [(one.name, [getattr(step, column) for column in columns]) for one in swept for step in one.steps]
    if name == "json":
        entries = [
            {"name": label, **{column: finite_or_text(number) for column, number in zip(columns, row, strict=True)}}
            for label, row in rows
        ]
        out.write(json.dumps({"sweep": entries}) + "\n")
    elif name in _DELIMITERS:
        writer = csv.writer(out, delimiter=_DELIMITERS[name], lineterminator="\n")
        writer.writerow(("name", *columns))
        writer.writerows([printable(label), *map(repr, row)] for label, row in rows)
    elif name == "plain":
        out.writelines(" ".join([printable(label), *map(repr, row)]) + "\n" for label, row in rows)
    else:
        for number, one in enumerate(swept):
            out.write("\n" * bool(number))
            _sweep_table(one, out)


def _sweep_table(swept: Swept, out: TextIO) -> None:
    console = terminal.console(out)
    name = Text(printable(swept.name), style="bold cyan")
    console.print(name + Text(f"   gradient {swept.gradient!r}", style="not bold"))
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for heading in ("h", "forward", "error", "", "central", "error", ""):
        table.add_column(heading, no_wrap=True, justify="right" if heading else "left")
    bests = [best(swept.steps, kind) for kind in ("forward_error", "central_error")]
    for step in swept.steps:
        forward, central = (Text("← best" if step.step == mark else "", style="green") for mark in bests)
        table.add_row(
            *(f"{step.step:.0e}", f"{step.forward:.10g}", f"{step.forward_error:.1e}", forward),
            *(f"{step.central:.10g}", f"{step.central_error:.1e}", central),
        )
    console.print(table)
