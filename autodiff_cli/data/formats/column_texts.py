"""Columns of any type as arrays of texts: as the cells of CSV, as JSON, and as bytes that stand one after the other."""

import json
import re
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any

import numpy
import pyarrow
from numpy.typing import NDArray
from pyarrow import compute, types

from ...errors import AutodiffError, Remedy
from ...output.json import encoded

LEAVE_OUT = Remedy("leave out column", ("the column",), "leave the column out")
NOT_UTF8 = Remedy("encoding or columns", (), "name the encoding of the data, or leave the column out")
_IN_NUMBERS = "0123456789+-.einfa"
_WHOLE_NUMBER = "^-?[0-9]+$"


def csv_cells(column: "pyarrow.Array | pyarrow.ChunkedArray", delimiter: str, decimal: str) -> pyarrow.Array:
    """A column as the cells of CSV, an array of bytes: nothing for null, and `""` for an empty text.

    Numbers have the sign `decimal` for a point.
    """
    column = plain_array(column)
    cells = texts(column)
    if types.is_floating(column.type) and decimal != ".":
        cells = compute.replace_substring(cells, b".", decimal.encode())
    is_number = types.is_floating(column.type) or types.is_integer(column.type)
    quoted = cells if is_number and delimiter not in (*_IN_NUMBERS, decimal) else _csv_quoted(cells, delimiter)
    if types.is_string(column.type) or types.is_large_string(column.type):
        quoted = compute.if_else(compute.equal(quoted, b""), b'""', quoted)
    return compute.fill_null(quoted, b"")


def json_cells(column: pyarrow.Array, what: str = "the data", remedy: Remedy = NOT_UTF8) -> pyarrow.Array:
    """A column as JSON, an array of bytes: a number that is not finite is "nan", "inf" or "-inf".

    Raises AutodiffError for bytes that are not UTF-8, with a message on `what` holds them and a remedy.
    """
    column = plain_array(column)
    if types.is_floating(column.type):
        cells = _json_numbers(column)
    elif types.is_integer(column.type) or types.is_boolean(column.type) or types.is_nested(column.type):
        cells = texts(column)
    else:
        quoted = (
            None if text is None else json.dumps(json_text(text, what, remedy), ensure_ascii=False)
            for text in texts(column).to_pylist()
        )
        cells = pyarrow.array(quoted, pyarrow.string())
    return compute.fill_null(cells.cast(pyarrow.binary()), b"null")


def texts(column: pyarrow.Array) -> pyarrow.Array:
    """The texts of a plain column, an array of bytes: lists and the like are JSON, bytes stay as they are."""
    if types.is_nested(column.type):
        column = column.cast(_with_texts(column.type))  # Python has no times in nanoseconds
    else:
        for kind in (pyarrow.binary(), pyarrow.string()):
            try:
                return column.cast(kind).cast(pyarrow.binary())
            except (pyarrow.ArrowInvalid, pyarrow.ArrowNotImplementedError):
                continue
    write = partial(encoded, encoder=_ENCODER) if types.is_nested(column.type) else _text
    cells = [None if value is None else write(value).encode() for value in _values(column)]
    return pyarrow.array(cells, pyarrow.binary())


def _with_texts(kind: pyarrow.DataType) -> pyarrow.DataType:
    """The type with texts in place of timestamps in nanoseconds, and integers in place of durations in them."""
    if types.is_struct(kind):
        return pyarrow.struct([field.with_type(_with_texts(field.type)) for field in kind.fields])
    if types.is_map(kind):
        return pyarrow.map_(_with_texts(kind.key_type), _with_texts(kind.item_type))
    if types.is_list(kind) or types.is_large_list(kind):
        make = pyarrow.list_ if types.is_list(kind) else pyarrow.large_list
        return make(kind.value_field.with_type(_with_texts(kind.value_type)))
    if getattr(kind, "unit", "") == "ns":
        return pyarrow.int64() if types.is_duration(kind) else pyarrow.string()
    return kind


def plain_array(column: "pyarrow.Array | pyarrow.ChunkedArray") -> pyarrow.Array:
    """A column as one array without dictionaries, runs, views and extension types."""
    if isinstance(column, pyarrow.ChunkedArray):
        chunks = column.chunks or [pyarrow.array([], column.type)]
        column = chunks[0] if len(chunks) == 1 else pyarrow.concat_arrays(chunks)
    if isinstance(column, pyarrow.ExtensionArray):
        return plain_array(column.storage)
    if types.is_dictionary(column.type):
        return plain_array(column.dictionary_decode())
    if types.is_run_end_encoded(column.type):
        return plain_array(compute.run_end_decode(column))
    if column.type == pyarrow.string_view():
        return column.cast(pyarrow.large_string())
    return column.cast(pyarrow.large_binary()) if column.type == pyarrow.binary_view() else column


def chosen_cells(column: pyarrow.Array, rows: NDArray[numpy.int64]) -> pyarrow.Array:
    """These rows of a column of any type."""
    try:
        return column.take(pyarrow.array(rows))
    except pyarrow.ArrowNotImplementedError:  # PyArrow cannot take rows of run-ends and views
        return pyarrow.concat_arrays([column.slice(0, 0), *(column.slice(row, 1) for row in rows.tolist())])


def split_at(data: "bytes | pyarrow.Buffer", ends: NDArray[numpy.int64]) -> pyarrow.Array:
    """An array of the texts that end at these positions of the data; each begins where the last one ends."""
    offsets = numpy.append(0, ends).astype(numpy.int32)
    buffer = data if isinstance(data, pyarrow.Buffer) else pyarrow.py_buffer(data)
    return pyarrow.Array.from_buffers(pyarrow.binary(), len(ends), [None, pyarrow.py_buffer(offsets), buffer])


def chosen_texts(texts: pyarrow.Array, rows: NDArray[numpy.int64], as_first: Callable[[bytes], bytes]) -> pyarrow.Array:
    """The texts of these rows. Where the first row is left out, `as_first` rewrites the text that now comes first."""
    chosen = texts.take(pyarrow.array(rows))
    if not len(rows) or rows[0] == 0:
        return chosen
    first = pyarrow.array([as_first(chosen[0].as_py())], pyarrow.binary())
    return pyarrow.concat_arrays([first, chosen[1:]])


def concatenated(texts: pyarrow.Array) -> pyarrow.Buffer:
    """The bytes of all the texts of an array, one after the other."""
    _, offsets, data = texts.buffers()
    if data is None:
        return pyarrow.py_buffer(b"")
    ends = numpy.frombuffer(offsets, dtype=numpy.int32)[texts.offset : texts.offset + len(texts) + 1]
    return data.slice(int(ends[0]), int(ends[-1] - ends[0]))


def _csv_quoted(texts: pyarrow.Array, delimiter: str) -> pyarrow.Array:
    special = compute.match_substring_regex(texts, f'["\r\n{re.escape(delimiter)}]')
    if not compute.any(special).as_py():
        return texts
    doubled = compute.replace_substring(texts, b'"', b'""')
    return compute.if_else(special, compute.binary_join_element_wise(b'"', doubled, b'"', b""), texts)


def _json_numbers(column: pyarrow.Array) -> pyarrow.Array:
    """A number always has a point or an exponent, so that it is read as a double, and -0.0 keeps its sign."""
    cells = column.cast(pyarrow.string())
    numbers = column.fill_null(0.5).to_numpy(zero_copy_only=False)
    if not (finite := numpy.isfinite(numbers)).all():
        quoted = compute.binary_join_element_wise('"', cells, '"', "")
        cells = compute.if_else(pyarrow.array(finite), cells, quoted)
    if (numbers == numpy.rint(numbers)).any():
        with_point = compute.binary_join_element_wise(cells, ".0", "")
        cells = compute.if_else(compute.match_substring_regex(cells, _WHOLE_NUMBER), with_point, cells)
    return cells


def json_text(data: "bytes | pyarrow.Buffer", what: str = "the data", remedy: Remedy = NOT_UTF8) -> str:
    """Bytes as text; raises AutodiffError where they are not UTF-8."""
    try:
        return str(data, "utf-8")
    except UnicodeDecodeError:
        raise AutodiffError(f"{what} holds bytes that are not UTF-8, which JSON cannot hold", remedy=remedy) from None


def _text(value: Any) -> str:
    if isinstance(value, pyarrow.MonthDayNano):  # as in ISO 8601
        seconds = Decimal(value.nanoseconds).scaleb(-9).normalize()
        return f"P{value.months}M{value.days}DT{seconds:f}S"
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)


_ENCODER = json.JSONEncoder(ensure_ascii=False, default=_text, allow_nan=False)


def _values(column: pyarrow.Array) -> list[Any]:
    try:
        values: list[Any] = column.to_pylist()
    except (ValueError, ArithmeticError) as error:
        raise AutodiffError(
            f"a column of type {column.type} cannot be written as text: {error}",
            remedy=Remedy("leave out column", ("it",), "leave it out"),
        ) from None
    return values
