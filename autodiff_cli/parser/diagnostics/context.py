"""The context of a position in a text: its tokens, and the operands and expressions next to it as the user wrote them.

A hint repeats these. However long the text, only some tokens on each side are read; what is too long to repeat is
shown as "…".
"""

import unicodedata
from collections import deque
from collections.abc import Collection, Sequence
from itertools import chain, islice, takewhile

from ..tokens import Token, tokens

_MOST_TOKENS = 200  # read on each side of a place
_MOST_REPEATED = 40  # characters of the user's that a hint repeats
_LOOKED_BACK = 4000  # characters that are searched for the tokens before a place


_BEGINNING = Token("NEWLINE", "", 0, 0)
_BEYOND = Token("", "", 0, 0)  # after the last token that was read
OPENING, CLOSING = {"LPAR", "LSQB"}, {"RPAR", "RSQB"}
_SEPARATORS = {"NEWLINE", "SEMICOLON", "COMMA", "EQUALS", "$END", "UNKNOWN"}
LOGICAL = {"AND", "OR", "NOT"}
LOOSE = {*_SEPARATORS, *LOGICAL, "RPAR", "RSQB", "COMPARISON", "PLUS", "MINUS"}
"""the tokens that end a product"""
LAST = {*_SEPARATORS, "AND", "OR", "RPAR", "RSQB"}
"""the tokens that end a comparison"""


class Context:
    """The tokens before a place and those from it on, without the newlines inside parentheses.

    `end` is where the token before the place ends; between them are only white space and comments. `opened` are the
    places of the parentheses that are open.
    """

    def __init__(self, text: str, end: int, at: int, opened: Sequence[int] = ()) -> None:
        self.text, self.at = text, at
        self.end = end if "#" in text[end:at] else at  # where looking back begins, before a comment
        self.current = next(tokens(text, at))
        self._inside = self.current.kind in CLOSING or any(place < at for place in opened[-2:])
        begin = _line_or_near(text, end)
        before = chain([] if begin else [_BEGINNING], takewhile(lambda token: token.start < end, tokens(text, begin)))
        self.before = deque(filter(self._counts, before), _MOST_TOKENS)
        self.enclosing = next((place for place in reversed(opened) if place < at), None)
        """the place of the innermost open parenthesis around the error, None if there is none"""
        if self.current.kind in CLOSING:
            near = [self.current, *reversed(self.before)]
            self.enclosing = near[min(_enclosed(near, CLOSING, OPENING), len(near) - 1)].start

    def _counts(self, token: Token) -> bool:
        return token.kind != "NEWLINE" or not self._inside

    @property
    def previous(self) -> Token:
        """The token before the place; at the beginning of the text, a newline."""
        return self.preceding(self.at)[0]

    @property
    def caller(self) -> Token | None:
        """The name of the function whose arguments or parameters the place is among."""
        token = _BEYOND if self.enclosing is None else self.preceding(self.enclosing)[0]
        return token if token.kind in ("NAME", "DEFINED") else None

    def following(self, start: int) -> list[Token]:
        """The tokens from a place on."""
        return [*filter(self._counts, islice(tokens(self.text, start), _MOST_TOKENS)), _BEYOND]

    def preceding(self, end: int) -> list[Token]:
        """The tokens before a place, the nearest first."""
        return [*(token for token in reversed(self.before) if token.end <= end), _BEYOND]

    def operand_before(self, end: int) -> str:
        """The operand that ends before a place."""
        near = self.preceding(end)
        first = _first(near)
        return "…" if first is None else self.shown(near[first].start, near[0].end)

    def is_tight(self, end: int) -> bool:
        """Whether the operand that ends before a place is a divisor or an exponent, as in `1/2 x` or `a^2 x`."""
        near = self.preceding(end)
        first = _first(near)
        if first is None:
            return False
        outer = next(token for token in near[first + 1 :] if token.kind not in ("PLUS", "MINUS"))
        return outer.text in ("/", "÷", "%", "^", "**")

    def operand_after(self, start: int, before: set[str] | None = None) -> str:
        """The operand that begins at a place; "…" unless a token of the kinds in `before`, where given, follows it."""
        near = self.following(start)
        last = 1 if near[0].kind in ("NAME", "DEFINED", "ROOT") and near[1].kind == "LPAR" else 0
        if near[last].kind in OPENING:
            last += _enclosed(near[last:], OPENING, CLOSING)
        elif near[last].kind not in ("NUMBER", "NAME", "INFINITY"):
            return "…"
        while last + 1 < len(near) and near[last + 1].kind == "LSQB":
            last += 1 + _enclosed(near[last + 1 :], OPENING, CLOSING)
        last += last + 1 < len(near) and near[last + 1].kind == "SUPERSCRIPT"
        if last + 1 >= len(near) or (before is not None and near[last + 1].kind not in before):
            return "…"
        return self.shown(near[0].start, near[last].end)

    def expression_before(self, end: int, stops: set[str] = _SEPARATORS) -> str:
        """The expression that ends before a place: back to a separator, or a token of the kinds in `stops`."""
        near = self.preceding(end)
        count = _extent(near, CLOSING, OPENING, _SEPARATORS | stops)
        return self.shown(near[count - 1].start, end) if 0 < count < len(near) else "…"

    def expression_after(self, start: int, stops: set[str] = _SEPARATORS) -> str:
        """The expression that begins at a place."""
        near = self.following(start)
        count = _extent(near, OPENING, CLOSING, _SEPARATORS | stops)
        return self.shown(start, near[count - 1].end) if 0 < count < len(near) else "…"

    def shown(self, start: int, end: int) -> str:
        """A part of the text, as a hint repeats it."""
        return repeated(self.text[start:end])


def _line_or_near(text: str, end: int) -> int:
    """A place to begin reading the tokens before `end`: the beginning of a line, which is never inside a comment."""
    near = max(0, end - _LOOKED_BACK)
    return near and max(near, text.find("\n", near, end))


def _first(near: Sequence[Token]) -> int | None:
    """The index, in tokens with the nearest first, of the first token of the nearest operand; None if there is none."""
    first = 1 if near[0].kind == "SUPERSCRIPT" else 0
    while first < len(near) and near[first].kind == "RSQB":
        count = _enclosed(near[first:], CLOSING, OPENING)
        if first + count + 1 >= len(near) or near[first + count + 1].end != near[first + count].start:
            return first + count if first + count < len(near) else None  # a list, not an index
        first += count + 1
    if first < len(near) and near[first].kind == "RPAR":
        first += _enclosed(near[first:], CLOSING, OPENING)
        first += first + 1 < len(near) and near[first + 1].kind in ("NAME", "DEFINED", "ROOT")
    elif first < len(near) and near[first].kind not in ("NUMBER", "NAME", "INFINITY"):
        return None
    return first if first < len(near) else None


def _extent(tokens: Sequence[Token], opening: set[str], closing: set[str], stops: Collection[str] = ()) -> int:
    """The number of tokens before one of the kinds in `stops`, or before a parenthesis that closes an outer one."""
    depth = 0
    for index, token in enumerate(tokens):
        depth += (token.kind in opening) - (token.kind in closing)
        if depth < 0 or (depth == 0 and token.kind in stops):
            return index
    return len(tokens)


def _enclosed(tokens: Sequence[Token], opening: set[str], closing: set[str]) -> int:
    """The number of tokens from a parenthesis, the first token, up to but not including the one that closes it."""
    return 1 + _extent(tokens[1:], opening, closing)


def repeated(text: str) -> str:
    """A part of the user's text as a hint repeats it: on one line; if it is long, without what its parentheses hold."""
    if len(text) <= _MOST_REPEATED and "#" not in text:
        return " ".join(text.split())
    head, parenthesis, _ = text[:_MOST_REPEATED].partition("(")
    return f"{head}(…)" if parenthesis and text.endswith(")") and "#" not in head else "…"


def plain(text: str) -> str:
    """The text in the characters of a keyboard: `⁻¹` as -1, `ｘ` as x."""
    return unicodedata.normalize("NFKC", text).replace("−", "-").replace("⁄", "/")
