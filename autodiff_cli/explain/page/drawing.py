"""The graph as SVG inside a page: drawn by Graphviz with room for any number, coloured by the page's style."""

import re
from dataclasses import replace
from xml.etree.ElementTree import Element, SubElement, fromstring, tostring

from ...drawing import dot, graphviz
from ...drawing.picture import Box, Picture
from ...notation import decimal
from . import wires
from .data import Subject

_WIDEST = -1e-300  # no number takes more room, apart from one that is rounded to a million
_LOOKS = ("fill", "stroke", "font-family", "font-size", "stroke-width")  # the page's style says these
_MARGIN = 6  # points between the border of a box and its texts


def drawing(subject: Subject) -> str:
    """The graph of all nodes as an `<svg>` element. Raises AutodiffError where there is no Graphviz."""
    picture = Picture.of(subject.explanation.evaluation, precision=subject.precision, stacked=True)
    named = replace(picture, boxes=tuple([_widened(box, subject.names[box.node][0]) for box in picture.boxes]))
    picture, again = wires.shortened(named)
    svg = fromstring(graphviz.render(dot.text(picture), "svg"))  # noqa: S314  # Graphviz made it just now
    _clean(svg)
    groups = {group.get("id", ""): group for group in svg.iter("g")}
    for box in named.boxes:
        _number(groups[f"node-{box.node}"], box, named.cells(box), subject)
    for box in picture.boxes:
        for place, number in enumerate(box.arguments):
            if number in again:
                groups[f"edge-{number}-{box.node}-{place}"].set("id", f"edge-{again[number]}-{box.node}-{place}")
                group = groups[f"node-{number}"]
                group.attrib = {"class": f"{group.get('class')} again", "id": f"again-{box.node}-{place}"}
    svg.attrib = {"viewBox": svg.attrib["viewBox"], "role": "group", "aria-label": "graph"}
    return tostring(svg, encoding="unicode")


def _widened(box: Box, name: str) -> Box:
    """A box with room for any number."""
    data, grad = (None if number is None else _WIDEST for number in (box.data, box.grad))
    return replace(box, text=name, data=data, grad=grad)


def _clean(svg: Element) -> None:
    """Leave out namespaces, titles, which a browser would show as tooltips, the background, and the looks."""
    for parent in svg.iter():
        parent.tag = parent.tag.rpartition("}")[2]
    for parent in list(svg.iter()):
        for child in list(parent):
            if child.tag == "title" or (child.tag == "polygon" and parent.get("class") == "graph"):
                parent.remove(child)
        for attribute in _LOOKS:
            parent.attrib.pop(attribute, None)


def _number(group: Element, box: Box, cells: list[str], subject: Subject) -> None:
    """Put the numbers of a box in their places: the word on the left, the digits on the right."""
    outline = group.find("polygon")
    assert outline is not None
    corners = [float(x) for x in re.findall(r"(\S+),\S+", outline.attrib["points"])]
    evaluation = subject.explanation.evaluation
    numbers = {"data": evaluation.values[box.node], "grad": evaluation.adjoints[box.node]}
    for text, cell in list(zip(group.findall("text"), cells, strict=True))[1:]:
        word = cell.partition(" ")[0]
        text.attrib |= {"text-anchor": "start", "x": f"{min(corners) + _MARGIN}"}
        text.text = word
        place = {"text-anchor": "end", "x": f"{max(corners) - _MARGIN}", "y": text.attrib["y"], "class": word}
        SubElement(group, "text", place).text = decimal(numbers[word], subject.precision)
