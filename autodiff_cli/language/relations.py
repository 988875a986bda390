"""Equations and inequalities: what they say of the difference of their two sides."""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from ..errors import USAGE, AutodiffError, Source
from ..operations import COMPARISONS, SUB
from ..program import Program
from . import parse

_NOTHING = r"(?:[;\s]|#[^\n]*+)*+\Z"
LAST_EQUALS = re.compile(rf"(?<![<>=!])=(?!=)(?=[^;\n#]*+{_NOTHING})")
"""the sign of an equation or an assignment in the last statement of a text"""
_AFTER_LAST = re.compile(rf"[)\s]*+{_NOTHING}")
_WEAK = ("==", "<=", ">=")


class Relation(NamedTuple):
    """A relation between two sides: their difference is 0, at most 0 or at least 0."""

    text: str
    symbol: str
    """`==`, `<=` or `>=`"""
    difference: Program
    """the left side minus the right one; the names of the program around it are known to it"""


def relation(text: str, context: Program | None = None, entries: Iterable[str] = ()) -> Relation:
    """The relation that a text such as `x + y <= 3` or `x*y = 2` states, which may use the names of a program.

    `entries` are the entries of lists that are given numbers, besides those that are inputs of this program.
    Raises AutodiffError for a text that states none, or one that leaves out equality.
    """
    relation = _relation(text, context, entries)
    if isinstance(relation, Relation) and relation.symbol in ("<", ">"):
        message, hint = f"`{text}` leaves out equality", f"write {relation.symbol}= in place of {relation.symbol}"
        raise AutodiffError(message, hint=hint, code=USAGE)
    if isinstance(relation, Program) or relation.symbol not in _WEAK:
        message, hint = f"`{text}` states no relation", 'write two sides, such as "x + y <= 3" or "x*y == 2"'
        raise AutodiffError(message, hint=hint, code=USAGE)
    return relation


def difference(text: str, context: Program | None = None, entries: Iterable[str] = ()) -> Program:
    """Return the program that an equation such as `x*y = 2` sets to zero; a text without two sides is that itself.

    Raises AutodiffError for an inequality, and for an assignment, as an equation on several lines is.
    """
    relation = _relation(text, context, entries)
    if isinstance(relation, Program):
        name, end = relation.output_name, relation.graph.span(relation.output)[1]
        if name in relation.assigned and _AFTER_LAST.match(relation.source.text, end):
            message = f"`{text.strip()}` gives `{name}` a value, and is no equation"
            raise AutodiffError(message, hint="write the equation on one line", code=USAGE)
        return relation
    if relation.symbol != "==":
        raise AutodiffError(f"`{text}` is not an equation", hint='write two equal sides, such as "x*y = 2"', code=USAGE)
    return relation.difference


def _relation(text: str, context: Program | None, entries: Iterable[str]) -> Relation | Program:
    """The relation, or the program of a text that states none."""
    program = _parsed(text.strip(), f"<{text.strip()}>", context, entries)
    graph, output = program.graph, program.output
    operation = graph.operations[output]
    if operation not in COMPARISONS or program.output_name is not None:
        return program
    left, right = graph.arguments[output]
    changed = graph.cut(())
    node = changed.add(SUB, (left, right), *graph.span(output))
    return Relation(text.strip(), operation.symbol, replace(program, graph=changed, output=node))


def _parsed(text: str, name: str, context: Program | None, entries: Iterable[str]) -> Program:
    """The program of a relation that may use the names of another. Errors show the place in the text as it stands."""
    before = "" if context is None else context.source.text.rstrip() + "\n"
    doubled = [match.end() + count for count, match in enumerate(LAST_EQUALS.finditer(text))]
    known = [*entries, *(name for name in (context.inputs if context else ()) if "[" in name)]
    try:
        return parse(before + LAST_EQUALS.sub("==", text), name, entries=known)
    except AutodiffError as error:
        if error.span is not None and error.span[0] >= len(before):
            start, end = (place - len(before) for place in error.span)
            start, end = (place - sum(sign < place for sign in doubled) for place in (start, end))
            error.span, error.source = (start, end), Source(text, name)
        raise
