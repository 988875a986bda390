"""Text → program: Lark's tables drive a stack of nodes, without recursion and without a tree in between.

The loop is the textbook's LALR parser. Its one refinement: a chain of alternatives that only hand a part on (operand →
postfix → power → … → sum) is followed once for each state and next word, and remembered.
"""

from functools import cache
from typing import Any

from ..errors import Source
from ..program import Program
from .builder import Builder
from .tables import Tables, tables

__all__ = ["parse"]


def parse(text: str, name: str = "<formula>", line: int = 0) -> Program:
    """Read a program in the language of `grammar/expression.lark`; `name` is what errors call the text.

    `line` is its line in the file, if it is one of many.

    Raises AutodiffError, with the place and a hint, for a text that is not a program.
    """
    builder = Builder(Source(text, name, line))
    run(builder)
    return builder.program()


def run(builder: Builder) -> None:
    """Parse the builder's source, calling its methods."""
    table = tables()
    text, kinds = builder.source.text, table.kinds
    newline, opening, closing, word, finish = (kinds[k] for k in ("NEWLINE", "LPAR", "RPAR", "NAME", "$END"))
    moves, keywords = table.moves, table.keywords
    kind_of_builder: Any = type(builder)
    actions, sizes = _actions(kind_of_builder), table.sizes
    following, width = table.following, len(kinds) + 1
    states, starts = [table.start], [0]
    values: list[Any] = [None]
    state, end = table.start, 0
    opened: list[int] = []
    for match in table.pattern.finditer(text):
        kind = group = match.lastindex or 0  # one group always matches
        value = match[group]
        if kind == word and value in keywords:
            kind = keywords[value]
        elif kind == newline:
            if opened:
                continue
        elif kind == opening:
            opened.append(match.start(group))
        elif kind == closing:
            if not opened:
                from .mistakes.syntax import unopened

                raise unopened(builder, match.start(group))
            opened.pop()
        while True:
            move = moves[state].get(kind)
            if move is None:
                if kind == finish and state == table.final:
                    return
                from .mistakes.syntax import syntax_error, unclosed

                if opened and kind == finish:
                    raise unclosed(builder, opened[-1])
                raise syntax_error(builder, end, match.start(group), opened)
            if move >= 0:
                states.append(move)
                values.append(value)
                starts.append(match.start(group))
                state, end = move, match.end(group)
                break
            rule = ~move
            size = sizes[rule]
            action = actions[rule]
            if size == 1:
                if action is not None:
                    values[-1] = action(builder, values[-1:], starts[-1:], end)
                states.pop()
            elif size:
                values[-size:] = [action(builder, values[-size:], starts[-size:], end)]
                del states[-size:], starts[1 - size :]
            else:
                values.append(action(builder, [], [], end))
                starts.append(match.start(group))
            try:
                state = following[states[-1]][rule * width + kind]
            except KeyError:
                state = following[states[-1]][rule * width + kind] = _follow(table, states[-1], rule, kind)
            states.append(state)


@cache
def _actions(kind: Any) -> list[Any]:
    """The method of a kind of builder that each rule calls, None for one that only hands a part on."""
    return [getattr(kind, rule.action) if rule.action else None for rule in tables().rules]


def _follow(table: Tables, below: int, rule: int, kind: int) -> int:
    """The state after a reduction, and after all the reductions that follow it and only hand the part on."""
    while True:
        state = table.gotos[below][table.rules[rule].origin]
        move = table.moves[state].get(kind, 0)
        if move >= 0 or table.rules[~move].action or table.rules[~move].size != 1:
            return state
        rule = ~move
