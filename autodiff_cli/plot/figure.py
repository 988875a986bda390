"""Matplotlib figures for files: PNG, SVG or PDF, the same bytes for the same plot."""

import io
import logging
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from html import escape
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import Notice
from ..notation import elided
from ..terminal.printable_text import one_line
from ..terminal.size import Size
from .axis_ticks import range_text
from .captions import missing_package
from .fonts import use_fonts

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 800  # pixels
_SINGLE, _STACKED = 500, 350  # pixels: the height of a single panel, and of each of several
_DOTS_PER_INCH = 100
_METADATA: dict[str, dict[str, None]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
_SETTINGS: dict[Any, Any] = {
    "svg.hashsalt": "autodiff",  # ids of elements that are the same each time
    "svg.fonttype": "none",  # text stays text, which can be searched and read aloud
    "pdf.fonttype": 42,
    "axes.formatter.limits": (-4, 6),
    "axes.formatter.useoffset": False,  # a narrow range keeps its digits on the axis
}
_LIGHT = ("#ffffff", "#1c2126", "#dfe2e6")
_DARK = ("#16191d", "#e6e9ed", "#33383e")
"""the colours of the background, of text and axes, and of the grid"""
LINE_COLOURS = {
    False: ("#0072b2", "#c04a00", "#00795a", "#a0358a", "#7a5c00", "#454d55", "#b3202e"),
    True: ("#56b4e9", "#f2953c", "#2fc79a", "#e78ac3", "#f0d24a", "#c3cad2", "#ff7b7b"),
}
"""whether the background is dark → the colours of lines, each with a contrast of at least 3 to the background"""
_FONT = "one for this script, such as Noto Sans CJK"
_CAPTIONS_WIDTH = 90  # columns of all captions in a line


class FigureLook(NamedTuple):
    """The style of a figure, whatever it shows."""

    title: str = ""
    dark: bool = False
    scale: float = 1.0
    """dots of the file for each pixel of the size"""


_USUAL = FigureLook()


def matplotlib() -> ModuleType:
    """The package that draws. Raises AutodiffError where it is missing; call it before anything takes long."""
    try:
        import matplotlib
    except ModuleNotFoundError:
        raise missing_package("matplotlib") from None
    package: ModuleType = matplotlib
    return package


@contextmanager
def settings(look: FigureLook = _USUAL) -> Iterator[None]:
    """Draw with settings of our own, whatever the user's are, and without the warnings of matplotlib."""
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    package = matplotlib()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # such as about a character that the font lacks
        defaults: dict[Any, Any] = {**package.rcParamsDefault}
        del defaults["backend"]
        with package.rc_context(defaults | _SETTINGS | _colours(look.dark)):
            yield


def _colours(dark: bool) -> dict[Any, Any]:
    from matplotlib.rcsetup import cycler

    paper, ink, grid = _DARK if dark else _LIGHT
    on_paper = dict.fromkeys(("figure.facecolor", "axes.facecolor", "savefig.facecolor"), paper)
    in_ink = dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), ink)
    return {**on_paper, **in_ink, "grid.color": grid, "axes.prop_cycle": cycler(color=LINE_COLOURS[dark])}


def empty_figure(size: Size) -> "Figure":
    """A figure without axes, independent of the state of pyplot."""
    from matplotlib.figure import Figure

    return Figure(
        figsize=(size[0] / _DOTS_PER_INCH, size[1] / _DOTS_PER_INCH), dpi=_DOTS_PER_INCH, layout="constrained"
    )


def stacked(count: int, size: Size | None = None, *, sharex: bool = False) -> "tuple[Figure, list[Axes]]":
    """A figure of panels one below the other, and the axes of each."""
    drawing = empty_figure(size or (WIDTH, _SINGLE if count == 1 else _STACKED * count))
    return drawing, list(drawing.subplots(count, sharex=sharex, squeeze=False)[:, 0])


def add_legend(axes: "Axes", captions: Sequence[str], **options: Any) -> None:
    """Add a legend with these captions, of which matplotlib itself would leave out one like `_x`."""
    legend = axes.legend(labels=["."] * len(captions), frameon=False, **options)
    for shown, caption in zip(legend.get_texts(), captions, strict=True):
        shown.set_parse_math(False)
        shown.set_text(caption)


def encoded(
    draw: Callable[[], "Figure"], kind: str, look: FigureLook = _USUAL, warn: Callable[[Notice], None] | None = None
) -> bytes:
    """Return the figure that a function draws, as the bytes of a file; `warn` receives what cannot be drawn."""
    data = io.BytesIO()
    with settings(look):
        drawing = draw()
        if look.title:
            drawing.suptitle(one_line(look.title), wrap=True, parse_math=False)
        missing = use_fonts(drawing)
        if missing and warn and kind != "svg":  # which is shown with the fonts of its reader
            warn(Notice(f"no font that is installed has {missing}", hint=f"write it as SVG, or install {_FONT}"))
        drawing.savefig(data, format=kind, metadata=_METADATA[kind], dpi=_DOTS_PER_INCH * look.scale)
        return _described(data.getvalue(), drawing, look) if kind == "svg" else data.getvalue()


def _described(data: bytes, drawing: "Figure", look: FigureLook) -> bytes:
    """The SVG with a title and a description for screen readers."""
    parts = [_description(axes) for axes in drawing.axes]
    parts += drawing.get_supxlabel().splitlines()
    title = look.title or f"A plot of {_subject(drawing.axes[0])}"
    texts = f"<title>{escape(one_line(title))}</title>\n <desc>{escape('; '.join(parts))}</desc>"
    return re.sub(rb"(<svg [^>]*)>", lambda tag: tag[1] + b' role="img">\n ' + texts.encode(), data, count=1)


def _subject(axes: "Axes") -> str:
    """The title of the axes, else the captions of their legend."""
    legend = axes.get_legend()
    captions = legend.get_texts() if legend else ()
    return axes.get_title(loc="left") or ", ".join(caption.get_text() for caption in captions)


def _description(axes: "Axes") -> str:
    """A description of the contents of these axes, with the ranges of both."""
    ranges = (
        f"{name or 'values'} from {range_text(*ends)}"
        for name, ends in ((axes.get_xlabel(), axes.get_xlim()), (axes.get_ylabel(), axes.get_ylim()))
    )
    return one_line(": ".join(filter(None, (_subject(axes), ", ".join(ranges)))))


def shortened(caption: str, others: int = 1) -> str:
    """A caption with this many others in its line; drawn with `parse_math=False`, so that `$` does not mean TeX."""
    return elided(one_line(caption), _CAPTIONS_WIDTH // (others + 1))
