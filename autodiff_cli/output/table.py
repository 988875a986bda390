"""The table for people: a row for each node in topological order, inputs, intermediates and the output told apart."""

from typing import TextIO

from rich import box
from rich.table import Table
from rich.text import Text

from .. import terminal
from ..errors import columns, printable
from ..notation import decimal, elided
from ..operations import CONSTANT
from . import Nodes, Report, verdicts

MOST_ROWS = 1000
"""a larger program shows its inputs and named values only, unless it is told otherwise"""

_HEADINGS = ("node", "operation", "data")
_CHECK_HEADINGS = ("difference", "error", "verdict")
_VERDICT = 4  # its place behind the name and the operation
_NUMBERS = ("data", "grad", "slope", "difference", "error")
_TEXT_WIDTH = 60  # columns
_GAP = 3  # columns between two cells


def write(report: Report, out: TextIO) -> None:
    """Write the report as a table; it has colours on a terminal only."""
    console = terminal.console(out)
    nodes = report.nodes or _fitting(report)
    rows = report.rows(nodes)
    headings = (*_HEADINGS, report.derivative, *(_CHECK_HEADINGS if report.verdicts is not None else ()))
    cells = [_cells(report, node) for node in rows]
    rest = sum(_GAP + max(columns(row[place]) for row in [headings, *cells]) for place in range(1, len(headings)))
    width = min(_TEXT_WIDTH, max(12, console.width - rest))
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for heading in headings:
        table.add_column(heading, no_wrap=True, justify="right" if heading in _NUMBERS else "left")
    for name in report.without_node():
        table.add_row(Text(elided(printable(name), width)), "unused", "", decimal(0.0, report.precision), style="dim")
    for node, (name, operation, *others) in zip(rows, cells, strict=True):
        style, verdict = _style(report, node), report.verdict(node)
        word = verdicts.style(verdict) if verdict else ""
        table.add_row(
            Text(elided(name, width), style=style),
            Text(operation, style=style),
            *(Text(other, style=word if place == _VERDICT else "") for place, other in enumerate(others)),
            style="bold" if node == rows[-1] else "",
            end_section=node == rows[-2:][0] and node != rows[-1],
        )
    console.print(table)
    if report.nodes is None and len(rows) < len(report.evaluation.order):
        console.print(_caption(report, nodes, len(rows)), style="dim")
    if report.verdicts:
        from ..gradient_check.report import explain

        explain(report.verdicts, out)


def _fitting(report: Report) -> Nodes:
    """The most that fits: all nodes, the named ones, or the inputs."""
    choices: tuple[Nodes, ...] = ("all", "named")
    return next((choice for choice in choices if len(report.rows(choice)) <= MOST_ROWS), "inputs")


def _caption(report: Report, nodes: Nodes, shown: int) -> str:
    kinds = "inputs, the named values" if nodes == "named" else "inputs"
    return (
        f"{shown:,} of {len(report.evaluation.order):,} nodes: the {kinds} and the output; --nodes all shows every one"
    )


def _cells(report: Report, node: int) -> tuple[str, ...]:
    evaluation = report.evaluation
    operation = evaluation.program.graph.operations[node]
    shown = "input" if report.is_input(node) else operation.symbol or operation.name
    adjoint = evaluation.adjoints[node]
    data, grad = (decimal(number, report.precision) for number in (evaluation.values[node], adjoint))
    basic = (printable(report.name(node)), shown, data, grad)
    if report.verdicts is None:
        return basic
    verdict = report.verdict(node)
    if verdict is None:
        return (*basic, "", "", "")
    return (*basic, decimal(verdict.difference, report.precision), verdicts.error(verdict), verdict.verdict)


def _style(report: Report, node: int) -> str:
    graph = report.evaluation.program.graph
    if report.is_input(node):
        return "cyan"
    if graph.operations[node] is CONSTANT:
        return "dim"
    return "" if node != report.evaluation.program.output else "green"
