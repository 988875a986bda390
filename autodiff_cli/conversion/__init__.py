"""Formulas of other notations as programs in the language: Python, C, Excel and LaTeX. What is read is never run."""

from collections.abc import Callable
from importlib import import_module

from ..errors import AutodiffError, Source
from .expressions import Converted, NamedExpression, written

NOTATIONS = {"python": ".python", "sympy": ".sympy", "latex": ".latex", "excel": ".excel", "c": ".c"}
"""notation → the module that reads it, with `statements(source)`"""


def convert(text: str, notation: str, name: str = "<formula>", line: int = 0) -> Converted:
    """A text in another notation as a program. Raises AutodiffError, which points into the text, if it is not one."""
    source = Source(text, name, line)
    read: Callable[[Source], list[NamedExpression]] = import_module(NOTATIONS[notation], __name__).statements
    try:
        statements = read(source)
    except RecursionError:
        raise AutodiffError("the formula is nested too deep", span=(0, len(text)), source=source) from None
    if not statements:
        raise AutodiffError("there is no formula", hint="write an expression, or assignments", source=source)
    return written(statements, source)
