"""The numbers of a column, and the rows where there is none."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy
import pyarrow
from pyarrow import compute, types

from . import Array, Block
from .texts import plain, texts

_NUMBER = r"^[ \t]*[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|(?i:nan|inf|infinity))[ \t]*$"
_SHOWN = 40  # characters of a cell that is no number


class Numbers(NamedTuple):
    """A column as doubles."""

    doubles: Any
    """a PyArrow array, null where there is no number"""
    reasons: dict[int, str]
    """row → why there is no number"""

    @property
    def values(self) -> Array:
        """The doubles for computing, nan where there is none."""
        doubles = self.doubles.fill_null(numpy.nan) if self.doubles.null_count else self.doubles
        return doubles.to_numpy(zero_copy_only=False)


def with_numbers(
    columns: Mapping[str, Any],
    rows: int,
    line: Callable[[int], int],
    table: Callable[[Sequence[str]], Any],
    reasons: Mapping[int, str] | None = None,
    text: Any = None,
) -> Block:
    """The block of some rows with the numbers of columns (PyArrow arrays); the rest is as in `Block`."""
    found = {name: numbers(name, column) for name, column in columns.items()}
    reasons = dict(reasons or {})
    for column in found.values():
        reasons = column.reasons | reasons
    values = {name: column.values for name, column in found.items()}
    doubles = {} if text is None else {name: column.doubles for name, column in found.items()}
    return Block(rows, values, reasons, line, table, doubles, text)


def numbers(name: str, column: Any) -> Numbers:
    """The doubles of a column (a PyArrow array) of any type.

    Whole numbers, floating point and decimals are rounded to doubles. A text that is a plain decimal number, `inf` or
    `nan` is that number. Nothing else is: no truth value, no date.
    """
    column = plain(column)
    kind = column.type
    if types.is_integer(kind) or types.is_floating(kind):
        return _described(name, column, compute.cast(column, pyarrow.float64(), safe=False))
    if types.is_decimal(kind):
        return _described(name, column, compute.cast(compute.cast(column, pyarrow.string()), pyarrow.float64()))
    if types.is_string(kind) or types.is_large_string(kind) or types.is_binary(kind) or types.is_large_binary(kind):
        return _from_texts(name, column)
    return _described(name, column, pyarrow.nulls(len(column), pyarrow.float64()))


def _from_texts(name: str, column: Any) -> Numbers:
    cells = column.cast(pyarrow.large_binary() if types.is_large_string(column.type) else pyarrow.binary())
    decimal = compute.if_else(compute.match_substring_regex(cells, _NUMBER), cells, None)
    doubles = compute.cast(compute.ascii_trim(decimal.cast(pyarrow.string()), " \t"), pyarrow.float64())
    infinite = numpy.flatnonzero(numpy.isinf(doubles.fill_null(0.0).to_numpy(zero_copy_only=False)))
    large = [int(row) for row in infinite if any(48 <= code < 58 for code in cells[int(row)].as_py())]
    reasons = {row: f"column `{name}` holds {_shown(cells[row].as_py())}, which is beyond the doubles" for row in large}
    if large:
        beyond = numpy.zeros(len(doubles), dtype=bool)
        beyond[large] = True
        doubles = compute.if_else(pyarrow.array(beyond), None, doubles)
    return _described(name, cells, doubles, reasons)


def _described(name: str, column: Any, doubles: Any, known: Mapping[int, str] | None = None) -> Numbers:
    """The doubles with the reasons for those that are null; some of the reasons may be known."""
    if not doubles.null_count:
        return Numbers(doubles, {})
    missing = numpy.flatnonzero(doubles.is_null().to_numpy(zero_copy_only=False))
    cells = texts(column.take(pyarrow.array(missing))).to_pylist()
    reasons = {int(row): _reason(name, cell) for row, cell in zip(missing, cells, strict=True)}
    return Numbers(doubles, reasons | dict(known or {}))


def _reason(name: str, cell: bytes | None) -> str:
    if cell is None or not cell.strip():
        return f"column `{name}` is empty"
    return f"column `{name}` holds {_shown(cell)}, which is not a number"


def _shown(cell: bytes) -> str:
    text = repr(cell.decode("utf-8", "replace"))
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
