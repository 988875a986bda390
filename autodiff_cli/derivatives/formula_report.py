"""Derivatives as formulas: as text in the language, as LaTeX, as JSON, and drawn in two dimensions for people."""

import re
from collections.abc import Callable, Iterator
from typing import Any, TextIO

from .. import output
from ..latex.notation import DistinctNames, LatexText
from ..latex.printer import formula
from ..output.report import Report
from ..terminal import size
from ..terminal.color import is_colored
from ..terminal.encoding import for_programs
from ..terminal.printable_text import printable
from ..terminal.screen import Screen, Segment
from .differentiate import Derivatives
from .pretty import drawing

_WORDS = re.compile(r"(?P<name>^\w+(?= = ))|(?P<function>[^\W\d]\w*(?=\())|(?P<number>(?<!\w)\d[\d.]*(?:e[+-]?\d+)?)")
_MOST_COLOURED = 1000  # statements
_STYLES = {"name": "bold", "function": "cyan", "number": "green"}


class FormulaReport(Report):
    """Derivatives as formulas: for people their program, for programs also the name of each derivative."""

    def __init__(self, derivatives: Derivatives) -> None:
        self.derivatives = derivatives

    def lines(self) -> Iterator[tuple[str]]:
        """The statements of the program."""
        return ((str(statement),) for statement in self.derivatives.statements)

    def document(self) -> dict[str, Any]:
        """The derivatives and their names, the steps before them, and the whole program."""
        derivatives = self.derivatives
        return {
            "output": derivatives.program.output_name,
            "order": derivatives.order,
            "wrt": {name: statement.text for name, statement in derivatives.results.items()},
            "names": {name: statement.name or None for name, statement in derivatives.results.items()},
            "steps": {statement.name: statement.text for statement in derivatives.steps},
            "inputs": {
                name: derivatives.graph.numbers.get(node)
                for name, node in derivatives.program.inputs.items()
                if node in derivatives.used
            },
            "program": derivatives.text,
        }


def write(derivatives: Derivatives, format_name: str, out: TextIO) -> None:
    """Write derivatives in one of the `FORMATS`."""
    FORMATS[format_name](derivatives, out)


def _write_text(derivatives: Derivatives, out: TextIO) -> None:
    if not is_colored(out, is_program=True) or len(derivatives.statements) >= _MOST_COLOURED:
        output.write(FormulaReport(derivatives), "plain", out)
        return
    screen = Screen(out)
    for statement in derivatives.statements:
        screen.line(*_colored(printable(str(statement))))


def _colored(text: str) -> Iterator[Segment]:
    """The text in pieces, in which names, functions and numbers have a colour."""
    end = 0
    for match in _WORDS.finditer(text):
        yield text[end : match.start()], ""
        yield match[0], _STYLES[match.lastgroup or ""]
        end = match.end()
    yield text[end:], ""


def _latex(derivatives: Derivatives) -> str:
    names = DistinctNames()
    inputs = {node: LatexText(names.name(name)) for name, node in derivatives.program.inputs.items()}
    steps = {statement.node: LatexText(names.name(statement.name)) for statement in derivatives.steps}
    texts = inputs | steps
    lines = [f"{called.text} &= {formula(derivatives.graph, node, texts)}" for node, called in steps.items()]
    output = names.name(derivatives.program.output_name) if derivatives.program.output_name else names.new("f")
    for variable, statement in derivatives.results.items():
        step = steps.get(statement.node)
        right = step.text if step else formula(derivatives.graph, statement.node, texts)
        if len(derivatives.results) == 1 and not steps:
            return f"{right}\n"
        lines.append(f"{_partial(derivatives, output, names.name(variable))} &= {right}")
    body = " \\\\\n".join(lines)
    return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}\n"


def _partial(derivatives: Derivatives, output: str, variable: str) -> str:
    """The derivative of the output with respect to a variable in Leibniz's notation."""
    d = r"\partial " if len(derivatives.program.inputs) > 1 else r"\mathrm{d}"
    power = f"^{{{derivatives.order}}}" if derivatives.order > 1 else ""
    return rf"\frac{{{d.strip()}{power} {output}}}{{{d}{variable}{power}}}"


def _write_latex(derivatives: Derivatives, out: TextIO) -> None:
    for_programs(out)
    out.write(_latex(derivatives))


FORMATS: dict[str, Callable[[Derivatives, TextIO], None]] = {
    "text": _write_text,
    "pretty": lambda derivatives, out: print(drawing(derivatives, size.width(out)), end="", file=out),
    "latex": _write_latex,
    "json": lambda derivatives, out: output.write(FormulaReport(derivatives), "json", out),
}
"""name → the function that writes it; the first is for a terminal"""
