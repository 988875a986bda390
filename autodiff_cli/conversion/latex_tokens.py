"""The tokens of LaTeX as the grammar reads them: a name and its index are one, arguments are always in braces."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ..errors import AutodiffError, Source
from .expressions import ambiguous, error
from .latex_accents import FILLING
from .latex_lexer import CONDITION_IN_TEXT, DIFFERENTIALS, OPENINGS, OPERANDS, SPELLED, LatexToken, lexed

_COMMENT = re.compile(r"(?P<escaped>\\.)|%[^\n]*")
_MATH = re.compile(
    r"(?P<escaped>\\[\\$])|\$\$.*?\$\$|\$.*?\$|\\\[.*?(?:\\\]|\Z)|\\\(.*?(?:\\\)|\Z)"
    r"|\\begin\{(?P<name>(?:equation|align|gather|multline|eqnarray|math)\*?)\}.*?(?:\\end\{(?P=name)\}|\Z)",
    re.DOTALL,
)
"""math mode in a text that is not all in it"""
_SCIENTIFIC = re.compile(r"(?<![\d.])([\d.]+)(?:e\+?(-?)|E)0*(\d+)")
"""a number such as 2e-3, as programs write it"""
_BRACKETS = {
    **dict.fromkeys(("LPAR", "LBRACE", "LBRACKET", "LBAR", "LFLOOR", "LCEIL", "BEGINCASES"), 1),
    **dict.fromkeys(("RPAR", "RBRACE", "RBRACKET", "RBAR", "RFLOOR", "RCEIL", "ENDCASES"), -1),
}
_SEPARATORS = ("AMP", "AND", "COMMA", "NEWLINE", "OR", "RELATION")
_BROKEN = re.compile(r"\\begin\{(?:multline|split)\*?\}")
"""environments for one formula in several lines"""
_ARGUMENTS = {"FRAC": 2, "SQRT": 1, "SUP": 1, "SUB": 1}


def tokens(source: Source, *, is_exported: bool) -> list[LatexToken]:
    """The tokens of a text in math mode; in what this program wrote, some letters are functions."""
    text = CONDITION_IN_TEXT.sub(r"\1}\2  ", _blanked(_COMMENT, source.text))
    if not is_exported and (quotient := DIFFERENTIALS.search(text)):
        readings = "a derivative", "a quotient of products"
        hint = "write \\frac{d}{dx} before the formula for its derivative, or \\frac{d \\cdot …}{d \\cdot …}"
        raise ambiguous(source, quotient.span(), readings, hint)
    raw = list(_continued(source, list(lexed(source, text, is_exported=is_exported))))
    if not is_exported:
        _refuse_outside(source, text, raw)
        _refuse_bars(source, raw)
    joined = list(
        _joined(source, _assigning(_side_by_side(source, raw) if is_exported else raw, is_exported=is_exported))
    )
    if not is_exported:
        _refuse_spelled(source, joined)
    words = list(_with_braces(source, _numbered(joined)))
    return _before_parentheses(words)


def _blanked(pattern: re.Pattern[str], text: str) -> str:
    """A text with spaces in place of what matches a pattern and is not escaped."""
    return pattern.sub(lambda match: match["escaped"] or " " * len(match[0]), text)


def _refuse_bars(source: Source, raw: Sequence[LatexToken]) -> None:
    """Raise AutodiffError for `|a|b|c|`, whose second bar closes, or opens an absolute value within another."""
    opened: list[tuple[LatexToken, list[LatexToken]]] = []
    """the bars and brackets around a token, each with the pair of bars before it that may be others"""
    pairs: list[list[LatexToken]] = [[]]
    """around all and in each of these: the last pair of bars, if a factor follows it"""
    for at, token in enumerate(raw):
        depth = _BRACKETS.get(token.kind, 0)
        is_free = token.kind in ("LBAR", "RBAR") and token.text
        if depth > 0:
            is_after_factor = is_free and at and raw[at - 1].kind in OPERANDS - {"RBAR"}
            opened.append((token, pairs[-1] if is_after_factor else []))
            pairs.append([])
        elif depth < 0 and opened:
            pairs.pop()
            opening, pair = opened.pop()
            if pair:
                raise _ambiguous_bars(source, [*pair, opening, token])
            if is_free and at + 1 < len(raw) and raw[at + 1].kind in OPENINGS - {"LBAR"}:
                pairs[-1] = [opening, token]
        elif token.kind in _SEPARATORS:
            pairs[-1] = []


def _ambiguous_bars(source: Source, bars: Sequence[LatexToken]) -> AutodiffError:
    """The error for four bars of which two pairs are side by side, or one is in the other."""
    first, factor, last = (source.text[a.end : b.start].strip() for a, b in pairwise(bars))
    beside = rf"\lvert {first}\rvert {factor}\lvert {last}\rvert"
    within = rf"\lvert {first}\lvert {factor}\rvert {last}\rvert"
    span = bars[0].start, bars[-1].end
    return ambiguous(source, span, (beside, within), r"write \lvert for a bar that opens, \rvert for one that closes")


def _refuse_outside(source: Source, text: str, raw: list[LatexToken]) -> None:
    """Raise AutodiffError for what is not in math mode, in a text that begins and ends it."""
    outside = _blanked(_MATH, text)
    first = next((token for token in raw if outside[token.start] != " " and token.kind != "NEWLINE"), None)
    if first is not None and outside != text:
        raise error(source, first.span, "this is outside of the formula", "leave out what is not in math mode")


def _refuse_spelled(source: Source, words: list[LatexToken]) -> None:
    r"""Raise AutodiffError where letters side by side spell a command, as in `a ln x`, or the exponent of a number."""
    written = [" "] * len(source.text)
    for word in words:
        if word.kind in ("NUMBER", "SIGN") or (word.kind in ("NAME", "CONSTANT") and word.end - word.start == 1):
            written[slice(*word.span)] = word.text
    text = "".join(written)
    if spelled := SPELLED.search(text):
        name = spelled[0]
        readings = f"\\{name}", "a product of letters"
        raise ambiguous(source, spelled.span(), readings, f"write \\{name}, or {' '.join(name)} for the product")
    if number := _SCIENTIFIC.search(text):
        hint = number.expand(r"write \1 \\times 10^{\2\3} for the number")
        raise ambiguous(source, number.span(), ("a number", "a product with the letter"), hint)


def _before_parentheses(words: list[LatexToken]) -> list[LatexToken]:
    """The tokens, marked where a parenthesis follows, perhaps after an exponent."""
    marked, closings = list(words), list[bool]()
    is_followed, after = False, ""
    for at, word in reversed([*enumerate(words)]):
        kind = word.kind
        if kind == "LBRACE" and closings:
            is_followed = closings.pop()
        elif kind != "SUP":  # which has that of the brace after it
            is_followed = after == "LPAR" or (after == "SUP" and is_followed)
        if kind == "RBRACE":
            closings.append(is_followed)
        marked[at] = word._replace(is_followed_by_parenthesis=is_followed)
        if (kind, after) != ("LBRACE", "LPAR"):  # SymPy writes f{(x)}
            after = kind
    return marked


def _continued(source: Source, raw: list[LatexToken]) -> Iterator[LatexToken]:
    r"""The tokens without each `\\` after which a plus or a minus goes on with the formula.

    Raises AutodiffError where the sign could also begin a formula.
    """
    depth = 0
    for token, after in zip(raw, [*raw[1:], *raw[-1:]], strict=True):
        depth += {"BEGINCASES": 1, "ENDCASES": -1}.get(token.kind, 0)
        if token.kind != "NEWLINE" or after.kind != "SIGN" or depth:
            yield token
        elif "&" not in source.text[token.end : after.start] and not _BROKEN.search(source.text):
            span, readings = (token.start, after.end), ("more of the line before", "a new formula")
            formula = "y = -…" if after.text == "-" else "it without the +"
            hint = f"write \\\\ &{after.text} for more of that line; for a new formula write {formula}"
            raise ambiguous(source, span, readings, hint)


def _assigning(raw: list[LatexToken], *, is_exported: bool) -> list[LatexToken]:
    """The tokens, in which the equals sign after a name that begins a line assigns."""
    marked, depth, first, is_open = list(raw), 0, "", True
    for at, token in enumerate(raw):
        if token.kind == "NEWLINE" and not depth:
            first, is_open = "", True
            continue
        depth += {"BEGINCASES": 1, "ENDCASES": -1, "LPAR": 1, "RPAR": -1, "LBRACE": 1, "RBRACE": -1}.get(token.kind, 0)
        if depth or not is_open:
            continue
        first = first or token.kind
        if token.text == "=" and token.kind == "RELATION":
            is_open = False
            if first in ("NAME", "RBRACE") or (is_exported and first == "FRAC"):
                marked[at] = token._replace(kind="ASSIGN")
        elif token.kind not in ("NAME", "SUB", "NUMBER", "CONSTANT", "RPAR", "RBRACE", "FRAC"):
            is_open = False
    return marked


def _side_by_side(source: Source, raw: list[LatexToken]) -> list[LatexToken]:
    r"""The tokens with the letters of each name as one: this program writes Δt as `\Delta t`, a product with `\,`."""
    read: list[LatexToken] = []
    for token in raw:
        before = read[-1] if read else token
        is_name = {before.kind, token.kind} <= {"NAME", "CONSTANT"} and before.text != "partial"
        if is_name and source.text[before.end : token.start].strip(FILLING) == " ":
            read[-1] = before._replace(kind="NAME", text=before.text + token.text, end=token.end)
        else:
            read.append(token)
    return read


def _joined(source: Source, raw: list[LatexToken]) -> Iterator[LatexToken]:
    """The tokens with each name and its index as one: `x_{1,k}` has the parts 1 and k, and so has `x^2_{1,k}`."""
    closings, moved = _closings(raw), dict[int, int]()
    at, before = 0, ""
    while at < len(raw):
        if at in moved:  # the index of a name before its exponent
            at = moved.pop(at)
            continue
        token, is_exponent = raw[at], before == "SUP"
        at, before = at + 1, token.kind
        if token.kind == "COMMA" and (at == len(raw) or raw[at].kind in ("AMP", "NEWLINE", "ENDCASES", "OTHERWISE")):
            continue  # punctuation
        below = at
        if _kind(raw, at) == "SUP":
            below = closings.get(at + 1, at + 1) + 1
        is_name = token.kind == "NAME" or (token.kind == "CONSTANT" and below > at)
        if is_exponent or not is_name or _kind(raw, below) != "SUB":
            yield token
            continue
        end = below + 1
        if _kind(raw, end) == "LBRACE":
            while _kind(raw, end) not in ("RBRACE", ""):
                end += 1
        if end >= len(raw):
            raise error(source, raw[below].span, "there is no index after `_`")
        parts = tuple(
            part.parts[0] if part.kind == "FUNCTION" else part.text
            for part in raw[below + 1 : end + 1]
            if part.kind not in ("LBRACE", "RBRACE")
        )
        moved[below] = end + 1
        yield token._replace(kind="NAME", end=raw[end].end if below == at else token.end, parts=parts)


def _kind(raw: Sequence[LatexToken], at: int) -> str:
    """The kind of a token; "" after the last."""
    return raw[at].kind if at < len(raw) else ""


def _closings(raw: Sequence[LatexToken]) -> dict[int, int]:
    """The place of each opening brace → the place of the one that closes it."""
    closings, opened = dict[int, int](), list[int]()
    for at, token in enumerate(raw):
        if token.kind == "LBRACE":
            opened.append(at)
        elif token.kind == "RBRACE" and opened:
            closings[opened.pop()] = at
    return closings


_ANOTHER = ["LBRACE", "NAME", "RBRACE", "SUB", "LBRACE", "LPAR", "NUMBER", "RPAR", "RBRACE"]
"""the tokens of {x}_{(2)}, another x"""


def _numbered(words: list[LatexToken]) -> Iterator[LatexToken]:
    """The tokens with each name that this program numbered as one."""
    at = 0
    while at < len(words):
        if [word.kind for word in words[at : at + len(_ANOTHER)]] == _ANOTHER:
            name, number, end = words[at + 1], words[at + 6].text, words[at + 8].end
            yield name._replace(end=end, parts=(*name.parts, ",", "again", number))
            at += len(_ANOTHER)
        else:
            yield words[at]
            at += 1


class _Frame:
    """An open pair of braces: its kind, and the number of arguments that the last command in it still lacks."""

    def __init__(self, kind: str = "") -> None:
        self.kind, self.wanted, self.may_have_index = kind, 0, False


def _with_braces(source: Source, raw: Iterator[LatexToken]) -> Iterator[LatexToken]:
    r"""The tokens with braces around every argument: `\frac12` and `x^2` have none."""
    frames = [_Frame()]
    for token in raw:
        frame = frames[-1]
        if token.kind == "LBRACE":
            frames.append(_Frame("argument" if frame.wanted else "group"))
            yield token
        elif frame.kind == "index" and token.text == "]":
            frames.pop()
            yield token._replace(kind="RBRACKET")
        elif token.kind == "RBRACE" and len(frames) > 1:
            if frame.wanted:
                raise error(source, token.span, "an argument is missing before this")
            frames.pop()
            frames[-1].wanted -= frame.kind == "argument"
            yield token
        elif frame.may_have_index and frame.wanted and token.text == "[":
            frame.may_have_index = False
            frames.append(_Frame("index"))
            yield token._replace(kind="LBRACKET")
        elif frame.wanted and token.kind in ("NUMBER", "NAME", "CONSTANT"):
            for part in _digits(token):
                is_argument = frame.wanted > 0
                frame.wanted -= is_argument
                braces = [LatexToken(kind, "", *part.span) for kind in ("LBRACE", "RBRACE")]
                yield from (braces[0], part, braces[1]) if is_argument else (part,)
        elif frame.wanted:
            shown = source.text[slice(*token.span)]
            raise error(source, token.span, f"`{shown}` is not an argument", "put the argument in braces")
        else:
            frame.wanted = _ARGUMENTS.get(token.kind, 0)
            frame.may_have_index = token.kind == "SQRT"
            yield token


def _digits(token: LatexToken) -> Iterator[LatexToken]:
    """The digits of a number one by one, as arguments without braces are; any other token as it is."""
    if token.kind != "NUMBER" or len(token.text) == 1:
        yield token
        return
    for index, digit in enumerate(token.text):
        start = token.start + index
        yield token._replace(text=digit, start=start, end=start + 1)
