"""Trees of formulas in LaTeX: the tables that Lark makes of `grammar/latex.lark` run over tokens."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ..errors import Source
from ..parser.lalr_tables import analysis
from .expressions import error
from .latex_lexer import LatexToken

_END = "$END"
_HINTS = {
    "SUB": "an index is that of a name: for one in an exponent write braces, as in x^{n_i}",
    "IF": "a condition is written in `cases` alone: leave it out, or write \\begin{cases} … & … \\end{cases}",
    "PHRASE": "before a condition write \\text{if}, for all other values \\text{otherwise}",
}
_IN_NUMBER = re.compile(r"(?:.?\d|\d\{),\}?\d")


class Tree(NamedTuple):
    """A part of the text that a rule of the grammar, or one of its alternatives, matches."""

    data: str
    """the name of the rule or the alternative"""
    children: "Sequence[Any]"
    """trees and tokens"""

    @property
    def trees(self) -> list["Tree"]:
        """The children that are trees."""
        return [child for child in self.children if isinstance(child, Tree)]

    def leaves(self) -> Iterator[LatexToken]:
        """All tokens of the tree."""
        for child in self.children:
            if isinstance(child, Tree):
                yield from child.leaves()
            else:
                yield child

    def like(self, children: Sequence[Any]) -> "Tree":
        """A tree of the same kind with other children."""
        return self._replace(children=children)


def innermost(tree: Tree) -> Tree:
    """The tree inside all those that have a single child, apart from braces."""
    while len(trees := tree.trees) == 1 and (tree.data == "group" or len(tree.children) == 1):
        (tree,) = trees
    return tree


def tree(source: Source, tokens: Sequence[LatexToken]) -> Tree:
    """The tree of a text's tokens. Raises AutodiffError where the grammar does not allow them."""
    tables = analysis("latex")
    shifts, reductions, rules = tables["shifts"], tables["reductions"], tables["rules"]
    states, parts = [0], list[Any]()
    for token in (*tokens, LatexToken(_END, "", 0, 0)):
        while (number := reductions[states[-1]].get(token.kind)) is not None:
            origin, size, alias, is_transparent = rules[number]
            first = len(parts) - size
            children = [child for part in parts[first:] for child in (part if type(part) is list else (part,))]
            del parts[first:], states[first + 1 :]
            if origin.startswith("_"):  # a repetition, whose parts belong to the rule around it
                parts.append(children)
            else:
                is_child = is_transparent and len(children) == 1
                parts.append(children[0] if is_child else Tree(alias or origin, children))
            states.append(shifts[states[-1]][origin])
            if token.kind == _END and states[-1] == tables["final"]:
                return parts[0]  # type: ignore[no-any-return]  # the tree of the whole
        if token.kind not in shifts[states[-1]]:
            break
        states.append(shifts[states[-1]][token.kind])
        parts.append(token)
    if token.kind != _END:
        message, hint = f"`{source.text[slice(*token.span)]}` does not fit here", _HINTS.get(token.kind, "")
        if token.kind == "COMMA" and _IN_NUMBER.match(source.text, max(token.start - 2, 0)):
            hint = "the decimal sign is a point, and thousands have no commas"
        raise error(source, token.span, message, hint)
    end = len(source.text.rstrip())
    raise error(source, (max(end - 1, 0), end), "the formula ends too early")
