"""Finds the idiom that fits a place, and fills its hint with the user's own text."""

import re
from collections.abc import Callable, Iterable
from functools import cache

from ...errors import AutodiffError, Remedy
from ...operations import FUNCTIONS
from ..scope import Scope
from .context import LAST, LOGICAL, LOOSE, Context, plain, repeated
from .idioms import Idiom
from .synonyms import SYNONYMS

_LOOKED_BACK, _LOOKED_AHEAD = 400, 2000  # characters before and after a place that a pattern may match

_LETTER = r"[^\W⁰¹²³⁴⁵⁶⁷⁸⁹ⁿⁱ]"  # or a digit
ABBREVIATIONS = {
    "NAME": rf"(?<!\w)(?!\d){_LETTER}++",
    "NUMBER": r"(?<![\w.])(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?",
    "FUNCTION": rf"(?<!\w)(?:{'|'.join(FUNCTIONS)})(?!{_LETTER})",
    "TRIG": rf"(?<!\w)(?:sin|cos|tan|cot|sec|csc)h?(?!{_LETTER})",
    "ELEMENTARY": rf"(?<!\w)(?i:a?(?:rc)?(?:sin|cos|tan|cot|sec|csc)h?|ln|log2|log10|log|exp|sqrt)(?!{_LETTER})",
    "BRACED": r"[^{}]*+(?:\{[^{}]*+(?:\{[^{}]*+\}[^{}]*+)*+\}[^{}]*+)*+",
    "START": r"(?:\A|(?<=[;\r\n]))[^\S\r\n]*",
    "PART": r"[^?:;,\r\n()]{0,200}(?:\([^()]{0,200}\)[^?:;,\r\n()]{0,200}){0,9}",
}
"""word in the patterns of idioms → the pattern it stands for; PART is a part of an expression, parentheses closed, and
BRACED the text between braces, those within it closed"""


class Match:
    """An idiom that fits a place; `match[name]` is a text that its message and its hint may name."""

    def __init__(self, idiom: Idiom, context: Context, before: re.Match[str], after: re.Match[str]) -> None:
        groups = before.groupdict("") | after.groupdict("")
        self._groups = {name: repeated(plain(text)) for name, text in groups.items()}
        self.idiom, self.context, self.start, self.end = idiom, context, before.start(), after.end()

    def __getitem__(self, name: str) -> str:
        return self._groups[name] if name in self._groups else FIELDS[name](self)

    @property
    def hint(self) -> str:
        """The idiom's hint, with the user's own text."""
        return self.idiom.hint.format_map(self)

    @property
    def remedy(self) -> Remedy | None:
        """The idiom's remedy, about names in the user's own text."""
        remedy = self.idiom.remedy
        return remedy and remedy._replace(names=tuple(name.format_map(self) for name in remedy.names))

    def error(self, scope: Scope) -> AutodiffError:
        """The error about the text that the idiom matched."""
        text = self.context.text[self.start : self.end]
        start, end = self.end - len(text.lstrip()), self.start + len(text.rstrip())
        return scope.error(self.idiom.message.format_map(self), start, end, self.hint, self.remedy)

    def grouped(self) -> str:
        """The expression after the match, in parentheses unless it is a single operand."""
        expression = self.context.expression_after(self.end)
        return expression if expression == self.context.operand_after(self.end) else f"({expression})"


FIELDS: dict[str, Callable[[Match], str]] = {
    "text": lambda match: match.context.shown(match.start, match.end),
    "left": lambda match: match.context.operand_before(match.start),
    "base": lambda match: _bare(match["left"]),
    "right": lambda match: match.context.operand_after(match.end),
    "argument": lambda match: _bare(match["right"]),
    "applied": lambda match: _bare(match["loose"]),
    "loose": lambda match: match.context.operand_after(match.end, LOOSE),
    "last": lambda match: match.context.operand_after(match.end, LAST),
    "condition": lambda match: match.context.expression_before(match.start),
    "comparand": lambda match: match.context.expression_before(match.start, LOGICAL),
    "compared": lambda match: match.context.expression_after(match.end, LOGICAL),
    "grouped": Match.grouped,
    "function": lambda match: SYNONYMS.get(name := match["f"].lower(), name),
    "order": lambda match: f", {primes}" if (primes := len(re.findall("['’′]", match["text"]))) > 1 else "",
    "digits": lambda match: re.sub(r"[^\d.]", "", match.context.text[match.start : match.end]),
    "decimal": lambda match: match["text"].replace(".", "").replace(",", "."),
    "integer": lambda match: str(int(match.context.text[match.start : match.end], 0)),
}
"""name in hints and messages, besides the groups of the patterns → the text that it stands for"""


def find_idiom(context: Context, idioms: Iterable[Idiom]) -> Match | None:
    """The first of the idioms that fits the place; None if none does."""
    text, end = context.text, context.end
    for idiom in idioms:
        after = _pattern(idiom.after).match(text, context.at, context.at + _LOOKED_AHEAD)
        start = max(0, end - _LOOKED_BACK) if idiom.before else end
        before = after and _pattern(rf"(?:{idiom.before})\Z").search(text, start, end)
        if after and before:
            return Match(idiom, context, before, after)
    return None


def is_elementary(name: str) -> bool:
    """Whether the name is that of a function and nobody would give it to a value."""
    return _pattern("ELEMENTARY").fullmatch(name) is not None


def _bare(operand: str) -> str:
    """An operand without the parentheses around it."""
    return operand[1:-1].strip() if operand.startswith("(") and operand.endswith(")") else operand


@cache
def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(re.sub("|".join(ABBREVIATIONS), lambda word: ABBREVIATIONS[word[0]], pattern))
