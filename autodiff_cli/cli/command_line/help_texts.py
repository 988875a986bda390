"""The texts of `--help`, as wide as the output is, and in characters that it has."""

import sys
import textwrap

import click

from ...terminal.encoding import as_shown
from ...terminal.size import COLUMNS, width


class _HelpFormatter(click.HelpFormatter):
    """A help text within the width of the output; click's own has no less than 50 columns."""

    def __init__(self, *arguments: object, **options: object) -> None:
        super().__init__(width=max(1, min(width(sys.stdout), COLUMNS) - 2))

    def write_dl(self, rows: list[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:  # type: ignore[override]  # click's rows are any sequence
        """Write names and what they mean, which has most of the width."""
        broken = [(name if len(name) + 2 <= self.width else self._broken(name), text) for name, text in rows]
        super().write_dl(broken, min(col_max, self.width * 2 // 5), col_spacing)

    def _broken(self, name: str) -> str:
        """A name in lines that fit, broken between its choices."""
        lines = textwrap.wrap(name.replace("|", "| "), max(1, self.width - 4), break_long_words=False)
        return "\n    ".join(line.replace("| ", "|") for line in lines)

    def getvalue(self) -> str:
        """The text in characters that the output has."""
        return as_shown(super().getvalue(), sys.stdout)


class HelpContext(click.Context):
    """The context of a command, with such a help text."""

    formatter_class = _HelpFormatter
