"""The graph as SVG for the page: drawn by Graphviz with room for any number, coloured by the page's style."""

import re
from dataclasses import replace
from itertools import chain
from xml.etree.ElementTree import Element, SubElement, fromstring, tostring

from ...graph_drawing import layout
from ...graph_drawing.picture import Box, Picture
from ...notation import decimal
from ..walkthrough import Walkthrough
from .short_edges import shorten_edges

_WIDEST = -1e-300  # no number is wider, apart from one that is rounded to a million
_STYLED = ("fill", "stroke", "font-family", "font-size", "stroke-width")  # attributes that the style sheet sets
_ON_SCREEN, _ON_PAPER = (300, 40), (4, 3)  # columns of a graph in one band, and of a band of a longer one
_GAP = 24  # points between the bands of a long graph
_MARGIN = 6  # points between the border of a box and its texts


def graph_svg(walk: Walkthrough, *, on_paper: bool = False, blank: bool = False) -> str:
    """The graph of all nodes as an `<svg>` element, with numbers or room for them; on paper one for each band.

    Raises AutodiffError if Graphviz is not installed.
    """
    picture = Picture.of(walk.evaluation, precision=walk.precision, stacked=True)
    named = replace(picture, boxes=tuple([_widened(box, walk.names[box.node][0]) for box in picture.boxes]))
    bands, copies = shorten_edges(named, *(_ON_PAPER if on_paper else _ON_SCREEN))
    svgs = [_drawn(band) for band in bands]
    svgs = svgs if on_paper else [_stacked(svgs)]
    groups = {group.get("id", ""): group for svg in svgs for group in svg.iter("g")}
    for box in named.boxes:
        _write_numbers(groups[f"node-{box.node}"], box, named.cells(box), walk, blank=blank)
    for box in chain.from_iterable(band.boxes for band in bands):
        for place, number in enumerate(box.arguments):
            if number in copies:
                groups[f"edge-{number}-{box.node}-{place}"].set("id", f"edge-{copies[number]}-{box.node}-{place}")
                group = groups[f"node-{number}"]
                group.attrib = {"class": f"{group.get('class')} again", "id": f"again-{box.node}-{place}"}
    for svg in svgs:
        area = svg.attrib["viewBox"]
        svg.attrib = {"viewBox": area, "width": area.split()[2], "role": "group", "aria-label": "graph"}
    return "\n".join(tostring(svg, encoding="unicode") for svg in svgs)


def _widened(box: Box, name: str) -> Box:
    """A box with room for any number."""
    data, grad = (None if number is None else _WIDEST for number in (box.data, box.grad))
    return replace(box, title=name, data=data, grad=grad)


def _drawn(picture: Picture) -> Element:
    svg = fromstring(layout.arranged(picture)[1])  # noqa: S314  # Graphviz made it just now
    _clean(svg)
    return svg


def _stacked(bands: list[Element]) -> Element:
    """Drawings one below the other, as one."""
    if len(bands) == 1:
        return bands[0]
    width, top = 0.0, 0.0
    stacked = Element("svg")
    for band in bands:
        _, _, across, down = map(float, band.attrib["viewBox"].split())
        SubElement(stacked, "g", {"transform": f"translate(0 {top:g})"}).extend(list(band))
        width, top = max(width, across), top + down + _GAP
    stacked.set("viewBox", f"0 0 {width:g} {top - _GAP:g}")
    return stacked


def _clean(svg: Element) -> None:
    """Remove namespaces, titles, which a browser would show as tooltips, grounds, and attributes of style."""
    for parent in svg.iter():
        parent.tag = parent.tag.rpartition("}")[2]
    for parent in list(svg.iter()):
        for child in list(parent):
            is_ground = child.tag == "polygon" and parent.get("class") == "graph"
            if is_ground or child.tag == "title" or child.get("class") == "cluster":
                parent.remove(child)
        for attribute in _STYLED:
            parent.attrib.pop(attribute, None)


def _write_numbers(group: Element, box: Box, cells: list[str], walk: Walkthrough, *, blank: bool) -> None:
    """Write the numbers of a box: the word on the left, the digits on the right. A blank has the numbers of leaves."""
    outline = group.find("polygon")
    assert outline is not None
    corners = [float(x) for x in re.findall(r"(\S+),\S+", outline.attrib["points"])]
    numbers = {"data": walk.evaluation.values[box.node], "grad": walk.evaluation.adjoints[box.node]}
    for text, cell in list(zip(group.findall("text"), cells, strict=True))[1:]:
        word = cell.partition(" ")[0]
        text.attrib |= {"text-anchor": "start", "x": f"{min(corners) + _MARGIN}"}
        text.text = word
        place = {"text-anchor": "end", "x": f"{max(corners) - _MARGIN}", "y": text.attrib["y"], "class": word}
        number = Element("text", place)
        if not blank or (word == "data" and not box.arguments):
            number.text = decimal(numbers[word], walk.precision)
        group.insert(list(group).index(text) + 1, number)
