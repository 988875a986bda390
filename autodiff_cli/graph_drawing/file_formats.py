"""The file formats of pictures: their names, their file extensions, and the function that writes each."""

from collections.abc import Callable
from functools import partial
from pathlib import PurePath

from .. import file_extensions
from ..errors import USAGE, AutodiffError, Notice
from .picture import Picture

FORMATS = ("svg", "png", "pdf", "dot", "mermaid", "html")
EXTENSIONS = {extension: name for extension, name in file_extensions.FORMATS.items() if name in FORMATS}
"""file extension → format"""


def format_of(path: str) -> str:
    """The format for the extension of a file's name. Raises AutodiffError for an unknown extension."""
    extension = PurePath(path).suffix
    if extension.lower() not in EXTENSIONS:
        what = (
            f"`{extension}` is not a format for pictures"
            if extension
            else f"`{path}` has no extension that says its format"
        )
        raise AutodiffError(what, hint=f"the formats are {', '.join(FORMATS)}", code=USAGE)
    return EXTENSIONS[extension.lower()]


def write(picture: Picture, format_: str) -> bytes:
    """The picture as a file of one of the FORMATS. Raises AutodiffError where the format needs a missing package."""
    from . import dot, html, mermaid, png_and_pdf, svg  # none of which the tree in the terminal needs

    writers: dict[str, Callable[[Picture], bytes]] = {
        "svg": svg.write,
        "png": partial(png_and_pdf.write, format_="png"),
        "pdf": partial(png_and_pdf.write, format_="pdf"),
        "dot": dot.write,
        "mermaid": mermaid.write,
        "html": html.write,
    }
    return writers[format_](picture)


def notice(picture: Picture, format_: str) -> Notice | None:
    """A notice about a picture that the format cannot hold as it is, if any; call it after `write`."""
    from . import mermaid, png_and_pdf

    if format_ in ("png", "pdf"):
        return png_and_pdf.notice(picture, format_)
    return mermaid.notice(picture) if format_ == "mermaid" else None
