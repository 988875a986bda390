"""One gradient alone, as text: the product along each path to the output, and the sum over the paths."""

from collections.abc import Iterator
from itertools import chain

from rich.text import Text

from ...errors import columns
from ..paths import Path, Paths
from . import Lesson, layout, values, wording
from .block import Block
from .layout import WIDTH


def blocks(lesson: Lesson) -> Iterator[Block]:
    """The gradients that were asked for, path by path."""
    yield from values.blocks(lesson, wording.on_the_way(lesson), "The values on the way")
    for paths in lesson.paths:
        heading = f"The gradient of {lesson.name(lesson.output)} with respect to {lesson.name(paths.node)}"
        yield Block(layout.paragraph(wording.introduction(lesson, paths), 2), heading)
        yield from (Block(_path(lesson, path, paths)) for path in paths.shown if path.links)
        yield from (Block(layout.paragraph(line, 2)) for line in wording.conclusion(lesson, paths))


def _path(lesson: Lesson, path: Path, paths: Paths) -> list[Text]:
    """The nodes of a path, then the product: on one line, or where it is long on one for each of its forms."""
    lines = layout.paragraph(wording.way(lesson, path, paths.node), 2, "cyan", hanging=4)
    forms = wording.product(lesson, path)
    if 4 + columns(" = ".join(forms)) <= WIDTH:
        return [*lines, Text(f"    {' = '.join(forms)}")]
    first, *others = forms
    equal = [layout.paragraph(f"= {form}", 4, hanging=4) for form in others]
    return [*lines, *layout.paragraph(first, 4, hanging=4), *chain(*equal)]
