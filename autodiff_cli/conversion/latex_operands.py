"""Operands of formulas in LaTeX: numbers, names, powers, fractions, roots and cases."""

import re
from collections.abc import Sequence

from ..errors import Source, Span
from ..work import charge
from .expressions import PART, Expression, Names, ambiguous, atom, call, chosen, error, infix
from .latex_tokens import LatexToken
from .latex_trees import Tree

_INDEX = re.compile(r"\s*\{?\s*\(\s*(?:\d+|[A-Za-z])\s*\)\s*\}?\s*")
"""a possible index, or order of a derivative, in the place of an exponent"""


class OperandReader:
    """Makes expressions of the trees of one text; a subclass knows what stands between operands."""

    def __init__(self, source: Source, words: Sequence[LatexToken], *, is_own: bool) -> None:
        self.source, self._words, self._is_own = source, words, is_own
        self._plain = {name_of(word) for word in words if word.kind == "NAME" and not word.is_followed_by_parenthesis}
        """names that stand for numbers, because they are not always followed by a parenthesis"""
        self._names = Names(source)
        self._indices: dict[str, int] = {}
        """the index of each sum around, and its number now"""

    def expression(self, tree: Tree) -> Expression:
        """A tree as an expression of the language."""
        charge(PART)
        result: Expression = getattr(self, f"_{tree.data}")(tree)
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
        if len(tree.children) == 1 and not self._is_own and tree.children[0].data == "constant":
            span = self._span(tree)
            if self._cut(span) == "e":
                readings = "the number 2.718…", "a value that is called e"
                raise ambiguous(self.source, span, "e", readings, "write \\mathrm{e} for the number")
        return self._with_scripts(self.expression(tree.children[0]), tree)

    def _with_scripts(self, base: Expression, tree: Tree) -> Expression:
        """An operand with its exponents and factorials."""
        children = tree.children[1:]
        at = 0
        while at < len(children):
            if isinstance(children[at], Tree):
                if at + 1 < len(children) and children[at + 1].kind == "SUP":
                    raise error(self.source, self._span(tree), "two exponents stand one behind the other", "use braces")
                exponent = self.expression(children[at])
                self._refuse_index(base, self._span(children[at]))
                base = self._raised(base, exponent, (base.span[0], self._span(children[at])[1]))
                at += 1
            elif children[at].kind == "BANG":
                base, at = call("factorial", [base], (base.span[0], children[at].end)), at + 1
            else:
                at += 1  # the sign ^
        return base

    def _refuse_index(self, base: Expression, exponent: Span) -> None:
        r"""Raise AutodiffError for a number or a letter alone in parentheses above a name, as in `f^{(2)}`."""
        if self._is_own or not base.text.isidentifier() or not _INDEX.fullmatch(self._cut(exponent)):
            return
        span, inner = (base.span[0], exponent[1]), self._cut(exponent).strip("{}() ")
        readings = f"a power, {base.text}^{inner},", "a derivative or an index"
        hint = f"write ^{{{inner}}} for the power; for an index _{{{inner}}}"
        raise ambiguous(self.source, span, self._cut(span), readings, hint)

    def _raised(self, base: Expression, exponent: Expression, span: Span) -> Expression:
        is_literal = re.fullmatch(r"\d+", exponent.text) and not self._is_own
        if base.text == "e" and is_literal and self._cut(base.span) == "e":
            readings = f"exp({exponent.text})", "a power of a value that is called e"
            raise ambiguous(self.source, span, self._cut(span), readings, "write \\mathrm{e} for the number")
        if base.text == "e":
            return call("exp", [exponent], span)
        if base.text == "10" and re.fullmatch(r"-?\d+", exponent.text):
            return atom(f"1e{exponent.text}", span)
        return infix("^", base, exponent, span)

    def _number(self, tree: Tree) -> Expression:
        word: LatexToken = tree.children[0]
        return atom(word.text, word.span)

    def _constant(self, tree: Tree) -> Expression:
        return self._number(tree)

    def _name(self, tree: Tree) -> Expression:
        word: LatexToken = tree.children[0]
        if word.text in self._indices and not word.parts:
            return atom(str(self._indices[word.text]), word.span)
        if word.text == "Delta" and not word.parts:
            after = next((other for other in self._words if other.start >= word.end), None)
            if after is not None and after.kind == "NAME":
                span = word.start, after.end
                readings = "one name", "Delta times the next"
                hint = f"write \\mathrm{{Delta{after.text}}}, or \\Delta\\cdot {after.text}"
                raise ambiguous(self.source, span, self._cut(span), readings, hint)
        name = name_of(word, self._indices)
        return self._names.atom(name, f"{word.text},{name.removeprefix(word.text)}", word.span)

    def _group(self, tree: Tree) -> Expression:
        return self._parts(tree)[0]

    def _parentheses(self, tree: Tree) -> Expression:
        values = self._parts(tree)
        if len(values) > 1:
            raise error(self.source, self._span(tree), "several values in parentheses are no number")
        return values[0]._replace(span=self._span(tree))

    def _bars(self, tree: Tree) -> Expression:
        return call("abs", self._parts(tree), self._span(tree))

    def _floor(self, tree: Tree) -> Expression:
        return call("floor", self._parts(tree), self._span(tree))

    def _ceil(self, tree: Tree) -> Expression:
        return call("ceil", self._parts(tree), self._span(tree))

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
            values = self._parts(line)
            is_last = line is tree.children[-1] or len(values) == 1
            if len(values) == 2:
                pairs.append((values[1], values[0]))
            elif is_last:
                otherwise = values[0]
        return chosen(pairs, otherwise, span)


def name_of(word: LatexToken, indices: dict[str, int] | None = None) -> str:
    """A name with its index; the index of a sum stands for its number there."""
    groups: list[list[str]] = [[]]
    for part in word.parts:
        if part == ",":
            groups.append([])
        else:
            groups[-1].append(part)
    return "_".join([word.text, *(part for group in groups for part in _index(group, indices or {}))])


def _index(parts: Sequence[str], numbers: dict[str, int]) -> list[str]:
    """The entries of a subscript, up to a comma: a word, a number, or several that depend on the index of a sum."""
    known = [str(numbers[part]) if part in numbers else part for part in parts]
    if re.fullmatch(r"\d+([+-]\d+)+", "".join(known)):
        return [str(sum(map(int, re.findall(r"[+-]?\d+", "".join(known)))))]
    if not set(numbers) & set(parts) and all(len(part) == 1 and part.isalnum() for part in parts):
        return ["".join(parts)] if parts else []  # x_{max}
    spoken = [{"+": "plus", "-": "minus"}.get(part, part) for part in known]
    return [clean for part in spoken if (clean := re.sub(r"\W", "", part))]
