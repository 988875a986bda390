"""Text → program: Lark's tables drive a stack of nodes, without recursion and without a tree in between.

The loop is the textbook's LALR parser. Its one refinement: a chain of alternatives that only hand a part on (operand →
postfix → power → … → sum) is followed once for each state and next word, and remembered.
"""

from functools import cache
from typing import Any

from ..errors import Source
from ..program import Program
from .builder import Builder
from .lalr_tables import Tables, tables

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
    text, kinds, words = builder.source.text, table.kinds, table.words
    newline, opening, closing, finish = (kinds[kind] for kind in ("NEWLINE", "LPAR", "RPAR", "$END"))
    kind_of_builder: Any = type(builder)
    moves, reductions, following = table.moves, _reductions(kind_of_builder), table.following
    states, starts = [0], [0]
    values: list[Any] = [None]
    row, end = moves[0], 0
    opened: list[int] = []
    width = len(row)
    for match in table.pattern.finditer(text):
        group = match.lastindex or 0  # one group always matches
        value = match[group]
        stop = match.end()
        start = stop - len(value)
        kind = words.get(value, group)
        if kind == opening:
            opened.append(start)
        elif kind == closing:
            if not opened:
                from .diagnostics.syntax import unopened

                raise unopened(builder, start)
            opened.pop()
        elif kind == newline and opened:
            continue
        while True:
            move = row[kind]
            if move > 0:
                states.append(move)
                values.append(value)
                starts.append(start)
                row, end = moves[move], stop
                break
            if not move:
                if kind == finish and states[-1] == table.final:
                    return
                from .diagnostics.syntax import syntax_error, unclosed

                if opened and kind == finish:
                    raise unclosed(builder, opened[-1])
                raise syntax_error(builder, end, start, opened)
            size, action = reductions[move]
            if size == 1:
                states.pop()
                if action is not None:
                    values[-1] = action(builder, [values[-1]], [starts[-1]], end)
            elif size:
                parts, places = values[-size:], starts[-size:]
                del states[-size:], values[-size:], starts[1 - size :]
                values.append(action(builder, parts, places, end))
            else:
                starts.append(start)
                values.append(action(builder, [], [], end))
            below = states[-1]
            state = following[below].get(move * width + kind)
            if state is None:
                state = following[below][move * width + kind] = _follow(table, below, ~move, kind)
            states.append(state)
            row = moves[state]


@cache
def _reductions(kind: Any) -> list[tuple[int, Any]]:
    """For each rule its size, and the method of a kind of builder that it calls, None where it hands a part on.

    The index is a move, ~rule.
    """
    return [(rule.size, getattr(kind, rule.action) if rule.action else None) for rule in reversed(tables().rules)]


def _follow(table: Tables, below: int, rule: int, kind: int) -> int:
    """The state after a reduction, and after all the reductions that follow it and only hand the part on."""
    while True:
        state = table.gotos[below][table.rules[rule].origin]
        move = table.moves[state][kind]
        if move >= 0 or table.rules[~move].action or table.rules[~move].size != 1:
            return state
        rule = ~move
