"""Words that stand in the place of a formula and are none: names of files, numbers, inputs, choices of an option."""

import re
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from os.path import isfile

import click

from ... import file_extensions
from ...data.formats import READABLE
from ...errors import AutodiffError
from .known_options import takes, value_of
from .lists import ASSIGNMENTS, ListOption
from .remedies import command_line

QUOTES = "put a formula with spaces in quotes"
_ONLY_A_DISTRIBUTION = re.compile(r"\s*([^\W\d]\w*)\s*~\s*(?=[a-z]+\()")
_FILE_NAME = re.compile(r"[\w./~-]+")
_NUMBER = re.compile(r"[\d.]+(?:e[-+]?\d+)?|pi(?:/\d+)?")
_RANGE = re.compile(r"[^:={]+:[^:=]+(?::[^:=]+)?")
_ASSIGNED_OTHERWISE = re.compile(r"([^\W\d]\w*)(?: ?= ?| ?: ?| )([-+]?[\d.][^\s=]*)(?!\S)")
"""the words `x 3`, `x = 3` or `x:3` where `x=3` is meant"""
_PLUS_MINUS = ("±", "+-", "+/-")
_JOINING = ("at", "for", "when", "where", "with")
"""words between a formula and what belongs to an option, as in `x^2 at x=3`"""
_MARKS = {
    "latex": re.compile(r"\\[a-zA-Z]|[\^_]\{"),
    "python": re.compile(r"\b(?:np|numpy|math|torch|jnp|sympy)\.\w|\b(?:lambda|def|return)\b|\bValue\(|\.[a-z_]+\(\)"),
    "excel": re.compile(r"\A\s*="),
    "sympy": re.compile(r"\b(?:Derivative|Float|Integer|Piecewise|Rational)\("),
}
"""notation → what marks a text in it; a program in the language has no such mark"""


def extra_words_hint(formulas: Sequence[str], known: Mapping[str, click.Option]) -> str:
    """The hint for several formulas where a command with the `known` options takes one."""
    joined, extra = " ".join(formulas), formulas[1:]
    is_joined = len(extra) > 1 and extra[0] in _JOINING
    if any(sign in extra for sign in _PLUS_MINUS):
        return "a value and its uncertainty have no spaces between them: a=5±1"
    file = next(filter(None, (file_hint(word, known) for word in extra)), None)
    option, what, words = _meaning(formulas[0], [with_estimate(word) for word in extra[is_joined:]], known)
    if file is not None:
        return file
    if option and is_joined:
        return f"write the formula alone, with {option} {command_line(*words)} after it"
    if option:
        return f"{what} {option}: {option} {command_line(*words)}"
    for choice in ("--to", "--format", "--from"):
        if choice in known and (word := next((word for word in formulas if takes(known[choice], word)), None)):
            return f"write {choice} {word}"
    if any(word.endswith("]") and "[" not in word for word in extra):
        return "the entries of a list have commas between them, and no spaces: x=[1,2]"
    if all(map(is_formula, formulas)) and not is_formula(joined):
        if isinstance(known.get("--of"), ListOption) and not re.search("[=;\n]", joined):
            names = [f"y{number}" for number in range(1, len(formulas) + 1)]
            program = "; ".join(f"{name} = {formula}" for name, formula in zip(names, formulas, strict=True))
            return f"write one program: {command_line(program)} --of {','.join(names)}"
        return "leave one of them out, or read them as the lines of a file: `autodiff eval --each -f FILE`"
    return f"{QUOTES}: {command_line(joined)}"


def _meaning(first: str, extra: Sequence[str], known: Collection[str]) -> tuple[str, str, Sequence[str]]:
    """The option that words after a formula belong to, if that is certain, what they are, and the words for it."""
    inputs = _inputs(first)
    if len(inputs) == 1 and len(extra) == 1 and (_NUMBER.fullmatch(extra[0]) or _RANGE.fullmatch(extra[0])):
        extra = [f"{inputs[0]}={extra[0]}"]
    if len(inputs) == 1 and len(extra) == 2 and all(_NUMBER.fullmatch(word.removeprefix("-")) for word in extra):
        if {"--at", "--order"} <= {*known}:
            return "--at", "the point and the order follow", [extra[0], "--order", extra[1]]
        if "--over" in known:
            return "--over", "a range follows", [f"{inputs[0]}={extra[0]}:{extra[1]}"]
    if all(word in inputs for word in extra) and "--wrt" in known:
        return "--wrt", "names of inputs follow", extra
    if not all(map(ASSIGNMENTS.begins, extra)):
        return "", "", ()
    if all(_RANGE.fullmatch(word.partition("=")[2]) for word in extra):
        return ("--over", "ranges follow", extra) if "--over" in known else ("", "", ())
    if "--start" in known:
        return "--start", "numbers where a search begins follow", extra
    if "--at" in known and "--over" not in known:
        return "--at", "the point follows", extra
    return "--set", "numbers for inputs follow", extra


def meant_as_number(option: str, words: Sequence[str]) -> str:
    """The assignment that is meant by an option with the name of an input, as in `x^2 --x 3`; "" if none is meant.

    `words` are those after the command.
    """
    name, value = option.lstrip("-"), value_of(option, words) or ""
    is_number = _NUMBER.fullmatch(value.removeprefix("-")) is not None
    return f"{name}={value}" if is_number and any(name in _inputs(word) for word in _formulas(words)) else ""


def meant_as_assignment(following: Sequence[str], words: Sequence[str]) -> str:
    """The assignment that is meant by words that follow an option such as --set and are none; "" if that is not clear.

    They are `x 3`, `x = 3` or `x:3`, or a number or a range alone where the formula among the `words` has one input.
    """
    if assigned := _ASSIGNED_OTHERWISE.match(" ".join(following)):
        return f"{assigned[1]}={assigned[2]}"
    if not following or not (_NUMBER.fullmatch(following[0].removeprefix("-")) or _RANGE.fullmatch(following[0])):
        return ""
    inputs = next(filter(None, map(_inputs, _formulas(words))), ())
    return f"{inputs[0]}={following[0]}" if len(inputs) == 1 else ""


def _formulas(words: Sequence[str]) -> Iterator[str]:
    """Those of the words of a command line that may be a formula: no options, and no names, which may be anything."""
    return (word for word in words if not word.startswith("--") and not word.lstrip("-").isidentifier())


def _inputs(formula: str) -> Sequence[str]:
    """The inputs of a formula or an equation; none of another text."""
    from ...language import parse
    from ...language.relations import LAST_EQUALS

    for text in (formula, LAST_EQUALS.sub("==", formula)):
        with suppress(AutodiffError):
            return list(parse(text).inputs)
    return []


def with_estimate(word: str) -> str:
    """An assignment of a distribution alone, `a~uniform(0.2)`, with an estimate before it; any other word as it is."""
    return _ONLY_A_DISTRIBUTION.sub(r"\1=2~", word)


def is_formula(formula: str) -> bool:
    """Whether a text is a formula."""
    from ...language import parse

    try:
        parse(formula)
    except AutodiffError:
        return False
    return True


def notation_of(text: str) -> str | None:
    """The notation whose marks a text has, and which can be read in it; None for no other than the language."""
    from ...conversion import parsed

    for notation, mark in _MARKS.items():
        if mark.search(text):
            with suppress(AutodiffError):
                parsed(text, notation=notation, allows_list=True)
                return notation
    return None


def file_hint(word: str, known: Container[str]) -> str:
    """A hint for a word that names a file in place of a formula; "" if it does not look like one.

    `known` are the options that there are.
    """
    extension = file_extensions.extension_of(word)
    format_ = file_extensions.FORMATS.get(extension)
    option = "--inputs" if format_ == "json" else "--data" if format_ in READABLE else "-f"
    if option not in known:
        return ""
    for name in (word, word.removeprefix("-f")):  # `-ff.expr` may be meant as `-f f.expr`
        if is_file(name):
            return f"`{name}` is a file: read it with {command_line(option, name)}"
    if len(extension) < 3 or format_ is None or not _FILE_NAME.fullmatch(word):
        return ""
    if format_ not in (*READABLE, "json", "expr", "text") and "--out" in known:
        return f"the file that is written follows -o: -o {word}"
    return f"there is no file `{word}`, which {option} could read"


def is_file(path: str) -> bool:
    """Whether an argument is the name of a file."""
    return 0 < len(path) < 1000 and "\0" not in path and isfile(path)
