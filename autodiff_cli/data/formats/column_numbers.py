"""The numbers of columns of any type as doubles, and the rows where there is none."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy
import pyarrow
from numpy.typing import NDArray
from pyarrow import compute, types

from ...notation import NOT_ZERO, NUMBER
from .column_texts import plain_array, texts
from .interfaces import Missing, RowBlock
from .options import ReadOptions

_NUMBER = f"^{NUMBER}$"
_SMALL = (b"e-", b"E-", b"0" * 300)  # what a number that is too small for a double has in its text
_NAN_WITH_PAYLOAD = re.compile(rb"(?i)nan\(")
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


def with_numbers(block: RowBlock, columns: Mapping[str, pyarrow.Array], options: ReadOptions) -> RowBlock:
    """Return the block with the numbers of these columns too."""
    values, reasons, nullable = dict(block.columns), dict(block.reasons), dict(block.nullable)
    for name, column in columns.items():
        numbers = number_column(name, column, options)
        values[name] = numbers.values
        if block.source_text is not None:
            nullable[name] = numbers.nullable
        for row, reason in numbers.reasons.items():
            if isinstance(reasons.get(row, Missing()), Missing):  # a failure stays
                reasons[row] = reason
    return replace(block, columns=values, reasons=reasons, nullable=nullable)


def _with_missing(name: str, column: pyarrow.Array, numbers: NumberColumn, options: ReadOptions) -> NumberColumn:
    """The numbers, where those that stand for a missing one are null; the options say what that means."""
    is_missing = column.is_null().to_numpy(zero_copy_only=False) | numpy.isnan(numbers.values)
    is_missing[list(numbers.reasons)] = False
    is_missing |= numpy.isin(numbers.values, [float(word) for word in options.na_words if _is_number(word)])
    if numbers.reasons:
        unread, words = list(numbers.reasons), set(options.na_words)
        cells = texts(column.take(pyarrow.array(unread))).to_pylist()
        is_missing[unread] = [
            cell is None or cell.decode(errors="replace").strip(" \t").lower() in words for cell in cells
        ]
    rows = numpy.flatnonzero(is_missing).tolist()
    kind = Missing if options.na_action == "skip" else str
    missing = {} if options.na_action == "keep" else dict.fromkeys(rows, kind(f"column `{name}` has no number"))
    others = {row: reason for row, reason in numbers.reasons.items() if not is_missing[row]}
    return NumberColumn(compute.if_else(pyarrow.array(is_missing), None, numbers.nullable), others | missing)


def _is_number(word: str) -> bool:
    return compute.match_substring_regex(word, _NUMBER).as_py() is True


def may_be_misread(data: bytes, columns: Iterable[pyarrow.Array]) -> bool:
    """Whether PyArrow may have read a text as the double of another, or of none: 1e400, 1e-400, nan(1)."""
    arrays = [column.to_numpy() for column in columns]
    if any(numpy.isinf(array).any() for array in arrays):
        return True
    if any(numpy.isnan(array).any() for array in arrays) and _NAN_WITH_PAYLOAD.search(data):
        return True
    return any((array == 0).any() for array in arrays) and any(mark in data for mark in _SMALL)


def number_column(name: str, column: pyarrow.Array, options: ReadOptions) -> NumberColumn:
    """Return the doubles of a column of any type.

    Integers, floating-point numbers and decimals are rounded to doubles. A text that is a decimal number, `inf` or
    `nan` is that number. Truth values, dates and everything else are not numbers.
    """
    column = plain_array(column)
    numbers = _numbers(name, column, options)
    return _with_missing(name, column, numbers, options) if options.na else numbers


def _numbers(name: str, column: pyarrow.Array, options: ReadOptions) -> NumberColumn:
    kind = column.type
    if types.is_integer(kind) or types.is_floating(kind):
        return _with_reasons(name, column, compute.cast(column, pyarrow.float64(), safe=False))
    if types.is_decimal(kind):
        return _with_reasons(name, column, compute.cast(compute.cast(column, pyarrow.string()), pyarrow.float64()))
    if types.is_string(kind) or types.is_large_string(kind) or types.is_binary(kind) or types.is_large_binary(kind):
        return _from_texts(name, column, options)
    if types.is_duration(kind):  # 1 alone would be a number
        column = compute.binary_join_element_wise(compute.cast(column, pyarrow.string()), kind.unit, " ")
    return _with_reasons(name, column, pyarrow.nulls(len(column), pyarrow.float64()))


def _from_texts(name: str, column: pyarrow.Array, options: ReadOptions) -> NumberColumn:
    cells = column.cast(pyarrow.large_binary() if types.is_large_string(column.type) else pyarrow.binary())
    is_number = compute.match_substring_regex(cells, _number_pattern(options))
    plain = compute.ascii_trim(compute.if_else(is_number, cells, None).cast(pyarrow.string()), " \t")
    if options.thousands:
        plain = compute.replace_substring(plain, options.thousands, "")
    doubles = compute.cast(compute.replace_substring(plain, options.decimal, "."), pyarrow.float64())
    values = doubles.fill_null(1.0).to_numpy(zero_copy_only=False)
    reasons = {
        row: f"column `{name}` holds {_shown(cells[row].as_py())}, which is {what}"
        for marks, pattern, what in (
            (numpy.isinf(values), "[0-9]", "beyond the doubles"),
            (values == 0, NOT_ZERO, "too small for a double"),
        )
        for row in _rows(marks, cells, pattern)
    }
    if reasons:
        is_beyond = numpy.zeros(len(doubles), dtype=bool)
        is_beyond[list(reasons)] = True
        doubles = compute.if_else(pyarrow.array(is_beyond), None, doubles)
    return _with_reasons(name, cells, doubles, reasons)


def _number_pattern(options: ReadOptions) -> str:
    """The pattern of a text that is a number, with the decimal sign and the thousands of the options."""
    pattern = _NUMBER.replace(r"\.", f"[{options.decimal}]")
    if not options.thousands:
        return pattern
    groups = f"[0-9]{{1,3}}(?:{re.escape(options.thousands)}[0-9]{{3}})+(?:[{options.decimal}][0-9]*)?"
    return pattern.replace("(?:[0-9]+", f"(?:{groups}|[0-9]+", 1)


def _rows(marks: NDArray[numpy.bool_], cells: pyarrow.Array, pattern: str) -> list[int]:
    """The marked rows whose cells match a pattern."""
    marked = numpy.flatnonzero(marks)
    matches = compute.match_substring_regex(cells.take(pyarrow.array(marked)), pattern)
    rows: list[int] = marked[matches.to_numpy(zero_copy_only=False)].tolist()
    return rows


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
