"""Curves as pieces without a break, and what of them a window shows."""

from collections.abc import Collection, Iterator
from itertools import groupby, pairwise
from math import isfinite

from .refinement import Interval, Samples, close, outside
from .windows import Window

Piece = list[tuple[float, float]]
"""a part of a curve without a break: (x, y), with x increasing"""


def pieces(samples: Samples, curve: int, window: Window, cuts: Collection[Interval] = ()) -> list[Piece]:
    """A curve from one break to the next; `cuts` are gaps in which it is broken in any case.

    A value that stands alone, as that of sign(x) at 0, is no piece: whether it is met is chance.
    """
    found: list[Piece] = []
    without: list[float] = []  # the samples without a value since the last one that has one
    for number in sorted(samples.known):
        value = samples.known[number][curve]
        if not isfinite(value):
            without.append(number)
            continue
        if found and _joined(samples, [*found[-1][-1:], (number, value)], without, window, cuts):
            found[-1].append((number, value))
        else:
            found.append([(number, value)])
        without = []
    return [piece for piece in found if len(piece) > 1]


def _joined(samples: Samples, ends: Piece, without: list[float], window: Window, cuts: Collection[Interval]) -> bool:
    """Does a curve go on from one value to the next? Beside a break it does if both are the same, and in the window.

    Out of the window it has a pole there, and is broken.
    """
    (a, before), (b, after) = ends
    intervals = list(pairwise([a, *without, b]))
    breaks = sum(interval in samples.breaks for interval in intervals)
    cut = breaks and any(left < b and a < right for left, right in cuts)
    if cut or len(without) > 1 or (without and breaks < len(intervals)):
        return False
    return not breaks or (close(before, after, window) and not outside(window, before, after))


def gaps(found: list[Piece]) -> set[Interval]:
    """The gaps between the pieces."""
    return {(before[-1][0], after[0][0]) for before, after in pairwise(found)}


def visible(piece: Piece, window: Window) -> Iterator[Piece]:
    """The parts of a piece in the window; where the piece goes on outside, they reach the edge."""
    low, high = window
    points = piece[:1]
    for (x, y), (to_x, to_y) in pairwise(piece):
        crossed = sorted(((edge - y) / (to_y - y), edge) for edge in window if min(y, to_y) < edge < max(y, to_y))
        points += [(x + (to_x - x) * share, edge) for share, edge in crossed]
        points.append((to_x, to_y))
    for inside, part in groupby(points, lambda point: low <= point[1] <= high):
        shown = list(part)
        if inside and len(shown) > 1:
            yield shown
