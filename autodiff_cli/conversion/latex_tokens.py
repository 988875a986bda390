"""LaTeX as tokens: what is typeset is kept, how it looks is left out, and arguments are always in braces."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ..errors import AutodiffError, Source, Span, did_you_mean
from ..notation import LATEX_ACCENTS
from ..operations import FUNCTIONS
from .expressions import ambiguous, error
from .latex_accents import FILLING


class LatexToken(NamedTuple):
    """A token; a name has the parts of its index, a derivative, called by its variable, its order before these.

    A function has its word.
    """

    kind: str
    text: str
    start: int
    end: int
    parts: tuple[str, ...] = ()
    is_followed_by_parenthesis: bool = False

    @property
    def span(self) -> Span:
        """The place in the text."""
        return self.start, self.end


_GREEK_WORDS = """
alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi rho varrho sigma
varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega hbar ell
"""
_GREEK = frozenset(_GREEK_WORDS.split())
LOOKS = ("mathbf", "boldsymbol", "mathcal", "bm", "vec", "mathbb")
"""commands that make another symbol of a letter, and no other name"""
_ACCENTS = "|".join([*LATEX_ACCENTS.values(), "widehat", "widetilde", "overline", *LOOKS])
_LETTER = rf"(?:[A-Za-z]|\\(?:{'|'.join(_GREEK_WORDS.split())})(?![A-Za-z]))"
_BRACES = r"\{[^{}]*\}"
for _ in range(4):  # nested
    _BRACES = rf"\{{(?:[^{{}}]|{_BRACES})*+\}}"
_D = r"d|\\mathrm(?:\s*\{\s*d\s*\}|\s+d)"
"""the d of a derivative"""
_VARIABLE = rf"(?:\\[,;:!]\s*)?(?:\\(?:ln|log|{_ACCENTS})(?![A-Za-z])\s*)?(?:{_LETTER}|{_BRACES})"
"""the variable of a derivative, or its logarithm"""
_PATTERN = re.compile(
    rf"(?P<blank>(?<=\\\\)\s*\[-?[\d.]+\s*(?:pt|em|ex|mm|cm|in)\]|[\s{FILLING}]+"  # \\[6pt] is a wide \\
    r"|(?:[_^]\s*)?\{\}(?=\s*[-+=])|\\left\s*\\(?:\{|lbrace)(?=\s*\\begin\{(?P<cases>\w*(?:array|cases)\*?)\}"
    r"(?:(?!\\end\{(?P=cases)\}).)*+\\end\{(?P=cases)\}\s*\\right\s*\.)"  # a brace that is not closed
    r"|~|\\[,;:!> ]|\\(?:left|right)\s*\.|\\(?:left|right|middle|[bB]igg?[lrm]?)(?![A-Za-z])"
    r"|\\(?:q?quad|displaystyle|textstyle|limits|nolimits|nonumber|notag|mathopen|mathclose)(?![A-Za-z])"
    r"|\\(?:hspace|label|tag|(?:text)?color)\{[^}]*\}|\$+|\\[][()])"
    rf"|(?P<derivative>\\[dt]?frac\s*\{{\s*(?P<d>{_D}|\\partial)"
    r"\s*(?:\^\{?(?P<order>\d)\}?)?\s*\}\s*"
    r"\{\s*(?P=d)\s*(?P<variable>\\?[A-Za-z]+(?:_\{?\w+\}?)?)\s*(?:\^\{?(?P=order)\}?)?\s*\})"
    rf"|(?P<unread>\\[dt]?frac\s*\{{\s*(?P<above>{_D})\s*(?:\^\{{?\d\}}?)?\s*\}}\s*"
    rf"\{{\s*(?P=above)\s*(?={_VARIABLE}[^+*/-]*\}}))"
    rf"|(?P<differential>\\(?:mathrm|text|textrm|operatorname)\s*\{{\s*d\s*\}}\s*(?={_LETTER})"
    rf"|\\mathrm\s+d\s*(?={_LETTER}))"
    rf"|(?P<environment>\\begin\{{(?!eqn)\w*array\}}\s*(?:\[[tbc]\]\s*)?{_BRACES}|\\(?:begin|end)\{{\w+\*?\}})"
    r"|(?P<number>\d+(?:\.\d+)?|\.\d+)"
    r"|(?P<word>\\(?:text|mbox|mathrm|mathit|textrm|textit|operatorname\*?|mathsf|mathtt)\s*"
    r"\{(?P<inner>(?:[^{}\\]|\\.)*)\}|\\math(?:rm|it|sf|tt)\s+(?P<upright>[A-Za-z]))"
    rf"|(?P<accent>\\(?P<mark>{_ACCENTS})(?![A-Za-z])"
    r"\s*(?:\{\s*(?P<marked>\\?[A-Za-z]+|[^\W\d_])\s*\}|(?P<single>\\[A-Za-z]+|[A-Za-z])))"
    r"|(?P<command>\\[A-Za-z]+)"
    r"|(?P<letter>[^\W\d_][\u0300-\u036f]*)"
    r"|(?P<sign>\\.|:=|.)",
    re.DOTALL,
)
_FUNCTIONS_WORDS = """
sin cos tan cot sec csc sinh cosh tanh coth exp log ln max min arcsin arccos arctan lg
"""
_FUNCTIONS = frozenset(_FUNCTIONS_WORDS.split())
_SPELLED_WORDS = """
pi sqrt frac cdot times sum prod infty
"""
_SPELLED_NAMES = _FUNCTIONS - {"lg"} | {*_SPELLED_WORDS.split()} | {word for word in _GREEK if len(word) > 2}
_SPELLED = re.compile("|".join(sorted(_SPELLED_NAMES, key=len, reverse=True)))
"""commands of which letters side by side are hardly a product"""
_SCIENTIFIC = re.compile(r"(?<![\d.])([\d.]+)(?:e\+?(-?)|E)0*(\d+)")
"""a number such as 2e-3, as programs write it"""
_RENAMED = {"lg": "log10", "sgn": "sign", "tg": "tan", "ctg": "cot", "sh": "sinh", "ch": "cosh", "th": "tanh"}
_OWN_FUNCTIONS = {"sigma": "sigmoid", "psi": "digamma", "varphi": "normpdf", "Phi": "normcdf", "B": "beta"}
"""letters that this program writes for functions"""
_SIGNS = {
    "+": ("SIGN", "+"), "-": ("SIGN", "-"), "−": ("SIGN", "-"), "*": ("OPERATOR", "*"), "/": ("OPERATOR", "/"),
    "(": ("LPAR", "("), ")": ("RPAR", ")"), "[": ("LPAR", "["), "]": ("RPAR", "]"), r"\{": ("LPAR", "{"),
    r"\}": ("RPAR", "}"), "{": ("LBRACE", "{"), "}": ("RBRACE", "}"), ",": ("COMMA", ","), ";": ("COMMA", ";"),
    "!": ("BANG", "!"), "^": ("SUP", "^"), "_": ("SUB", "_"), "<": ("RELATION", "<"), ">": ("RELATION", ">"),
    "=": ("RELATION", "="), ":=": ("RELATION", "="), r"\\": ("NEWLINE", r"\\"), "&": ("AMP", "&"),
    "|": ("BAR", "|"), r"\|": ("BAR", r"\|"), "·": ("OPERATOR", "*"),
    "×": ("OPERATOR", "*"), "≤": ("RELATION", "<="), "≥": ("RELATION", ">="), "≠": ("RELATION", "!="),
}  # fmt: skip
_COMMANDS = {
    "cdot": ("OPERATOR", "*"), "times": ("OPERATOR", "*"), "ast": ("OPERATOR", "*"), "div": ("OPERATOR", "/"),
    "bmod": ("MOD", "%"), "le": ("RELATION", "<="), "leq": ("RELATION", "<="), "leqslant": ("RELATION", "<="),
    "ge": ("RELATION", ">="), "geq": ("RELATION", ">="), "geqslant": ("RELATION", ">="), "lt": ("RELATION", "<"),
    "gt": ("RELATION", ">"), "ne": ("RELATION", "!="), "neq": ("RELATION", "!="), "land": ("AND", "and"),
    "wedge": ("AND", "and"), "lor": ("OR", "or"), "vee": ("OR", "or"), "lnot": ("NOT", "not"), "neg": ("NOT", "not"),
    "frac": ("FRAC", "frac"), "dfrac": ("FRAC", "frac"), "tfrac": ("FRAC", "frac"), "sqrt": ("SQRT", "sqrt"),
    "lfloor": ("LFLOOR", ""), "rfloor": ("RFLOOR", ""), "lceil": ("LCEIL", ""), "rceil": ("RCEIL", ""),
    "lvert": ("LBAR", ""), "rvert": ("RBAR", ""), "lVert": ("LBAR", ""), "rVert": ("RBAR", ""),
    "pi": ("CONSTANT", "pi"), "infty": ("CONSTANT", "inf"),
    "sum": ("BIG", "+"), "prod": ("BIG", "*"), "lbrace": ("LPAR", "{"), "rbrace": ("RPAR", "}"),
    "mid": ("BAR", "|"), "vert": ("BAR", "|"), "colon": ("COMMA", ":"),
}  # fmt: skip
_REFUSED = {
    "int": "an integral is not a formula of numbers", "iint": "an integral is not a formula of numbers",
    "lim": "a limit is not a formula of numbers", "pm": "`\\pm` stands for two values",
    "mp": "`\\mp` stands for two values", "mod": "`\\mod` is written `\\bmod`",
    **dict.fromkeys(("partial", "nabla"), "this derivative has no form that is known"),
    "over": "`\\over` is written `\\frac{…}{…}`", "ldots": "`\\ldots` leaves something out",
    **dict.fromkeys(("binom", "dbinom", "tbinom"), "a binomial coefficient is written `\\frac{n!}{k! (n-k)!}`"),
    "cdots": "`\\cdots` leaves something out", "dots": "`\\dots` leaves something out",
}  # fmt: skip
_OTHER_NAME = "for another value write an index, as in x_{new}"
_STANDARD_STATE = "for a standard state write a name, such as \\mathrm{E_0}"
_HINTS = {
    "'": f"{_OTHER_NAME}; a derivative is \\frac{{d}}{{dx}} …",
    "ominus": _STANDARD_STATE,
    "circ": f"{_STANDARD_STATE}; for degrees \\cdot \\frac{{\\pi}}{{180}}",
}
_OPERANDS_WORDS = """
NUMBER NAME CONSTANT RPAR RBRACE RBAR RFLOOR RCEIL BANG ENDCASES
"""
OPERANDS = frozenset(_OPERANDS_WORDS.split())
"""kinds of tokens that may end an operand"""
_OPENINGS_WORDS = """
NUMBER NAME CONSTANT FUNCTION LPAR LBRACE LBAR LFLOOR LCEIL FRAC SQRT BIG DERIVATIVE BEGINCASES
"""
OPENINGS = frozenset(_OPENINGS_WORDS.split())
"""kinds of tokens that may begin one"""
_SIDED = re.compile(r"\\(?:(?P<opens>left|[bB]igg?l)|right|[bB]igg?r)\Z")
"""a command that says whether the bar after it opens or closes"""
_BRACKETS = {
    **dict.fromkeys(("LPAR", "LBRACE", "LBRACKET", "LBAR", "LFLOOR", "LCEIL", "BEGINCASES"), 1),
    **dict.fromkeys(("RPAR", "RBRACE", "RBRACKET", "RBAR", "RFLOOR", "RCEIL", "ENDCASES"), -1),
}
_SEPARATORS = ("AMP", "AND", "COMMA", "NEWLINE", "OR", "RELATION")
_DIFFERENTIALS = re.compile(
    rf"\\[dt]?frac\s*\{{\s*(?P<d>{_D})\s*+(?:\^\s*\{{?\d\}}?\s*+)?+"
    rf"(?![-+*/^_!,}}]|\\(?:cdot|times|ast|div)(?![A-Za-z]))(?:[^{{}}]|{_BRACES})*+\}}\s*"
    rf"\{{\s*(?P=d)\s*{_VARIABLE}\s*(?:_(?:\w|{_BRACES}))?\s*(?:\^\{{?\d\}}?)?\s*\}}"
)
"""a quotient such as dy/dx"""
_T = r"(?:T|\\math(?:rm|sf)\s*\{\s*T\s*\})"
_OF_MATRIX = re.compile(rf"\s*(?:_(?:\w|{_BRACES})\s*)?\^\s*(?:{_T}|\{{\s*(?:{_T}|(?P<inverse>-\s*1))\s*\}})")
"""the exponent of a transpose or an inverse, after a letter that looks like a matrix"""
_MARK = r"(?:\*|\\(?:ast|star|prime|dagger)(?![A-Za-z]))"
_MARKED = re.compile(rf"\^\s*(?:{_MARK}|\{{\s*(?:{_MARK}|[-+'])\s*\}})")
"""a sign in the place of an exponent, which makes another name of a letter"""
_VECTOR_MARKS = ("vec", "mathbf", "boldsymbol", "bm")
_VECTOR = re.compile(rf"\s*\\(?P<mark>{'|'.join(_VECTOR_MARKS)})(?![A-Za-z])\s*(?P<name>{_BRACES}|\\?[A-Za-z]+)")
_TIMES_VECTOR = re.compile(rf"\s*(?:_(?:\w|{_BRACES})\s*)?(?:\\(?:cdot|times)(?![A-Za-z])|[·×])?{_VECTOR.pattern}")
_OTHERWISE = frozenset(["otherwise", "else", "elsewhere"])
_CONDITIONAL = frozenset(["if", "for", "when", "where", "with"])
"""words before a condition"""
_LOGICAL = frozenset(["and", "or", "not"])
_COMMENT = re.compile(r"(?P<escaped>\\.)|%[^\n]*")
_MATH = re.compile(
    r"(?P<escaped>\\[\\$])|\$\$.*?\$\$|\$.*?\$|\\\[.*?(?:\\\]|\Z)|\\\(.*?(?:\\\)|\Z)"
    r"|\\begin\{(?P<name>(?:equation|align|gather|multline|eqnarray|math)\*?)\}.*?(?:\\end\{(?P=name)\}|\Z)",
    re.DOTALL,
)
"""math mode in a text that is not all in it"""
_PARENTHESIS = re.compile(r"\s*(?:\^\s*(?:\{(?:[^{}]|\{[^{}]*\})*\}|\w)\s*)?(?:\{\s*)?(?:\\left)?\s*[(]")
_OWN_PARENTHESIS = re.compile(r"\s*(?:\^\{[^}]*\})?\s*\\left\(")
_CONDITION_IN_TEXT = re.compile(rf"(\\(?:text|textrm|mbox)\s*\{{\s*(?:{'|'.join(_CONDITIONAL)})\s*)\$([^$]*)\$\}}")
"""such as `\\text{if $x > 0$}`"""
_INDEX = re.compile(r"\s*_")
_END = re.compile(r"[\n $]*+(?:\.*\Z|\\end\{)")
_BROKEN = re.compile(r"\\begin\{(?:multline|split)\*?\}")
"""environments for one formula in several lines"""
_SCRIPTS = ("SUP", "SUB")
_ARGUMENTS = {"FRAC": 2, "SQRT": 1, "SUP": 1, "SUB": 1}


def tokens(source: Source, *, is_own: bool) -> list[LatexToken]:
    """The tokens of a text in math mode; in what this program wrote, some letters are functions."""
    text = _CONDITION_IN_TEXT.sub(r"\1}\2  ", _blanked(_COMMENT, source.text))
    if not is_own and (quotient := _DIFFERENTIALS.search(text)):
        readings = "a derivative", "a quotient of products"
        hint = "write \\frac{d}{dx} before the formula for its derivative, or \\frac{d \\cdot …}{d \\cdot …}"
        raise ambiguous(source, quotient.span(), readings, hint)
    raw = list(_continued(source, list(_raw(source, text, is_own))))
    if not is_own:
        _refuse_outside(source, text, raw)
        _refuse_bars(source, raw)
    joined = list(_joined(source, _assigning(_side_by_side(source, raw) if is_own else raw, is_own=is_own)))
    if not is_own:
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
    if spelled := _SPELLED.search(text):
        name = spelled[0]
        readings = f"\\{name}", "a product of letters"
        raise ambiguous(source, spelled.span(), readings, f"write \\{name}, or {' '.join(name)} for the product")
    if number := _SCIENTIFIC.search(text):
        hint = number.expand(r"write \1 \\times 10^{\2\3} for the number")
        raise ambiguous(source, number.span(), ("a number", "a product with the letter"), hint)


def _before_parentheses(words: list[LatexToken]) -> list[LatexToken]:
    """The tokens, which know what is followed by a parenthesis, perhaps after an exponent."""
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


def _raw(source: Source, text: str, is_own: bool) -> Iterator[LatexToken]:
    """One token for each word of the text without its comments."""
    cases, bars = 0, 0
    before = delimiter = base = ""
    bases: list[str] = []
    for match in _PATTERN.finditer(text):
        if match.lastgroup == "blank":
            delimiter += match[0].strip()
            continue
        side, delimiter, span = delimiter, "", match.span()
        token = _token(source, match, is_own)
        if token is None or (token.kind == "AMP" and not cases):
            continue
        cases += {"BEGINCASES": 1, "ENDCASES": -1}.get(token.kind, 0)
        if token.kind == "NUMBER" and before in _SCRIPTS and len(token.text) > 1:
            readings = f"{{{token.text[0]}}}{token.text[1:]}, as TeX sets it,", f"{{{token.text}}}"
            raise ambiguous(source, span, readings, "write the braces")
        if token.kind == "CONSTANT" and _INDEX.match(text, span[1]):
            token = token._replace(kind="NAME")  # e_1 is not a number
        if token.kind == "BAR":
            sided = _SIDED.search(side)
            closes = sided["opens"] is None if sided else bars > 0 and before in OPERANDS
            bars += -1 if closes else 1
            token = token._replace(kind="RBAR" if closes else "LBAR", text="" if sided else token.text)
        if token.kind == "LBAR" and (vector := _VECTOR.match(text, span[1])):
            place, readings = (span[0], vector.end()), ("a norm", "an absolute value")
            hint = f"for the absolute value write {_plain(vector['name'])} without \\{vector['mark']}"
            raise ambiguous(source, place, readings, hint)
        if r"\q" in side and base in OPERANDS and token.kind in OPENINGS:
            hint = "leave out one of them, or write \\cdot for the product"
            raise error(source, span, "a formula follows another", hint)
        if token.kind == "LBRACE":
            bases.append(base if before in _SCRIPTS else "RBRACE")
        elif token.kind == "RBRACE" and bases:
            base = bases.pop()  # what has the script, such as \sum
        elif before not in _SCRIPTS and token.kind not in _SCRIPTS:
            base = token.kind
        before = token.kind
        yield token


def _token(source: Source, match: re.Match[str], is_own: bool) -> LatexToken | None:
    """The token of a word; None for what only changes how the formula looks, and for the end of a sentence."""
    kind, word, span = match.lastgroup, match[0], match.span()
    if kind == "environment":
        if "matrix" in word:
            raise error(source, span, "a matrix is not a number")
        is_cases = re.search("cases|(?<!eqn)array", word)
        return LatexToken("BEGINCASES" if "begin" in word else "ENDCASES", word, *span) if is_cases else None
    if kind == "derivative":
        variable, _, index = _plain(match["variable"]).partition("_")
        return LatexToken("DERIVATIVE", variable, *span, (match["order"] or "1", *re.findall(r"\d+|\w", index)))
    if kind == "unread":
        hint = "write one name below, as in \\frac{d}{dx}, or \\frac{d}{d \\cdot …} for the quotient"
        raise ambiguous(source, span, ("a derivative", "a quotient"), hint)
    if kind == "differential":
        hint = "write \\frac{d}{dx} before a formula for its derivative, or \\mathrm{d} \\cdot … for a product"
        raise error(source, span, "a differential is not a number", hint)
    if kind == "number":
        return LatexToken("NUMBER", word, *span)
    if kind == "word":
        return _word(source, word, match["upright"] or match["inner"], span, is_own)
    if kind == "accent":
        return _accent(source, match)
    if kind == "letter":
        return LatexToken("CONSTANT" if word == "e" else "NAME", word, *span)
    if kind == "command":
        return _command(source, word[1:], span, is_own)
    if word in ".,;" and _END.match(match.string, span[1]):
        return None
    if not is_own and (mark := _MARKED.match(match.string, span[0])):
        raise error(source, mark.span(), f"`{mark[0]}` is not a power", _OTHER_NAME)
    if word in _SIGNS:
        return LatexToken(*_SIGNS[word], *span)
    raise error(source, span, f"`{word}` has no meaning here", _HINTS.get(word, ""))


def _accent(source: Source, match: re.Match[str]) -> LatexToken:
    """A letter with an accent, or in another look, which is not a vector or a matrix."""
    (start, end), mark, name = match.span(), match["mark"], _plain(match["marked"] or match["single"])
    is_look, hint = mark in LOOKS, f"write {name} without \\{mark}"
    if is_look and (above := _OF_MATRIX.match(match.string, end)):
        readings = "an inverse" if above["inverse"] else "a transpose", "a power"
        raise ambiguous(source, (start, above.end()), readings, f"for the power {hint}")
    if mark in _VECTOR_MARKS and (factor := _TIMES_VECTOR.match(match.string, end)):
        readings = "a product of vectors", "one of numbers"
        raise ambiguous(source, (start, factor.end()), readings, f"for numbers {hint}")
    return LatexToken("NAME", name if is_look else f"{name}_{mark.removeprefix('wide')}", start, end)


def _command(source: Source, word: str, span: Span, is_own: bool) -> LatexToken:
    if word == "Gamma" and _PARENTHESIS.match(source.text, span[1]):
        return LatexToken("FUNCTION", "gamma", *span, (word,))
    if is_own and word in _OWN_FUNCTIONS and _OWN_PARENTHESIS.match(source.text, span[1]):
        return LatexToken("FUNCTION", _OWN_FUNCTIONS[word], *span, (word,))
    if word in _COMMANDS:
        return LatexToken(*_COMMANDS[word], *span)
    if word in _FUNCTIONS:
        return LatexToken("FUNCTION", _RENAMED.get(word, word), *span, (word,))
    if word in _GREEK:
        return LatexToken("NAME", word, *span)
    if is_own and word == "partial":
        return LatexToken("NAME", "partial", *span)
    if word in _REFUSED:
        raise error(source, span, _REFUSED[word])
    if word in _ACCENTS.split("|"):
        raise error(source, span, f"`\\{word}` is for a name alone", f"write an index after it, as in \\{word}{{x}}_1")
    known = [*_GREEK, *_FUNCTIONS, *_COMMANDS]
    hint = _HINTS.get(word) or did_you_mean(word, known).replace("`", "`\\", 1)
    if _RENAMED.get(word, word) in FUNCTIONS:
        hint = f"write \\operatorname{{{word}}}"
    raise error(source, span, f"`\\{word}` is not known", hint)


def _word(source: Source, word: str, inner: str, span: Span, is_own: bool) -> LatexToken | None:
    """An upright word: a function, a name, a condition of `cases`, or the number e."""
    words = re.sub(r"\\ |~", " ", inner.replace(FILLING, "").replace(r"\_", "_")).strip(",. \n").split()
    text = " ".join(words)
    name = _RENAMED.get(text, text)
    if not is_own or word.startswith((r"\text", r"\mbox")):  # its names are in other letters
        if not words:
            return LatexToken("COMMA", ",", *span) if "," in inner else None
        if text in _OTHERWISE:
            return LatexToken("OTHERWISE", text, *span)
        if text in _LOGICAL:
            return LatexToken(text.upper(), text, *span)
        if text in _CONDITIONAL:
            return LatexToken("IF", text, *span)
        if {words[0], words[-1]} & (_CONDITIONAL | _LOGICAL):
            return LatexToken("PHRASE", text.replace(" ", "_"), *span)  # a name, if it is an index
    if word.startswith(r"\operatorname") or name in FUNCTIONS:
        if name not in FUNCTIONS:
            raise error(source, span, f"unknown function `{text}`", did_you_mean(text, FUNCTIONS))
        if name == "sinc" and not is_own:
            readings = "\\sin(\\pi x)/(\\pi x)", "\\sin(x)/x"
            raise ambiguous(source, span, readings, "write the quotient, \\frac{\\sin(…)}{…}")
        return LatexToken("FUNCTION", name, *span, (text,))
    if text == "B" and is_own:
        return LatexToken("FUNCTION", "beta", *span, (text,))
    if text in ("e", "nan"):
        return LatexToken("CONSTANT", text, *span)
    text = text.replace(" ", "_")
    if not text.isidentifier():
        raise error(source, span, f"`{inner}` is not a name")
    return LatexToken("NAME", text, *span)


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


def _assigning(raw: list[LatexToken], *, is_own: bool) -> list[LatexToken]:
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
            if first in ("NAME", "RBRACE") or (is_own and first == "FRAC"):
                marked[at] = token._replace(kind="ASSIGN")
        elif token.kind not in ("NAME", "SUB", "NUMBER", "CONSTANT", "RPAR", "RBRACE", "FRAC"):
            is_open = False
    return marked


def _plain(name: str) -> str:
    """A name without backslashes, braces and white space."""
    return re.sub(r"[\\{}\s]", "", name)


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
        is_own = token.kind == "NAME" or (token.kind == "CONSTANT" and below > at)
        if is_exponent or not is_own or _kind(raw, below) != "SUB":
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
    """The kind of a token; "" behind the last."""
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
