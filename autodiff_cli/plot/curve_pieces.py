"""Curves as pieces without a break, and the parts of these within a window."""

from collections.abc import Collection, Iterator
from itertools import groupby, pairwise
from math import isfinite

from .adaptive_sampling import NARROW, AdaptiveSamples, Interval, are_close, are_outside
from .viewing_window import Window

Piece = list[tuple[float, float]]
"""(x, y) of a part of a curve without a break, with x increasing"""


def pieces(samples: AdaptiveSamples, curve: int, window: Window, cuts: Collection[Interval] = ()) -> list[Piece]:
    """The pieces of a curve from one break to the next; it is also broken at a break in one of the `cuts`.

    A single value, such as that of sign(x) at 0, is not a piece: whether it is among the samples is chance.
    """
    parts: list[Piece] = []
    without: list[float] = []  # the samples without a value since the last one that has one
    for number in sorted(samples.taken):
        value = samples.taken[number][curve]
        if not isfinite(value):
            without.append(number)
            continue
        ends = [*(parts[-1][-1:] if parts else ()), (number, value)]
        is_joined = len(ends) > 1 and _is_joined(samples, ends, without, window, cuts)
        if is_joined and not (curve == 0 and _passes_pole(samples, ends, window)):
            parts[-1].append((number, value))
        else:
            parts.append([(number, value)])
        without = []
    return [piece for piece in parts if len(piece) > 1]


def _is_joined(
    samples: AdaptiveSamples, ends: Piece, without: list[float], window: Window, cuts: Collection[Interval]
) -> bool:
    """Whether a curve continues from one value to the next. At a break it does if both are the same, and in the window.

    Outside the window it has a pole there, and is broken.
    """
    (a, before), (b, after) = ends
    intervals = list(pairwise([a, *without, b]))
    breaks = sum(interval in samples.breaks for interval in intervals)
    cut = breaks and any(left < b and a < right for left, right in cuts)
    if cut or len(without) > 1 or (without and breaks < len(intervals)):
        return False
    return not breaks or (are_close(before, after, window) and not are_outside(window, before, after))


def _passes_pole(samples: AdaptiveSamples, ends: Piece, window: Window) -> bool:
    """Whether the function crosses its whole window in a narrow interval, against its slopes at both ends.

    No samples were left to locate the pole.
    """
    (a, before), (b, after) = ends
    is_crossing = min(before, after) < window[0] and max(before, after) > window[1]
    if not is_crossing or b - a > NARROW * samples.width:
        return False
    return not any(samples.taken[number][samples.slope] * (after - before) > 0 for number in (a, b))


def gaps(parts: list[Piece]) -> set[Interval]:
    """The gaps between the pieces."""
    return {(before[-1][0], after[0][0]) for before, after in pairwise(parts)}


def visible(piece: Piece, window: Window) -> Iterator[Piece]:
    """The parts of a piece within the window, which reach its edge where the piece leaves it."""
    low, high = window
    points = piece[:1]
    for (x, y), (to_x, to_y) in pairwise(piece):
        crossed = sorted(((edge - y) / (to_y - y), edge) for edge in window if min(y, to_y) < edge < max(y, to_y))
        points += [(x + (to_x - x) * share, edge) for share, edge in crossed]
        points.append((to_x, to_y))
    for is_inside, part in groupby(points, lambda point: low <= point[1] <= high):
        shown = list(part)
        if is_inside and len(shown) > 1:
            yield shown
