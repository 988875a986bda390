"""Short edges: in a large graph a value that is used far away is drawn there again, as a box with its name alone.

Graphviz would take minutes for thousands of long edges, and the eye could not follow them. A graph that is very long is
folded into bands for the same reasons.
"""

from dataclasses import replace
from itertools import count

from ...graph_drawing.picture import Box, Picture

_MOST_CROSSED = 2000  # columns of boxes that all edges together may cross
_FAR = 8  # columns that an edge may cross otherwise


def shorten_edges(picture: Picture, longest: int, band_length: int) -> tuple[list[Picture], dict[int, int]]:
    """The bands of the picture with short edges, and its additional boxes: number → the node that is drawn again.

    A graph of at most `longest` columns is one band, a longer one is folded into bands of `band_length`.
    """
    columns = picture.columns
    length = band_length if max(columns.values()) > longest else longest + 1
    # a leaf is in the band of its first use
    band = {box.node: (columns[box.node] + (not box.arguments)) // length for box in picture.boxes}
    if picture.columns_crossed <= _MOST_CROSSED and not any(band.values()):
        return [picture], {}
    numbers = count(max(picture.by_node) + 1)
    copies: dict[int, int] = {}
    bands: list[list[Box]] = [[] for _ in range(max(band.values()) + 1)]
    for box in picture.boxes:
        arguments = list(box.arguments)
        for place, node in enumerate(arguments):
            if columns[box.node] - columns[node] > _FAR or band[node] != band[box.node]:
                arguments[place] = number = next(numbers)
                copies[number] = node
                far = picture.by_node[node]
                bands[band[box.node]].append(Box(number, far.name, far.text, far.title, far.kind))
        bands[band[box.node]].append(replace(box, arguments=tuple(arguments)))
    return [replace(picture, boxes=tuple(boxes)) for boxes in bands if boxes], copies
