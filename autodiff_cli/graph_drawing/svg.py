"""The picture as self-contained SVG: with a description for screen readers, and tooltips with all digits."""

import re
from xml.etree.ElementTree import Element, SubElement, fromstring, tostring

from ..notation import elided, shortest
from . import layout
from .picture import Box, Picture

_FONTS = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"
_FITTING = "max-width: 100%; height: auto; "  # the width of a container at most
_MOST_TEXT = 400  # columns of a tooltip
_MOST_DESCRIBED = 50  # values in the description


def write(picture: Picture) -> bytes:
    """The picture as a file, which a browser shows in its own size and can zoom."""
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text(picture, "")}\n'.encode()


def text(picture: Picture, style: str = _FITTING) -> str:
    """The picture as an `<svg>` element for a page, no wider than its container.

    Raises AutodiffError if Graphviz is not installed.
    """
    drawn = fromstring(layout.arranged(picture)[1])  # noqa: S314  # Graphviz made it just now
    for element in drawn.iter():
        element.tag = element.tag.rpartition("}")[2]
        namespaced = [name for name in element.attrib if name.startswith("{")]
        for name in ["font-family", *namespaced]:
            element.attrib.pop(name, None)
        element.tail = element.tail and "\n"
    for element in drawn.iter("text"):
        element.text = (element.text or "").replace("\u00a0", " ")
    for group in drawn.iter("g"):
        _retitle(group, picture)
    return tostring(_framed(drawn, picture, style), encoding="unicode")


def size(drawn: str) -> tuple[float, float]:
    """The width and the height of an `<svg>` element of this module, in points."""
    width, height = re.findall(r'^<svg .*? width="([0-9.]+)pt" height="([0-9.]+)pt"', drawn)[0]
    return float(width), float(height)


def _framed(drawn: Element, picture: Picture, style: str) -> Element:
    """The drawing in an `<svg>` element with a title and a description."""
    size = {name: drawn.attrib[name] for name in ("width", "height", "viewBox")}
    framed = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **size, "role": "img"})
    framed.set("style", f"{style}font-family: {_FONTS}")
    framed.set("aria-label", picture.title)
    framed.text = "\n"
    for name, content in (("title", picture.title), ("desc", _description(picture))):
        element = SubElement(framed, name)
        element.text, element.tail = content, "\n"
    framed.extend(drawn)
    return framed


def _retitle(group: Element, picture: Picture) -> None:
    """Replace the title of a group, which browsers show as a tooltip; Graphviz's is the name in DOT."""
    title = group.find("title")
    if title is None:
        return
    kind, _, number = group.get("id", "").partition("-")
    if kind == "node":
        title.text = _tooltip(picture, picture.by_node[int(number)])
    elif kind == "operation":
        title.text = picture.by_node[int(number)].doc
    else:
        group.remove(title)


def _tooltip(picture: Picture, box: Box) -> str:
    """The formula of a value, and its numbers with all digits: `n = x*w + b: data 0.8813735870195432, grad 0.5`."""
    formula, numbers = picture.formula(box), (("data", box.data), ("grad", box.grad))
    text = f"{box.name} = {formula}" if box.name and formula else box.text
    digits = ", ".join(f"{name} {shortest(number + 0.0)}" for name, number in numbers if number is not None)
    return ": ".join(part for part in (elided(text, _MOST_TEXT), digits) if part)


def _description(picture: Picture) -> str:
    values = [box for box in picture.boxes if box.kind != "constant"]
    listed = "; ".join(_tooltip(picture, box) for box in values[-_MOST_DESCRIBED:])
    notes = ". ".join(filter(None, (picture.legend, picture.note)))
    return f"{listed}. {notes}".rstrip(" ")
