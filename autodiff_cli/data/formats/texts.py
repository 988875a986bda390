"""Columns of any type as texts, and as the cells of CSV."""

import json
import re
from math import isfinite
from typing import Any

import pyarrow
from pyarrow import compute, types

from ...errors import AutodiffError


def cells(column: Any, delimiter: str) -> Any:
    """A column as the cells of CSV, an array of bytes: nothing for null, and `""` for a text that is empty."""
    column = plain(column)
    quoted = _quoted(texts(column), delimiter)
    if types.is_string(column.type) or types.is_large_string(column.type):
        quoted = compute.if_else(compute.equal(quoted, b""), b'""', quoted)
    return compute.fill_null(quoted, b"")


def texts(column: Any) -> Any:
    """The texts of a plain column, an array of bytes: lists and the like are JSON, bytes stay as they are."""
    if not types.is_nested(column.type):
        for kind in (pyarrow.binary(), pyarrow.string()):
            try:
                return column.cast(kind).cast(pyarrow.binary())
            except (pyarrow.ArrowInvalid, pyarrow.ArrowNotImplementedError):
                continue
    write = as_json if types.is_nested(column.type) else str
    return pyarrow.array([None if cell is None else write(cell).encode() for cell in _values(column)], pyarrow.binary())


def plain(column: Any) -> Any:
    """A column as one array without encodings."""
    if isinstance(column, pyarrow.ChunkedArray):
        chunks = column.chunks or [pyarrow.array([], column.type)]
        column = chunks[0] if len(chunks) == 1 else pyarrow.concat_arrays(chunks)
    if isinstance(column, pyarrow.ExtensionArray):
        return plain(column.storage)
    if types.is_dictionary(column.type):
        return plain(column.dictionary_decode())
    if types.is_run_end_encoded(column.type):
        return plain(compute.run_end_decode(column))
    if column.type == pyarrow.string_view():
        return column.cast(pyarrow.large_string())
    return column.cast(pyarrow.large_binary()) if column.type == pyarrow.binary_view() else column


def as_json(value: Any) -> str:
    """A value as JSON; a number that is not finite is "nan", "inf" or "-inf"."""
    try:
        return json.dumps(value, ensure_ascii=False, default=_other, allow_nan=False)
    except ValueError:
        return json.dumps(_finite(value), ensure_ascii=False, default=_other)


def _values(column: Any) -> list[Any]:
    try:
        values: list[Any] = column.to_pylist()
    except (ValueError, ArithmeticError) as error:
        raise AutodiffError(
            f"a column of type {column.type} cannot be written as text: {error}", hint="leave it out with --columns"
        ) from None
    return values


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(part) for part in value]
    return str(value) if isinstance(value, float) and not isfinite(value) else value


def _other(value: Any) -> str:
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)


def _quoted(texts: Any, delimiter: str) -> Any:
    special = compute.match_substring_regex(texts, f'["\r\n{re.escape(delimiter)}]')
    if not compute.any(special).as_py():
        return texts
    doubled = compute.replace_substring(texts, b'"', b'""')
    return compute.if_else(special, compute.binary_join_element_wise(b'"', doubled, b'"', b""), texts)
