"""The sentences of a walkthrough, and how it shortens long paths, for every format to typeset in its own way."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from operator import itemgetter
from typing import TypeVar

from ...notation import elided
from ...terminal.printable_text import one_line
from ..gradient_paths import MANY, GradientPath, GradientPaths
from ..step_remarks import step_remarks
from ..walkthrough import Walkthrough

Item = TypeVar("Item")

_MOST_STATEMENTS = 6
_MOST_TEXT = 200  # columns of the definition of a function
_MOST_LINKS = 10
"""of a path with more than twice as many, this many links are shown at each end"""


def title(walk: Walkthrough) -> list[int]:
    """The nodes whose statements come first: the named ones, where they are few, and the output."""
    graph = walk.graph
    named = [
        [node for node in nodes if node in graph.labels and graph.arguments[node] and node != walk.output]
        for nodes in (walk.forward_nodes, walk.differentiated)
    ]
    return [*chain.from_iterable(nodes for nodes in named if len(nodes) < _MOST_STATEMENTS), walk.output]


def statements(walk: Walkthrough) -> list[str]:
    """The program as it is shown first: its functions, where they are few, and the statements of the title."""
    few = walk.definitions if len(walk.definitions) < _MOST_STATEMENTS else []
    functions = [elided(one_line(definition.text), _MOST_TEXT) for definition in few]
    assigned = (f"{name} = {walk.name(node)}" if name else statement(walk, node) for node, name in assignments(walk))
    return [*functions, *assigned]


def assignments(walk: Walkthrough) -> list[tuple[int, str]]:
    """The nodes of the title, each with "", and further names of values, as y is after `y = x`, where they are few."""
    program, shown = walk.evaluation.program, set(walk.evaluation.order)
    nodes = {name: program.names[name] for name in program.assigned if program.names.get(name) in shown}
    others = [(node, walk.shortened_name(name)) for name, node in nodes.items() if walk.graph.labels.get(node) != name]
    few = others if len(others) < _MOST_STATEMENTS else []
    return sorted([*((node, "") for node in title(walk)), *few], key=itemgetter(0))  # none before what it stands for


def statement(walk: Walkthrough, node: int) -> str:
    """The statement of a value: `o = tanh(n)` as in the program, or in the names of the walk where that is long."""
    text = walk.derivatives.get(node) or (walk.source_text(node) if walk.graph.arguments[node] else "")
    if not text:
        return f"{walk.name(node)} = {walk.formula(node)}"
    label = walk.graph.labels.get(node)
    return f"{walk.name(node) if label is None else walk.shortened_name(label)} = {text}"


def typeset(text: str, plain: Callable[[str], str], code: Callable[[str], str]) -> str:
    """A text whose parts between backticks are formulas, typeset by `code`, and the others by `plain`."""
    words = re.split("`([^`]*)`", text)
    return "".join((code if number % 2 else plain)(word) for number, word in enumerate(words))


def chain_rule(walk: Walkthrough, code: Callable[[str], str] = str) -> str:
    """A sentence about how the backward sweep works; `code` marks the names in it."""
    output = code(walk.name(walk.output))
    if walk.explanation.adjoints[walk.output] is None:
        return f"{output} depends on no input that the gradient is with respect to."
    start = f"The gradient of {output} with respect to itself is 1."
    if not walk.explanation.steps:
        return start
    return (
        f"{start} From there each value passes its gradient on to what it was computed from, times the local "
        "derivative; what arrives at one value from several places is added up."
    )


# ---- Paths -----------------------------------------------------------------------------------------------------------


def nodes_on_paths(walk: Walkthrough) -> list[int]:
    """The nodes on the paths that are shown, and the arguments of these."""
    on_paths = {
        node for paths in walk.paths for path in paths.shown for node in shortened(_nodes(path, paths.node), [])
    }
    arguments = (walk.graph.arguments[node] for node in on_paths)
    wanted = on_paths.union(*arguments)
    return [node for node in walk.forward_nodes if node in wanted]


def introduction(walk: Walkthrough, paths: GradientPaths, code: Callable[[str], str] = str) -> str:
    """A sentence about how many paths there are; `code` marks the names in it."""
    output, node = code(walk.name(walk.output)), code(walk.name(paths.node))
    if paths.node == walk.output:
        return f"{output} is what is differentiated: its gradient is 1."
    if not paths.count:
        return f"{output} does not depend on {node}: no path leads there, so the gradient is 0."
    ways = "One path leads" if paths.count == 1 else f"{_counted(paths.count)} paths lead"
    shown = f"; these are the {len(paths.shown)} with the largest products" if paths.hidden else ""
    return f"{ways} from {output} to {node}{shown}:"


def remarks_on_paths(walk: Walkthrough, paths: GradientPaths) -> Iterator[str]:
    """The remarks on the steps along the paths that are shown, each once."""
    shown = {link.result for path in paths.shown for link in shortened(path.links, [])}
    steps = (step for step in walk.explanation.steps if step.node in shown)
    return iter(dict.fromkeys(chain.from_iterable(step_remarks(walk, step) for step in steps)))


def conclusion(walk: Walkthrough, paths: GradientPaths) -> Iterator[str]:
    """Sentences about what the paths add up to."""
    gradient = walk.figure(paths.gradient)
    if walk.explanation.is_limit(paths.node):
        yield (
            "Products of 0 and infinity, and infinities that cancel, can be anything. The gradient is the limit that "
            f"the slope tends to: {gradient}."
        )
        return
    if not paths.agrees:
        yield (
            "Path by path the products do not add up in double precision, since some of them are infinite. The sweep "
            f"adds up what arrives at each value before it goes on; its gradient is {gradient}."
        )
        return
    if paths.hidden:
        yield f"The other {_counted(paths.hidden)} paths add up to {walk.figure(paths.rest)}."
    if paths.count > 1:
        terms = [*(path.product for path in paths.shown), *([paths.rest] if paths.hidden else [])]
        yield f"The gradient is the sum over the paths: {walk.added(terms)} = {gradient}."


def _counted(count: int) -> str:
    return f"{count:,}" if count < MANY else "more than 10^18"


def _nodes(path: GradientPath, node: int) -> list[int]:
    """The nodes of a path, from the output to the explained one."""
    return [*(link.result for link in path.links), node]


def names_on_path(walk: Walkthrough, path: GradientPath, node: int) -> str:
    """The names of the nodes on a path: `o ← n ← b`."""
    names = [walk.name(on_path) for on_path in _nodes(path, node)]
    return " ← ".join(shortened(names, [omission(names)]))


def product(walk: Walkthrough, path: GradientPath) -> list[str]:
    """`∂o/∂n · ∂n/∂b`, `(1 - o^2) · 1`, `0.5000 · 1`, `0.5000`; of a long path only the factors at its ends."""
    links = path.links
    partials = [f"∂{walk.name(link.result)}/∂{walk.name(link.argument)}" for link in links]
    rules = [walk.factor(link) for link in links] if len(links) > 1 else [walk.rule(links[0])]
    numbers = [walk.figure(links[0].local), *(walk.enclosed(link.local) for link in links[1:])]
    forms = [" · ".join(shortened(parts, [omission(parts)])) for parts in (partials, rules, numbers)]
    return list(dict.fromkeys([*forms, walk.figure(path.product)]))


def shortened(parts: Sequence[Item], middle: Sequence[Item]) -> list[Item]:
    """The parts, or where they are many the first and the last ones with `middle` between them."""
    if len(parts) <= 2 * _MOST_LINKS:
        return list(parts)
    return [*parts[:_MOST_LINKS], *middle, *parts[-_MOST_LINKS:]]


def omission(parts: Sequence[object]) -> str:
    """The text in place of the parts that `shortened` leaves out."""
    return f"… ({len(parts) - 2 * _MOST_LINKS:,} more) …"
