"""The picture as PNG, fine enough for a screen with twice the usual resolution."""

from . import Picture, conversion, dot, graphviz, svg


def write(picture: Picture) -> bytes:
    """The picture as a file."""
    if graphviz.program():
        return graphviz.render(dot.text(picture, font=graphviz.FONTS), "png")
    return conversion.converted(svg.text(picture), "png")
