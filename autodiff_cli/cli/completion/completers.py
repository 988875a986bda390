"""Candidates that options and arguments offer to the shell: files, names of the formula, functions.

A completer is a function of click's context, the parameter and the word that is begun; options name theirs as
`shell_complete`. None raises an error: a formula that cannot be read offers nothing.
"""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from ...data import formats
from ...data.formats.options import NA_ACTIONS
from ...errors import AutodiffError
from ...files import open_for_reading
from ...language import parse
from ...notation import shortest
from ...operations import FUNCTIONS, LIST_FUNCTIONS, OPERATIONS
from ...program import Program

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Items = list["CompletionItem[str]"]
Completer = Callable[[click.Context, click.Parameter, str], Items]

_MOST_BYTES = 2**20  # of a file that is read while a person waits for the shell


# ---- What completers offer -------------------------------------------------------------------------------------------


def files(context: click.Context, parameter: click.Parameter, begun: str) -> Items:
    """The shell's own completion of files."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(begun, type="file")]


def marked_files(context: click.Context, parameter: click.Parameter, begun: str) -> Items:
    """Files in place of formulas, where `--marked` says that they hold them."""
    return files(context, parameter, begun) if context.params.get("marked") else []


def pairs(context: click.Context, parameter: click.Parameter, begun: str) -> Items:
    """`a,b=` for two inputs."""
    return _listed(_inputs(context), (), begun, "=" if "," in begun else ",")


def nothing(context: click.Context, parameter: click.Parameter, begun: str) -> Items:
    """Nothing, where the words are the user's own."""
    return []


def _offering(known: Callable[[click.Context], Mapping[str, str]], mark: str = "") -> Completer:
    """A completer for names, with their descriptions, that the option does not have yet; the mark follows each."""
    return lambda context, parameter, begun: _listed(known(context), _given(context, parameter), begun, mark)


def _listed(known: Mapping[str, str], given: Collection[str], begun: str, mark: str = "") -> Items:
    """The names, with their descriptions, that could end a list such as `a,b`; the mark follows each."""
    from click.shell_completion import CompletionItem

    before, comma, word = begun.rpartition(",")
    taken = {*given, *_left_sides(before)}
    return [
        CompletionItem(before + comma + name + mark, type="open" if mark else "plain", help=description)
        for name, description in known.items()
        if name.startswith(word) and name not in taken
    ]


# ---- What the command line says so far -------------------------------------------------------------------------------


def _given(context: click.Context, parameter: click.Parameter) -> set[str]:
    """The names that the option has on the line already."""
    words = context.params.get(parameter.name or "") or ()
    return set(_left_sides(",".join([words] if isinstance(words, str) else words)))


def _left_sides(text: str) -> Iterator[str]:
    return (part.partition("=")[0].strip() for part in text.split(","))


def _columns(context: click.Context) -> Sequence[str]:
    """The names of the columns of the table."""
    named = context.params.get("data") or ""
    data = _file(named if isinstance(named, str) else named[0])
    format_ = context.params.get("data_format") or formats.format_of(data)
    if not data or not format_:
        return []
    with suppress(AutodiffError), open_for_reading(data) as source:
        said = formats.ReadOptions.of(context.params)
        return formats.reader(format_, source, said).names
    return []


def _inputs(context: click.Context) -> dict[str, str]:
    """The inputs of the formulas, described by their defaults."""
    return {
        name: f"{shortest(program.graph.numbers[node])} by default" if node in program.graph.numbers else ""
        for program in _programs(context)
        for name, node in program.inputs.items()
    }


def _inputs_without_columns(context: click.Context) -> dict[str, str]:
    columns = _columns(context)
    return {name: description for name, description in _inputs(context).items() if name not in columns}


def _values(context: click.Context) -> dict[str, str]:
    """The values of the formulas that have a name, described by how they are computed."""
    return {
        name: program.formula(program.names[name])
        for program in _programs(context)
        for name in program.assigned
        if name in program.names and name not in program.inputs
    }


def _programs(context: click.Context) -> Iterator[Program]:
    """The programs of the formulas on the line that can be parsed."""
    from ...language.relations import differences

    for text in _formulas(context.params):
        with suppress(AutodiffError):
            yield from [parse(text)] if context.info_name != "solve" else differences(text)


def _formulas(parameters: Mapping[str, object]) -> Iterable[str]:
    """The texts of the formulas, from the file or from the line."""
    file, formula, several = (parameters.get(name) for name in ("file", "formula", "formulas"))
    if file is not None:
        path = _file(file)
        with suppress(AutodiffError, UnicodeDecodeError):
            return [_text(path)] if path and os.path.getsize(path) <= _MOST_BYTES else []
    if isinstance(several, tuple):
        return several
    return [formula] if isinstance(formula, str) else []


def _text(path: str) -> str:
    with open_for_reading(path) as file:
        return file.read().decode("utf-8-sig")


def _file(path: object) -> str:
    """The path of a regular file as the shell will give it; "" for anything else, which reading could hold up."""
    expanded = os.path.expanduser(path) if isinstance(path, str) else ""
    return expanded if "\0" not in expanded and os.path.isfile(expanded) else ""


# ---- Names that completers offer -------------------------------------------------------------------------------------


def _functions(context: click.Context) -> dict[str, str]:
    known = {name: operations[0].doc for name, operations in FUNCTIONS.items()}
    lists = {name: doc for name, (_, doc, _) in LIST_FUNCTIONS.items()}
    return known | lists | {name: operation.doc for name, operation in OPERATIONS.items()}


def _expandable(context: click.Context) -> dict[str, str]:
    known = {name: operations[0].doc for name, operations in FUNCTIONS.items() if operations[0].meaning}
    return known | {"all": "every function"}


def _written_columns(context: click.Context) -> dict[str, str]:
    wrt = [word for words in context.params.get("wrt") or () for word in words.split(",")]
    prefix = context.params.get("prefix") or ""
    names = wrt or _inputs(context).keys() - _left_sides(",".join(context.params.get("assignments") or ()))
    results = [prefix + name for name in ("value", *(f"grad_{name}" for name in _inputs(context) if name in names))]
    ranges = _left_sides(",".join(context.params.get("over") or ()))
    return dict.fromkeys((*_columns(context), *filter(None, ranges), *results), "")


assignments = _offering(_inputs, "=")
"""`a=` for every input of the formula that has none yet"""
numbers = _offering(_inputs_without_columns, "=")
"""the same for every input that is not a column of the table either"""
names = _offering(lambda context: _inputs(context) | _values(context))
"""the inputs of the formula, and the values that have a name"""
inputs = _offering(_inputs)
"""the inputs of the formula"""
values = _offering(_values)
"""the values of the formula that have a name"""
functions = _offering(_functions)
"""the functions of the language, and the operations that are written with signs"""
expandable = _offering(_expandable)
"""the functions that can be taken apart"""
columns = _offering(lambda context: dict.fromkeys(_columns(context), ""))
"""the columns of the table that `--data` names, or of the first of several"""
written_columns = _offering(_written_columns)
"""the columns of the rows that are written: those that are read, and those of the results"""
missing = _offering(lambda context: dict.fromkeys(NA_ACTIONS, ""))
"""the ways to treat a missing number"""
