"""The entries of lists that assignments of the command line give numbers, beside those that a program has."""

from collections.abc import Iterable, Mapping

from ...errors import AutodiffError, quoted_names
from ...notation import canonical, counted, entry_names
from ...program import Program
from . import inputs


def entries_by_name(assignments: Iterable[str]) -> dict[str, list[str]]:
    """The names that assignments give numbers → those of their entries."""
    return {canonical(text.partition("=")[0]): inputs.assigned_names(text) for text in assignments}


def beginnings_of_lists(assigned: Mapping[str, list[str]]) -> tuple[str, ...]:
    """The beginnings of the names of all entries of lists that are given as lists."""
    return tuple(f"{name}[" for name, entries in assigned.items() if entries != [name])


def refuse_other_lists(program: Program, assigned: Mapping[str, list[str]]) -> None:
    """Raise an error where a list is given that has other entries in the program: more, fewer or in another shape.

    `assigned` has the names that are given numbers → those of their entries.
    """
    for name, given in assigned.items():
        expected = [] if given == [name] else _entries_in_program(program, name)
        if not expected or given == expected:
            continue
        if len(given) == len(expected):
            hint = f"its entries are {quoted_names(expected)}"
            raise AutodiffError(f"`{name}` has another shape in the formula", hint=hint)
        verb = "is" if len(given) == 1 else "are"
        message = f"`{name}` has {counted(len(expected), 'number')} in the formula, and {len(given)} {verb} given"
        raise AutodiffError(message, hint=f"give as many, or set a single entry: {expected[0]}=…")


def _entries_in_program(program: Program, name: str) -> list[str]:
    """The names of the entries that a list, or one within a list, has in a program, if it has them all."""
    known = name if name in program.lists else name.partition("[")[0]
    if known not in program.names and known not in program.lists:
        return []
    entries = entry_names(known, program.lists.get(known))
    return [entry for entry in entries if f"{entry}[".startswith(f"{name}[")]
