"""Plots as pictures for a file: PNG, SVG or PDF, and the same bytes for the same plot."""

import io
import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..errors import one_line
from ..notation import elided
from .labels import missing

Size = tuple[int, int]
"""pixels across and up"""

_DOTS_PER_INCH = 100
_METADATA: dict[str, dict[str, None]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
_RULES: dict[Any, Any] = {
    "svg.hashsalt": "autodiff",  # the names of parts, which else would be other ones each time
    "svg.fonttype": "none",  # letters stay letters, which can be searched and read aloud
    "pdf.fonttype": 42,
    "axes.formatter.limits": (-4, 6),
}
_LABELS = 90  # columns of all labels in a line at the most


@contextmanager
def settings() -> Iterator[None]:
    """Draw by the rules of matplotlib itself, whatever the user's own file of settings says, and without chatter."""
    try:
        import matplotlib
    except ImportError:
        raise missing("matplotlib") from None
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a letter, for instance, that the font has not
        rules: dict[Any, Any] = {name: value for name, value in matplotlib.rcParamsDefault.items() if name != "backend"}
        with matplotlib.rc_context(rules | _RULES):
            yield


def empty(size: Size) -> Any:
    """A figure without axes. None of pyplot's state has a part in it."""
    from matplotlib.figure import Figure

    return Figure(
        figsize=(size[0] / _DOTS_PER_INCH, size[1] / _DOTS_PER_INCH), dpi=_DOTS_PER_INCH, layout="constrained"
    )


def encoded(figure: Any, kind: str) -> bytes:
    """A figure as the bytes of a file."""
    data = io.BytesIO()
    figure.savefig(data, format=kind, metadata=_METADATA[kind])
    return data.getvalue()


def text(label: str, share: int = 1) -> str:
    """A label as it is drawn, where it shares the line with others; that no `$` means TeX, `parse_math=False` says."""
    return elided(one_line(label), _LABELS // (share + 1))
