"""Operands of formulas in LaTeX: numbers, names, powers, fractions, roots and cases."""

import re
from collections.abc import Sequence
from itertools import pairwise

from ..errors import Source, Span
from ..work_budget import charge
from .expressions import PART, Expression, Names, ambiguous, atom, call, chosen, error, infix, joined, prefix
from .latex_lexer import LOOKS, LatexToken
from .latex_trees import Tree

_INDEX = re.compile(r"\s*\{?\s*\(\s*(?:\d+|[A-Za-z])\s*\)\s*\}?\s*")
"""a possible index, or order of a derivative, in the place of an exponent"""
_LOOK = re.compile(rf"\\(?:{'|'.join(LOOKS)})")
_CALLED = {"bars": "abs", "floor": "floor", "ceil": "ceil"}
_JOINED = {"either": "or", "both": "and"}
"""alternatives of the grammar → the function, or the operator, of their parts"""
_SPOKEN = {"+": "plus", "-": "minus", "*": "star", "<": "less", ">": "greater"}


class OperandReader:
    """Turns the operands of one text into expressions; subclasses add what is between operands."""

    def __init__(self, source: Source, words: Sequence[LatexToken], *, is_exported: bool) -> None:
        self.source, self._words, self._is_exported = source, words, is_exported
        self._variables = {
            name_of(word) for word in words if word.kind == "NAME" and not word.is_followed_by_parenthesis
        }
        """names that are no functions, because they are not always followed by a parenthesis"""
        self._concentrations = {
            self._cut((opening.start, closing.end))
            for before, opening, name, closing in zip(words, words[1:], words[2:], words[3:], strict=False)
            if (opening.text, name.kind, closing.kind) == ("[", "NAME", "RPAR")
            and before.kind not in ("NAME", "RBRACE")
        }
        """names in brackets that stand alone somewhere, as in `V[S] / (K + [S])`: they are not arguments"""
        self._after_delta = {a.start: b for a, b in pairwise(words) if a.text == "Delta" and b.kind == "NAME"}
        """the place of each Delta with a name after it → that name"""
        self._names = Names(source)
        self._numbered: dict[str, dict[bool, Span]] = {}
        """the first place of each name with these digits below: in a sum over one of them, or not"""
        self._functions = set[str]()
        """names of the functions that are defined above"""
        self._indices: dict[str, int] = {}
        """the index of each sum around, and its number now"""

    def expression(self, tree: Tree) -> Expression:
        """A tree as an expression of the language; the method of its name reads it."""
        charge(PART)
        if tree.data in _CALLED:
            return call(_CALLED[tree.data], self._parts(tree), self._span(tree))
        if tree.data in _JOINED:
            return joined(_JOINED[tree.data], [self._condition(part) for part in tree.trees], self._span(tree))
        result: Expression = getattr(self, f"_{tree.data}")(tree)
        return result

    def _condition(self, tree: Tree, alternative: str = "") -> Expression:
        """A comparison, or several; in what this program wrote, numbers too."""
        result = self.expression(tree)
        if not (result.is_condition or self._is_exported):
            raise error(self.source, result.span, "this is not a condition", f"write a comparison{alternative}")
        return result

    def _span(self, tree: Tree) -> Span:
        leaves = list(tree.leaves())
        if not leaves:
            return 0, 0
        return min(leaf.start for leaf in leaves), max(leaf.end for leaf in leaves)

    def _parts(self, tree: Tree) -> list[Expression]:
        return [self.expression(child) for child in tree.trees]

    def _cut(self, span: Span) -> str:
        return self.source.text[slice(*span)]

    def _power(self, tree: Tree) -> Expression:
        if len(tree.children) == 1 and not self._is_exported and tree.children[0].data == "constant":
            span = self._span(tree)
            if self._cut(span) == "e":
                readings = "the number 2.718…", "a value that is called e"
                raise ambiguous(self.source, span, readings, "write \\mathrm{e} for the number")
        return self._with_scripts(self.expression(tree.children[0]), tree)

    def _with_scripts(self, base: Expression, tree: Tree) -> Expression:
        """An operand with its exponents and factorials."""
        children = tree.children[1:]
        at = 0
        while at < len(children):
            if isinstance(children[at], Tree):
                if at + 1 < len(children) and children[at + 1].kind == "SUP":
                    raise error(self.source, self._span(tree), "two exponents stand one after the other", "use braces")
                exponent = self.expression(children[at])
                self._refuse_index(base, self._span(children[at]))
                base = self._raised(base, exponent, (base.span[0], self._span(children[at])[1]))
                at += 1
            elif children[at].kind == "BANG":
                double = children[at].start, children[at].start + 2
                if self._cut(double) == "!!":
                    hint = "write its product, such as \\prod_{k=0}^{2} (7 - 2k) for 7!!"
                    raise error(self.source, double, "a double factorial is not known", hint)
                base, at = call("factorial", [base], (base.span[0], children[at].end)), at + 1
            else:
                at += 1  # the sign ^
        return base

    def _refuse_index(self, base: Expression, exponent: Span) -> None:
        r"""Raise AutodiffError for `f^{(2)}`, a number or a letter alone in parentheses above a name, and for `E^0`."""
        above = self._cut(exponent)
        is_zero = above.strip("{} ") == "0"
        if self._is_exported or not base.text.isidentifier() or not (is_zero or _INDEX.fullmatch(above)):
            return
        span, inner = (base.span[0], exponent[1]), above.strip("{}() ")
        if is_zero:
            hint = f"write 1 for the power, \\mathrm{{{base.text}_0}} for the name"
            raise ambiguous(self.source, span, ("a power, which is 1,", "a name, as in a standard state"), hint)
        readings = f"a power, {base.text}^{inner},", "a derivative or an index"
        hint = f"write ^{{{inner}}} for the power; for an index _{{{inner}}}"
        raise ambiguous(self.source, span, readings, hint)

    def _raised(self, base: Expression, exponent: Expression, span: Span) -> Expression:
        is_literal = re.fullmatch(r"\d+", exponent.text) and not self._is_exported
        if base.text == "e" and is_literal and self._cut(base.span) == "e":
            readings = f"exp({exponent.text})", "a power of a value that is called e"
            raise ambiguous(self.source, span, readings, "write \\mathrm{e} for the number")
        if base.text == "e":
            return call("exp", [exponent], span)
        if base.text == "10" and re.fullmatch(r"-?\d+", exponent.text):
            return atom(f"1e{exponent.text}", span)
        return infix("^", base, exponent, span)

    def _number(self, tree: Tree) -> Expression:
        word: LatexToken = tree.children[0]
        return atom(word.text, word.span)

    _constant = _number

    def _name(self, tree: Tree) -> Expression:
        word: LatexToken = tree.children[0]
        if word.text in self._indices and not word.parts:
            number = self._indices[word.text]
            size = atom(str(abs(number)), word.span)
            return prefix("-", size, word.span) if number < 0 else size
        if (after := self._after_delta.get(word.start)) and not word.parts and not self._is_exported:
            readings = "one name", "Delta times the next"
            hint = f"write {self._as_one([word, after])}, or \\Delta\\cdot {self._cut(after.span)}"
            raise ambiguous(self.source, (word.start, after.end), readings, hint)
        self._refuse_product(word)
        entries = _entries(word, self._indices)
        words = _words(entries)
        if entries and not words:
            raise error(self.source, word.span, "this index has no word", "write letters or a number below the name")
        look = _LOOK.match(self.source.text, word.start)
        spelling = f"{look[0] if look else ''}{word.text},{'_'.join(entries)}"
        if not self._is_exported:
            self._refuse_entry(word, words)
        return self._names.atom("_".join([word.text, *words]), spelling, word.span)

    def _refuse_entry(self, word: LatexToken, words: Sequence[str]) -> None:
        """Raise AutodiffError for `x_{11}` beside `x_{i1}` in a sum over i, of which it may be one."""
        digits = "".join(words)
        is_of_sum = len(words) > 1 and bool(self._indices.keys() & word.parts) and len(digits) == len(words)
        if not digits.isdigit() or not (is_of_sum or len(words) == 1):
            return
        places = self._numbered.setdefault(f"{word.text}_{digits}", {})
        places.setdefault(is_of_sum, word.span)
        if len(places) == 2:
            base = self._cut(word.span).partition("_")[0]
            readings = f"one of {self._cut(places[True])}", "a value of its own"
            hint = f"write {base}_{{{','.join(digits)}}} for one of these, or another name"
            raise ambiguous(self.source, places[False], readings, hint)

    def _as_one(self, words: Sequence[LatexToken]) -> str:
        """Names side by side, written as one with the index of the last."""
        _, below, index = self._cut(words[-1].span).partition("_")
        return f"\\mathrm{{{''.join(word.text for word in words)}}}{below}{index}"

    def _refuse_product(self, word: LatexToken) -> None:
        """Raise AutodiffError where a number precedes the index of a sum, as in `x_{2i}`."""
        for number, index in zip(word.parts, word.parts[1:], strict=False):
            if number.isdigit() and index in self._indices:
                readings = f"a product of {number} and {index} below", "two indices"
                hint = f"write {number} \\cdot {index} for the product, {number},{index} for two indices"
                raise ambiguous(self.source, word.span, readings, hint)

    def _group(self, tree: Tree) -> Expression:
        return self._parts(tree)[0]

    def _parentheses(self, tree: Tree) -> Expression:
        values = self._parts(tree)
        if len(values) > 1:
            raise error(self.source, self._span(tree), "several values in parentheses are not a number")
        return values[0]._replace(span=self._span(tree))

    def _fraction(self, tree: Tree) -> Expression:
        above, below = self._parts(tree)
        return infix("/", above, below, self._span(tree))

    def _root(self, tree: Tree) -> Expression:
        *index, value = self._parts(tree)
        span = self._span(tree)
        if not index or index[0].text == "2":
            return call("sqrt", [value], span)
        return call("cbrt", [value], span) if index[0].text == "3" else call("nthroot", [value, *index], span)

    def _cases(self, tree: Tree) -> Expression:
        """The lines of `cases`: a value and its condition; the last may be for all others."""
        span = self._span(tree)
        pairs: list[tuple[Expression, Expression]] = []
        otherwise = atom("nan", span)
        for line in tree.trees:
            value, *conditions = line.trees
            if conditions:
                condition = self._condition(conditions[0], ", or \\text{otherwise} for all other values")
                pairs.append((condition, self.expression(value)))
            elif line is tree.trees[-1]:
                otherwise = self.expression(value)
            else:
                hint = "only the last line may be for all other values"
                raise error(self.source, self._span(line), "this line has no condition", hint)
        return chosen(pairs, otherwise, span)


def name_of(word: LatexToken, /, **numbers: int) -> str:
    """A name with its index; `numbers` are those of the indices of the sums around it."""
    return "_".join([word.text, *_words(_entries(word, numbers))])


def _words(entries: Sequence[str]) -> list[str]:
    """The letters and digits of the entries that have some."""
    return [clean for entry in entries if (clean := re.sub(r"\W", "", entry))]


def _entries(word: LatexToken, numbers: dict[str, int]) -> list[str]:
    """The entries of a subscript, with signs that a name cannot have."""
    groups: list[list[str]] = [[]]
    for part in word.parts:
        if part == ",":
            groups.append([])
        else:
            groups[-1].append(part)
    return [entry for group in groups for entry in _between_commas(group, numbers)]


def _between_commas(parts: Sequence[str], numbers: dict[str, int]) -> list[str]:
    """The entries of a subscript, up to a comma: a word, a number, or several that depend on the index of a sum."""
    known = [str(numbers[part]) if part in numbers else part for part in parts]
    total = _total(known)
    if len(known) > 1 and total is not None:
        known = [str(total)]
    elif not set(numbers) & set(parts) and all(len(part) == 1 and part.isalnum() for part in parts):
        return ["".join(parts)] if parts else []  # x_{max}
    return [_SPOKEN.get(part, part.replace("-", "minus_")) for part in known]


def _total(parts: Sequence[str]) -> int | None:
    """The number that whole numbers with signs between them, or a minus before them, come to; None for others."""
    signed = ["0", *parts] if parts[:1] == ["-"] else parts
    numbers, signs = signed[::2], signed[1::2]
    if len(numbers) == len(signs) or not all(re.fullmatch(r"-?\d{1,15}", number) for number in numbers):
        return None
    if not set(signs) <= {"+", "-", "*"}:
        return None
    terms = [int(numbers[0])]
    for sign, number in zip(signs, map(int, numbers[1:]), strict=True):
        if sign == "*":
            terms[-1] *= number
        else:
            terms.append(-number if sign == "-" else number)
    return sum(terms)
