"""SymPy: Python in which `E`, `oo` and `pi` are numbers, and `sinc` and `Heaviside` are those of SymPy."""

from ..errors import Source
from .expressions import NamedExpression
from .python import PythonReader


def statements(source: Source) -> list[NamedExpression]:
    """The statements of a program that SymPy's source, or what it prints, holds."""
    return PythonReader(source, is_sympy=True).program()
