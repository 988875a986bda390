"""Formulas as SQL functions in DuckDB."""

from collections.abc import Mapping
from typing import Any

from .errors import needing_arrays
from .program import Program, by_canonical_name


def register(connection: Any, name: str, program: Program | str, point: Mapping[str, Any] | None = None) -> list[str]:
    """Make a program an SQL function on a DuckDB connection; it returns a struct of the value and the gradient.

    Its parameters, which are returned, are the inputs that have neither a number in `point` nor a default, in the order
    of the program. Raises AutodiffError where there are none.
    """
    with needing_arrays("functions of SQL"):
        from .data.frames import ColumnFunction, register
    return register(connection, name, ColumnFunction(program, by_canonical_name(point)))
