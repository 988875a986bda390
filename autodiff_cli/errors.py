"""Errors as data: a message, the place in the source that it is about, and a hint on how to mend it.

Everything that can be wrong with a user's input is raised as an `AutodiffError`; only `cli` prints it, with
`render`. The exit codes that scripts rely on are here too.
"""

import os
import re
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import islice
from typing import NamedTuple

from .terminal.printable_text import columns, one_line, printable

Span = tuple[int, int]
"""[start, end) of a part of a text, in characters"""

INPUT, USAGE, NOT_FINITE, MISMATCH, MISSING_PACKAGE = 1, 2, 3, 4, 5
INTERNAL, INTERRUPTED, CLOSED_PIPE = 70, 130, 141

_WIDTH = 100  # columns of source that an error shows at most
_LONG = re.compile(r"\S{200,}+")  # a word of the user's that would bury the message


class Origin(NamedTuple):
    """The text in another notation that a program was made of, and where the parts of the program come from."""

    text: str
    name: str
    line: int
    places: tuple[tuple[int, Span], ...]
    """the start of each part in the program, and its [start, end) in the text"""

    def place(self, span: Span) -> tuple["Source", Span]:
        """The text as a source, and the span in it that a span of the program comes from."""
        starts = [start for start, _ in self.places]
        first, last = bisect_right(starts, span[0]) - 1, max(bisect_left(starts, span[1]), 1)
        spans = [place for _, place in self.places[max(first, 0) : last]] or [(0, 0)]
        whole = min(start for start, _ in spans), max(end for _, end in spans)
        return Source(self.text, self.name, self.line), whole


class Source(NamedTuple):
    """A text in the language, and what to call it: the name of a file, or `<formula>`."""

    text: str
    name: str = "<formula>"
    line: int = 0
    """its line in the file, where it is one of many formulas"""
    origin: Origin | None = None
    """the text that it was made of, where that is in another notation: messages point there"""


class Remedy(NamedTuple):
    """A way to mend an error: a kind and the names that it is about, which each interface puts into its own words."""

    kind: str
    names: tuple[str, ...]
    words: str
    """the words for users of Python; the command line replaces them"""
    lead: str = ""
    """words of the hint before these, such as `its columns are x, y; `"""


class AutodiffError(Exception):
    """Something is wrong with the input; `span` is [start, end) in the source, in characters.

    The hint says how to mend it. Where that depends on the interface, such as the option to add, it is a `remedy`,
    which comes before the rest of the hint.
    """

    def __init__(
        self,
        message: str,
        *,
        span: Span | None = None,
        hint: str = "",
        remedy: Remedy | None = None,
        source: Source | None = None,
        code: int = INPUT,
    ) -> None:
        super().__init__(message)
        self.message, self._hint, self.remedy = _LONG.sub(_shortened, message), hint, remedy
        self.span, self.source, self.code = span, source, code

    def __str__(self) -> str:
        return self.render()

    @property
    def hint(self) -> str:
        """Advice on mending the error; "" if there is none."""
        return _LONG.sub(_shortened, _joined(self.remedy, self._hint))

    @hint.setter
    def hint(self, text: str) -> None:
        self._hint, self.remedy = text, None

    def add_hint(self, text: str) -> None:
        """Add a way to mend the error after those that the hint has."""
        self._hint = "; ".join(filter(None, (self._hint, text)))

    @property
    def column(self) -> int | None:
        """The column of the place that the error is about, counted from 1; None for an error without a place."""
        if self.source is None or self.span is None:
            return None
        source, span = self.source.origin.place(self.span) if self.source.origin else (self.source, self.span)
        return span[0] - _line_start(source.text, span[0]) + 1

    def render(self, kind: str = "error", room: int = _WIDTH) -> str:
        """The whole message as plain text, with a caret under the place, whose line is cut to a number of columns."""
        text = f"{kind}: {one_line(self.message)}"
        if self.source is not None and self.span is not None:
            text += "\n" + excerpt(self.source, self.span, room)
        if self.hint:
            text += f"\n\nhint: {printable(self.hint)}"
        return text


class UsageError(AutodiffError):
    """The options or arguments of a command make no sense, alone or together."""

    def __init__(self, message: str, hint: str = "", *, remedy: Remedy | None = None) -> None:
        super().__init__(message, hint=hint, remedy=remedy, code=USAGE)


class Notice(NamedTuple):
    """A warning, which stops nothing; the fields are those of `AutodiffError`."""

    message: str
    hint: str = ""
    span: Span | None = None
    source: Source | None = None
    remedy: Remedy | None = None

    def render(self, kind: str = "warning", room: int = _WIDTH) -> str:
        """The whole message as plain text, as for `AutodiffError`."""
        hint = _joined(self.remedy, self.hint)
        return AutodiffError(self.message, span=self.span, hint=hint, source=self.source).render(kind, room)


def _joined(remedy: Remedy | None, hint: str) -> str:
    return "; ".join(filter(None, (remedy.lead + remedy.words if remedy else "", hint)))


def _shortened(word: re.Match[str]) -> str:
    return f"{word[0][: _WIDTH // 2]}…{word[0][-_WIDTH // 2 :]}"


def excerpt(source: Source, span: Span, room: int = _WIDTH) -> str:
    """The line of the source that the span begins in, cut to a number of columns, with carets under the span."""
    if source.origin is not None:
        source, span = source.origin.place(span)
    start, end = span
    first = _line_start(source.text, start)
    breaks = (source.text.find(line_break, start) for line_break in "\r\n")
    last = min((at for at in breaks if at >= 0), default=len(source.text))
    number = source.text[:first].replace("\r\n", "\n").replace("\r", "\n").count("\n") + (source.line or 1)
    left = max(first, min(start - room // 2, last - room))
    right = min(last, left + room)
    before, marked, after = (
        one_line(source.text[a:b]) for a, b in ((left, start), (start, min(end, right)), (min(end, right), right))
    )
    lead, trail = "…" * (left > first), "…" * (right < last)
    margin = " " * len(str(number))
    return (
        f"{margin}--> {one_line(source.name)}:{number}:{start - first + 1}\n"
        f"{margin} |\n"
        f"{number} | {lead}{before}{marked}{after}{trail}\n"
        f"{margin} | {lead and ' '}{' ' * columns(before)}{'^' * max(1, columns(marked))}"
    )


def not_installed(message: str, extra: str, otherwise: str = "") -> AutodiffError:
    """The error for a missing package that an extra of this one installs; `otherwise` ends the hint."""
    return AutodiffError(message, hint=f'{_installer()} "autodiff-cli[{extra}]"{otherwise}', code=MISSING_PACKAGE)


def _installer() -> str:
    """The command that installs into this package's environment; pipx and uv are recognised by the files they leave.

    This package itself is on no index; as it is already installed, the command does not look it up.
    """
    if os.path.exists(os.path.join(sys.prefix, "pipx_metadata.json")):
        return "pipx runpip autodiff-cli install"
    if os.path.exists(os.path.join(sys.prefix, "uv-receipt.toml")):
        import shlex

        return f"uv pip install --python {shlex.quote(sys.prefix)}"
    return "pip install"


@contextmanager
def needing(message: str, extra: str) -> Iterator[None]:
    """Raise the error of `not_installed` where an import in the block lacks its package."""
    try:
        yield
    except ModuleNotFoundError:
        raise not_installed(message, extra) from None


def needing_arrays(what: str) -> AbstractContextManager[None]:
    """Raise AutodiffError, with the command that installs them, where imports lack the packages for arrays."""
    return needing(f"{what} need NumPy and SciPy, which are not installed", "data")


def _line_start(text: str, position: int) -> int:
    return max(text.rfind("\n", 0, position), text.rfind("\r", 0, position)) + 1


def quoted_names(names: Collection[str], most: int = 6) -> str:
    """The first few names, in code quotes, for a message."""
    return ", ".join(f"`{name}`" for name in islice(names, most)) + ", …" * (len(names) > most)


def uncapitalized(text: str) -> str:
    """The text, such as a message of a library, as it continues a sentence."""
    return text[:1].lower() + text[1:]


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint with the closest of the known words; "" if none is close."""
    from difflib import get_close_matches

    candidates = list(islice(known, 10_000))
    same = [name for name in candidates if name.casefold() == word.casefold()]
    close = same or get_close_matches(word[:100], candidates, n=5, cutoff=0.65 if len(word) <= 4 else 0.75)
    # Letters in the wrong order are the commonest slip: `tahn` is tanh, although tan is closer to difflib.
    closest = min(close, key=lambda name: sorted(name) != sorted(word), default=None)
    return f"did you mean `{closest}`?" if closest else ""
