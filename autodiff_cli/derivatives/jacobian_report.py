"""The Jacobian: a row for each output, with its value and its partial derivatives."""

import csv
import json
from collections.abc import Iterator
from typing import TextIO

from .. import terminal
from ..errors import printable
from ..notation import decimal
from ..output import finite_or_text, matrices
from .jacobian import Jacobian

_DELIMITERS = {"csv": ",", "tsv": "\t"}


def write(jacobian: Jacobian, name: str, out: TextIO, precision: int) -> None:
    """Write the Jacobian in the format of that name."""
    if name == "json":
        out.write(_json(jacobian))
    elif name in _DELIMITERS:
        writer = csv.writer(out, delimiter=_DELIMITERS[name], lineterminator="\n")
        writer.writerow(("output", "value", "input", "partial"))
        for output, value, row in _rows(jacobian):
            cells = [(printable(name), repr(partial)) for name, partial in zip(jacobian.names, row, strict=True)]
            writer.writerows((printable(output), repr(value), *pair) for pair in cells or [("", "")])
    elif name == "plain":
        for output, value, row in _rows(jacobian):
            out.write(f"{output} {value!r}\n")
            partials = zip(jacobian.names, row, strict=True)
            out.writelines(f"{output} {name} {partial!r}\n" for name, partial in partials)
    else:
        numbers = [[decimal(number, precision) for number in (value, *row)] for _, value, row in _rows(jacobian)]
        matrices.show(terminal.console(out), "output", list(jacobian.outputs), ("value", *jacobian.names), numbers)


def _rows(jacobian: Jacobian) -> Iterator[tuple[str, float, list[float]]]:
    return ((output, value, row) for (output, value), row in zip(jacobian.outputs.items(), jacobian.rows, strict=True))


def _json(jacobian: Jacobian) -> str:
    fields = {
        "outputs": {output: finite_or_text(value) for output, value in jacobian.outputs.items()},
        "jacobian": {
            "outputs": list(jacobian.outputs),
            "inputs": list(jacobian.names),
            "matrix": [[finite_or_text(partial) for partial in row] for row in jacobian.rows],
        },
    }
    return json.dumps(fields) + "\n"
