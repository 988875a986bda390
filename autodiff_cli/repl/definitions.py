"""The definitions of a session: each name has one, and each may use any other, in whatever order they are typed."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NoReturn

from ..errors import named
from .statements import TypedStatement

Definitions = Mapping[str, TypedStatement]
"""name → the statement that defines it"""


def in_order(definitions: Definitions, names: Iterable[str]) -> list[TypedStatement]:
    """The statements of the names and of all that these use, each after those that it uses.

    Raises AutodiffError for a value that would be computed from itself.
    """
    ordered: dict[str, TypedStatement] = {}
    for name in names:
        path: dict[str, Iterator[str]] = {} if name in ordered else {name: _used(definitions, name)}
        while path:
            last = next(reversed(path))
            used = next(path[last], None)
            if used is None:
                ordered[last] = definitions[last]
                del path[last]
            elif used in path:
                _refuse_circle(definitions, [*path][[*path].index(used) :])
            elif used not in ordered:
                path[used] = _used(definitions, used)
    return [*ordered.values()]


def _used(definitions: Definitions, name: str) -> Iterator[str]:
    """The definitions that one uses; the parser has an error for a function that calls itself."""
    statement = definitions[name]
    return (used for used in statement.uses if used in definitions and not (used == name and statement.is_function))


def _refuse_circle(definitions: Definitions, circle: list[str]) -> NoReturn:
    """Raise the error for values of which each uses the next, and the last the first."""
    first, *others = circle
    through = f", through {named(others, 3)}" if others else ""
    statement = definitions[first]
    raise statement.error(
        f"`{first}` would be computed from itself{through}",
        statement.uses[others[0] if others else first],
        "a name has one definition here: give the new value another name",
    )


def dependents(ordered: Iterable[TypedStatement], name: str) -> list[str]:
    """The names of the statements that use a name, or use one that does, and so on."""
    changed = {name: None}
    for statement in ordered:
        if statement.name != name and not changed.keys().isdisjoint(statement.uses):
            changed[statement.name] = None
    return [*changed][1:]
