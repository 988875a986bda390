"""Ranges as people write them, `x=-2:2` or `x=0:10:0.5`, ends included."""

import re
from collections.abc import Container, Iterable, Iterator
from fractions import Fraction
from math import isfinite
from typing import NamedTuple

from ..errors import USAGE, AutodiffError
from ..notation import canonical
from . import inputs

_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")


class Steps(NamedTuple):
    """A range with its step, as exact as it is written: 0.1 is a tenth."""

    low: Fraction
    high: Fraction
    step: Fraction


def ends(words: Iterable[str]) -> dict[str, tuple[float, float]]:
    """The ends of each range: name → (low, high)."""
    ranges: dict[str, tuple[float, float]] = {}
    for name, word, parts in _split(words):
        if len(parts) != 2:
            raise AutodiffError(f"`{word}` is not a range", hint="write --over x=-2:2", code=USAGE)
        low, high = (inputs.number(part, f"--over {name}") for part in parts)
        if not (isfinite(low) and isfinite(high) and low < high):
            raise AutodiffError(f"the range `{word}` is empty", hint="write the smaller end first: x=-2:2", code=USAGE)
        _refuse_second(ranges, name)
        ranges[name] = low, high
    return ranges


def with_steps(words: Iterable[str]) -> dict[str, Steps]:
    """The ranges of a grid: name → ends and step."""
    ranges: dict[str, Steps] = {}
    for name, word, parts in _split(words):
        if len(parts) != 3:
            message = f"the range `{word}` has no step" if len(parts) == 2 else f"`{word}` is not a range"
            hint = f"write the distance of two points behind it: --over {name or 'x'}=-2:2:0.1"
            raise AutodiffError(message, hint=hint, code=USAGE)
        steps = Steps(*(_exact(part, f"--over {name}", word) for part in parts))
        if not steps.step or (steps.high - steps.low) * steps.step < 0:
            sign = "-" * (steps.high < steps.low)
            hint = f"write a step that leads from one end to the other: {name}={parts[0]}:{parts[1]}:{sign}0.1"
            raise AutodiffError(f"the range `{word}` never reaches its end", hint=hint, code=USAGE)
        _refuse_second(ranges, name)
        ranges[name] = steps
    return ranges


def _split(words: Iterable[str]) -> Iterator[tuple[str, str, list[str]]]:
    """The name, the word as it was written, and the parts between its colons."""
    for word in words:
        name, sign, text = word.partition("=")
        yield canonical(name), word, [part.strip() for part in text.split(":")] if sign else []


def _exact(text: str, source: str, word: str) -> Fraction:
    """What a decimal says; of another expression the double that it comes to."""
    number = inputs.number(text, source)
    if not isfinite(number):
        raise AutodiffError(f"the range `{word}` has no end", hint="write numbers: x=-2:2:0.1", code=USAGE)
    return Fraction(text if _DECIMAL.fullmatch(text) else number)


def _refuse_second(ranges: Container[str], name: str) -> None:
    if name in ranges:
        raise AutodiffError(f"`{name}` has two ranges", hint="leave one of them out", code=USAGE)
