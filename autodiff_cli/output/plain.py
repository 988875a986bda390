"""Plain lines for shell scripts: words with a space between them; numbers have all their digits."""

from typing import TextIO

from ..terminal.printable_text import printable
from .report import Content, Report


def write(report: Report, out: TextIO) -> None:
    """Write the lines."""
    out.writelines(" ".join(map(_word, line)) + "\n" for line in report.lines())


def _word(content: Content) -> str:
    return printable(content) if isinstance(content, str) else "" if content is None else repr(content)
