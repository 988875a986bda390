"""Numbers for inputs, as people write them: `a=2`, `b=-pi/2`, lines of `name = number`, or a JSON object."""

import unicodedata
from collections.abc import Iterable
from typing import Any

from ..errors import USAGE, AutodiffError
from ..evaluation import assigned_values, evaluate
from ..parser import parse

_PLAIN = frozenset("0123456789.+-eE")


def from_assignments(assignments: Iterable[str]) -> dict[str, float]:
    """The numbers of `a=2 b=-pi/2`; the same name twice is an error."""
    point: dict[str, float] = {}
    for assignment in assignments:
        word, sign, text = assignment.partition("=")
        if not sign or not name(word).isidentifier():
            raise AutodiffError(f"`{assignment}` is not NAME=NUMBER", hint="write --set a=2 b=-3", code=USAGE)
        if name(word) in point:
            raise AutodiffError(f"`{name(word)}` is set twice", hint="leave one of the two out", code=USAGE)
        point[name(word)] = number(text, f"--set {name(word)}")
    return point


def from_text(text: str, source: str) -> dict[str, float]:
    """The numbers of a file: a JSON object, or `name = number` lines in the language."""
    if text.lstrip().startswith("{"):
        return _from_json(text, source)
    if not text.strip():
        return {}
    program = parse(text, source)
    if program.output_name is None:
        raise AutodiffError(f"`{source}` holds a formula", hint="write lines such as `a = 2`")
    return assigned_values(program)


def _from_json(text: str, source: str) -> dict[str, float]:
    import json

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        entries: dict[str, Any] = {}
        for key, entry in pairs:
            if key in entries:
                raise AutodiffError(f"`{key}` stands twice in `{source}`", hint="leave one of the two out")
            entries[key] = entry
        return entries

    try:
        entries = json.loads(text, object_pairs_hook=unique)
    except ValueError as error:
        raise AutodiffError(f"`{source}` is not valid JSON: {error}") from None
    return {name(key): _entry(key, entry, source) for key, entry in entries.items()}


def _entry(key: str, entry: Any, source: str) -> float:
    if isinstance(entry, str):
        return number(entry, f"{source}: {key}")
    if isinstance(entry, bool) or not isinstance(entry, int | float):
        raise AutodiffError(f"`{key}` in `{source}` is not a number", hint='write a number, or a text such as "pi/2"')
    return float(entry)


def number(text: str, source: str) -> float:
    """The number that a constant expression stands for."""
    if text and _PLAIN.issuperset(text):
        try:
            plain = float(text)
        except ValueError:
            pass
        else:
            if abs(plain) not in (0.0, float("inf")):
                return plain
    program = parse(text, source)
    if program.inputs:
        unknown = next(iter(program.inputs))
        raise AutodiffError(
            f"`{unknown}` is not a number",
            span=program.graph.span(program.inputs[unknown]),
            source=program.source,
            hint="give a number or a constant expression, such as 2, -1e-3 or pi/2",
        )
    return evaluate(program, {}, ()).value


def name(word: str) -> str:
    """The name that a word stands for, with equal letters of Unicode as one letter."""
    return "pi" if word.strip() == "π" else unicodedata.normalize("NFKC", word.strip())
