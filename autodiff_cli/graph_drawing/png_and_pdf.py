"""The picture as PNG or PDF: drawn by the program `dot` where that is installed, else converted from SVG by Typst.

A PNG is fine enough for a screen with twice the usual resolution; the page of a PDF has the size of the picture.
"""

from contextlib import suppress
from math import sqrt
from typing import Literal

from ..errors import AutodiffError, Notice, Remedy
from . import dot, graphviz, layout, svg
from .graphviz import LONGEST, RESOLUTION, without_graphviz
from .picture import Picture

_TYPST_PAGE = b"""#set page(width: auto, height: auto, margin: 0pt)
#image(bytes(sys.inputs.svg), format: "svg", width: float(sys.inputs.width) * 1pt)"""
_MOST_DOTS = 300_000_000  # four bytes each
_INCH = 72  # points
_NAMES = {"png": "16,000 pixels", "pdf": "14,400 points"}
_LEGIBLE = 0.9
"""a picture that is scaled down below this fraction of its size deserves a notice"""


def write(picture: Picture, format_: Literal["png", "pdf"]) -> bytes:
    """The picture as a file."""
    if graphviz.program():
        arrangement, _ = layout.arranged(picture)
        with suppress(AutodiffError):  # such as of a program that was built without this format
            return graphviz.render(dot.text(picture, arrangement, font=graphviz.FONTS), format_)
    return converted(svg.text(picture), format_)


def converted(drawing: str, format_: Literal["png", "pdf"]) -> bytes:
    """An `<svg>` element as PNG or PDF, by Typst, which brings its own fonts. Raises AutodiffError without Typst."""
    try:
        import typst
    except ImportError:
        raise without_graphviz(f"a {format_.upper()} picture") from None
    width, height = svg.size(drawing)
    width, height = (side * _share(width, height, format_) for side in (width, height))
    inputs = {"svg": drawing, "width": f"{width:.3f}"}
    try:
        return typst.compile(_TYPST_PAGE, format=format_, ppi=_resolution(width, height), sys_inputs=inputs)
    except typst.TypstError as error:
        raise AutodiffError(f"Typst cannot write this picture: {error}", hint="write it as SVG") from None


def notice(picture: Picture, format_: str) -> Notice | None:
    """A notice about a picture that is made smaller: it can be SVG instead, or show less."""
    share = _share(*svg.size(svg.text(picture)), format_)
    if share > _LEGIBLE:
        return None
    message = f"the picture is made smaller, to {share:.0%}: {format_.upper()} has {_NAMES[format_]} at the most"
    return Notice(message, remedy=Remedy("picture made smaller", (), f"write it as SVG, or {graphviz.DRAW_LESS}"))


def _share(width: float, height: float, format_: str) -> float:
    """The scale at which a picture of that size in points is drawn, at most 1."""
    return min(1.0, LONGEST[format_] * _INCH / max(width, height))


def _resolution(width: float, height: float) -> float:
    """Dots per inch for a picture of that size in points."""
    return min(RESOLUTION, _INCH * sqrt(_MOST_DOTS / (width * height)))
