"""The `Drawing` that `autodiff_cli.draw` returns: a notebook shows it, and it can be saved to a file."""

from __future__ import annotations

from contextlib import suppress
from os import PathLike, fspath
from typing import Any
from warnings import warn

from ..errors import AutodiffError
from ..files import write_file
from ..notation import counted
from . import dot, svg, tree
from .file_formats import format_of, notice, write
from .picture import Picture


class Drawing:
    """A picture of a computation graph; `print` shows it as a tree."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture

    @property
    def svg(self) -> str:
        """The picture as an `<svg>` element. Raises AutodiffError if Graphviz is not installed."""
        return svg.text(self.picture)

    @property
    def dot(self) -> str:
        """The picture in Graphviz's language."""
        return dot.text(self.picture)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the picture to a file in the format of its extension: svg, png, pdf, dot, mermaid or html.

        Warns about a picture that the format cannot hold as it is.
        """
        name = fspath(path)
        format_ = format_of(name)
        write_file(name, write(self.picture, format_))
        said = notice(self.picture, format_)
        if said is not None:
            warn(said.message, stacklevel=2)

    def __str__(self) -> str:
        return tree.text(self.picture).rstrip("\n")

    def __repr__(self) -> str:
        return f"<{self.picture.title}: {counted(len(self.picture.boxes), 'node')}>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """The picture at the width of the cell, for notebooks; without Graphviz the tree."""
        bundle = {"text/plain": str(self)}
        with suppress(AutodiffError):  # the text will do
            drawn = self.svg
            bundle |= {"text/html": f'<div style="max-width: 100%">{drawn}</div>', "image/svg+xml": drawn}
        return bundle
