"""Derivatives as formulas: as text in the language, as LaTeX, as JSON, and drawn in two dimensions for people."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from ..errors import printable

if TYPE_CHECKING:
    from ..printer import Statement
    from .differentiate import Derivatives

FORMATS = ("text", "pretty", "latex", "json")

_WORDS = re.compile(r"(?P<name>^\w+(?= = ))|(?P<function>[^\W\d]\w*(?=\())|(?P<number>(?<!\w)\d[\d.]*(?:e[+-]?\d+)?)")
_MOST_COLOURED = 1000  # statements
_STYLES = {"name": "bold", "function": "cyan", "number": "green"}


def write(found: Derivatives, name: str, out: TextIO) -> None:
    """Write derivatives in the format of that name."""
    if name == "json":
        out.write(json.dumps(_fields(found)) + "\n")
    elif name == "latex":
        out.write(_latex(found))
    elif name == "pretty":
        from .pretty import drawing

        out.write(drawing(found))
    elif out.isatty() and len(found.statements) < _MOST_COLOURED:
        _print(found.statements, out)
    else:
        out.writelines(f"{statement}\n" for statement in found.statements)


def _print(statements: Sequence[Statement], out: TextIO) -> None:
    """The text in colours, for a terminal."""
    from rich.text import Text

    from ..terminal import console

    screen = console(out)
    for statement in statements:
        text = Text(printable(str(statement)))
        for match in _WORDS.finditer(text.plain):
            text.stylize(_STYLES[match.lastgroup or ""], *match.span())
        screen.print(text, soft_wrap=True)


def _fields(found: Derivatives) -> dict[str, object]:
    return {
        "output": found.program.output_name,
        "order": found.order,
        "wrt": {name: statement.text for name, statement in found.results.items()},
        "names": {name: statement.name or None for name, statement in found.results.items()},
        "steps": {statement.name: statement.text for statement in found.steps},
        "inputs": {
            name: found.graph.numbers.get(node) for name, node in found.program.inputs.items() if node in found.used
        },
        "program": found.text,
    }


def _latex(found: Derivatives) -> str:
    from ..latex.notation import name
    from ..latex.printer import formula

    steps = {statement.node: name(statement.name) for statement in found.steps}
    lines = [f"{called} &= {formula(found.graph, node, steps)}" for node, called in steps.items()]
    for variable, statement in found.results.items():
        right = steps.get(statement.node) or formula(found.graph, statement.node, steps)
        if len(found.results) == 1 and not steps:
            return f"{right}\n"
        lines.append(f"{_slope(found, variable)} &= {right}")
    body = " \\\\\n".join(lines)
    return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}\n"


def _slope(found: Derivatives, variable: str) -> str:
    from ..latex.notation import name

    d = r"\partial " if len(found.program.inputs) > 1 else r"\mathrm{d}"
    power = f"^{{{found.order}}}" if found.order > 1 else ""
    output = name(found.program.output_name or "f")
    return rf"\frac{{{d.strip()}{power} {output}}}{{{d}{name(variable)}{power}}}"
