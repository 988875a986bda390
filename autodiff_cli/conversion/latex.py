"""LaTeX: formulas as in papers, by the grammar `grammar/latex.lark`.

Names have one letter (also Greek, or an upright word), with their subscript: `x_{1}` is x_1. What is side by
side is a product. A sum or product over an index is written out. What can be read in two ways is an error that shows
both readings.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from ..errors import AutodiffError, Source
from ..version import WRITTEN_BY
from .expressions import Expression, NamedExpression, ambiguous, atom, chained, error, infix, prefix
from .latex_accents import with_letters
from .latex_chains import ChainReader, takes_rest
from .latex_lexer import OPENINGS, OPERANDS
from .latex_operands import name_of
from .latex_tokens import tokens
from .latex_trees import Tree, innermost, tree

_EXPORTED_E = re.compile(r"^% e is a value here.*", re.MULTILINE)
_DOCUMENT = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)


def statements(source: Source) -> list[NamedExpression]:
    """The statements of a program that LaTeX holds, a line for each."""
    is_exported = f"% {WRITTEN_BY}" in source.text
    document = _DOCUMENT.search(source.text)
    text = source.text
    if document is not None:  # the same places, without the preamble
        text = " " * document.start(1) + document[1]
    if is_exported:
        text = with_letters(text)
        if e := _EXPORTED_E.search(source.text):
            hint = "export the formula with another name for the value"
            raise ambiguous(source, e.span(), ("2.718…", "the value that is called e"), hint, "e")
    words = tokens(Source(text, source.name, source.line), is_exported=is_exported)
    try:
        return _LatexReader(source, words, is_exported=is_exported).program()
    except AutodiffError as problem:
        start, end = problem.span or (0, 0)
        within = [word for word in words if start <= word.start and word.end <= end]
        products = [text[a.end : b.start] for a, b in pairwise(within) if a.kind in OPERANDS and b.kind in OPENINGS]
        if "\n" in "".join(products):
            problem.hint = "; ".join(filter(None, [problem.hint, r"for two formulas write \\ between the lines"]))
        raise


class _LatexReader(ChainReader):
    """Turns the lines of one text into statements."""

    def program(self) -> list[NamedExpression]:
        """The lines as statements; in what this program wrote, without the derivatives."""
        lines = [line for line in tree(self.source, self._words).trees if line.children]
        read = [statement for line in lines if (statement := self._line(line)) is not None]
        return [*read, *self._exported_result(lines, read)] if self._is_exported else read

    def _exported_result(self, lines: Sequence[Tree], read: Sequence[NamedExpression]) -> list[NamedExpression]:
        """The name whose derivatives are in what this program wrote, if it is not that of the last statement."""
        last = read[-1].name if read else None
        for line in lines:
            words = [leaf for leaf in line.leaves() if leaf.kind == "NAME"]
            if len(words) > 1 and words[0].text == "partial" and name_of(words[1]) != last:
                return [NamedExpression("", atom(name_of(words[1]), words[1].span))]
        return []

    def _line(self, line: Tree) -> NamedExpression | None:
        """`name = formula`, `f(x) = formula` or a formula; None for a derivative that this program wrote."""
        parts = line.trees
        formula = parts[-1]
        is_equation = formula.data == "relation" and any(sign.text == "=" for sign in formula.children[1::2])
        if is_equation and (len(parts) == 1 or not self._is_exported):
            hint = "write one side alone, or the difference of both"
            raise error(self.source, self._span(line), "an equation is not a formula", hint)
        if len(parts) == 2:
            name = self._target(parts[0])
            if name is None and not self._is_exported:
                words = list(parts[0].leaves())
                is_word = {word.kind for word in words} <= {"NAME", "CONSTANT"} and not any(w.parts for w in words[:-1])
                one_name = f"{self._as_one(words)} for one name, or " if is_word else ""
                hint = f"write {one_name}the formula alone"
                raise error(self.source, self._span(parts[0]), "only a name is assigned", hint)
            return None if name is None else NamedExpression(name, self.expression(formula))
        return NamedExpression("", self.expression(formula))

    def _target(self, left: Tree) -> str | None:
        """The name on the left of an equals sign, alone or with names as its arguments."""
        chain = innermost(left)
        first, *others = map(innermost, chain.trees) if chain.data == "chain" else [chain]
        is_header = [other.data for other in others] in ([], ["parentheses"])
        names = [first, *(innermost(argument) for other in others for argument in other.trees)]
        if not is_header or any(name.data != "name" for name in names):
            return None
        target = self.expression(first).text
        if others:
            self._functions.add(target)
        return target

    # ---- Operators ---------------------------------------------------------------------------------------------------

    def _negation(self, tree: Tree) -> Expression:
        return prefix("not", self._parts(tree)[0], self._span(tree))

    def _relation(self, tree: Tree) -> Expression:
        operands = self._parts(tree)
        if len(operands) == 1:
            return operands[0]
        signs = [{"=": "=="}.get(sign.text, sign.text) for sign in tree.children[1::2]]
        return chained(signs, operands, self._span(tree))

    def _sum(self, tree: Tree) -> Expression:
        result, *others = self._parts(tree)
        for sign, term in zip(tree.children[1::2], others, strict=True):
            result = infix(sign.text, result, term)
        return result

    def _remainder(self, tree: Tree) -> Expression:
        r"""A product after its signs, which bind tighter than the `\bmod` after it, as in the language."""
        result = self.expression(tree.trees[0])
        for sign in reversed(tree.children[: tree.children.index(tree.trees[0])]):
            result = prefix("-", result, (sign.start, result.span[1])) if sign.text == "-" else result
        for before, product in pairwise(tree.trees):
            start, end = result.span[0], self._span(product)[1]
            if heads := [item for chain in before.trees for item in chain.trees if takes_rest(item)]:
                self._refuse_remainder(start, self._span(heads[0])[1], self._span(before)[1], end)
            if len(product.children) > 1:
                self._refuse_remainder(start, *self._span(product.children[0]), end)
            result = infix("%", result, self.expression(product), (start, end))
        return result

    def _refuse_remainder(self, start: int, opening: int, closing: int, end: int) -> None:
        """Raise AutodiffError for a remainder whose extent is ambiguous: it may be of more, or of less."""
        of_less = f"({self._cut((start, closing))}){self._cut((closing, end))}"
        of_more = f"{self._cut((start, opening))}({self._cut((opening, end)).strip()})"
        raise ambiguous(self.source, (start, end), (of_less, of_more), "use parentheses")
