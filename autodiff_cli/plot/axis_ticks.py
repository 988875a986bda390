"""Round numbers to mark on an axis, and how they are written."""

import re
from collections.abc import Sequence
from itertools import pairwise
from math import ceil, floor, log10

from ..notation import rounded
from .viewing_window import Window, height

_HIGHEST = 308.0
"""the largest power of ten that a double can be"""
_ROUND = (1.0, 2.0, 5.0, 10.0)


def ticks(window: Window, most: int, digits: Sequence[float] = _ROUND) -> list[float]:
    """Round numbers at equal distances within the window: about `most` of them, or fewer, but at least two.

    The distance is a power of ten times one of the digits.
    """
    low, high = window
    step = _round_step(height(window) / most, digits)
    if not step or low + step == low:
        return [low, high]
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    if last <= first:
        return ticks(window, most + 1, digits)
    return [float(f"{number * step:.15g}") if abs(number) < 1e9 else number * step for number in range(first, last + 1)]


def _round_step(least: float, digits: Sequence[float]) -> float:
    """The smallest digit times a power of ten that is not below `least`; 0 where that is too small."""
    if not least > 1e-306:
        return 0.0
    power = 10.0 ** floor(log10(least))
    return next((digit * power for digit in digits if digit * power >= least * (1 - 1e-9)), 10 * power)


def log_ticks(window: Window, most: int) -> list[float]:
    """The logarithms of round numbers within the window of a logarithmic axis: about `most` of them, or fewer."""
    low, high = window
    decades = range(ceil(low - 1e-9), floor(high + 1e-9) + 1)
    if len(decades) > 1:
        step = -(-len(decades) // most)
        return [float(decade) for decade in decades if decade % step == 0]
    for digits in ((1, 2, 5, 10), range(1, 11)):
        marks = sorted({decade + log10(digit) for decade in range(floor(low), ceil(high)) for digit in digits})
        within = [mark for mark in marks if low <= mark <= high]
        if len(within) > 1:
            return within[:: -(-len(within) // most)]
    return [log10(number) for number in ticks((10.0**low, 10.0**high), most)]


def log_labels(places: list[float]) -> list[str]:
    """The numbers at places on a logarithmic axis: 0.1, 1, 1e6."""
    texts = [rounded(10.0 ** min(place, _HIGHEST), 10) for place in places]
    return [re.sub(r"e([+-])0*", lambda sign: f"e{sign[1].strip('+')}", text) for text in texts]


def range_text(low: float, high: float) -> str:
    """The ends of a range with as many digits as tell them apart: `-1 to 1`, `1 to 1.0000001`."""
    largest, width = max(abs(low), abs(high)), high - low
    digits = max(6, min(17, ceil(log10(largest / width)) + 3)) if largest > width > 0 else 6
    return f"{rounded(low, digits)} to {rounded(high, digits)}"


def labels(numbers: list[float]) -> list[str]:
    """The numbers as texts with the same number of decimal places: 0.0, 0.5, 1.0; or if shorter 0, 2e6, 4e6."""
    largest = max(map(abs, numbers), default=0.0)
    step = min((b - a for a, b in pairwise(numbers)), default=largest) or 1.0
    after_point = max(0, -floor(log10(step) + 1e-9))
    plain = [f"{number:.{after_point}f}" for number in numbers]
    if largest < 1e6 and step >= 1e-4:
        return plain
    digits = max(0, floor(log10(largest) + 1e-9) - floor(log10(step) + 1e-9)) if largest else 0
    return min(plain, [_scientific(number, digits) for number in numbers], key=lambda texts: max(map(len, texts)))


def _scientific(number: float, digits: int) -> str:
    mantissa, exponent = f"{number:.{digits}e}".split("e")
    return f"{mantissa}e{int(exponent)}" if number else "0"
