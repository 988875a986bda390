"""The picture as PNG or PDF: drawn by the program `dot` where that is installed, else converted from SVG by Typst.

A PNG is fine enough for a screen with twice the usual resolution; the page of a PDF has the size of the picture.
"""

from math import sqrt
from typing import Literal

from ..errors import AutodiffError
from . import dot, graphviz, svg
from .graphviz import RESOLUTION, SMALLEST, too_large, without_graphviz
from .picture import Picture

_TYPST_PAGE = b'#set page(width: auto, height: auto, margin: 0pt)\n#image(bytes(sys.inputs.svg), format: "svg")'
_LONGEST_SIDE = 32_767  # dots, the limit of Graphviz
_MOST_DOTS = 300_000_000  # four bytes each
_INCH = 72  # points


def write(picture: Picture, format_: Literal["png", "pdf"]) -> bytes:
    """The picture as a file."""
    if graphviz.program():
        return graphviz.render(dot.text(picture, font=graphviz.FONTS), format_)
    return converted(svg.text(picture), format_)


def converted(drawing: str, format_: Literal["png", "pdf"]) -> bytes:
    """An `<svg>` element as PNG or PDF, by Typst, which brings its own fonts.

    Raises AutodiffError where Typst is missing, or for a PNG that would be too large.
    """
    try:
        import typst
    except ImportError:
        raise without_graphviz(f"a {format_.upper()} picture") from None
    resolution = _resolution(*svg.size(drawing))
    if format_ == "png" and resolution < SMALLEST:
        raise too_large()
    try:
        return typst.compile(_TYPST_PAGE, format=format_, ppi=resolution, sys_inputs={"svg": drawing})
    except typst.TypstError as error:
        raise AutodiffError(f"Typst cannot write this picture: {error}", hint="write it as SVG") from None


def _resolution(width: float, height: float) -> float:
    """Dots per inch for a picture of that size in points."""
    longest, mean = max(width, height) / _INCH, sqrt(width * height) / _INCH
    return min(RESOLUTION, _LONGEST_SIDE / longest, sqrt(_MOST_DOTS) / mean)
