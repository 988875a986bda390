"""Pictures in SVG, taken apart: where boxes and texts are, and names that look like markup."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations, pairwise
from xml.etree.ElementTree import Element, fromstring

from autodiff_cli import parse
from autodiff_cli.graph_drawing import dot, svg
from autodiff_cli.graph_drawing.picture import Picture
from autodiff_cli.terminal.printable_text import columns, one_line

SVG = "{http://www.w3.org/2000/svg}"
LETTER = 0.602 * dot.FONT_SIZE
"""the width of a letter in the widest of the usual fonts"""
HOSTILE = [
    "<script>alert(1)</script>",
    "\"double\" and 'single'",
    "a|b{c}<d>",
    "&amp; &lt; &#65;",
    "line\nbreak\r\ttab",
    "\\N \\G \\l back\\",
    "x" * 10_000,
    "  two  spaces  ",
    "日本語 θ ẃ 🙂",
    "]]><!-- %% end; -->",
    "\x1b[31mred\x00\u202e\ud800",
    "- list `code` _em_ *st* $x$",
]


def hostile(labels: list[str] = HOSTILE) -> Picture:
    """A picture whose boxes are called by hostile names."""
    picture = Picture.of(parse("+".join(f"x{i}" for i in range(len(labels)))))
    boxes = [
        replace(box, name=one_line(label), text=one_line(label), data=-1.5)
        for box, label in zip(picture.boxes, labels, strict=False)
    ]
    return replace(picture, boxes=(*boxes, *picture.boxes[len(boxes) :]))


def parsed(data: bytes) -> Element:
    """The root of a picture in SVG."""
    return fromstring(data)  # noqa: S314  # it was written here


def groups_of(picture: Picture) -> dict[str, Element]:
    """The groups of the SVG by their ids."""
    drawn = parsed(svg.write(picture))
    return {found.attrib["id"]: found for found in drawn.iter(f"{SVG}g") if "id" in found.attrib}


def texts(element: Element) -> list[str]:
    """All texts of an element, in their order."""
    return [text.text or "" for text in element.iter(f"{SVG}text")]


def corners(element: Element) -> tuple[float, float, float, float]:
    """Left, top, right, bottom of a box or a circle."""
    circle = element.find(f"{SVG}ellipse")
    if circle is not None:
        x, y, a, b = (float(circle.attrib[name]) for name in ("cx", "cy", "rx", "ry"))
        return x - a, y - b, x + a, y + b
    polygon = element.find(f"{SVG}polygon")
    assert polygon is not None
    points = [tuple(map(float, point.split(","))) for point in polygon.attrib["points"].split()]
    across, down = zip(*points, strict=True)
    return min(across), min(down), max(across), max(down)


def cells_of(element: Element, stacked: bool) -> Iterator[tuple[float, float]]:
    """The left and the right of each field of a box."""
    left, _, right, _ = corners(element)
    if stacked:
        yield from [(left, right)] * len(texts(element))
        return
    lines = [float(line.attrib["points"].split(",")[0]) for line in element.iter(f"{SVG}polyline")]
    yield from pairwise([left, *sorted(lines), right])


def check_layout(picture: Picture) -> None:
    """Each text is in its box, and nothing lies on anything else."""
    groups = groups_of(picture)
    for box in picture.boxes:
        element = groups[f"node-{box.node}"]
        cells = picture.cells(box)
        assert [" ".join(text.split()) for text in texts(element)] == [" ".join(cell.split()) for cell in cells]
        for text, (left, right) in zip(element.iter(f"{SVG}text"), cells_of(element, picture.is_stacked), strict=True):
            half, middle = columns(text.text or "") * LETTER / 2, float(text.attrib["x"])
            assert left <= middle - half, text.text
            assert middle + half <= right, text.text
    things = [corners(element) for name, element in groups.items() if name.startswith(("node", "operation"))]
    for (a, b, c, d), (e, f, g, h) in combinations(things, 2):
        assert a >= g or e >= c or b >= h or f >= d


def contrast(first: str, second: str) -> float:
    """The contrast of two colours `#rrggbb`, as the guidelines for accessible content define it."""
    return contrast_of(*(luminance([part / 255 for part in bytes.fromhex(colour[1:])]) for colour in (first, second)))


def contrast_of(first: float, second: float) -> float:
    """The contrast of two luminances."""
    darker, lighter = sorted((first, second))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(shares: Iterable[float]) -> float:
    """The luminance of a colour with these shares of red, green and blue."""
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
