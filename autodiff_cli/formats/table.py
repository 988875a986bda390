"""The table for people: a row for each node in topological order, inputs, intermediates and the output told apart."""

from math import isfinite
from typing import TextIO

from rich import box
from rich.table import Table
from rich.text import Text

from ..errors import columns, printable
from ..operations import CONSTANT
from . import Nodes, Report, terminal

MOST_ROWS = 1000
"""a larger program shows its inputs and named values only, unless it is told otherwise"""

_TEXT_WIDTH = 60  # columns


def write(report: Report, out: TextIO) -> None:
    """Write the report as a table; it has colours on a terminal only."""
    console = terminal.console(out)
    nodes = report.nodes or _fitting(report)
    rows = report.rows(nodes)
    cells = [_cells(report, node) for node in rows]
    others = sum(max(columns(row[column]) for row in cells) + 2 for column in (1, 2, 3))
    width = min(_TEXT_WIDTH, max(12, console.width - others - 4))
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("node", no_wrap=True)
    table.add_column("operation", no_wrap=True)
    table.add_column("data", justify="right", no_wrap=True)
    table.add_column("grad", justify="right", no_wrap=True)
    for node, (name, operation, data, grad) in zip(rows, cells, strict=True):
        style = _style(report, node)
        last = node == rows[-1]
        table.add_row(
            Text(elided(name, width), style=style),
            Text(operation, style=style),
            data,
            grad,
            style="bold" if last else "",
            end_section=node == rows[-2:][0] and not last,
        )
    console.print(table)
    if len(rows) < len(report.evaluation.order):
        console.print(_caption(report, nodes, len(rows)), style="dim")


def _fitting(report: Report) -> Nodes:
    """The most that fits: all nodes, the named ones, or the inputs."""
    choices: tuple[Nodes, ...] = ("all", "named")
    return next((choice for choice in choices if len(report.rows(choice)) <= MOST_ROWS), "inputs")


def _caption(report: Report, nodes: Nodes, shown: int) -> str:
    kinds = "inputs and named values" if nodes == "named" else "inputs"
    return (
        f"{shown:,} of {len(report.evaluation.order):,} nodes: the {kinds} and the output; --nodes all shows every one"
    )


def _cells(report: Report, node: int) -> tuple[str, str, str, str]:
    evaluation = report.evaluation
    operation = evaluation.program.graph.operations[node]
    shown = "input" if report.is_input(node) else operation.symbol or operation.name
    adjoint = evaluation.adjoints[node]
    data, grad = (decimal(number, report.precision) for number in (evaluation.values[node], adjoint))
    return printable(report.name(node)), shown, data, grad


def _style(report: Report, node: int) -> str:
    graph = report.evaluation.program.graph
    if report.is_input(node):
        return "cyan"
    if graph.operations[node] is CONSTANT:
        return "dim"
    return "" if node != report.evaluation.program.output else "green"


def decimal(number: float | None, precision: int) -> str:
    """So many digits after the point; scientific where fixed digits would show too few or too many. None is blank."""
    if number is None:
        return ""
    if isfinite(number) and number != 0 and not 10.0 ** -min(2, precision) <= abs(number) < 1e6:
        return f"{number:.{precision}e}"
    return f"{number:.{precision}f}"


def elided(text: str, width: int) -> str:
    """The text with its middle left out where it is longer than the width, in columns."""
    if columns(text) <= width:
        return text
    tail = (width - 1) // 2
    return f"{_cut(text, width - 1 - tail)}…{_cut(text[::-1], tail)[::-1]}"


def _cut(text: str, width: int) -> str:
    taken = text[:width]
    while columns(taken) > width:
        taken = taken[:-1]
    return taken
