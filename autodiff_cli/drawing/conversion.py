"""SVG made into other formats by Typst, which brings its own fonts, where Graphviz has no program to draw with."""

from math import sqrt
from typing import Literal

from ..errors import AutodiffError
from .graphviz import RESOLUTION, SMALLEST, too_large, without_graphviz
from .svg import size

_PAGE = b'#set page(width: auto, height: auto, margin: 0pt)\n#image(bytes(sys.inputs.svg), format: "svg")'
_LONGEST = 32_767  # dots, as Graphviz has it
_MOST = 300_000_000  # dots, which take four bytes each
_INCH = 72  # points


def converted(svg: str, format_: Literal["png", "pdf"]) -> bytes:
    """The picture as PNG or PDF. Raises AutodiffError where Typst is missing, or for a PNG that would be too large."""
    try:
        import typst
    except ImportError:
        raise without_graphviz(f"a {format_.upper()} picture") from None
    resolution = _resolution(*size(svg))
    if format_ == "png" and resolution < SMALLEST:
        raise too_large()
    try:
        return typst.compile(_PAGE, format=format_, ppi=resolution, sys_inputs={"svg": svg})
    except typst.TypstError as error:
        raise AutodiffError(f"Typst cannot write this picture: {error}", hint="write it as SVG") from None


def _resolution(width: float, height: float) -> float:
    """Dots per inch for a picture of that size in points."""
    inches = max(width, height) / _INCH, sqrt(width * height) / _INCH
    return min(RESOLUTION, _LONGEST / inches[0], sqrt(_MOST) / inches[1])
