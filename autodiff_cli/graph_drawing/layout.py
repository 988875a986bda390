"""The positions of everything in a picture: the arrangement, among several, in which the fewest lines cross."""

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import combinations, pairwise
from xml.etree.ElementTree import Element, fromstring

from . import dot, graphviz
from .dot import ORDERED, Arrangement
from .picture import Picture

_ARRANGEMENTS = (ORDERED, Arrangement(order=False), Arrangement(units=True))
_MOST_TRIED = 150  # boxes: in a larger picture lines cross whatever is done, and each arrangement takes long
_APART = 20  # points
_STEPS = 8
"""straight lines for each part of a curve"""
_SVG = "{http://www.w3.org/2000/svg}"

_Point = tuple[float, float]  # x and y


class _Line:
    """A line between two boxes as short straight pieces, with the corners of the rectangle around it."""

    def __init__(self, points: list[_Point]) -> None:
        self.points = points
        across, down = zip(*points, strict=True)
        self.low, self.high = (min(across), min(down)), (max(across), max(down))

    @cached_property
    def halves(self) -> "tuple[_Line, _Line]":
        """The line in two."""
        middle = len(self.points) // 2
        return _Line(self.points[: middle + 1]), _Line(self.points[middle:])


def arranged(picture: Picture) -> tuple[Arrangement, bytes]:
    """The best arrangement and the SVG that Graphviz makes of it. Raises AutodiffError if Graphviz is missing."""
    return _arranged(picture, graphviz.program())


@lru_cache(maxsize=2)
def _arranged(picture: Picture, program: str | None) -> tuple[Arrangement, bytes]:
    best: tuple[int, Arrangement, bytes] | None = None
    for arrangement in _ARRANGEMENTS:
        drawn = graphviz.render(dot.text(picture, arrangement), "svg")
        faults = _faults(picture, drawn) if len(picture.boxes) <= _MOST_TRIED else 0
        if best is None or faults < best[0]:
            best = faults, arrangement, drawn
        if not faults:
            break
    assert best is not None
    return best[1:]


def _faults(picture: Picture, drawn: bytes) -> int:
    """The number of pairs of lines that cross, and of arguments in the wrong order where the order matters.

    An operation and its result belong together: the line between them counts twice, and so does a result that is
    higher or lower than its operation.
    """
    lines = dict(_lines(fromstring(drawn)))  # noqa: S314  # Graphviz made it just now
    across = picture.direction == "LR"
    misplaced = 0
    for box in filter(dot.has_fixed_order, picture.boxes):
        ends = [lines[f"edge-{argument}-{box.node}-{place}"].points[-1] for place, argument in enumerate(box.arguments)]
        misplaced += sum(first[across] > second[across] for first, second in pairwise(ends))
    results = {name: line for name, line in lines.items() if name.startswith("result")}
    apart = sum(abs(line.points[0][across] - line.points[-1][across]) > _APART for line in results.values())
    crossed = [names for names in combinations(lines, 2) if _cross(*names, *map(lines.__getitem__, names))]
    return misplaced + 2 * apart + sum(1 + any(name in results for name in names) for names in crossed)


def _lines(drawn: Element) -> Iterator[tuple[str, _Line]]:
    """The lines between boxes by their ids."""
    for group in drawn.iter(f"{_SVG}g"):
        path = group.find(f"{_SVG}path")
        if group.get("class") == "edge" and path is not None:
            numbers = re.findall(r"(-?[0-9.]+),(-?[0-9.]+)", path.attrib["d"])
            points = [(float(x), float(y)) for x, y in numbers]
            line = points[:1]
            for start in range(0, len(points) - 3, 3):
                line += [_on_curve(points[start : start + 4], step / _STEPS) for step in range(1, _STEPS + 1)]
            yield group.attrib["id"], _Line(line)


def _on_curve(points: list[_Point], share: float) -> _Point:
    """The point at that fraction of a Bézier curve."""
    a, b, c, d = (1 - share) ** 3, 3 * share * (1 - share) ** 2, 3 * share**2 * (1 - share), share**3
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = points
    return a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3


def _cross(one: str, other: str, these: _Line, those: _Line) -> bool:
    """Whether two lines cross that do not begin at the same box."""
    return one.split("-")[:2] != other.split("-")[:2] and _meet(these, those)


def _meet(these: _Line, those: _Line) -> bool:
    """Whether two lines cross: their halves are looked at as long as the rectangles around them overlap."""
    if any(these.high[axis] < those.low[axis] or those.high[axis] < these.low[axis] for axis in (0, 1)):
        return False
    if len(these.points) == len(those.points) == 2:
        return _intersect(*these.points, *those.points)
    longer, other = (these, those) if len(these.points) >= len(those.points) else (those, these)
    return any(_meet(half, other) for half in longer.halves)


def _intersect(a: _Point, b: _Point, c: _Point, d: _Point) -> bool:
    """Whether the lines from a to b and from c to d cross."""
    return _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0


def _side(a: _Point, b: _Point, c: _Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
