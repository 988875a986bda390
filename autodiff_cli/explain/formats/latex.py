"""The lesson as a LaTeX document that needs no package but amsmath."""

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import TextIO

from ...errors import one_line
from ...export.latex import formula
from ...graph import Graph
from ...latex import notation
from ...operations import INPUT, OPERATIONS, PREFIX, Operation
from .. import Contribution, Step
from ..paths import Path
from ..rules import literal
from . import FACTOR, Lesson, remarks, wording
from .tex import aligned, enclosed, figure, prose, sentence

_HEAD = r"""\documentclass{article}
\usepackage{amsmath}
\allowdisplaybreaks
\begin{document}"""
_MOST_TEXT = 300  # characters of a formula
_MOST_FACTORS = 8  # in a line


def write(lesson: Lesson, out: TextIO) -> None:
    """Write the lesson."""
    parts = _alone(lesson) if lesson.paths else _walk(lesson)
    heading = rf"\section*{{The gradient of ${_name(lesson, lesson.output)}$}}"
    out.write("\n\n".join([_HEAD, heading, aligned(_statements(lesson)), *parts, r"\end{document}"]) + "\n")


# ---- Formulas --------------------------------------------------------------------------------------------------------


def _name(lesson: Lesson, node: int) -> str:
    return notation.name(one_line(lesson.names[node][0]))


def _statements(lesson: Lesson) -> Iterator[str]:
    """The named values as the program has them; of one with a long formula only its own operation."""
    names = {node: _name(lesson, node) for node in lesson.walk if node in lesson.graph.labels}
    for node in wording.title(lesson):
        leaf = not lesson.graph.arguments[node]
        text = "" if leaf or not lesson.written(node) else formula(lesson.graph, node, names)
        yield f"{_name(lesson, node)} &= {text if 0 < len(text) <= _MOST_TEXT else _operation(lesson, node)}"


def _operation(lesson: Lesson, node: int, *, filled: bool = False) -> str:
    """The node as an operation on names, or on numbers; a leaf is its number."""
    graph, source = Graph(), lesson.graph
    if not source.arguments[node]:
        return figure(lesson, lesson.evaluation.values[node])
    names: dict[int, str] = {}
    for argument in source.arguments[node]:
        number = literal(source, argument)
        leaf = graph.add(INPUT) if number is None else graph.constant(number)
        if number is None:
            names[leaf] = figure(lesson, lesson.evaluation.values[argument]) if filled else _name(lesson, argument)
            if filled and leaf >= _bare(source.operations[node]):
                names[leaf] = enclosed(names[leaf])
    row = source.operations[node]
    text = formula(graph, graph.add(row, tuple(range(len(graph)))), names)
    return rf"\left({text}\right)" if row.symbol and row.precedence < OPERATIONS["add"].precedence else text


def _bare(row: Operation) -> float:
    """How many of the first operands may be negative numbers without parentheses."""
    if not row.symbol or row.name == "div":
        return inf
    return int(row.precedence < PREFIX["-"].precedence)


def _rules(lesson: Lesson, step: Step) -> Mapping[int, str]:
    """The local derivatives of a step: place → formula."""
    count = len(lesson.graph.arguments[step.node])
    wanted = {one.place for one in step.contributions}
    local = lesson.explanation.rules.local(step.node, tuple(place in wanted for place in range(count)))
    names = {leaf: _name(lesson, node) for leaf, node in local.leaves.items() if local.graph.operations[leaf] is INPUT}
    return {place: formula(local.graph, local.partials[place], names) for place in wanted}


def _partial(lesson: Lesson, one: Contribution) -> str:
    return rf"\frac{{\partial {_name(lesson, one.result)}}}{{\partial {_name(lesson, one.argument)}}}"


# ---- The walk --------------------------------------------------------------------------------------------------------


def _walk(lesson: Lesson) -> Iterator[str]:
    yield from _forward(lesson, lesson.walk, "Forward: the values")
    yield r"\subsection*{Backward: the gradients}"
    yield prose(wording.chain_rule(lesson))
    steps = [step for step in lesson.explanation.steps if step.contributions]
    if steps:
        yield "\\begin{align*}\n" + "\n".join(_step(lesson, step) for step in steps) + "\n\\end{align*}"
    if lesson.evaluation.wrt:
        yield r"\subsection*{The gradient}"
        yield aligned(_gradient(lesson))


def _forward(lesson: Lesson, nodes: Sequence[int], heading: str) -> Iterator[str]:
    yield rf"\subsection*{{{heading}}}"
    yield aligned(_value(lesson, node) for node in nodes)
    yield from (sentence(remark) for node in nodes if (remark := remarks.forward(lesson, node)))


def _value(lesson: Lesson, node: int) -> str:
    forms = [figure(lesson, lesson.evaluation.values[node])]
    if lesson.graph.arguments[node]:
        forms = [_operation(lesson, node), _operation(lesson, node, filled=True), *forms]
    return f"{_name(lesson, node)} &= {' = '.join(dict.fromkeys(forms))}"


def _step(lesson: Lesson, step: Step) -> str:
    """A node with its gradient and the remarks on it as a line of words, then a row for each argument."""
    operation = f"${_name(lesson, step.node)} = {_operation(lesson, step.node)}$"
    received = [figure(lesson, one.product) for one in lesson.sum_of(step.node)]
    total = figure(lesson, step.adjoint)
    if len(received) > 1:
        total = f"{' + '.join([received[0], *map(enclosed, received[1:])])} = {total}"
    notes = "".join(f" {sentence(remark)}" for remark in remarks.backward(lesson, step))
    words = rf"\intertext{{{operation}, gradient ${total}${'.' * bool(notes)}{notes}}}"
    if not step.adjoint:
        return words
    rules, adjoint = _rules(lesson, step), figure(lesson, step.adjoint)
    return (
        words
        + "\n"
        + " \\\\\n".join(_contribution(lesson, one, rules[one.place], adjoint) for one in step.contributions)
    )


def _contribution(lesson: Lesson, one: Contribution, rule: str, adjoint: str) -> str:
    local, product = figure(lesson, one.local), figure(lesson, one.product)
    forms = " = ".join(dict.fromkeys([rule, local]))
    return (
        rf"{_partial(lesson, one)} &= {forms} & {adjoint} \cdot {enclosed(local)} &= {product}"
        rf" \quad \text{{to }} {_name(lesson, one.argument)}"
    )


def _gradient(lesson: Lesson) -> Iterator[str]:
    for name, partial in lesson.evaluation.gradient.items():
        node = lesson.evaluation.nodes[name]
        received = [] if node is None else [figure(lesson, one.product) for one in lesson.sum_of(node)]
        terms = " + ".join([received[0], *map(enclosed, received[1:])]) if len(received) > 1 else ""
        output = _name(lesson, lesson.output)
        forms = [terms, figure(lesson, partial)] if terms else [figure(lesson, partial)]
        yield rf"\frac{{\partial {output}}}{{\partial {notation.name(lesson.called(name))}}} &= {' = '.join(forms)}"


# ---- Paths -----------------------------------------------------------------------------------------------------------


def _alone(lesson: Lesson) -> Iterator[str]:
    yield from _forward(lesson, wording.on_the_way(lesson), "The values on the way")
    steps = {step.node: step for step in lesson.explanation.steps}
    for paths in lesson.paths:
        yield rf"\subsection*{{With respect to {prose(lesson.name(paths.node))}}}"
        yield prose(wording.introduction(lesson, paths))
        yield from (_path(lesson, path, steps) for path in paths.shown if path.links)
        yield from map(prose, wording.conclusion(lesson, paths))


def _path(lesson: Lesson, path: Path, steps: Mapping[int, Step]) -> str:
    """The product along a path in its forms, one below the other; of a long path only what stands at its ends."""
    links = wording.shortened(path.links, [])
    rules = [_rules(lesson, steps[link.result])[link.place] for link in links]
    if len(links) > 1:
        rules = [
            rule if link.binding >= FACTOR else rf"\left({rule}\right)" for rule, link in zip(rules, links, strict=True)
        ]
    total, numbers = figure(lesson, path.product), [figure(lesson, link.local) for link in links]
    factors = ([_partial(lesson, link) for link in links], rules, [numbers[0], *map(enclosed, numbers[1:])])
    hidden = len(path.links) - len(links)
    middle = [rf"\cdots \text{{({hidden:,} more)}} \cdots"] if hidden else []
    half = len(links) // 2 if hidden else len(links)
    forms = [_broken([*parts[:half], *middle, *parts[half:]]) for parts in factors]
    return aligned(
        f"&{equal} {form}" for equal, form in zip(["", *"==="], dict.fromkeys([*forms, total]), strict=False)
    )


def _broken(factors: Sequence[str]) -> str:
    """A product, on several lines where it is long."""
    rows = [r" \cdot ".join(factors[at : at + _MOST_FACTORS]) for at in range(0, len(factors), _MOST_FACTORS)]
    return " \\\\\n&\\quad \\cdot ".join(rows)
