"""The picture as PDF, on a page of its size."""

from . import Picture, conversion, dot, graphviz, svg


def write(picture: Picture) -> bytes:
    """The picture as a file."""
    if graphviz.program():
        return graphviz.render(dot.text(picture, font=graphviz.FONTS), "pdf")
    return conversion.converted(svg.text(picture), "pdf")
