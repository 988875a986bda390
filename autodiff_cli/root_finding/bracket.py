"""A root between two points at which a function has opposite signs."""

from collections.abc import Callable
from math import isfinite, nan, nextafter

SlopedFunction = Callable[[float], tuple[float, float]]
"""x → the value and the slope there"""

_MOST_STEPS = 2000
"""more than halving all doubles takes"""


def bracketed(function: SlopedFunction, low: float, high: float, seen: Callable[[float], None]) -> float:
    """Find the change of sign to the last double, by Newton's steps, and by halving where these would lead away.

    W. H. Press and others, Numerical Recipes (2007), section 9.4. The values at the ends have opposite signs.
    """
    falls = function(low)[0] > 0
    x = middle(low, high)
    width = before = high - low
    is_beside = False
    for _ in range(_MOST_STEPS):
        seen(x)
        value, slope = function(x)
        if value == 0:
            return x
        if (value > 0) == falls:
            low = x
        else:
            high = x
        newton = x - value / slope if slope and isfinite(slope) and isfinite(value) else nan
        before, width = width, abs(newton - x)
        is_beside = newton == x and not is_beside
        if is_beside:  # the root is nearer than the next double, where the sign may change
            newton = nextafter(x, high if x == low else low)
        elif not (low < newton < high and width <= before / 2):
            newton, width = middle(low, high), high - low
        if newton in (low, high):
            return min(low, high, key=lambda end: abs(function(end)[0]))
        x = newton
    return x


def middle(low: float, high: float) -> float:
    """Halfway between two numbers, whose distance might be too large for a double."""
    return low + (high / 2 - low / 2)
