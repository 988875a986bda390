"""The tokens of a text, as the parser reads them: also of a text that is not a program."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from .lalr_tables import tables

NAME = r"[^\W\d][\w\u0300-\u036f]*+"
"""the pattern of a name, which may have combining accents"""


class Token(NamedTuple):
    """A token of a text. In the language its kind is its terminal in the grammar, or `UNKNOWN` if it is not one."""

    kind: str
    text: str
    start: int
    end: int

    @property
    def span(self) -> tuple[int, int]:
        """The place of the token in the text."""
        return self.start, self.end


@cache
def _terminals() -> dict[int, str]:
    return {number: name for name, number in tables().kinds.items()}


def tokens(text: str, start: int = 0) -> Iterator[Token]:
    """The tokens from a place on; the last is `$END`."""
    table, terminals = tables(), _terminals()
    for match in table.pattern.finditer(text, start):
        group = match.lastindex or 0
        kind = table.words.get(match[group], group)
        yield Token(terminals[kind], match[group], *match.span(group))
