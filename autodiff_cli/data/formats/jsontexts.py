"""Columns of any type as JSON, cell by cell."""

import json
from typing import Any

import numpy
import pyarrow
from pyarrow import compute, types

from ...errors import AutodiffError
from .texts import plain, texts

_WHOLE = "^-?[0-9]+$"


def json_texts(column: Any) -> Any:
    """The cells as an array of bytes: numbers as such, one that is not finite as "nan", "inf" or "-inf"."""
    column = plain(column)
    if types.is_floating(column.type):
        found = _floating(column)
    elif types.is_integer(column.type) or types.is_boolean(column.type) or types.is_nested(column.type):
        found = texts(column)
    else:
        found = pyarrow.array([_quoted(text) for text in texts(column).to_pylist()], pyarrow.string())
    return compute.fill_null(found.cast(pyarrow.binary()), b"null")


def _floating(column: Any) -> Any:
    """A number always has a point or an exponent, so that it is read as a double, and -0.0 keeps its sign."""
    found = column.cast(pyarrow.string())
    numbers = column.fill_null(0.5).to_numpy(zero_copy_only=False)
    if not (finite := numpy.isfinite(numbers)).all():
        quoted = compute.binary_join_element_wise('"', found, '"', "")
        found = compute.if_else(pyarrow.array(finite), found, quoted)
    if (numbers == numpy.rint(numbers)).any():
        pointed = compute.binary_join_element_wise(found, ".0", "")
        found = compute.if_else(compute.match_substring_regex(found, _WHOLE), pointed, found)
    return found


def _quoted(text: bytes | None) -> str | None:
    try:
        return None if text is None else json.dumps(text.decode(), ensure_ascii=False)
    except UnicodeDecodeError:
        raise AutodiffError(
            "the data holds bytes that are not UTF-8, which JSON cannot hold",
            hint="convert the data, such as with iconv -f LATIN1 -t UTF-8, or leave the column out with --columns",
        ) from None
