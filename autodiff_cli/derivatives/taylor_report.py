"""Derivatives order by order, and a Taylor series with its polynomial."""

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TextIO

from rich import box
from rich.table import Table
from rich.text import Text

from .. import terminal
from ..errors import printable
from ..notation import decimal, elided, shortest
from ..output import Report, finite_or_text
from ..output.json import write as write_json
from .taylor import Taylor

_DELIMITERS = {"csv": ",", "tsv": "\t"}
_NAME_WIDTH = 24  # columns


@dataclass(frozen=True)
class Expansion:
    """A Taylor series with the names around it."""

    output: str | None
    name: str
    at: float
    taylor: Taylor

    @property
    def polynomial(self) -> str:
        """The series up to its order as a formula in the language: `1 + x - 0.5*x^2`."""
        sign = "-" if self.at > 0 else "+"
        base = self.name if self.at == 0 else f"({self.name} {sign} {shortest(abs(self.at))})"
        text = ""
        for power, coefficient in enumerate(self.taylor.coefficients):
            if coefficient != 0:
                term = _term(abs(coefficient), base, power)
                text += f" {'-' if coefficient < 0 else '+'} {term}" if text else "-" * (coefficient < 0) + term
        return text or "0"


def _term(size: float, base: str, power: int) -> str:
    factor = base if power == 1 else f"{base}^{power}"
    if power == 0:
        return shortest(size)
    return factor if size == 1 else f"{shortest(size)}*{factor}"


def write(expansion: Expansion, name: str, out: TextIO, precision: int) -> None:
    """Write a Taylor series in the format of that name; plain is the polynomial alone."""
    taylor = expansion.taylor
    columns = {"coefficient": taylor.coefficients, "derivative": taylor.derivatives}
    if name == "json":
        out.write(_json(expansion))
    elif name == "plain":
        out.write(expansion.polynomial + "\n")
    elif name in _DELIMITERS:
        _lines(columns, out, _DELIMITERS[name])
    else:
        _table(columns, out, precision)
        console = terminal.console(out)
        console.print()
        console.print(Text(printable(expansion.polynomial)), soft_wrap=True)


def write_derivatives(report: Report, derivatives: Sequence[float], name: str, out: TextIO) -> None:
    """Write the derivatives of orders 0, 1, … with respect to the one name of the gradient, in the format of that name.

    JSON is the whole report.
    """
    (variable,) = report.evaluation.wrt
    if name == "json":
        field = {"wrt": variable, "values": list(map(finite_or_text, derivatives))}
        write_json(replace(report, fields={"derivatives": field}), out)
    elif name == "plain":
        out.writelines(f"{order} {number!r}\n" for order, number in enumerate(derivatives))
    elif name in _DELIMITERS:
        _lines({"derivative": derivatives}, out, _DELIMITERS[name])
    else:
        heading = f"derivative by {elided(printable(variable), _NAME_WIDTH)}"
        _table({heading: derivatives}, out, report.precision)


def _lines(columns: Mapping[str, Sequence[float]], out: TextIO, delimiter: str) -> None:
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(("order", *columns))
    writer.writerows((order, *map(repr, row)) for order, row in enumerate(zip(*columns.values(), strict=True)))


def _table(columns: Mapping[str, Sequence[float]], out: TextIO, precision: int) -> None:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for heading in ("order", *columns):
        table.add_column(Text(heading), no_wrap=True, justify="right")
    for order, row in enumerate(zip(*columns.values(), strict=True)):
        table.add_row(str(order), *(decimal(number, precision) for number in row))
    terminal.console(out).print(table)


def _json(expansion: Expansion) -> str:
    fields = {
        "output": expansion.output,
        "wrt": expansion.name,
        "at": finite_or_text(expansion.at),
        "coefficients": list(map(finite_or_text, expansion.taylor.coefficients)),
        "derivatives": list(map(finite_or_text, expansion.taylor.derivatives)),
        "polynomial": expansion.polynomial,
    }
    return json.dumps(fields) + "\n"
