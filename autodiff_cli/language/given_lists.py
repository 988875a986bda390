"""Points with lists and arrays: the entries of those that a text uses as lists are inputs of their own."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import chain
from typing import Any

from ..errors import AutodiffError
from ..notation import entry_names, flattened, listed
from ..operations import INPUT
from ..program import Program
from . import parse
from .list_graph import DifferentLists

_SHORT = 1_000
"""up to this length an array is taken for a list of the wrong length, if the lists have a different one"""


def parse_with_lists(
    program: Program | str,
    point: Mapping[str, Any],
    columns: Collection[str] = (),
    name: str = "<formula>",
    *,
    given: Collection[str] = (),
) -> Program:
    """A program as it is; of a text the program in which an array of the point is a list where the text takes one.

    Other arrays are many points. Where the text has such a list, an array that could be either is a list too, unless
    the result would then be one; so is a Python list where the text has brackets, or there are `given` entries. A list
    without numbers has those of the `columns` that are its entries, such as `x[1]`; `given` entries are those of lists
    anyway. Errors call the text by its `name`.
    """
    if not isinstance(program, str):
        return parse(program)
    entries = cache(lambda name: [entry for entry in by_entry({name: point[name]}) if "[" in entry])

    def read(entries: Iterable[str] = (), **options: bool) -> Program:
        return parse(program, name, entries=[*given, *entries], **options)

    has_lists = given or "[" in program
    either = {name for name, value in point.items() if isinstance(value, tuple | list) and has_lists}
    try:
        return _with_arrays(read, point, either, entries)
    except AutodiffError as error:
        if not columns or error.remedy is None or error.remedy.kind not in ("list input", "list entry"):
            raise
    return parse_with_lists(program, point, name=name, given=[*given, *columns])


def placed(program: Program, point: Mapping[str, Any]) -> dict[str, Any]:
    """The point, with a list of the program replaced by a number for each of its entries.

    Raises AutodiffError for an entry that has a number of its own too.
    """
    return merged(
        program.list_entries(name, value) if name in program.list_names else {name: value}
        for name, value in point.items()
    )


def merged(parts: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The numbers of all parts. Raises AutodiffError for a name that two of them have."""
    numbers: dict[str, Any] = {}
    for part in parts:
        if twice := numbers.keys() & part.keys():
            raise AutodiffError(f"`{min(twice)}` is set twice", hint="leave one of the two out")
        numbers |= part
    return numbers


def by_entry(point: Mapping[str, Any]) -> dict[str, Any]:
    """The point, with a list or array replaced by a number for each of its entries."""
    lists = {name: listed(value) for name, value in point.items()}
    return {
        entry: number
        for name, value in lists.items()
        for entry, number in zip(entry_names(name, value), flattened(value), strict=True)
    }


def _with_arrays(
    read: Callable[..., Program],
    point: Mapping[str, Any],
    either: Collection[str],
    entries: Callable[[str], Sequence[str]],
) -> Program:
    """The program that is read, in which what has `entries` is a list or many points.

    Without a list that the text takes, only those that may be `either` are lists. Nobody asks for the entries of a long
    array that is longer than every list: it is many points, perhaps millions.
    """
    program, wanted = _tried(read, point, ())
    longest = max((_length(point[name]) for name in wanted if entries(name)), default=0)
    candidates = point if longest else either
    names = [name for name in candidates if _length(point[name]) <= max(longest, _SHORT) and entries(name)]
    every = [*chain(*map(entries, names))]
    if isinstance(program, AutodiffError):
        for name in wanted:
            if not by_entry({name: point[name]}):
                hint = "give a number for each of its entries"
                raise AutodiffError(f"`{name}` is empty, and a list has at least one entry", hint=hint)
    if not every:
        return _program(program)
    try:
        return read(entries=every)
    except AutodiffError as error:
        if isinstance(error.__context__, DifferentLists):  # a list in the text determines how long and deep others are
            raise
        if longest:
            read(entries=every, allows_list=True)  # raises an error too, unless it is that the result is a list
        refused = error
    lists: dict[str, Sequence[str]] = {}
    while needed := {name: entries(name) for name in wanted if name in names and name not in lists}:
        lists |= needed
        program, wanted = _tried(read, point, lists.values())
    for name in names:
        with suppress(AutodiffError):
            program = read(entries=[*chain(*lists.values()), *entries(name)])
            lists[name] = entries(name)
    return _program(refused if isinstance(program, AutodiffError) else program)


def _length(value: Any) -> int:
    try:
        return len(value)
    except TypeError:  # a number
        return 0


def _tried(
    read: Callable[..., Program], names: Collection[str], lists: Iterable[Sequence[str]]
) -> tuple[Program | AutodiffError, Sequence[str]]:
    """The program that is read, or what is wrong with it, and those of the names that should also be lists."""
    try:
        program = read(entries=[*chain(*lists)])
    except AutodiffError as error:
        wanted = error.remedy.names if error.remedy is not None and error.remedy.kind == "list input" else ()
        return error, [name for name in wanted if name in names]
    graph = program.graph
    single = [
        arguments[0]
        for operation, arguments in zip(graph.operations, graph.arguments, strict=True)
        if operation.variadic and len(arguments) == 1  # as in max(x), which is the largest of the entries
    ]
    inputs = (node for node in graph.needed(single) if graph.operations[node] is INPUT and node not in graph.numbers)
    return program, [graph.labels[node] for node in inputs if graph.labels[node] in names]


def _program(tried: Program | AutodiffError) -> Program:
    if isinstance(tried, AutodiffError):
        raise tried
    return tried
