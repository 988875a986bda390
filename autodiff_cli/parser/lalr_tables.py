"""Parser tables: made from `grammar/expression.lark` and `latex.lark` by Lark, then kept as JSON.

Lark reads the grammar and computes the LALR(1) tables. That takes longer than a small evaluation, so it is done once:
when the package is built or, in a checkout, at the first start. The tables are beside the grammar, as plain JSON, and
contain the grammar that they were made from. No other file imports Lark.
"""

import json
import re
from contextlib import suppress
from functools import cache
from itertools import product
from os.path import dirname, isfile, join, realpath
from typing import Any, NamedTuple

from ..errors import AutodiffError
from ..files import write_file

_FORMAT = 4
_OPEN_ENDED = ("DEFINED", "NUMBER", "NAME")  # the terminals that stand for more texts than one could list
_BRACKETS = ("NEWLINE", "LPAR", "LSQB", "RPAR", "RSQB")
"""the terminals that decide whether a newline ends a statement; their kinds are the largest, in this order"""
_PACKAGE = dirname(dirname(realpath(__file__)))
_FOLDERS = (join(_PACKAGE, "grammar"), join(dirname(_PACKAGE), "grammar"))  # installed; checkout


class GrammarRule(NamedTuple):
    """One alternative of the grammar; `method` is the builder's method that it calls; "" passes the only part on."""

    origin: str
    size: int
    method: str
    is_transparent: bool
    """whether its only part may stand for it in a tree"""


class Gotos(dict[tuple[int, int, int], int]):
    """(state below, ~rule, next kind) → the state after a reduction and those that follow it and only pass the part on.

    Most parts are passed on from operand to postfix, to power, … and to sum; this is followed once and cached.
    """

    def __init__(self, shifts: list[dict[str, int]], actions: list[list[int]], rules: list[GrammarRule]) -> None:
        super().__init__()
        self._shifts, self._actions, self._rules = shifts, actions, rules

    def __missing__(self, key: tuple[int, int, int]) -> int:
        below, action, kind = key
        state = self._shifts[below][self._rules[~action].origin]
        following = self._actions[state][kind]
        is_handed_on = following < 0 and not self._rules[~following].method
        self[key] = self[below, following, kind] if is_handed_on else state
        return self[key]


class Tables(NamedTuple):
    """The tables that the parser runs on.

    A token's kind is what `words` has for its text, else the number of the group of the pattern that matches it.
    """

    pattern: re.Pattern[str]  # white space, then groups: symbols, names and numbers, the end, and no token at all
    kinds: dict[str, int]  # terminal → kind
    words: dict[str, int]  # reserved word, symbol, or nothing at the end → kind
    actions: list[list[int]]  # state → kind → next state, ~rule for a reduction, or 0 (the start) for an error
    gotos: Gotos
    rules: list[GrammarRule]
    final: int


@cache
def tables() -> Tables:
    """The tables of the language's grammar, as the parser's loop needs them."""
    return _compile(analysis("expression"))


@cache
def analysis(name: str) -> dict[str, Any]:
    """Return what `make` finds in a grammar; it is cached beside the grammar if that folder is writable."""
    folder = next((folder for folder in _FOLDERS if isfile(join(folder, f"{name}.lark"))), None)
    if folder is None:
        raise FileNotFoundError(f"this installation of autodiff-cli lacks grammar/{name}.lark")
    with open(join(folder, f"{name}.lark"), encoding="utf-8") as grammar:
        source = grammar.read()
    path, data = join(folder, f"{name}.json"), {}
    with suppress(OSError, ValueError), open(path, encoding="utf-8") as file:
        data = json.load(file)
    if (data.get("format"), data.get("grammar")) != (_FORMAT, source):
        data = make(source)
        with suppress(AutodiffError):
            write_file(path, json.dumps(data).encode())
    return data


def make(source: str) -> dict[str, Any]:
    """Lark's analysis of a grammar, the text of a `.lark` file, as data that JSON can hold."""
    from lark import Lark
    from lark.parsers.lalr_analysis import Shift

    lark = Lark(source, parser="lalr", lexer="basic")
    table = lark.parser.parser._parse_table  # Lark offers no public access to them
    rules = list(lark.rules)
    numbers = {rule: number for number, rule in enumerate(rules)}
    # The lexer tries the terminals in the order that Lark's own would.
    terminals = sorted(lark.terminals, key=lambda t: (-t.priority, -t.pattern.max_width, -len(t.pattern.value), t.name))
    start = table.start_states["start"]
    states = sorted(table.states, key=lambda state: state != start)  # the start is 0, to which no shift leads
    indices = {state: index for index, state in enumerate(states)}
    actions = [table.states[state].items() for state in states]
    patterns = {t.name: t.pattern.to_regexp() for t in terminals}
    closed = [t for t in terminals if t.name not in (*_OPEN_ENDED, *lark.ignore_tokens)]
    assert all(t.pattern.max_width <= 2 or patterns[t.name].isalpha() for t in closed), (
        "a symbol of more than two characters"
    )
    return {
        "format": _FORMAT,
        "grammar": source,
        "terminals": [(t.name, patterns[t.name]) for t in terminals if t.name not in lark.ignore_tokens],
        "ignored": [patterns[name] for name in lark.ignore_tokens],
        "words": {text: t.name for t in closed for text in _texts(patterns[t.name])},
        "rules": [
            (rule.origin.name, len(rule.expansion), rule.alias or "", rule.options.expand1 and not rule.alias)
            for rule in rules
        ],
        "shifts": [{name: indices[to] for name, (kind, to) in items if kind is Shift} for items in actions],
        "reductions": [{name: numbers[r] for name, (kind, r) in items if kind is not Shift} for items in actions],
        "final": indices[table.end_states["start"]],
    }


def _texts(pattern: str) -> list[str]:
    """All texts that match a pattern, which is a word or a symbol of one or two characters."""
    characters = sorted(set(pattern))
    texts = [pattern, *characters, *map("".join, product(characters, repeat=2))]
    return [text for text in texts if re.fullmatch(pattern, text)]


def _compile(data: dict[str, Any]) -> Tables:
    terminals = dict(data["terminals"])
    symbols = [re.escape(text) for text in data["words"] if not text.isalpha()]
    symbols.sort(key=len, reverse=True)
    open_ended = [name for name in terminals if name in _OPEN_ENDED]
    groups = ["|".join(symbols), *(terminals[name] for name in open_ended), r"\Z", "."]
    pattern = re.compile(
        f"(?:{'|'.join(data['ignored'])})*+(?:{'|'.join(f'({group})' for group in groups)})", re.DOTALL
    )
    others = [name for name in terminals if name not in (*_OPEN_ENDED, *_BRACKETS)]
    names = ["", *open_ended, "$END", "UNKNOWN", *others, *_BRACKETS]
    kinds = {name: kind for kind, name in enumerate(names, 1) if name}
    shifts, reductions = data["shifts"], data["reductions"]
    rules = [GrammarRule(*rule) for rule in data["rules"]]
    assert all(rule.method or rule.size == 1 for rule in rules), "an alternative of several parts needs a name"
    actions = [
        [shifted.get(name, ~reduced[name] if name in reduced else 0) for name in ("", *names)]
        for shifted, reduced in zip(shifts, reductions, strict=True)
    ]
    return Tables(
        pattern=pattern,
        kinds=kinds,
        words={text: kinds[name] for text, name in data["words"].items()} | {"": kinds["$END"]},
        actions=actions,
        gotos=Gotos(shifts, actions, rules),
        rules=rules,
        final=data["final"],
    )
