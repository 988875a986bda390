"""The numbers of columns of any type as doubles, and the rows where there is none."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy
import pyarrow
from numpy.typing import NDArray
from pyarrow import compute, types

from .blocks import RowBlock
from .column_texts import plain_array, texts

_NUMBER = r"^[ \t]*[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|(?i:nan|inf|infinity))[ \t]*$"
_LONGEST_SHOWN = 40  # characters of a cell that holds no number


class NumberColumn(NamedTuple):
    """A column as doubles."""

    nullable: pyarrow.Array
    """null where there is no number"""
    reasons: dict[int, str]
    """row → why there is no number"""

    @property
    def values(self) -> NDArray[numpy.float64]:
        """The doubles to compute with, nan where there is no number."""
        filled = self.nullable.fill_null(numpy.nan) if self.nullable.null_count else self.nullable
        values: NDArray[numpy.float64] = filled.to_numpy(zero_copy_only=False)
        return values


def block_with_numbers(
    columns: Mapping[str, pyarrow.Array],
    rows: int,
    place: Callable[[int], int],
    read_columns: Callable[[Sequence[str]], Mapping[str, pyarrow.Array]],
    reasons: Mapping[int, str] | None = None,
    source_text: Any = None,
) -> RowBlock:
    """Return a block with the numbers of these columns; the other arguments are as in `RowBlock`."""
    numbers = {name: number_column(name, column) for name, column in columns.items()}
    reasons = dict(reasons or {})
    for column in numbers.values():
        reasons = column.reasons | reasons
    values = {name: column.values for name, column in numbers.items()}
    nullable = {} if source_text is None else {name: column.nullable for name, column in numbers.items()}
    return RowBlock(rows, values, reasons, place, read_columns, nullable, source_text)


def number_column(name: str, column: pyarrow.Array) -> NumberColumn:
    """Return the doubles of a column of any type.

    Integers, floating-point numbers and decimals are rounded to doubles. A text that is a decimal number, `inf` or
    `nan` is that number. Truth values, dates and everything else are not numbers.
    """
    column = plain_array(column)
    kind = column.type
    if types.is_integer(kind) or types.is_floating(kind):
        return _with_reasons(name, column, compute.cast(column, pyarrow.float64(), safe=False))
    if types.is_decimal(kind):
        return _with_reasons(name, column, compute.cast(compute.cast(column, pyarrow.string()), pyarrow.float64()))
    if types.is_string(kind) or types.is_large_string(kind) or types.is_binary(kind) or types.is_large_binary(kind):
        return _from_texts(name, column)
    return _with_reasons(name, column, pyarrow.nulls(len(column), pyarrow.float64()))


def _from_texts(name: str, column: pyarrow.Array) -> NumberColumn:
    cells = column.cast(pyarrow.large_binary() if types.is_large_string(column.type) else pyarrow.binary())
    decimal = compute.if_else(compute.match_substring_regex(cells, _NUMBER), cells, None)
    doubles = compute.cast(compute.ascii_trim(decimal.cast(pyarrow.string()), " \t"), pyarrow.float64())
    infinite = numpy.flatnonzero(numpy.isinf(doubles.fill_null(0.0).to_numpy(zero_copy_only=False)))
    large = [int(row) for row in infinite if any(48 <= code < 58 for code in cells[int(row)].as_py())]  # with a digit
    reasons = {row: f"column `{name}` holds {_shown(cells[row].as_py())}, which is beyond the doubles" for row in large}
    if large:
        is_large = numpy.zeros(len(doubles), dtype=bool)
        is_large[large] = True
        doubles = compute.if_else(pyarrow.array(is_large), None, doubles)
    return _with_reasons(name, cells, doubles, reasons)


def _with_reasons(
    name: str, column: pyarrow.Array, doubles: pyarrow.Array, reasons: Mapping[int, str] | None = None
) -> NumberColumn:
    """The doubles, and a reason for each null; some of the reasons are given already."""
    if not doubles.null_count:
        return NumberColumn(doubles, {})
    missing = numpy.flatnonzero(doubles.is_null().to_numpy(zero_copy_only=False))
    cells = texts(column.take(pyarrow.array(missing))).to_pylist()
    described = {int(row): _reason(name, cell) for row, cell in zip(missing, cells, strict=True)}
    return NumberColumn(doubles, described | dict(reasons or {}))


def _reason(name: str, cell: bytes | None) -> str:
    if cell is None or not cell.strip():
        return f"column `{name}` is empty"
    return f"column `{name}` holds {_shown(cell)}, which is not a number"


def _shown(cell: bytes) -> str:
    text = repr(cell.decode("utf-8", "replace"))
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"
