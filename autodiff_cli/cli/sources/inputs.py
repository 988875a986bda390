"""Numbers for inputs, as people write them: `a=2`, `b=-pi/2`, lines of `name = number`, or a JSON object."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from ...errors import AutodiffError, Source, UsageError, uncapitalized
from ...evaluation import assigned_values, evaluate
from ...language import parse
from ...notation import canonical, entry_names
from ...program import Program
from ..command_line.remedies import command_line

_PLAIN = frozenset("0123456789.+-eE")
_POWERS = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹ⁿⁱ")
_MEASURED = r"(?m)±|\\pm|\+/?-|~\s*\w+\s*\(|[0-9]\([0-9]+\)\s*$"
_WITH_UNIT = r"[-+]?[\d.]+(?:[eE][-+]?\d+)? ?(?!(?:pi|π|tau|e|E|i|j|inf)\b)[^\W\d]+"
_SIGN = r"[][(){},;\r\n]"
"""a bracket, or what stands between entries or statements"""
_ENTRY = r"(?:\[[1-9]\d*\])+\Z"
_MOST_NESTED = 10  # lists within lists
_HINT = "give a number or a constant expression, such as 2, -1e-3 or pi/2"
_OBJECT = 'write names with numbers, such as {"a": 2, "b": "pi/2"}'


def from_assignments(texts: Iterable[str], option: str = "--set") -> dict[str, float]:
    """The numbers of `a=2 b=-pi/2`. Raises AutodiffError for a name that is set twice."""
    hint = f"; a formula goes before {option}"
    numbers: dict[str, float] = {}
    for name, text in assignments(texts, option).items():
        for entry, value in _numbers(name, text, f"{option} {name}", hint).items():
            if entry in numbers:
                raise _set_twice(entry)
            numbers[entry] = value
    return numbers


def assigned_names(assignment: str) -> list[str]:
    """The name that is given a number, or those of the entries of a list."""
    name, _, text = assignment.partition("=")
    names = [canonical(entry.partition("=")[0]) for entry in by_entries([assignment])]
    is_computed = names == [canonical(name)] and text.lstrip().startswith("[")
    return list(from_assignments([assignment])) if is_computed else names


def _numbers(name: str, text: str, source: str, hint: str) -> dict[str, float]:
    """The number of a name, or those of the entries of a list: `x[1]`, `x[2]`."""
    return assigned_values(_list(name, text, source, hint)) if text[0] == "[" else {name: number(text, source, hint)}


def constants(name: str, text: str, source: str, hint: str) -> dict[str, Program]:
    """The numbers of a name, or of its list, as programs, which keep the digits that were typed."""
    if text[0] != "[":
        return {name: constant(text, source, hint)}
    program = _list(name, text, source, hint)
    return {entry: program.select(entry) for entry in program.assigned}


def _list(name: str, text: str, source: str, hint: str) -> Program:
    """The program that assigns a list of numbers to a name."""
    program = _parsed(f"{name} = {text}", source, allows_list=True)
    _refuse_inputs(program, hint)
    are_entries = all(entry.startswith(f"{name}[") for entry in program.assigned)
    if program.output_name != name or not are_entries or ";" in text:
        raise AutodiffError(f"`{text}` is not one list", hint="write a list such as [1, 2, 3]" + hint)
    return program


def assignments(texts: Iterable[str], lead: str) -> dict[str, str]:
    """The text after each name of `a=2 b=-pi/2`. Raises AutodiffError for a name that is set twice.

    `lead` comes before such assignments in hints; it is an option, or says where they stand.
    """
    assignments: dict[str, str] = {}
    for assignment in _without_semicolons(texts, lead):
        word, _, text = assignment.partition("=")
        name = canonical(word)
        if not text.strip() and name.isidentifier():
            raise UsageError(f"`{assignment}` has no number", f"write {lead} {name}=1, with your number")
        if not text.strip() or not re.sub(_ENTRY, "", name).isidentifier() or _POWERS & set(word):
            raise UsageError(f"`{assignment}` is not NAME=NUMBER", f"write {lead} a=2 b=-3")
        if name in assignments:
            raise _set_twice(name)
        assignments[name] = text.strip()
    return assignments


def _without_semicolons(texts: Iterable[str], lead: str) -> list[str]:
    """The texts. Raises AutodiffError where semicolons separate numbers, as in `a=2; b=3`."""
    texts = [*texts]
    parts = [part.strip() for text in texts for part in text.split(";") if part.strip()]
    if parts[1:] and any(";" in text for text in texts) and all("=" in part for part in parts):
        hint = f"separate them with spaces: {lead} {command_line(*parts)}"
        raise UsageError("`;` does not separate numbers", hint)
    return texts


def by_entries(texts: Iterable[str]) -> list[str]:
    """The assignments; that of a list is replaced by one for each entry: `x=[1, 2±0.1]` by `x[1]=1`, `x[2]=2±0.1`."""
    return [assignment for text in texts for assignment in _by_entries(text)]


def _by_entries(assignment: str, depth: int = 0) -> Iterator[str]:
    name, _, text = map(str.strip, assignment.partition("="))
    parts = _split(text[1:-1], ",") if text[:1] + text[-1:] == "[]" and depth < _MOST_NESTED else None
    if parts is None:
        yield assignment
        return
    for number, part in enumerate(parts, 1):
        yield from _by_entries(f"{name}[{number}]={part}", depth + 1)


def _split(text: str, separators: str) -> list[str] | None:
    """The parts of a text between separators outside of brackets; None if its brackets do not match."""
    parts, start, depth = [], 0, 0
    for sign in re.finditer(_SIGN, text):
        depth += (sign[0] in "([{") - (sign[0] in ")]}")
        if depth < 0:
            return None
        if not depth and sign[0] in separators:
            parts.append(text[start : sign.start()])
            start = sign.end()
    return None if depth else [*parts, text[start:]]


def from_text(text: str, source: str) -> dict[str, float]:
    """The numbers in the text of a file: a JSON object, or `name = number` lines in the language."""
    entries = _entries(text, source)
    if isinstance(entries, Program):
        return assigned_values(entries)
    return {name: number(entry, f"{source}: {name}") for name, entry in _flat(entries)}


def programs_from_text(text: str, source: str) -> dict[str, Program]:
    """The numbers in the text of a file as programs, which keep the digits that were typed."""
    entries = _entries(text, source)
    if isinstance(entries, Program):
        return {name: entries.select(name) for name in entries.assigned}
    return {name: constant(entry, f"{source}: {name}") for name, entry in _flat(entries)}


def texts_from_text(text: str, source: str) -> dict[str, str]:
    """The numbers in the text of a file as texts, which may have an uncertainty."""
    entries = _entries(text, source)
    if isinstance(entries, Program):
        return {name: repr(value) for name, value in assigned_values(entries).items()}
    return dict(_flat(entries))


def names_in_text(text: str, source: str) -> dict[str, list[str]]:
    """The names that the text of a file gives numbers → those of their entries, `x[1]` and `x[2]` of `x = [1, 2]`."""
    entries = _entries(text, source)
    if not isinstance(entries, Program):
        return {name: list(texts) for name, texts in entries.items()}
    lists = {name: list(entry_names(name, value)) for name, value in entries.lists.items()}
    within = {entry for names in lists.values() for entry in names}
    return lists | {name: [name] for name in entries.assigned if name not in within}


def _flat(entries: dict[str, dict[str, str]]) -> Iterator[tuple[str, str]]:
    for texts in entries.values():
        yield from texts.items()


@lru_cache(maxsize=1)  # the names and the numbers are asked for one after the other
def _entries(text: str, source: str) -> Program | dict[str, dict[str, str]]:
    """The assignments of a text.

    A program; for a JSON object, or values with an uncertainty, instead name → the name of each entry → its text.
    """
    content = re.sub(r"#[^\r\n]*", "", text).strip()
    if content.startswith(("{", "[")):
        return _from_json(text, source)
    if not content:
        return {}
    try:
        program = _parsed(text, source, allows_list=True) if "=" in content else None
    except AutodiffError:
        if not re.search(_MEASURED, content):
            raise
        return _from_measured(content)
    if program is None or not program.assigned:
        raise AutodiffError(f"`{source}` assigns no numbers", hint="write lines such as `a = 2`; --data reads tables")
    _refuse_inputs(program)
    if program.output_name is None:
        span, hint = program.graph.span(program.output), "write lines such as `a = 2`"
        raise AutodiffError("this value has no name", span=span, source=program.source, hint=hint)
    for label, count in Counter(program.graph.labels.values()).items():
        if count > 1 and label in program.assigned:
            raise _twice(label, source)
    return program


def _from_measured(content: str) -> dict[str, dict[str, str]]:
    lines = _split(content, ";\r\n") or re.split(r"[;\r\n]", content)
    texts = assignments(filter(str.strip, lines), "a line each:")
    return {name: assignments(by_entries([f"{name}={text}"]), "a line each:") for name, text in texts.items()}


def _from_json(text: str, source: str) -> dict[str, dict[str, str]]:
    import json

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        entries: dict[str, Any] = {}
        for key, entry in pairs:
            if canonical(key) in entries:
                raise _twice(canonical(key), source)
            entries[canonical(key)] = entry
        return entries

    special = {"NaN": "nan", "Infinity": "inf", "-Infinity": "-inf"}
    try:  # numbers are kept as texts and read like all others, so that 1e400 is an error here too
        entries = json.loads(
            text, object_pairs_hook=unique, parse_int=str, parse_float=str, parse_constant=special.__getitem__
        )
    except json.JSONDecodeError as error:
        message = f"this is not JSON: {uncapitalized(error.msg)}"
        raise AutodiffError(message, span=(error.pos, error.pos + 1), source=Source(text, source)) from None
    except RecursionError:
        raise AutodiffError(f"`{source}` is nested too deep", hint=_OBJECT) from None
    if not isinstance(entries, dict):
        raise AutodiffError(f"`{source}` does not hold a JSON object", hint=_OBJECT)
    texts = {key: dict(_leaves(key, entry, source)) for key, entry in entries.items()}
    repeated = next((name for name, count in Counter(name for name, _ in _flat(texts)).items() if count > 1), None)
    if repeated:
        raise _twice(repeated, source)
    return texts


def _leaves(name: str, entry: Any, source: str, depth: int = 0) -> Iterator[tuple[str, str]]:
    """The texts of the number of a name, or of those in its list."""
    if isinstance(entry, list) and entry and depth < _MOST_NESTED:
        for index, part in enumerate(entry, 1):
            yield from _leaves(f"{name}[{index}]", part, source, depth + 1)
    elif isinstance(entry, str):
        yield name, entry
    else:
        raise AutodiffError(f"`{name}` in `{source}` is not a number", hint=_OBJECT)


def _set_twice(name: str) -> UsageError:
    return UsageError(f"`{name}` is set twice", "leave one of the two out")


def _twice(label: str, source: str) -> AutodiffError:
    return AutodiffError(f"`{label}` appears twice in `{source}`", hint="leave one of the two out")


def number(text: str, source: str, hint: str = "") -> float:
    """The value of a constant expression. Raises AutodiffError for any other text.

    `hint` ends the hint for a text that is a formula, but not one number.
    """
    if text and _PLAIN.issuperset(text):
        try:
            plain = float(text)
        except ValueError:
            pass
        else:
            if abs(plain) not in (0.0, float("inf")):
                return plain
    return evaluate(constant(text, source, hint), {}, ()).value


def constant(text: str, source: str, hint: str = "") -> Program:
    """A constant expression as a program. Raises AutodiffError for any other text, with `hint` as for `number`."""
    if not text.strip():
        raise AutodiffError(f"there is no number for {source}", hint=_HINT)
    program = _parsed(text, source)
    _refuse_inputs(program, hint)
    if program.assigned or ";" in text or "\n" in text.strip():
        raise AutodiffError(f"`{text}` is not one number", hint=_HINT + hint)
    return program


def _parsed(text: str, source: str, *, allows_list: bool = False) -> Program:
    """The program of a text, which with `allows_list` may end with a list.

    The error for an uncertain value or a range names what takes those.
    """
    try:
        return parse(text, source, allows_list=allows_list)
    except AutodiffError as error:
        if re.search(_MEASURED, text):
            further = f"; {error.hint}" if error.hint and "±" not in text else ""
            error.hint = f"values with an uncertainty are for `autodiff uncertainty`{further}"
        elif re.fullmatch(_WITH_UNIT, text):
            error.hint = "units are not understood: write 2e3 for 2k, radians(30) for 30 degrees"
        elif ".." in text:
            error.hint = "a range such as 1..2 is for `--set` of `eval --certify`"
        elif ":" in text:
            error.hint = "a range is written as 1..2 in `--set` of `eval --certify`, as 1:2 in --over"
        raise


def _refuse_inputs(program: Program, hint: str = "") -> None:
    for unknown, node in program.inputs.items():
        if node not in program.graph.numbers:
            raise AutodiffError(
                f"`{unknown}` is not a number", span=program.graph.span(node), source=program.source, hint=_HINT + hint
            )
