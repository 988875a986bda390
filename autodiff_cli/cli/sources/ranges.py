"""Ranges as people write them: `x=-2:2`, or `x=0:10:0.5` with a step. Both ends belong to the range."""

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import inf, isfinite

from ...errors import AutodiffError, UsageError
from ...notation import canonical
from . import inputs

_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
_OTHERWISE = re.compile(r"([^\s,;:]+?)\s*(?:[,;]|\.\.|\bto\b)\s*([^\s,;:]+)")
_STEPS = 100
"""of a range that is written without a step"""


def ends(texts: Iterable[str], *, steps: bool = False) -> dict[str, tuple[float, float]]:
    """The ends of each range: name → (low, high); `steps` says whether it may have a step too."""
    ranges: dict[str, tuple[float, float]] = {}
    for name, text, parts in _split(texts):
        if len(parts) == 3 and not steps:
            hint = f"write --over {name}={parts[0]}:{parts[1]}"
            raise UsageError(f"the range `{text}` has a step, but points are drawn at random", hint)
        if len(parts) not in (2, 3):
            raise UsageError(f"`{text}` is not a range", f"write --over {_with_colon(text) or 'x=-2:2'}")
        low, high = (inputs.number(part, f"--over {name}") for part in parts[:2])
        if not (isfinite(low) and isfinite(high) and low < high):
            raise _wrong_ends("range", text, low, high, "x=-2:2")
        ranges[name] = low, high
    return ranges


def interval(text: str, option: str, following: Iterable[str] = ()) -> tuple[float, float]:
    """The ends of `LOW:HIGH`, the value of an option; a name may stand before them.

    Of the words that follow, one may be meant as the other end.
    """
    parts = text.rpartition("=")[2].split(":")
    if len(parts) != 2:
        hint = f"write {option} {_with_colon(','.join((text, *following))) or '2:3'}"
        raise UsageError(f"`{text}` is not an interval", hint)
    low, high = (inputs.number(part.strip(), option) for part in parts)
    if not -inf < low < high < inf:
        raise _wrong_ends("interval", text, low, high, "2:3")
    return low, high


def _with_colon(text: str) -> str:
    """A range whose ends are separated otherwise, as in `x=(0, 2)` or `0..2`, as it is written here; "" for others."""
    name, equals, ends = text.rpartition("=")
    match = _OTHERWISE.fullmatch(ends.strip("()[] "))
    return f"{name}{equals}{match[1]}:{match[2]}" if match else ""


def _wrong_ends(what: str, text: str, low: float | Fraction, high: float | Fraction, example: str) -> AutodiffError:
    """The error for a range without an end, or with nothing in it; the hint turns the ends round, or is an example."""
    problem, remedy = "is empty", "write two different ends"
    if not (-inf < low < inf and -inf < high < inf):
        problem, remedy = "has no end", "write numbers"
    elif low > high:
        name, equals, ends = text.rpartition("=")
        first, second = ends.split(":")[:2]
        remedy, example = "write the smaller end first", f"{name.strip()}{equals}{second.strip()}:{first.strip()}"
    return UsageError(f"the {what} `{text}` {problem}", f"{remedy}: {example}")


def count(texts: Iterable[str]) -> int | None:
    """The number of points that the steps give the finest of the ranges; None if no range has a step."""
    stepped = with_steps(text for text in texts if text.count(":") == 2)
    return max((int((high - low) / step) + 1 for low, high, step in stepped.values()), default=None)


def bounds(texts: Iterable[str]) -> dict[str, tuple[float, float]]:
    """The bounds of each name: `x=0:5`, or with one end only `x=0:`; the other end is infinite."""
    ranges: dict[str, tuple[float, float]] = {}
    for name, text, parts in _split(texts):
        if len(parts) != 2:
            hint = f"write --bounds {_with_colon(text) or 'x=0:5'}, or x=0: without an end"
            raise UsageError(f"`{text}` is not a range", hint)
        low, high = (
            inputs.number(part, f"--bounds {name}") if part else end
            for part, end in zip(parts, (-inf, inf), strict=True)
        )
        if not low <= high:
            raise _wrong_ends("range", text, low, high, "x=0:5")
        ranges[name] = low, high
    return ranges


def with_steps(texts: Iterable[str]) -> dict[str, tuple[Fraction, Fraction, Fraction]]:
    """The ranges of a grid: name → (low, high, step), as exact as they are written: 0.1 is one tenth.

    Where no step is written, it is a hundredth of the range.
    """
    ranges: dict[str, tuple[Fraction, Fraction, Fraction]] = {}
    for name, text, parts in _split(texts):
        if len(parts) not in (2, 3):
            colon, example = _with_colon(text), f"{name or 'x'}=-2:2:0.1"
            hint = f"write both ends{'' if colon else ' and the distance of two points'}: --over {colon or example}"
            raise UsageError(f"`{text}` is not a range", hint)
        low, high, *steps = (_exact(part, f"--over {name}", text) for part in parts)
        if not steps and not low < high:
            raise _wrong_ends("range", text, low, high, "x=-2:2")
        step = steps[0] if steps else (high - low) / _STEPS
        if not step or (high - low) * step < 0:
            sign = "-" * (high < low)
            hint = f"write a step that leads from one end to the other: {name}={parts[0]}:{parts[1]}:{sign}0.1"
            raise UsageError(f"the range `{text}` never reaches its end", hint)
        ranges[name] = low, high, step
    return ranges


def _split(texts: Iterable[str]) -> Iterator[tuple[str, str, list[str]]]:
    """The name of each range, its text, and the parts between its colons. Raises UsageError for a second of a name."""
    names: set[str] = set()
    for text in texts:
        word, equals, ends = text.partition("=")
        name = canonical(word)
        if name in names:
            raise UsageError(f"`{name}` has two ranges", "leave one of them out")
        names.add(name)
        yield name, text, [part.strip() for part in ends.split(":")] if equals else []


def _exact(part: str, source: str, text: str) -> Fraction:
    """The exact value of a decimal; for any other expression, its value as a double."""
    number = inputs.number(part, source)
    if not isfinite(number):
        raise UsageError(f"the range `{text}` has no end", "write numbers: x=-2:2:0.1")
    return Fraction(part if _DECIMAL.fullmatch(part) else number)
