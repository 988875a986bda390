"""LaTeX as tokens, one for each word and sign: what is typeset is kept, how it looks is left out."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..errors import Source, Span, did_you_mean
from ..notation import LATEX_ACCENTS
from ..operations import FUNCTIONS
from .expressions import ambiguous, error
from .latex_accents import FILLING


class LatexToken(NamedTuple):
    """A token.

    The parts of a name are those of its index, the part of a function is its word. The text of a derivative is its
    variable, and its parts are its order and those of the variable's index.
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
SPELLED = re.compile("|".join(sorted(_SPELLED_NAMES, key=len, reverse=True)))
"""commands of which letters side by side are hardly a product"""
_RENAMED = {"lg": "log10", "sgn": "sign", "tg": "tan", "ctg": "cot", "sh": "sinh", "ch": "cosh", "th": "tanh"}
_EXPORTED_FUNCTIONS = {"sigma": "sigmoid", "psi": "digamma", "varphi": "normpdf", "Phi": "normcdf", "B": "beta"}
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
DIFFERENTIALS = re.compile(
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
_PARENTHESIS = re.compile(r"\s*(?:\^\s*(?:\{(?:[^{}]|\{[^{}]*\})*\}|\w)\s*)?(?:\{\s*)?(?:\\left)?\s*[(]")
_EXPORTED_PARENTHESIS = re.compile(r"\s*(?:\^\{[^}]*\})?\s*\\left\(")
CONDITION_IN_TEXT = re.compile(rf"(\\(?:text|textrm|mbox)\s*\{{\s*(?:{'|'.join(_CONDITIONAL)})\s*)\$([^$]*)\$\}}")
"""such as `\\text{if $x > 0$}`"""
_INDEX = re.compile(r"\s*_")
_END = re.compile(r"[\n $]*+(?:\.*\Z|\\end\{)")
_SCRIPTS = ("SUP", "SUB")


def lexed(source: Source, text: str, *, is_exported: bool) -> Iterator[LatexToken]:
    """One token for each word of the text without its comments."""
    cases, bars = 0, 0
    before = delimiter = base = ""
    bases: list[str] = []
    for match in _PATTERN.finditer(text):
        if match.lastgroup == "blank":
            delimiter += match[0].strip()
            continue
        side, delimiter, span = delimiter, "", match.span()
        token = _token(source, match, is_exported)
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


def _token(source: Source, match: re.Match[str], is_exported: bool) -> LatexToken | None:
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
        return _word(source, word, match["upright"] or match["inner"], span, is_exported)
    if kind == "accent":
        return _accent(source, match)
    if kind == "letter":
        return LatexToken("CONSTANT" if word == "e" else "NAME", word, *span)
    if kind == "command":
        return _command(source, word[1:], span, is_exported)
    if word in ".,;" and _END.match(match.string, span[1]):
        return None
    if not is_exported and (mark := _MARKED.match(match.string, span[0])):
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


def _command(source: Source, word: str, span: Span, is_exported: bool) -> LatexToken:
    if word == "Gamma" and _PARENTHESIS.match(source.text, span[1]):
        return LatexToken("FUNCTION", "gamma", *span, (word,))
    if is_exported and word in _EXPORTED_FUNCTIONS and _EXPORTED_PARENTHESIS.match(source.text, span[1]):
        return LatexToken("FUNCTION", _EXPORTED_FUNCTIONS[word], *span, (word,))
    if word in _COMMANDS:
        return LatexToken(*_COMMANDS[word], *span)
    if word in _FUNCTIONS:
        return LatexToken("FUNCTION", _RENAMED.get(word, word), *span, (word,))
    if word in _GREEK:
        return LatexToken("NAME", word, *span)
    if is_exported and word == "partial":
        return LatexToken("NAME", "partial", *span)
    if word in _REFUSED:
        raise error(source, span, _REFUSED[word])
    if word in _ACCENTS.split("|"):
        raise error(source, span, f"`\\{word}` is for a name alone", f"write an index after it, as in \\{word}{{x}}_1")
    known = [*_GREEK_WORDS.split(), *_FUNCTIONS, *_COMMANDS]  # in an order: `gamma` before `Gamma`
    hint = _HINTS.get(word) or did_you_mean(word, known).replace("`", "`\\", 1)
    if _RENAMED.get(word, word) in FUNCTIONS:
        hint = f"write \\operatorname{{{word}}}"
    raise error(source, span, f"`\\{word}` is not known", hint)


def _word(source: Source, word: str, inner: str, span: Span, is_exported: bool) -> LatexToken | None:
    """An upright word: a function, a name, a condition of `cases`, or the number e."""
    words = re.sub(r"\\ |~", " ", inner.replace(FILLING, "").replace(r"\_", "_")).strip(",. \n").split()
    text = " ".join(words)
    name = _RENAMED.get(text, text)
    if not is_exported or word.startswith((r"\text", r"\mbox")):  # its names are in other letters
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
        if name == "sinc" and not is_exported:
            readings = "\\sin(\\pi x)/(\\pi x)", "\\sin(x)/x"
            raise ambiguous(source, span, readings, "write the quotient, \\frac{\\sin(…)}{…}")
        return LatexToken("FUNCTION", name, *span, (text,))
    if text == "B" and is_exported:
        return LatexToken("FUNCTION", "beta", *span, (text,))
    if text in ("e", "nan"):
        return LatexToken("CONSTANT", text, *span)
    text = text.replace(" ", "_")
    if not text.isidentifier():
        raise error(source, span, f"`{inner}` is not a name")
    return LatexToken("NAME", text, *span)


def _plain(name: str) -> str:
    """A name without backslashes, braces and white space."""
    return re.sub(r"[\\{}\s]", "", name)
