"""A text as tokens, and a reader that takes one after the other: what C and Excel have in common."""

import re

from ..errors import AutodiffError, Source
from ..parser.tokens import Token
from .expressions import error


def tokens(source: Source, pattern: re.Pattern[str], at: int, end: int) -> list[Token]:
    """The tokens between two places by a pattern with named groups, their kinds: all but `blank`, and then an `end`."""
    read = []
    while at < end:
        match = pattern.match(source.text, at, end)
        if match is None:
            raise error(source, (at, at + 1), f"`{source.text[at]}` has no meaning here")
        if match.lastgroup != "blank":
            read.append(Token(match.lastgroup or "", match[0], *match.span()))
        at = match.end()
    return [*read, Token("end", "", at, at)]


class TokenReader:
    """Takes the tokens of a text, or of the part between two places, from the left."""

    def __init__(self, source: Source, pattern: re.Pattern[str], start: int = 0, end: int | None = None) -> None:
        self.source = source
        self._tokens = tokens(source, pattern, start, len(source.text) if end is None else end)
        self._next = 0

    @property
    def token(self) -> Token:
        """The next token."""
        return self._tokens[self._next]

    def ahead(self, count: int = 1) -> Token:
        """A token after the next one."""
        return self._tokens[min(self._next + count, len(self._tokens) - 1)]

    def take(self) -> Token:
        """The next token, which is passed. Raises AutodiffError at the end."""
        token = self.token
        if token.kind == "end":
            raise self.unexpected()
        self._next += 1
        return token

    def accept(self, *texts: str) -> Token | None:
        """The next token if it is one of these."""
        return self.take() if self.token.text in texts and self.token.kind != "end" else None

    def expect(self, text: str) -> Token:
        """The next token, which has to be this one."""
        token = self.accept(text)
        if token is None:
            raise self.unexpected(message=f"`{text}` is expected here")
        return token

    def unexpected(self, token: Token | None = None, message: str = "") -> AutodiffError:
        """The error for a token that does not fit: the next one, if no other is named."""
        token = token or self.token
        message = message or (f"`{token.text}` does not fit here" if token.text else "the formula ends too early")
        return error(self.source, (token.start, max(token.end, token.start + 1)), message)
