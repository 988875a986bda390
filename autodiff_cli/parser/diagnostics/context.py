"""What stands around a place of a text: its words, and the operands and expressions next to it as the user wrote them.

A hint repeats these. A look is bounded in words, whatever the length of the text; what is too long to repeat is "…".
"""

import unicodedata
from collections import deque
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, islice, takewhile
from typing import NamedTuple

from ..lalr_tables import tables

_WORDS = 200  # looked at on each side
_SHOWN = 40  # characters that a hint repeats at the most
_SEARCHED = 4000  # characters before a place that its words are looked for in


class Word(NamedTuple):
    """A word of the language; `kind` is its terminal in the grammar, or `$END`, or `UNKNOWN` for no word at all."""

    kind: str
    text: str
    start: int
    end: int


_BEGINNING = Word("NEWLINE", "", 0, 0)
_BEYOND = Word("", "", 0, 0)  # after the last word that was looked at
_SEPARATORS = {"NEWLINE", "SEMICOLON", "COMMA", "EQUALS", "$END", "UNKNOWN"}
LOGICAL = {"AND", "OR", "NOT"}
LOOSE = {*_SEPARATORS, *LOGICAL, "RPAR", "COMPARISON", "PLUS", "MINUS"}
"""what ends a product"""
LAST = {*_SEPARATORS, "AND", "OR", "RPAR"}
"""what ends a comparison"""


@cache
def _terminals() -> dict[int, str]:
    return {number: name for name, number in tables().kinds.items()}


def words(text: str, start: int = 0) -> Iterator[Word]:
    """The words from a place on; the last is `$END`."""
    table, terminals = tables(), _terminals()
    for match in table.pattern.finditer(text, start):
        group = match.lastindex or 0
        kind = table.words.get(match[group], group)
        yield Word(terminals[kind], match[group], *match.span(group))


class Surroundings:
    """The words before a place and from it on; inside parentheses a newline is no word.

    The word before the place ends at `end`; between them stands nothing but white space and comments.
    """

    def __init__(self, text: str, end: int, at: int, opened: Sequence[int] = ()) -> None:
        self.text, self.at = text, at
        self.end = end if "#" in text[end:at] else at  # where a look back begins, before a comment
        self.found = next(words(text, at))
        self._inside = self.found.kind == "RPAR" or any(place < at for place in opened[-2:])
        begin = _line_or_near(text, end)
        before = chain([] if begin else [_BEGINNING], takewhile(lambda word: word.start < end, words(text, begin)))
        self.before = deque(filter(self._counts, before), _WORDS)
        self.enclosing = next((place for place in reversed(opened) if place < at), None)
        """the parenthesis that the place is in, as far as it was looked for"""
        if self.found.kind == "RPAR":
            near = [self.found, *reversed(self.before)]
            self.enclosing = near[min(_matching(near, "RPAR", "LPAR"), len(near) - 1)].start

    def _counts(self, word: Word) -> bool:
        return word.kind != "NEWLINE" or not self._inside

    @property
    def previous(self) -> Word:
        """The word before the place; at the beginning of the text, a newline."""
        return self.preceding(self.at)[0]

    @property
    def caller(self) -> Word | None:
        """The function whose arguments or parameters the place is among."""
        word = _BEYOND if self.enclosing is None else self.preceding(self.enclosing)[0]
        return word if word.kind in ("NAME", "DEFINED") else None

    def following(self, start: int) -> list[Word]:
        """The words from a place on."""
        return [*filter(self._counts, islice(words(self.text, start), _WORDS)), _BEYOND]

    def preceding(self, end: int) -> list[Word]:
        """The words before a place, the nearest first."""
        return [*(word for word in reversed(self.before) if word.end <= end), _BEYOND]

    def operand_before(self, end: int) -> str:
        """The operand that ends before a place."""
        near = self.preceding(end)
        first = _first(near)
        return "…" if first is None else self.shown(near[first].start, near[0].end)

    def is_tight(self, end: int) -> bool:
        """Does the operand that ends before a place belong to a division or a power, as in `1/2 x` or `a^2 x`?"""
        near = self.preceding(end)
        first = _first(near)
        outer = (
            [word.text for word in near[first + 1 :] if word.kind not in ("PLUS", "MINUS")] if first is not None else []
        )
        return bool(outer) and outer[0] in ("/", "÷", "%", "^", "**")

    def operand_after(self, start: int, before: set[str] | None = None) -> str:
        """The operand that begins at a place, if one of the kinds in `before` follows it."""
        near = self.following(start)
        last = 1 if near[0].kind in ("NAME", "DEFINED", "ROOT") and near[1].kind == "LPAR" else 0
        if near[last].kind == "LPAR":
            last += _matching(near[last:], "LPAR", "RPAR")
        elif near[last].kind not in ("NUMBER", "NAME", "INFINITY"):
            return "…"
        last += last + 1 < len(near) and near[last + 1].kind == "SUPERSCRIPT"
        if last + 1 >= len(near) or (before is not None and near[last + 1].kind not in before):
            return "…"
        return self.shown(near[0].start, near[last].end)

    def expression_before(self, end: int, stops: set[str] = _SEPARATORS) -> str:
        """The expression that ends before a place: back to a separator, or a word of the kinds in `stops`."""
        near = self.preceding(end)
        count = _extent(near, "RPAR", "LPAR", _SEPARATORS | stops)
        return self.shown(near[count - 1].start, end) if 0 < count < len(near) else "…"

    def expression_after(self, start: int, stops: set[str] = _SEPARATORS) -> str:
        """The expression that begins at a place."""
        near = self.following(start)
        count = _extent(near, "LPAR", "RPAR", _SEPARATORS | stops)
        return self.shown(start, near[count - 1].end) if 0 < count < len(near) else "…"

    def shown(self, start: int, end: int) -> str:
        """A stretch of the text as a hint repeats it."""
        return repeated(self.text[start:end])


def _line_or_near(text: str, end: int) -> int:
    """Where to begin to read for the words before a place: at a line's beginning, for that is no part of a comment."""
    near = max(0, end - _SEARCHED)
    return near and max(near, text.find("\n", near, end))


def _matching(words: Sequence[Word], opening: str, closing: str) -> int:
    """Where the parenthesis that the first word opens is closed; beyond the words if it is not closed in them."""
    depth = 0
    for index, word in enumerate(words):
        depth += (word.kind == opening) - (word.kind == closing)
        if depth == 0:
            return index
    return len(words)


def _first(near: Sequence[Word]) -> int | None:
    """Which of the words, the nearest first, is the first of the operand that they end with."""
    first = 1 if near[0].kind == "SUPERSCRIPT" else 0
    if near[first].kind == "RPAR":
        first += _matching(near[first:], "RPAR", "LPAR")
        first += first + 1 < len(near) and near[first + 1].kind in ("NAME", "DEFINED", "ROOT")
    elif near[first].kind not in ("NUMBER", "NAME", "INFINITY"):
        return None
    return first if first < len(near) else None


def _extent(words: Sequence[Word], opening: str, closing: str, stops: set[str]) -> int:
    """How many words come before one of `stops`, or a parenthesis that closes more than was opened."""
    depth = 0
    for index, word in enumerate(words):
        depth += (word.kind == opening) - (word.kind == closing)
        if depth < 0 or (depth == 0 and word.kind in stops):
            return index
    return len(words)


def repeated(text: str) -> str:
    """A user's text as a hint repeats it: on one line, and the inside of its parentheses left out if it is long."""
    if len(text) <= _SHOWN and "#" not in text:
        return " ".join(text.split())
    head, parenthesis, _ = text[:_SHOWN].partition("(")
    return f"{head}(…)" if parenthesis and text.endswith(")") and "#" not in head else "…"


def bare(operand: str) -> str:
    """An operand without the parentheses around it."""
    return operand[1:-1].strip() if operand.startswith("(") and operand.endswith(")") else operand


def plain(text: str) -> str:
    """The text in the characters of a keyboard: `⁻¹` as -1, `ｘ` as x."""
    return unicodedata.normalize("NFKC", text).replace("−", "-").replace("⁄", "/")
