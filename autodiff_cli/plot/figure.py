"""Figures of matplotlib for files: PNG, SVG or PDF, the same bytes for the same plot."""

import io
import logging
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..errors import one_line
from ..notation import elided
from .captions import missing_package

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Size = tuple[int, int]
"""pixels across and up"""

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
}
_CAPTIONS_WIDTH = 90  # columns of all captions in a line


@contextmanager
def settings() -> Iterator[None]:
    """Draw with the default settings of matplotlib, whatever the user's are, and without its warnings."""
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    try:
        import matplotlib
    except ImportError:
        raise missing_package("matplotlib") from None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # such as about a letter that the font lacks
        defaults: dict[Any, Any] = {**matplotlib.rcParamsDefault}
        del defaults["backend"]
        with matplotlib.rc_context(defaults | _SETTINGS):
            yield


def empty_figure(size: Size) -> "Figure":
    """A figure without axes, independent of the state of pyplot."""
    from matplotlib.figure import Figure

    return Figure(
        figsize=(size[0] / _DOTS_PER_INCH, size[1] / _DOTS_PER_INCH), dpi=_DOTS_PER_INCH, layout="constrained"
    )


def encoded(draw: Callable[[], "Figure"], kind: str) -> bytes:
    """What a function draws, as the bytes of a file."""
    data = io.BytesIO()
    with settings():
        draw().savefig(data, format=kind, metadata=_METADATA[kind])
    return data.getvalue()


def shortened(caption: str, share: int = 1) -> str:
    """A caption that shares its line with others; drawn with `parse_math=False`, so that `$` does not mean TeX."""
    return elided(one_line(caption), _CAPTIONS_WIDTH // (share + 1))
