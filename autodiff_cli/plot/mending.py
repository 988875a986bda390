"""A single place without a value in a curve: what its surroundings lead to there."""

from collections.abc import Sequence
from math import nan

Approach = tuple[float, float, float]
"""the values of a curve some way off, halfway, and close to the place"""

NUDGE = 1e-2
"""of the whole way: so close is close; not closer, where rounding may take over"""
_SAME = 1e-6
"""relative: two values that are one"""


def limit(sides: Sequence[Approach]) -> float:
    """The value that the curve comes to from the left and from the right, or from the one side that there is.

    It is nan where the sides do not meet, or where one of them runs away to infinity.
    """
    if not all(map(_settles, sides)) or not _meet(sides):
        return nan
    return sum(end / len(sides) for _, _, end in sides)


def _settles(side: Approach) -> bool:
    """Does a curve go on as it began?"""
    start, halfway, end = side
    return abs(end - halfway) <= 4 * abs(halfway - start) + _SAME * abs(start)


def _meet(sides: Sequence[Approach]) -> bool:
    """Do the sides come to the same value?"""
    ends = [end for _, _, end in sides]
    moved = sum(abs(end - start) for start, _, end in sides)
    return max(ends) - min(ends) <= moved / 10 + _SAME * abs(ends[0])
