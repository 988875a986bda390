"""Messages on standard error, where a person sees at once what kind they are and which place they are about."""

import re
from typing import TextIO

from .color import is_colored, styled
from .screen import wrapped
from .size import width

_STYLES = {"error": "bold red", "warning": "bold yellow", "hint": "cyan", "caret": "bold red", "margin": "blue"}
_LEAST, _MOST, _MARGIN = 10, 100, 10  # columns of source, and of what stands before it
_PARTS = re.compile(
    r"^(?P<error>error(?=: ))|^(?P<warning>warning(?=: ))|^(?P<hint>hint(?=: ))"
    r"|(?<=\| )(?P<caret> *\^+$)|^(?P<margin> *(-->|\d* \|))",
    re.MULTILINE,
)


def room(out: TextIO) -> int:
    """The number of columns of source in a message, so that its carets stay below their place on a terminal."""
    return max(_LEAST, min(_MOST, width(out) - _MARGIN)) if out.isatty() else _MOST


def show(message: str, out: TextIO) -> None:
    """Write a message that `AutodiffError.render` made. On a terminal the sentence of it is broken between words."""
    if out.isatty():
        sentence, *others = message.split("\n")
        lines = wrapped([(sentence, "")], width(out))
        message = "\n".join([*("".join(text for text, _ in line) for line in lines), *others])
    out.write((colored(message) if is_colored(out) else message) + "\n")


def colored(message: str) -> str:
    """The message with colours for its kind, the place that it is about and its hint."""
    return _PARTS.sub(lambda match: styled(match[0], _STYLES[match.lastgroup or ""]), message)
