"""Equations and inequalities: what they say of the difference of their two sides."""

import re
from dataclasses import replace
from typing import NamedTuple

from .errors import USAGE, AutodiffError
from .operations import SUB
from .parser import parse
from .program import Program

_EQUALS = re.compile(r"(?<![<>=!])=(?!=)")
_SYMBOLS = {"eq": "==", "le": "<=", "ge": ">="}


class Relation(NamedTuple):
    """A relation between two sides: their difference is 0, at most 0 or at least 0."""

    text: str
    symbol: str
    """`==`, `<=` or `>=`"""
    difference: Program
    """the left side minus the right one; the names of the program around it are known to it"""


def relation(text: str, context: Program | None = None) -> Relation:
    """The relation that a text such as `x + y <= 3` or `x*y = 2` states, which may use the names of a program.

    Raises AutodiffError for a text that states none.
    """
    before = "" if context is None else context.source.text.rstrip() + "\n"
    program = parse(before + _EQUALS.sub("==", text), f"<{text.strip()}>")
    graph, output = program.graph, program.output
    symbol = _SYMBOLS.get(graph.operations[output].name)
    if symbol is None or program.output_name is not None:
        message, hint = f"`{text}` states no relation", 'write two sides, such as "x + y <= 3" or "x*y == 2"'
        raise AutodiffError(message, hint=hint, code=USAGE)
    left, right = graph.arguments[output]
    changed = graph.cut(())
    difference = changed.add(SUB, (left, right), *graph.span(output))
    return Relation(text.strip(), symbol, replace(program, graph=changed, output=difference))
