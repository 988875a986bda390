"""Equations and inequalities: what they state about the difference of their two sides."""

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from ..errors import USAGE, AutodiffError, Source
from ..operations import AND, COMPARISONS, NOT, OR, SUB
from ..parser.tokens import NAME
from ..program import Program
from . import parse

_NOTHING = r"(?:[;\s]|#[^\n]*+)*+\Z"
LAST_EQUALS = re.compile(rf"(?<![<>=!])=(?!=)(?=[^;\n#]*+{_NOTHING})")
"""the sign of an equation or an assignment in the last statement of a text"""
_LIST = re.compile(r"\[[^\[\]]*+\]|\{[^{}]*+\}")
_PART = re.compile(r"(?:[^;,()\[]++|\((?:[^()]++|\([^()]*+\))*+\)|\[[^\[\]]*+\])++")
"""one of several equations with commas or semicolons between them"""
_DEFINITION = re.compile(rf"{NAME}\s*\([^()]*\)\s*=(?!=)\s*([^;\n]+)")
_AFTER_LAST = re.compile(rf"[)\s]*+{_NOTHING}")
_WEAK = ("==", "<=", ">=")


class Relation(NamedTuple):
    """A relation between two sides: their difference is 0, at most 0 or at least 0."""

    text: str
    symbol: str
    """`==`, `<=` or `>=`"""
    difference: Program
    """the left side minus the right one; the names of the program around it are known to it"""


def relations(text: str, context: Program | None = None, entries: Iterable[str] = ()) -> list[Relation]:
    """The relations that a text such as `x + y <= 3`, `x*y = 2` or `1 <= x and x <= 2` states.

    They may use the names of a program. `entries` are the entries of lists that are given numbers, in addition to those
    that are inputs of this program. Raises AutodiffError for a text that states none, or a strict inequality.
    """
    program = _parsed(text, context, entries)
    stated = list[Relation]()
    for node in _joined(program):
        relation = _relation(program, node, text.strip() if node == program.output else program.formula(node))
        if relation is not None and relation.symbol in ("<", ">"):
            message, hint = f"`{text}` leaves out equality", f"write {relation.symbol}= in place of {relation.symbol}"
            raise AutodiffError(message, hint=hint, code=USAGE)
        if relation is None or relation.symbol not in _WEAK:
            message, hint = f"`{text}` states no relation", 'write two sides, such as "x + y <= 3" or "x*y == 2"'
            raise AutodiffError(message, hint=hint, code=USAGE)
        stated.append(relation)
    return stated


def differences(text: str, context: Program | None = None, entries: Iterable[str] = ()) -> list[Program]:
    """Return the programs that equations such as `x*y = 2` or `x + y = 3 and x*y = 2` set to zero.

    A text with one side is itself such a program. Raises AutodiffError for an inequality, and for an assignment, which
    an equation on several lines looks like.
    """
    program = _parsed(text, context, entries)
    stated = [_relation(program, node, text.strip()) for node in _joined(program)]
    if stated == [None] and program.graph.operations[program.output] not in (OR, NOT):
        name, end = program.output_name, program.graph.span(program.output)[1]
        if name in program.assigned and _AFTER_LAST.match(program.source.text, end):
            message = f"`{text.strip()}` gives `{name}` a value, and is not an equation"
            raise AutodiffError(message, hint="write the equation on one line", code=USAGE)
        return [program]
    equations = [relation.difference for relation in stated if relation is not None and relation.symbol == "=="]
    if len(equations) < len(stated):
        raise AutodiffError(f"`{text}` is not an equation", hint='write two equal sides, such as "x*y = 2"', code=USAGE)
    return equations


def _joined(program: Program) -> Iterator[int]:
    """The nodes that `and` joins to the output; without any, the output."""
    pending = [program.output]
    while pending:
        node = pending.pop()
        if program.graph.operations[node] is AND:
            pending += reversed(program.graph.arguments[node])
        else:
            yield node


def _relation(program: Program, node: int, text: str) -> Relation | None:
    """The relation that a node is; None if it is not a comparison, or if the output has a name."""
    graph, operation = program.graph, program.graph.operations[node]
    if operation not in COMPARISONS or program.output_name is not None:
        return None
    left, right = graph.arguments[node]
    changed = graph.cut(())
    output = changed.add(SUB, (left, right), *graph.span(node))
    return Relation(text, operation.symbol, replace(program, graph=changed, output=output))


def _parsed(text: str, context: Program | None, entries: Iterable[str]) -> Program:
    """The program of a relation that may use the names of another. Its places, and those of errors, are as written."""
    text = text.strip()
    if not text:
        raise AutodiffError("an equation is empty", hint='write two sides, such as "x*y = 2"', code=USAGE)
    name = f"<{text}>"
    before = "" if context is None else context.source.text.rstrip() + "\n"
    doubled = [len(before) + match.end() + count for count, match in enumerate(LAST_EQUALS.finditer(text))]
    known = [*entries, *(name for name in (context.inputs if context else ()) if "[" in name)]

    def written(place: int) -> int:
        return place - bisect_left(doubled, place)

    try:
        program = parse(before + LAST_EQUALS.sub("==", text), name, entries=known)
    except AutodiffError as error:
        if "==" not in text:  # which the message knows from here only
            error.message = error.message.replace("==", "=")
            if error.remedy is None:
                error.hint = error.hint.replace("==", "=")
        is_list = _LIST.fullmatch(text)
        statements = _PART.findall(text[1:-1] if is_list else text)
        if len(statements) > 1 and (is_list or all(map(LAST_EQUALS.search, statements))):
            error.hint = "write each equation by itself: " + " ".join(f'"{part.strip()}"' for part in statements)
        elif error.remedy and "unknown function" in error.message and (definition := _DEFINITION.fullmatch(text)):
            error.hint, error.remedy = f"write {definition[1]} alone", None
        if error.span is not None and error.span[0] >= len(before):
            start, end = (written(place) - len(before) for place in error.span)
            error.span, error.source = (start, end), Source(text, name)
        raise
    graph = program.graph
    graph.starts, graph.ends = (array("Q", map(written, places)) for places in (graph.starts, graph.ends))
    return replace(program, source=program.source._replace(text=before + text))
