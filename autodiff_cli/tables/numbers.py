"""The numbers of a column, and the rows where there is none."""

from typing import Any, NamedTuple

import numpy
import pyarrow
from pyarrow import compute

from . import Array


class Numbers(NamedTuple):
    """A column as doubles, nan where it holds no number."""

    values: Array
    reasons: dict[int, str]
    """row → why there is no number"""


def numbers(name: str, column: Any) -> Numbers:
    """The doubles of a column (a PyArrow array) of any type, from texts too."""
    column = column.combine_chunks() if isinstance(column, pyarrow.ChunkedArray) else column
    try:
        doubles = compute.cast(column, pyarrow.float64(), safe=False)
    except (pyarrow.ArrowInvalid, pyarrow.ArrowNotImplementedError):
        return _one_by_one(name, column.to_pylist())
    empty = numpy.flatnonzero(doubles.is_null().to_numpy(zero_copy_only=False)) if doubles.null_count else ()
    values = doubles.fill_null(float("nan")).to_numpy(zero_copy_only=False)
    return Numbers(values, {int(row): f"column `{name}` is empty" for row in empty})


def _one_by_one(name: str, cells: list[Any]) -> Numbers:
    values = numpy.full(len(cells), numpy.nan)
    reasons = {}
    for row, cell in enumerate(cells):
        text = cell.strip() if isinstance(cell, str) else cell
        try:
            values[row] = float(text)
        except (TypeError, ValueError):
            reasons[row] = f"column `{name}` is empty" if text in ("", None) else _not_a_number(name, cell)
    return Numbers(values, reasons)


def _not_a_number(name: str, cell: object) -> str:
    return f"column `{name}` holds {cell!r:.40}, which is not a number"
