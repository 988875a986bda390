"""The lines of JSON Lines read one by one, with the reasons why some cannot be read.

A line that is not an object becomes one that holds the line as `text`, and an `error`, so that the output is JSON.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from math import isfinite
from typing import Any, NamedTuple

import pyarrow

from ...errors import AutodiffError, uncapitalized

_SURROGATE = re.compile("[\ud800-\udfff]")
_HINT = 'write a JSON object on each line, such as {"x": 1, "y": 2}'
_SAMPLE = 1000  # lines from which the types of the columns are inferred


class Members(dict[str, Any]):
    """The keys of an object and their values."""

    duplicates: frozenset[str] = frozenset()
    """the keys that stand there more than once; the last value is kept"""


class JsonLine(NamedTuple):
    """A line that is not empty."""

    text: bytes
    """the bytes from the end of the previous line's members to the end of its own, to which members can be added"""
    members: Members
    """its keys and their values; none where it is not an object"""
    reason: str
    """the reason why it is not an object, or empty"""


def read_lines(data: bytes, starts: Iterable[int], stops: Iterable[int]) -> tuple[list[JsonLine], bytes]:
    """The lines that begin and end at these positions, and what follows the last."""
    lines = []
    before, position = b"", 0
    for start, stop in zip(starts, stops, strict=True):
        text = data[start:stop]
        members, reason = members_of(text)
        close = stop if reason else start + text.rindex(b"}")
        own = _stand_in(text, reason) if reason else data[start:close]
        separator = b", " if reason or members else b""
        lines.append(JsonLine(before + data[position:start] + own + separator, members, reason))
        before, position = (b"}" if reason else b""), close
    return lines, before + data[position:]


def members_of(text: bytes) -> tuple[Members, str]:
    """The members of an object, and why the text is not one, or "".

    A number beyond the doubles is kept as its text.
    """
    try:
        value = _DECODER.decode(text.decode("utf-8", "surrogateescape"))
    except json.JSONDecodeError as error:
        return Members(), f"this is not JSON: {uncapitalized(error.msg)} in column {error.colno}"
    except _NoJsonNumberError as error:
        return Members(), f"this is not JSON, which has no number {error}"
    except RecursionError:
        return Members(), "this is nested too deep"
    return (value, "") if isinstance(value, Members) else (Members(), "this is JSON, but no object")


def first_object(data: bytes) -> Members:
    """The members of the first line; raises AutodiffError where it is not an object."""
    text = data.strip().partition(b"\n")[0]
    members, reason = members_of(text)
    if not text:
        raise AutodiffError("the data is empty", hint=_HINT)
    if reason:
        raise AutodiffError(f"the first line is not a JSON object: {reason}", hint=_HINT)
    return members


def text_column(lines: Sequence[JsonLine], name: str) -> pyarrow.Array:
    """The values of a key as texts, null where there is none; other values than numbers and texts are JSON.

    The array holds bytes where some of the texts are not UTF-8.
    """
    texts = [_text(line.members.get(name)) for line in lines]
    try:
        return pyarrow.array(texts, pyarrow.string())
    except UnicodeEncodeError:
        return pyarrow.array([text and _bytes(text) for text in texts], pyarrow.binary())


def inferred_schema(data: bytes, names: Sequence[str]) -> pyarrow.Schema:
    """The types of the columns in the first lines: numbers, truth values and texts; other values are JSON texts."""
    lines = [members_of(text)[0] for text in data.split(b"\n")[:_SAMPLE] if text.strip()]
    return pyarrow.schema(
        [
            (name, _type([members.get(name) for members in lines]))
            for name in names
            if _SURROGATE.search(name) is None  # no writer takes a name that is not Unicode
        ]
    )


def json_column(lines: Sequence[JsonLine], name: str) -> pyarrow.Array:
    """The values of a key as JSON, with bytes that are not UTF-8 as they stand in the file."""
    texts = (json.dumps(line.members.get(name), ensure_ascii=False) for line in lines)
    return pyarrow.array(map(_bytes, texts), pyarrow.binary())


def _object(pairs: list[tuple[str, Any]]) -> Members:
    members = Members(pairs)
    if len(members) < len(pairs):
        keys = Counter(key for key, _ in pairs)
        members.duplicates = frozenset(key for key, count in keys.items() if count > 1)
    return members


class _NoJsonNumberError(Exception):
    """NaN or Infinity, which other programs write but JSON does not allow."""


def _constant(text: str) -> float:
    raise _NoJsonNumberError(text)


def _double(text: str) -> float | str:
    value = float(text)
    underflows = not value and text.lower().split("e")[0].strip("-0.")  # it is 0, although a digit is not
    return text if underflows or not isfinite(value) else value


def _integer(text: str) -> int | float | str:
    return int(text) if len(text) < 400 and text != "-0" else _double(text)


def _type(values: Sequence[Any]) -> pyarrow.DataType:
    try:
        kind = pyarrow.infer_type(values)
    except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError, OverflowError):
        return pyarrow.string()
    return kind if kind in (pyarrow.int64(), pyarrow.float64(), pyarrow.bool_()) else pyarrow.string()


def _text(value: Any) -> str | None:
    if type(value) is float:
        return repr(value)
    if isinstance(value, str):
        return value
    return None if value is None else json.dumps(value, ensure_ascii=False)


def _bytes(text: str) -> bytes:
    """The text as it stood in the file, but half of a surrogate pair as JSON writes it."""
    halves = re.sub("[\ud800-\udc7f\udd00-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", text)
    return halves.encode("utf-8", "surrogateescape")


def _stand_in(text: bytes, reason: str) -> bytes:
    members = {"error": {"message": reason}, "text": text.decode("utf-8", "backslashreplace")}
    return json.dumps(members, ensure_ascii=False)[:-1].encode("utf-8", "backslashreplace")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_float=_double, parse_int=_integer, parse_constant=_constant
)
