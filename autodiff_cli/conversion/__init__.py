"""Formulas of other notations as programs in the language: Python, C, Excel and LaTeX. What is read is never run."""

from collections.abc import Callable, Collection
from dataclasses import replace
from importlib import import_module

from ..errors import AutodiffError, Source
from ..language import parse
from ..program import Program
from ..work_budget import grant_text
from .expressions import Converted, NamedExpression, written

NOTATIONS = {"python": ".python", "sympy": ".sympy", "latex": ".latex", "excel": ".excel", "c": ".c"}
"""notation → the module that reads it, with `statements(source)`"""


class NoFormulaError(AutodiffError):
    """A text has no statements, perhaps only comments."""


def parsed(
    text: str,
    name: str = "<formula>",
    line: int = 0,
    *,
    notation: str | None = None,
    entries: Collection[str] = (),
    allows_list: bool = False,
) -> Program:
    """The program of a text in the language, or in another notation; messages point into the text.

    The other parameters are those of `parse`.
    """
    if notation is None:
        return parse(text, name, line, entries=entries, allows_list=allows_list)
    converted = convert(text, notation, name, line)
    with converted.errors_in_origin():
        program = parse(converted.text, name, line, entries=entries, allows_list=allows_list, allows_work=False)
    return replace(program, source=program.source._replace(origin=converted.origin))


def convert(text: str, notation: str, name: str = "<formula>", line: int = 0) -> Converted:
    """A text in another notation as a program. Raises AutodiffError, which points into the text, if it is not one."""
    source = Source(text, name, line)
    grant_text(text)
    read: Callable[[Source], list[NamedExpression]] = import_module(NOTATIONS[notation], __name__).statements
    try:
        statements = read(source)
    except RecursionError:
        raise AutodiffError("the formula is nested too deep", span=(0, len(text)), source=source) from None
    if not statements:
        raise NoFormulaError("there is no formula", hint="write an expression, or assignments", source=source)
    return written(statements, source)
