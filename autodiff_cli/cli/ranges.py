"""Ranges as people write them, `x=-2:2` or `x=0:10:0.5`, ends included."""

from collections.abc import Iterable
from math import isfinite

from ..errors import USAGE, AutodiffError
from . import inputs


def from_words(words: Iterable[str]) -> dict[str, tuple[float, float]]:
    """The ends of each range: name → (low, high)."""
    ranges: dict[str, tuple[float, float]] = {}
    for word in words:
        name, sign, text = word.partition("=")
        parts = text.split(":")
        if not sign or len(parts) != 2:
            raise AutodiffError(f"`{word}` is not a range", hint="write --over x=-2:2", code=USAGE)
        low, high = (inputs.number(part, f"--over {name}") for part in parts)
        if not (isfinite(low) and isfinite(high) and low < high):
            raise AutodiffError(f"the range `{word}` is empty", hint="write the smaller end first: x=-2:2", code=USAGE)
        if inputs.name(name) in ranges:
            raise AutodiffError(f"`{inputs.name(name)}` has two ranges", hint="leave one of them out", code=USAGE)
        ranges[inputs.name(name)] = low, high
    return ranges
