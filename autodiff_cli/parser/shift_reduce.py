"""The parser's loop: Lark's tables drive a stack of nodes, without recursion and without a tree in between.

The loop is the textbook LALR parser. The methods of the builder define what the alternatives of the grammar mean.
"""

from functools import cache
from sys import maxsize
from typing import Any

from .builder import Builder, Stack
from .lalr_tables import tables

_NOTHING: Any = None
"""the bottom of the stack, below its first part"""


def run(builder: Builder, start: int = 0, stop: int = maxsize) -> None:
    """Parse the builder's source, or an expression within it from one place to another, calling the builder's methods.

    Raises AutodiffError for a text that the grammar does not allow, or that a method of the builder refuses.
    """
    table = tables()
    words, actions, gotos = table.words, table.actions, table.gotos
    builder_type: Any = type(builder)
    reductions = _reductions(builder_type)
    newline, closing = table.kinds["NEWLINE"], table.kinds["RPAR"]
    stack: Stack = _NOTHING
    states, allowed = [0], actions[0]
    opened: list[int] = [] if stop == maxsize else [start]
    end = start
    for match in table.pattern.finditer(builder.source.text, start, stop):
        group = match.lastindex or 0  # one group always matches
        word = match[group]
        place = match.end()
        begin = place - len(word)
        kind = words.get(word, group)
        if kind >= newline:
            if kind == newline:
                if opened:
                    continue
            elif kind < closing:
                opened.append(begin)
            elif opened:
                opened.pop()
            else:
                from .diagnostics.syntax import unopened

                raise unopened(builder, begin)
        while (action := allowed[kind]) < 0:
            taken, method = reductions[action]
            if method is not None:
                stack = method(builder, stack, end)
            del states[taken]
            state = gotos[states[-1], action, kind]
            states.append(state)
            allowed = actions[state]
        if action:
            stack = stack, word, begin
            states.append(action)
            allowed, end = actions[action], place
        elif word or states[-1] != table.final:
            from .diagnostics.syntax import syntax_error

            raise syntax_error(builder, end, begin, opened)


@cache
def _reductions(builder_type: Any) -> list[tuple[slice, Any]]:
    """For each rule, the states that it pops, and the builder's method that it calls, if any.

    The index is an action of the tables, ~rule.
    """
    methods = [getattr(builder_type, rule.method) if rule.method else None for rule in tables().rules]
    taken = [slice(-rule.size, None) if rule.size else slice(0) for rule in tables().rules]
    return list(zip(taken, methods, strict=True))[::-1]
