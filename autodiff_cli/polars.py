"""Formulas as polars expressions, which lazy frames can also compute."""

from collections.abc import Mapping
from typing import Any

import polars

from .errors import AutodiffError, needing_arrays
from .program import Program, by_canonical_name


class ExpressionError(AutodiffError):
    """An error of an expression: polars keeps only its text, to which it adds where it occurred."""

    def __str__(self) -> str:
        return self.message


def expression(program: Program | str, point: Mapping[str, Any] | None = None) -> polars.Expr:
    """A program as an expression: a struct of the value and the gradient.

    The columns that it takes are the inputs that have neither a number in `point` nor a default, by their names, such
    as `x1` or `x[1]`; missing numbers become nan. Raises AutodiffError for a program without such inputs.
    """
    with needing_arrays("expressions of polars"):
        from .data.frames import ColumnFunction, column_doubles
    function = ColumnFunction(program, by_canonical_name(point))

    def results(columns: polars.Series) -> polars.Series:
        arrays = (column_doubles(name, columns.struct.field(name)) for name in function.names)
        try:
            return polars.DataFrame(function(arrays)).to_struct()
        except AutodiffError as error:
            raise ExpressionError(str(error)) from None

    inputs = polars.struct(function.names)
    struct = polars.Struct(dict.fromkeys(function.fields, polars.Float64))
    return inputs.map_batches(results, return_dtype=struct, is_elementwise=True)
