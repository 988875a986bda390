"""Formulas of other notations as programs in the language: Python, C, Excel and LaTeX. What is read is never run."""

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from importlib import import_module

from ..errors import AutodiffError, Source
from ..language import parse
from ..program import Program
from ..work_budget import grant_text
from .expressions import Converted, NamedExpression, assembled

_PYTHON = ".python"
NOTATIONS = {"python": _PYTHON, "sympy": _PYTHON, "latex": ".latex", "excel": ".excel", "c": ".c"}
"""notation → the module that reads it, with `statements(source)`; that of Python takes the imports so far too"""


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
    return Converter(notation).convert(text, name, line)


class Converter:
    """Converts texts in a notation, one after the other: what is imported in one is known in those after it."""

    def __init__(self, notation: str) -> None:
        self._read: Callable[..., list[NamedExpression]] = import_module(NOTATIONS[notation], __name__).statements
        if NOTATIONS[notation] == _PYTHON:
            from .python_imports import Imports

            self._read = partial(self._read, imports=Imports(is_sympy=notation == "sympy"))

    def convert(self, text: str, name: str = "<formula>", line: int = 0) -> Converted:
        """A text as a program, as the function `convert` does it."""
        source = Source(text, name, line)
        grant_text(text)
        try:
            statements = self._read(source)
        except RecursionError:
            raise AutodiffError("the formula is nested too deep", span=(0, len(text)), source=source) from None
        if not statements:
            raise NoFormulaError("there is no formula", hint="write an expression, or assignments", source=source)
        return assembled(statements, source)
