"""Text → program: Lark's tables drive a stack of nodes, without recursion and without a tree in between.

The loop is the textbook's LALR parser. The methods of the builder say what the alternatives of the grammar mean.
"""

from functools import cache
from typing import Any

from ..errors import Source
from ..program import Program
from .builder import Builder, Stack
from .lalr_tables import tables

__all__ = ["parse"]

_NOTHING: Any = None
"""what is below the first part"""


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
    words, actions, gotos = table.words, table.actions, table.gotos
    builder_type: Any = type(builder)
    reductions = _reductions(builder_type)
    newline, opening, closing = table.kinds["NEWLINE"], table.kinds["LPAR"], table.kinds["RPAR"]
    stack: Stack = _NOTHING
    states, allowed = [0], actions[0]
    opened: list[int] = []
    end = 0
    for match in table.pattern.finditer(builder.source.text):
        group = match.lastindex or 0  # one group always matches
        word = match[group]
        stop = match.end()
        start = stop - len(word)
        kind = words.get(word, group)
        if kind == opening:
            opened.append(start)
        elif kind == closing:
            if not opened:
                from .diagnostics.syntax import unopened

                raise unopened(builder, start)
            opened.pop()
        elif kind == newline and opened:
            continue
        while (action := allowed[kind]) < 0:
            taken, method = reductions[action]
            if method is not None:
                stack = method(builder, stack, end)
            del states[taken]
            state = gotos[states[-1], action, kind]
            states.append(state)
            allowed = actions[state]
        if action:
            stack = stack, word, start
            states.append(action)
            allowed, end = actions[action], stop
        elif word or states[-1] != table.final:
            from .diagnostics.syntax import syntax_error

            raise syntax_error(builder, end, start, opened)


@cache
def _reductions(builder_type: Any) -> list[tuple[slice, Any]]:
    """For each rule the states that it takes off, and the builder's method that it calls, if it calls one.

    The index is an action of the tables, ~rule.
    """
    methods = [getattr(builder_type, rule.method) if rule.method else None for rule in tables().rules]
    taken = [slice(-rule.size, None) if rule.size else slice(0) for rule in tables().rules]
    return list(zip(taken, methods, strict=True))[::-1]
