"""Names, numbers and operations as LaTeX, for math mode with the package amsmath."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import reduce
from typing import NamedTuple

from ..notation import LATEX_ACCENTS, without_brackets
from ..operations import Operation

LOOSE, COMPARISON, SUM, NEGATIVE, PRODUCT, FRACTION, POWER, ATOM = 0, 3, 5, 6, 7, 8, 9, 100

_LETTERS = """
alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi omega
Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega
"""
_GREEK = frozenset(_LETTERS.split())
_FUNCTIONS = {
    **{name: rf"\{name}" for name in ("sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "coth")},
    **{name: rf"\{name}" for name in ("max", "min")},
    **{name: rf"\arc{name[1:]}" for name in ("asin", "acos", "atan")},
    **{name: rf"\operatorname{{arc{name[1:]}}}" for name in ("acot", "asec", "acsc")},
    **{name: rf"\operatorname{{ar{name[1:]}}}" for name in ("asinh", "acosh", "atanh", "acoth", "asech", "acsch")},
    "log": r"\ln",
    "log2": r"\log_{2}",
    "log10": r"\log_{10}",
    "sign": r"\operatorname{sgn}",
    "sigmoid": r"\sigma",
    "gamma": r"\Gamma",
    "digamma": r"\psi",
    "trigamma": r"\psi^{(1)}",
    "beta": r"\mathrm{B}",
    "normpdf": r"\varphi",
    "normcdf": r"\Phi",
}
_BEGIN, _END = r"\begin{cases} ", r" \end{cases}"
_NOT_FINITE = {"inf": r"\infty", "nan": r"\mathrm{nan}"}
_SHAPES = {
    "neg": ("-{0}", NEGATIVE, (PRODUCT,)),
    "sub": ("{0} - {1}", SUM, (SUM, PRODUCT)),
    "recip": (r"\frac{{1}}{{{0}}}", FRACTION, (LOOSE,)),
    "mod": (r"{0} \bmod {1}", 4, (POWER, POWER)),
    "pow": ("{0}^{{{1}}}", POWER, (ATOM, LOOSE)),
    "square": ("{0}^{{2}}", POWER, (ATOM,)),
    "cube": ("{0}^{{3}}", POWER, (ATOM,)),
    "exp": ("e^{{{0}}}", POWER, (LOOSE,)),
    "exp2": ("2^{{{0}}}", POWER, (LOOSE,)),
    "sqrt": (r"\sqrt{{{0}}}", ATOM, (LOOSE,)),
    "cbrt": (r"\sqrt[3]{{{0}}}", ATOM, (LOOSE,)),
    "nthroot": (r"\sqrt[{1}]{{{0}}}", ATOM, (LOOSE, LOOSE)),
    "log_base": (r"\log_{{{1}}}\left({0}\right)", ATOM, (LOOSE, LOOSE)),
    "abs": (r"\left|{0}\right|", ATOM, (LOOSE,)),
    "floor": (r"\left\lfloor {0}\right\rfloor", ATOM, (LOOSE,)),
    "ceil": (r"\left\lceil {0}\right\rceil", ATOM, (LOOSE,)),
    "lgamma": (r"\ln\left|\Gamma\left({0}\right)\right|", ATOM, (LOOSE,)),
    "polygamma": (r"\psi^{{({0})}}\left({1}\right)", ATOM, (LOOSE, LOOSE)),
    "factorial": ("{0}!", POWER, (ATOM,)),
    "lt": ("{0} < {1}", COMPARISON, (SUM, SUM)),
    "le": (r"{0} \le {1}", COMPARISON, (SUM, SUM)),
    "gt": ("{0} > {1}", COMPARISON, (SUM, SUM)),
    "ge": (r"{0} \ge {1}", COMPARISON, (SUM, SUM)),
    "eq": ("{0} = {1}", COMPARISON, (SUM, SUM)),
    "ne": (r"{0} \ne {1}", COMPARISON, (SUM, SUM)),
    "not": (r"\lnot {0}", COMPARISON, (SUM,)),
    "and": (r"{0} \land {1}", 2, (COMPARISON, COMPARISON)),
    "or": (r"{0} \lor {1}", 1, (2, 2)),
}  # fmt: skip


class LatexText(NamedTuple):
    """A piece of LaTeX, how tightly it binds, and the part before the parentheses if it calls a function."""

    text: str
    binding: int = ATOM
    head: str = ""

    def within(self, binding: int) -> str:
        """The text where something has to bind this tightly."""
        return self.text if self.binding >= binding else rf"\left({self.text}\right)"

    @property
    def right_side(self) -> str:
        """The text after an equals sign: a comparison in parentheses, so that no second equation follows."""
        return self.text if self.binding == LOOSE else self.within(COMPARISON + 1)


def typeset(operation: Operation, operands: Sequence[LatexText]) -> LatexText:
    """An operation on operands."""
    if operation.name == "add":
        return _sum(*operands)
    if operation.name == "mul":
        return _product(*operands)
    if operation.name == "div":
        return _fraction(*operands)
    if operation.name == "where":
        return _choice(*operands)
    if operation.name in ("pow", "square", "cube") and operands[0].head:
        exponent = {"square": "2", "cube": "3"}.get(operation.name) or operands[1].text
        if exponent.isdecimal():
            head, text = operands[0].head, operands[0].text
            return LatexText(f"{head}^{{{exponent}}}{text.removeprefix(head)}")
    if operation.name == "hypot":
        return LatexText(rf"\sqrt{{{' + '.join(f'{operand.within(ATOM)}^{{2}}' for operand in operands)}}}")
    if operation.name in _SHAPES:
        template, binding, bindings = _SHAPES[operation.name]
        texts = [operand.within(least) for operand, least in zip(operands, bindings, strict=True)]
        return LatexText(template.format(*texts), binding)
    head = _FUNCTIONS.get(operation.name) or rf"\operatorname{{{_escaped(operation.called)}}}"
    arguments = ", ".join(operand.text for operand in operands)
    return LatexText(rf"{head}\left({arguments}\right)", head="" if "^" in head or "_" in head else head)


def _choice(condition: LatexText, a: LatexText, b: LatexText) -> LatexText:
    """One case, and those of the other branch, which alone may bind this loosely."""
    others = b.text.removeprefix(_BEGIN) if b.binding == LOOSE else rf"{b.text} & \text{{otherwise}}{_END}"
    return LatexText(rf"{_BEGIN}{a.text} & \text{{if }} {condition.text} \\ {others}", LOOSE)


def _sum(a: LatexText, b: LatexText) -> LatexText:
    if b.binding == NEGATIVE:
        return LatexText(f"{a.within(SUM)} - {b.text[1:]}", SUM)
    return LatexText(f"{a.within(SUM)} + {b.within(SUM)}", SUM)


def _product(a: LatexText, b: LatexText) -> LatexText:
    if a.binding == NEGATIVE:
        return LatexText("-" + _product(LatexText(a.text[1:], PRODUCT), b).text, NEGATIVE)
    left, right = a.within(PRODUCT), b.within(PRODUCT)
    number = re.fullmatch(r"[\d.]+", left)
    if right[0].isdecimal() or right.startswith(r"\frac") or (right.startswith(r"\left") and not number):
        return LatexText(rf"{left} \cdot {right}", PRODUCT)
    return LatexText(rf"{left}\,{right}", PRODUCT)


def _fraction(a: LatexText, b: LatexText) -> LatexText:
    if a.binding == NEGATIVE:
        return LatexText(rf"-\frac{{{a.text[1:]}}}{{{b.text}}}", NEGATIVE)
    return LatexText(rf"\frac{{{a.text}}}{{{b.text}}}", FRACTION)


def number(value: float) -> LatexText:
    r"""The shortest decimal number that reads back as the same double; `1e-9` as 10^{-9}."""
    return decimal(repr(value).removesuffix(".0"))


def decimal(text: str) -> LatexText:
    r"""A number that is written down already: `-2.5e-09` as -2.5 \cdot 10^{-9}."""
    if text.startswith("-"):
        return LatexText("-" + decimal(text[1:]).text, NEGATIVE)
    mantissa, _, exponent = text.partition("e")
    if not exponent:
        return LatexText(_NOT_FINITE.get(text, text))
    power = f"10^{{{int(exponent)}}}"
    return LatexText(power, POWER) if mantissa == "1" else LatexText(rf"{mantissa} \cdot {power}", PRODUCT)


def name(text: str) -> str:
    """A name: `x1` and `x_1` with an index, `theta` and `θ` as the letter, longer words upright."""
    first, *rest = without_brackets(text).split("_")
    letters, digits = re.fullmatch(r"(.*?)(\d*)", first).groups()  # type: ignore[union-attr]  # it always matches
    indices = [part for part in (digits, *rest) if part]
    if not letters or not all(part.isalnum() for part in (letters, *indices)) or len(indices) < len(rest):
        return _upright(text)
    subscript = ",".join(part if part.isdecimal() else _word(part) for part in indices)
    return _word(letters) + (f"_{{{subscript}}}" if subscript else "")


class DistinctNames:
    """Names that are typeset so that no two look the same: a second one that looks like x_1 is {x_1}_{(2)}."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self.typeset: Counter[str] = Counter()
        self._known: dict[str, str] = {}
        for text in texts:
            self.name(text)

    def name(self, text: str) -> str:
        """A name, which is typeset in the same way wherever it stands."""
        if text not in self._known:
            self._known[text] = self.new(text)
        return self._known[text]

    def new(self, text: str) -> str:
        """The name of another value, even if one with the same name is typeset already."""
        typeset = name(text)
        self.typeset[typeset] += 1
        times = self.typeset[typeset]
        return typeset if times == 1 else f"{{{typeset}}}_{{({times})}}"


def _word(word: str) -> str:
    """A word: one letter, letters with Greek ones among them side by side as in `Δt`, others upright."""
    if word in _GREEK:
        return rf"\{word}"
    letters = [_letter(character) for character in word]
    is_formula = len(word) == 1 or any(letter[1:] in _GREEK for letter in letters)
    return " ".join(letters) if is_formula and all(letters) else _upright(word)


def _upright(word: str) -> str:
    """A word in upright letters; those of other alphabets are text, since math fonts lack them."""
    letters = [_letter(character) for character in word]
    if not all(letters):
        return rf"\text{{{_escaped(word)}}}"
    return rf"\mathrm{{{''.join(f'{letter} ' if letter[1:] in _GREEK else letter for letter in letters)}}}"


def _letter(character: str) -> str:
    """A character of a formula: of ASCII, a Greek letter, one of these with accents, or `…`; "" for another."""
    decomposed = unicodedata.normalize("NFD", character)
    if character == "…":
        return r"\ldots "
    base, accents = decomposed[0], [LATEX_ACCENTS.get(mark, "") for mark in decomposed[1:]]
    letter = _escaped(base) if base.isascii() else _greek(base)
    return reduce(lambda inner, accent: rf"\{accent}{{{inner}}}", accents, letter) if letter and all(accents) else ""


def _greek(character: str) -> str:
    words = unicodedata.name(character, "").split()
    if words[:1] != ["GREEK"] or "LETTER" not in words or "WITH" in words:
        return ""
    letter = words[words.index("LETTER") + 1].lower().replace("lamda", "lambda")
    letter = letter.capitalize() if "CAPITAL" in words else letter
    return rf"\{letter}" if letter in _GREEK else ""


def _escaped(text: str) -> str:
    special = re.sub(r"([#$%&_{}])", r"\\\1", text.replace("\\", "\0")).replace("\0", r"\backslash{}")
    return special.replace("^", r"\hat{}").replace("~", r"\sim{}")
