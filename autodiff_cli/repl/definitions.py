"""The definitions of a session: each name has one, and each may use any other, in whatever order they are typed.

A list has one definition, or one for each of its entries.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NoReturn

from ..errors import quoted_names
from .statements import TypedStatement, parts

Definitions = Mapping[str, TypedStatement]
"""name → the statement that defines it"""


def in_order(definitions: Definitions, names: Iterable[str]) -> list[TypedStatement]:
    """The statements of the names and of all that these use, each after those that it uses.

    Inputs come first, in the order of the names, so that gradients have it whatever was typed before them.
    Raises AutodiffError for a value that would be computed from itself.
    """
    ordered: dict[str, TypedStatement] = {}
    entries = _entries(definitions)
    for name in sorted(names, key=lambda name: bool(definitions[name].uses or definitions[name].is_function)):
        path = {} if name in ordered else {name: _used(definitions, entries, name)}
        while path:
            last = next(reversed(path))
            used = next(path[last], None)
            if used is None:
                ordered[last] = definitions[last]
                del path[last]
            elif used in path:
                _refuse_circle(definitions, [*path][[*path].index(used) :])
            elif used not in ordered:
                path[used] = _used(definitions, entries, used)
    return [*ordered.values()]


def _entries(definitions: Definitions) -> dict[str, list[str]]:
    """The definitions of the entries of each list, and of each list within it."""
    entries: dict[str, list[str]] = {}
    for name in definitions:
        if "[" in name:
            for whole in parts(name)[:-1]:
                entries.setdefault(whole, []).append(name)
    return entries


def _used(definitions: Definitions, entries: Mapping[str, list[str]], name: str) -> Iterator[str]:
    """The definitions that one of them uses; the parser has an error for a function that calls itself."""
    statement = definitions[name]
    for used in statement.uses:
        for definition in (*parts(used), *entries.get(used, ())):
            if definition in definitions and not (definition == name and statement.is_function):
                yield definition


def _refuse_circle(definitions: Definitions, circle: list[str]) -> NoReturn:
    """Raise the error for values of which each uses the next, and the last the first."""
    first, *others = circle
    through = f", through {quoted_names(others, 3)}" if others else ""
    statement = definitions[first]
    raise statement.error(
        f"`{first}` would be computed from itself{through}",
        statement.place_of(others[0] if others else first) or (0, 0),
        "a name has one definition here: give the new value another name",
    )


def dependents(definitions: Definitions, names: Iterable[str]) -> list[str]:
    """The names of the definitions that use one of the names, or use one that does, and so on, in their order."""
    changed, dependent = {*names}, []
    wholes = {whole for name in changed for whole in parts(name)}

    def is_affected(statement: TypedStatement) -> bool:
        return statement.name not in changed and any(
            used in wholes or not changed.isdisjoint(parts(used)) for used in statement.uses
        )

    if not any(map(is_affected, definitions.values())):  # as for each new name: all are put in order for others alone
        return []
    for statement in in_order(definitions, definitions):
        if is_affected(statement):
            changed.add(statement.name)
            wholes.update(parts(statement.name))
            dependent.append(statement.name)
    return dependent
