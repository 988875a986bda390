"""Text → program: Lark's tables drive a stack of nodes, without recursion and without a tree in between.

The loop is the textbook's LALR parser. Its one refinement: a chain of alternatives that only hand a part on (operand →
postfix → power → … → sum) is followed once for each state and next word, and remembered.
"""

from typing import Any

from ..errors import Source
from ..program import Program
from .builder import Builder
from .tables import Tables, tables

__all__ = ["parse"]


def parse(text: str, name: str = "<formula>") -> Program:
    """Read a program in the language of `grammar/expression.lark`; `name` is what errors call the text.

    Raises AutodiffError, with the place and a hint, for a text that is not a program.
    """
    builder = Builder(Source(text, name))
    run(builder)
    return builder.program()


def run(builder: Builder) -> None:
    """Parse the builder's source, calling its methods."""
    table = tables()
    text, kinds = builder.source.text, table.kinds
    newline, opening, closing, word, finish = (kinds[k] for k in ("NEWLINE", "LPAR", "RPAR", "NAME", "$END"))
    shifts, reductions, rules, keywords = table.shifts, table.reductions, table.rules, table.keywords
    actions: list[Any] = [getattr(builder, rule.action) if rule.action else None for rule in rules]
    sizes = [rule.size for rule in rules]
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
            after = shifts[state].get(kind)
            if after is not None:
                states.append(after)
                values.append(value)
                starts.append(match.start(group))
                state, end = after, match.end(group)
                break
            rule = reductions[state].get(kind)
            if rule is None:
                if kind == finish and state == table.final:
                    return
                from .mistakes.syntax import syntax_error, unclosed

                if opened and kind == finish:
                    raise unclosed(builder, opened[-1])
                raise syntax_error(builder, end, match.start(group), opened)
            size = sizes[rule]
            action = actions[rule]
            if size:
                if action is not None:
                    values[-size:] = [action(values[-size:], starts[-size:], end)]
                if size > 1:
                    del states[-size:], starts[1 - size :]
                else:
                    states.pop()
            else:
                values.append(action([], [], end))
                starts.append(match.start(group))
            try:
                state = following[states[-1]][rule * width + kind]
            except KeyError:
                state = following[states[-1]][rule * width + kind] = _follow(table, states[-1], rule, kind)
            states.append(state)


def _follow(table: Tables, below: int, rule: int, kind: int) -> int:
    """The state after a reduction, and after all the reductions that follow it and only hand the part on."""
    while True:
        state = table.gotos[below][table.rules[rule].origin]
        following = table.reductions[state].get(kind)
        if following is None or table.rules[following].action or table.rules[following].size != 1:
            return state
        rule = following
