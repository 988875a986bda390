"""What a lesson says in words, and how it shortens what is long; each format typesets it in its own way."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from ..paths import MANY, Path, Paths
from . import Lesson

Item = TypeVar("Item")

_MOST_STATEMENTS = 6
_MOST_LINKS = 10
"""the links of a longer path that are shown at each of its ends are so many"""


def title(lesson: Lesson) -> list[int]:
    """The values that are shown first as the program has them: the named ones, where they are few, and the output."""
    graph = lesson.graph
    named = [node for node in lesson.walk if node in graph.labels and graph.arguments[node] and node != lesson.output]
    return [*(named if len(named) < _MOST_STATEMENTS else []), lesson.output]


def statement(lesson: Lesson, node: int) -> str:
    """A value as the program has it: `o = tanh(n)`; where that is long, as the walk has it."""
    written = lesson.written(node) if lesson.graph.arguments[node] else ""
    if not written:
        return f"{lesson.name(node)} = {lesson.formula(node)}"
    label = lesson.graph.labels.get(node)
    return f"{lesson.name(node) if label is None else lesson.called(label)} = {written}"


def chain_rule(lesson: Lesson) -> str:
    """How the sweep backward goes."""
    output = lesson.name(lesson.output)
    if lesson.explanation.adjoints[lesson.output] is None:
        return f"{output} depends on nothing that the gradient is with respect to."
    start = f"The gradient of {output} with respect to itself is 1."
    if not lesson.explanation.steps:
        return start
    return (
        f"{start} From there each value passes its gradient on to what it was computed from, times the local "
        "derivative; what arrives at one value from several places is added up."
    )


# ---- Paths -----------------------------------------------------------------------------------------------------------


def on_the_way(lesson: Lesson) -> list[int]:
    """The values on the paths that are shown, and those that these are computed from."""
    way = {node for paths in lesson.paths for path in paths.shown for node in shortened(nodes(path, paths.node), [])}
    return [node for node in lesson.walk if node in way.union(*(lesson.graph.arguments[one] for one in way))]


def introduction(lesson: Lesson, paths: Paths) -> str:
    """How many paths there are."""
    output, node = lesson.name(lesson.output), lesson.name(paths.node)
    if paths.node == lesson.output:
        return f"{output} is what is differentiated: its gradient is 1."
    if not paths.count:
        return f"{output} does not depend on {node}: no path leads there, so the gradient is 0."
    ways = "One path leads" if paths.count == 1 else f"{_counted(paths.count)} paths lead"
    shown = f"; these are the {len(paths.shown)} with the largest products" if paths.hidden else ""
    return f"{ways} from {output} to {node}{shown}:"


def conclusion(lesson: Lesson, paths: Paths) -> Iterator[str]:
    """What the paths add up to."""
    gradient = lesson.figure(paths.gradient)
    if not paths.agrees:
        yield (
            "Path by path the products do not add up in double precision, since some of them are infinite. The sweep "
            f"adds up what arrives at each value before it goes on; its gradient is {gradient}."
        )
        return
    if paths.hidden:
        yield f"The other paths, {_counted(paths.hidden)} of them, add up to {lesson.figure(paths.rest)}."
    if paths.count > 1:
        terms = [*(path.product for path in paths.shown), *([paths.rest] if paths.hidden else [])]
        yield f"The gradient is the sum over the paths: {lesson.added(terms)} = {gradient}."


def _counted(count: int) -> str:
    return f"{count:,}" if count < MANY else "more than 10^18"


def nodes(path: Path, node: int) -> list[int]:
    """The nodes of a path, from the output to the one that is explained."""
    return [*(link.result for link in path.links), node]


def way(lesson: Lesson, path: Path, node: int) -> str:
    """A path by the names on it: `o ← n ← b`."""
    names = [lesson.name(one) for one in nodes(path, node)]
    return " ← ".join(shortened(names, between(names)))


def product(lesson: Lesson, path: Path) -> list[str]:
    """`∂o/∂n · ∂n/∂b`, `(1 - o^2) · 1`, `0.5000 · 1`, `0.5000`; of a long path only what stands at its ends."""
    links = path.links
    partials = [f"∂{lesson.name(link.result)}/∂{lesson.name(link.argument)}" for link in links]
    rules = [lesson.factor(link) for link in links] if len(links) > 1 else [lesson.rule(links[0])]
    numbers = [lesson.figure(links[0].local), *(lesson.enclosed(link.local) for link in links[1:])]
    cells = [" · ".join(shortened(parts, between(parts))) for parts in (partials, rules, numbers)]
    return list(dict.fromkeys([*cells, lesson.figure(path.product)]))


def shortened(parts: Sequence[Item], middle: Sequence[Item]) -> list[Item]:
    """The parts; of many the first and the last ones, and something in the middle."""
    if len(parts) <= 2 * _MOST_LINKS:
        return list(parts)
    return [*parts[:_MOST_LINKS], *middle, *parts[-_MOST_LINKS:]]


def between(parts: Sequence[object]) -> list[str]:
    """How many parts are left out."""
    return [f"… ({len(parts) - 2 * _MOST_LINKS:,} more) …"]
