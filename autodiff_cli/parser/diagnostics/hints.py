"""How a row of `habits` is tried at a place, and how its hint is filled with the user's own text."""

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING

from ...errors import AutodiffError
from ...operations import FUNCTIONS
from .context import LAST, LOGICAL, LOOSE, Surroundings, bare, plain, repeated
from .idioms import Habit

if TYPE_CHECKING:
    from ..builder import Builder

_NEAR = 400  # characters before a place that a pattern may take

_LETTER = r"[^\W⁰¹²³⁴⁵⁶⁷⁸⁹ⁿⁱ]"  # or a digit
WORDS = {
    "NAME": rf"(?<!\w)(?!\d){_LETTER}++",
    "NUMBER": r"(?<![\w.])(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?",
    "FUNCTION": rf"(?<!\w)(?:{'|'.join(FUNCTIONS)})(?!{_LETTER})",
    "TRIG": rf"(?<!\w)(?:sin|cos|tan|cot|sec|csc)h?(?!{_LETTER})",
    "ELEMENTARY": rf"(?<!\w)(?i:a?(?:rc)?(?:sin|cos|tan|cot|sec|csc)h?|ln|log2|log10|log|exp|sqrt)(?!{_LETTER})",
    "START": r"(?:\A|(?<=[;\r\n]))[^\S\r\n]*",
    "PART": r"[^?:;,\r\n()]{0,200}(?:\([^()]{0,200}\)[^?:;,\r\n()]{0,200}){0,9}",
}
"""what the words in the patterns of `habits` stand for: PART is a part of an expression, its parentheses closed"""


class _Filling(dict[str, str]):
    """What a row's texts can name: the groups of its patterns, and the fields of the stretch that they matched."""

    def __init__(self, place: Surroundings, start: int, end: int, groups: Iterable[tuple[str, str | None]]) -> None:
        super().__init__((name, repeated(plain(text or ""))) for name, text in groups)
        self.place, self.start, self.end = place, start, end

    def __missing__(self, name: str) -> str:
        return FIELDS[name](self)

    def grouped(self) -> str:
        """The expression after the stretch, in parentheses unless it is one operand."""
        expression = self.place.expression_after(self.end)
        return expression if expression == self.place.operand_after(self.end) else f"({expression})"


FIELDS: dict[str, Callable[[_Filling], str]] = {
    "text": lambda at: at.place.shown(at.start, at.end),
    "left": lambda at: at.place.operand_before(at.start),
    "base": lambda at: bare(at["left"]),
    "right": lambda at: at.place.operand_after(at.end),
    "argument": lambda at: bare(at["right"]),
    "loose": lambda at: at.place.operand_after(at.end, LOOSE),
    "last": lambda at: at.place.operand_after(at.end, LAST),
    "condition": lambda at: at.place.expression_before(at.start),
    "comparand": lambda at: at.place.expression_before(at.start, LOGICAL),
    "compared": lambda at: at.place.expression_after(at.end, LOGICAL),
    "grouped": _Filling.grouped,
    "function": lambda at: at["f"].lower(),
    "digits": lambda at: re.sub(r"[^\d.]", "", at.place.text[at.start : at.end]),
    "integer": lambda at: str(int(at.place.text[at.start : at.end], 0)),
}


def is_elementary(name: str) -> bool:
    """Is it a function that nobody would name a value after?"""
    return _pattern("ELEMENTARY").fullmatch(name) is not None


def advise(builder: "Builder", place: Surroundings, rows: Iterable[Habit]) -> AutodiffError | None:
    """The error of the first row that fits the place, if one does."""
    text, at, end = place.text, place.at, place.end
    for row in rows:
        found = _pattern(row.found).match(text, at)
        before = found and _pattern(rf"(?:{row.before})\Z").search(
            text, max(0, end - _NEAR) if row.before else end, end
        )
        if found and before:
            start, end = before.start(), found.end()
            filling = _Filling(place, start, end, [*before.groupdict().items(), *found.groupdict().items()])
            message, hint = row.message.format_map(filling), row.hint.format_map(filling)
            stretch = text[start:end]
            start, end = end - len(stretch.lstrip()), start + len(stretch.rstrip())
            return builder.error(message, start, end, hint=hint)
    return None


@cache
def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(re.sub("|".join(WORDS), lambda word: WORDS[word[0]], pattern))
