"""Messages on standard error, where a person sees at once what kind they are and which place they are about."""

import re
from collections.abc import Iterator
from contextlib import suppress
from io import TextIOWrapper
from typing import Self, TextIO

from .color import is_colored, styled
from .screen import wrapped
from .size import width

_STYLES = {"error": "bold red", "warning": "bold yellow", "hint": "cyan", "caret": "bold red", "margin": "blue"}
_LEAST, _MOST, _MARGIN = 10, 100, 10  # columns of source, and of what precedes it
_SENTENCE = r"(error|warning|hint): "
_PARTS = (
    r"(?m)^(?P<error>error(?=: ))|^(?P<warning>warning(?=: ))|^(?P<hint>hint(?=: ))"
    r"|(?<=\| )(?P<caret> *\^+$)|^(?P<margin> *(-->|\d* \|))"
)


class MessageStream(TextIOWrapper):
    """Standard error: a message that cannot be written, as on a full disk, is lost, and the command goes on."""

    @classmethod
    def of(cls, stream: TextIOWrapper) -> Self:
        """The stream in place of an open one, which it takes over."""
        encoding = stream.encoding
        return cls(stream.detach(), encoding, line_buffering=True)

    def write(self, text: str) -> int:
        """Write a text as far as possible."""
        with suppress(OSError):
            super().write(text)
        return len(text)

    def flush(self) -> None:
        """Write what is left in the buffer, if possible."""
        with suppress(OSError):
            super().flush()


def room(out: TextIO) -> int:
    """The number of columns of source in a message, so that its carets stay below their place."""
    return max(_LEAST, min(_MOST, width(out) - _MARGIN))


def show(message: str, out: TextIO) -> None:
    """Write a message that `AutodiffError.render` made. On a terminal its sentences are broken between words."""
    if out.isatty():
        message = "\n".join(part for line in message.split("\n") for part in _fitted(line, width(out)))
    out.write((colored(message) if is_colored(out) else message) + "\n")


def _fitted(line: str, room: int) -> Iterator[str]:
    """The lines of a sentence, or the line of the source as it is."""
    lines = wrapped([(line, "")], room) if re.match(_SENTENCE, line) else [[(line, "")]]
    return ("".join(text for text, _ in segments) for segments in lines)


def colored(message: str) -> str:
    """The message with colours for its kind, the place that it is about and its hint."""
    return re.sub(_PARTS, lambda match: styled(match[0], _STYLES[match.lastgroup or ""]), message)
