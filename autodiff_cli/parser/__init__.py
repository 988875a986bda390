"""Text → program: Lark's tables drive a stack of nodes, without recursion and without a tree in between.

The loop is the textbook's LALR parser. Its one refinement: a chain of reductions that only hand a part on (operand →
postfix → power → … → sum) is followed once for each state and next token, and remembered.
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
    """Parse the builder's source, calling the builder's methods.

    Raises AutodiffError for a text that the grammar does not allow, or that a method of the builder refuses.
    """
    table = tables()
    text, kinds, words = builder.source.text, table.kinds, table.words
    newline, opening, closing, finish = (kinds[kind] for kind in ("NEWLINE", "LPAR", "RPAR", "$END"))
    builder_type: Any = type(builder)
    actions, reductions, chains = table.actions, _reductions(builder_type), table.chains
    states, starts = [0], [0]
    values: list[Any] = [None]
    allowed, end = actions[0], 0
    opened: list[int] = []
    width = len(allowed)
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
            action = allowed[kind]
            if action > 0:
                states.append(action)
                values.append(value)
                starts.append(start)
                allowed, end = actions[action], stop
                break
            if not action:
                if kind == finish and states[-1] == table.final:
                    return
                from .diagnostics.syntax import syntax_error

                raise syntax_error(builder, end, start, opened)
            size, method = reductions[action]
            if size == 1:
                states.pop()
                if method is not None:
                    values[-1] = method(builder, [values[-1]], [starts[-1]], end)
            elif size:
                parts, places = values[-size:], starts[-size:]
                del states[-size:], values[-size:], starts[1 - size :]
                values.append(method(builder, parts, places, end))
            else:
                starts.append(start)
                values.append(method(builder, [], [], end))
            below = states[-1]
            state = chains[below].get(action * width + kind)
            if state is None:
                state = chains[below][action * width + kind] = _follow(table, below, ~action, kind)
            states.append(state)
            allowed = actions[state]


@cache
def _reductions(builder_type: Any) -> list[tuple[int, Any]]:
    """For each rule its size, and the builder's method that it calls, None where it hands its only part on.

    The index is an action of the tables, ~rule.
    """
    return [(rule.size, getattr(builder_type, rule.method) if rule.method else None) for rule in tables().rules[::-1]]


def _follow(table: Tables, below: int, rule: int, kind: int) -> int:
    """The state after a reduction, and after all the reductions that follow it and only hand the part on."""
    while True:
        state = table.gotos[below][table.rules[rule].origin]
        action = table.actions[state][kind]
        if action >= 0 or table.rules[~action].method or table.rules[~action].size != 1:
            return state
        rule = ~action
