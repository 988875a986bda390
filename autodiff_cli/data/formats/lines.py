"""Lines that hold a JSON object each, one by one, with what is wrong with them.

A line that is no object becomes one that holds the line as `text`, and an `error`, so that the output is JSON.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from math import isfinite
from typing import Any, NamedTuple

import pyarrow

from ...errors import AutodiffError

_HINT = 'write a JSON object on each line, such as {"x": 1, "y": 2}'
_SAMPLE = 1000  # lines that tell the types of the columns


class Members(dict[str, Any]):
    """The keys of an object and their values."""

    twice: Collection[str] = ()
    """those that stand there more than once; the last value is kept"""


class Line(NamedTuple):
    """A line."""

    start: int
    """where it begins in the data"""
    text: bytes
    """what follows the members of the line before, and its own members, ready for more of them"""
    members: Members
    """its keys and their values; none where it is no object"""
    reason: str
    """why it is no object, or empty"""


def read(data: bytes, starts: Iterable[int], stops: Iterable[int]) -> tuple[list[Line], bytes]:
    """The lines that begin and end at these positions, without those that hold nothing, and what follows the last."""
    lines = []
    before, position = b"", 0
    for start, stop in zip(starts, stops, strict=True):
        text = data[start:stop]
        if not text.strip():
            continue
        members, reason = members_of(text)
        close = stop if reason else start + text.rindex(b"}")
        own = _stand_in(text, reason) if reason else data[start:close]
        separator = b", " if reason or members else b""
        lines.append(Line(start, before + data[position:start] + own + separator, members, reason))
        before, position = (b"}" if reason else b""), close
    return lines, before + data[position:]


def members_of(text: bytes) -> tuple[Members, str]:
    """The members of an object, and why it is none; a number beyond the doubles is its text, as are nan and inf."""
    try:
        value = _DECODER.decode(text.decode("utf-8", "surrogateescape"))
    except json.JSONDecodeError as error:
        return Members(), f"this is not JSON: {error.msg[:1].lower()}{error.msg[1:]} in column {error.colno}"
    except RecursionError:
        return Members(), "this is nested too deep"
    return (value, "") if isinstance(value, Members) else (Members(), "this is JSON, but no object")


def first_object(data: bytes) -> Members:
    """The members of the first line; AutodiffError where that is no object."""
    text = data.strip().partition(b"\n")[0]
    members, reason = members_of(text)
    if not text:
        raise AutodiffError("the data is empty", hint=_HINT)
    if reason:
        array = text.startswith(b"[")
        raise AutodiffError(
            "the data is a JSON array, not JSON Lines" if array else f"the first line is no JSON object: {reason}",
            hint="write one object a line, such as with jq -c '.[]'" if array else _HINT,
        )
    return members


def cells(lines: Sequence[Line], name: str) -> Any:
    """The values of a key as texts, null where there is none; what is neither a number nor a text is JSON.

    They are an array of bytes where some are not UTF-8.
    """
    texts = [_text(line.members.get(name)) for line in lines]
    try:
        return pyarrow.array(texts, pyarrow.string())
    except UnicodeEncodeError:
        return pyarrow.array([text and _bytes(text) for text in texts], pyarrow.binary())


def schema(data: bytes, names: Sequence[str]) -> Any:
    """The types of the columns, as the first lines tell: numbers, truth values and texts; the others are JSON."""
    lines = [members_of(text)[0] for text in data.splitlines()[:_SAMPLE] if text.strip()]
    return pyarrow.schema([(name, _type([members.get(name) for members in lines])) for name in names])


def as_json(lines: Sequence[Line], name: str) -> Any:
    """The values of a key as JSON."""
    return pyarrow.array([json.dumps(line.members.get(name)).encode() for line in lines], pyarrow.binary())


def _object(pairs: list[tuple[str, Any]]) -> Members:
    members = Members(pairs)
    if len(members) < len(pairs):
        keys = Counter(key for key, _ in pairs)
        members.twice = {key for key, count in keys.items() if count > 1}
    return members


def _double(text: str) -> float | str:
    return value if isfinite(value := float(text)) else text


def _integer(text: str) -> int | float | str:
    return int(text) if len(text) < 400 else _double(text)


def _type(values: Sequence[Any]) -> Any:
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
    return None if value is None else json.dumps(value)


def _bytes(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half of a pair, which JSON can hold
        return text.encode("utf-8", "surrogatepass")


def _stand_in(text: bytes, reason: str) -> bytes:
    members = {"error": {"message": reason}, "text": text.decode("utf-8", "backslashreplace")}
    return json.dumps(members, ensure_ascii=False)[:-1].encode("utf-8", "backslashreplace")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_float=_double, parse_int=_integer, parse_constant=str)
