"""Removable singularities: the limit of a curve at a single place where it has no value."""

from collections.abc import Sequence
from math import nan

Approach = tuple[float, float, float]
"""the values of a curve at some distance from the place, halfway to it, and close to it"""

NUDGE = 1e-2
"""relative: the distance that counts as close; closer to the place rounding may dominate"""
_SAME = 1e-6
"""relative: the difference of values that count as the same"""


def limit(sides: Sequence[Approach]) -> float:
    """The limit of the curve from the left and from the right, or from one side at the end of the range.

    It is nan where the two differ, or where the curve diverges on one side.
    """
    if not all(map(_converges, sides)) or not _agree(sides):
        return nan
    return sum(end / len(sides) for _, _, end in sides)


def _converges(side: Approach) -> bool:
    """Whether the curve changes no faster close to the place than on the way there."""
    start, halfway, end = side
    return abs(end - halfway) <= 4 * abs(halfway - start) + _SAME * abs(start)


def _agree(sides: Sequence[Approach]) -> bool:
    ends = [end for _, _, end in sides]
    moved = sum(abs(end - start) for start, _, end in sides)
    return max(ends) - min(ends) <= moved / 10 + _SAME * abs(ends[0])
