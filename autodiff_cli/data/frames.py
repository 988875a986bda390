"""Formulas in the tables of other programs: data frames of pandas and polars, and functions of SQL in DuckDB.

None of these packages is imported before it is used: what is given to the functions knows its own.
"""

from collections.abc import Iterable, Mapping
from inspect import Parameter, Signature
from typing import Any, TypeVar

import numpy
import pyarrow

from ..arithmetic.arrays import Doubles
from ..errors import AutodiffError
from ..evaluation import used
from ..language.given_lists import parse_with_lists, placed
from ..many_points.array_conversion import convertible, doubles
from ..many_points.python_arrays import ArrayFunction, at_points
from ..notation import counted, entry_names, flattened
from ..program import Program, label_text
from .columns import advise_entries, input_columns, list_entries, named_entries, result_names

Frame = TypeVar("Frame")


def with_results(frame: Frame, program: Program | str, point: Mapping[str, Any], prefix: str) -> Frame:
    """The frame with the value and the gradient of a program as further columns, as `autodiff eval --data` has them."""
    if not isinstance(prefix, str):
        raise AutodiffError(f"`prefix` is {prefix!r}", hint="it is a text")
    table: Any = frame
    if not (hasattr(table, "to_dict") and hasattr(table, "columns")):
        message = f"a data frame is needed, not `{type(frame).__name__}`"
        raise AutodiffError(message, hint="give one of pandas or polars; call `collect()` on a lazy one first")
    labels = list(table.columns)
    texts = list(map(label_text, labels))
    # pandas has labels of any kind: none of these is an input, so each has a text in their place
    named = table if texts == labels else table.set_axis(texts, axis="columns")
    present = list(named.columns)
    try:
        program = parse_with_lists(program, point, list_entries(present), given=named_entries([*present, *point]))
    except AutodiffError as error:
        advise_entries(error, present)
        raise
    point = placed(program, point)
    columns = input_columns(program, present, point, {})
    program.warn_of_misspelt(point, columns, stacklevel=3)
    arrays = {name: column_doubles(column, named[column]) for name, column in columns.items()}
    if not arrays:
        raise AutodiffError("the formula uses none of the columns", hint="a column is an input if it has its name")
    value, gradient = at_points(program, {**point, **arrays}, list(columns))
    if value.shape != (len(table),):
        message = f"the value has the shape {value.shape}, and the frame {counted(len(table), 'row')}"
        raise AutodiffError(message, hint="give a number for each row, or one for all rows")
    names = result_names(["value", *(f"grad_{name}" for name in gradient)], present, prefix)
    results = dict(zip(names, (value, *gradient.values()), strict=True))
    added: Frame = table.with_columns(**results) if hasattr(table, "with_columns") else _with_columns(table, results)
    return added


class ColumnFunction:
    """A program as a function of columns: its parameters are the inputs that have no number, in their order.

    Raises AutodiffError where there are none.
    """

    def __init__(self, program: Program | str, point: Mapping[str, Any]) -> None:
        program = parse_with_lists(program, point)
        self._point = placed(program, point)
        program.warn_of_misspelt(self._point, stacklevel=3)
        inputs = used(program.graph.needed([program.output]), program.inputs)
        self.names = [
            name for name, node in inputs.items() if name not in self._point and node not in program.graph.numbers
        ]
        if not self.names:
            raise AutodiffError("the formula uses no columns", hint="a column is an input that is given no number")
        self.fields = ["value", *(f"grad_{name}" for name in self.names)]
        self._function = ArrayFunction(program, self.names)

    def __call__(self, columns: Iterable[Doubles]) -> dict[str, Doubles]:
        """The results by their fields."""
        arrays = dict(zip(self.names, columns, strict=True))
        value, gradient = self._function({**self._point, **arrays})
        partials = {
            entry: partial
            for name, part in gradient.items()
            for entry, partial in zip(entry_names(name, part), flattened(part), strict=True)
        }
        return dict(zip(self.fields, (value, *(partials[name] for name in self.names)), strict=True))


def register(connection: Any, name: str, function: ColumnFunction) -> list[str]:
    """Make a program a function of SQL in DuckDB, and return its parameters: the inputs without a number."""

    def rows(*columns: pyarrow.ChunkedArray) -> pyarrow.StructArray:
        results = function(column.to_numpy() for column in columns)
        return pyarrow.StructArray.from_arrays(list(map(pyarrow.array, results.values())), function.fields)

    parameters = [Parameter(f"column_{place}", Parameter.POSITIONAL_ONLY) for place, _ in enumerate(function.names)]
    rows.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # DuckDB counts the parameters
    struct = connection.struct_type(dict.fromkeys(function.fields, "DOUBLE"))
    connection.create_function(name, rows, ["DOUBLE"] * len(function.names), struct, type="arrow")
    return function.names


def column_doubles(name: str, column: Any) -> Doubles:
    """A column of a frame as doubles, nan where there is none."""
    array = numpy.asarray(convertible(column))
    if array.dtype == bool or (array.dtype == object and any(isinstance(entry, bool | numpy.bool_) for entry in array)):
        raise AutodiffError(f"`{name}` holds booleans, not numbers", hint="convert it to real numbers")
    return doubles(name, column)


def _with_columns(frame: Any, columns: Mapping[str, Doubles]) -> Any:
    """A data frame of pandas with further columns, whatever the labels of the others are."""
    import pandas

    deeper = ("",) * (frame.columns.nlevels - 1)
    results = {(name, *deeper) if deeper else name: column for name, column in columns.items()}
    added = pandas.DataFrame(results, frame.index, copy=False).rename_axis(columns=frame.columns.names)
    return pandas.concat([frame, added], axis="columns", sort=False).__finalize__(frame)
