"""The lesson as Markdown: tables whose formulas are code, so that nothing in them is read as markup."""

import re
from collections.abc import Iterator, Sequence
from typing import TextIO

from ...notation import decimal
from .. import Contribution, Step
from ..paths import Path
from . import Lesson, remarks, wording


def write(lesson: Lesson, out: TextIO) -> None:
    """Write the lesson."""
    parts = _alone(lesson) if lesson.paths else _walk(lesson)
    heading = f"# The gradient of {code(lesson.name(lesson.output))}"
    out.write("\n\n".join([heading, *_statements(lesson), *parts]) + "\n")


def code(text: str) -> str:
    """A formula as code; whatever it holds is text there."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    gap = " " * (longest > 0)
    return f"{fence}{gap}{text}{gap}{fence}"


def _statements(lesson: Lesson) -> Iterator[str]:
    yield "\n".join(f"    {wording.statement(lesson, node)}" for node in wording.title(lesson))


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str] = ()) -> str:
    """A table; the columns with some of the headings are aligned to the right."""
    rule = ["---:" if heading in right else "---" for heading in headings]
    texts = [[cell.replace("|", r"\|") for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (headings, rule, *texts))


def _remark(text: str) -> str:
    """A remark; its formulas, between backticks, are code already."""
    words = re.split("(`[^`]*`)", text)
    return "> " + "".join(code(word[1:-1]) if word.startswith("`") else _plain(word) for word in words)


def _plain(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>#&$~])", r"\\\1", text)


# ---- The walk --------------------------------------------------------------------------------------------------------


def _walk(lesson: Lesson) -> Iterator[str]:
    yield from _forward(lesson, lesson.walk, "Forward: the values")
    yield from _backward(lesson)
    yield from _gradient(lesson) if lesson.evaluation.wrt else ()


def _forward(lesson: Lesson, nodes: Sequence[int], heading: str) -> Iterator[str]:
    yield f"## {heading}"
    rows = [_value(lesson, node) for node in nodes]
    yield _table(("value", "is", "with numbers", "result"), rows, right=("result",))
    yield from (_remark(remark) for node in nodes if (remark := remarks.forward(lesson, node)))


def _value(lesson: Lesson, node: int) -> list[str]:
    name, result = code(lesson.name(node)), lesson.figure(lesson.evaluation.values[node])
    if not lesson.graph.arguments[node]:
        return [name, "input" if lesson.is_input(node) else "constant", "", result]
    return [name, code(lesson.formula(node)), code(lesson.filled(node)), result]


def _backward(lesson: Lesson) -> Iterator[str]:
    yield "## Backward: the gradients"
    yield _plain(wording.chain_rule(lesson))
    rows: list[list[str]] = []
    notes: list[str] = []
    for step in lesson.explanation.steps:
        if step.contributions:
            rows += _step(lesson, step)
            notes += map(_remark, remarks.backward(lesson, step))
    headings = ("from", "gradient", "local derivative", "number", "passed on", "to")
    yield _table(headings, rows, right=("gradient", "number", "passed on"))
    yield from notes


def _step(lesson: Lesson, step: Step) -> list[list[str]]:
    """A row for each argument; the first has the sum that the gradient is."""
    name, gradient = code(lesson.name(step.node)), lesson.figure(step.adjoint)
    if not step.adjoint:
        return [[name, gradient, "", "", "nothing", ""]]
    products = [one.product for one in lesson.sum_of(step.node)]
    total = f"{lesson.added(products)} = {gradient}" if len(products) > 1 else gradient
    return [
        [name, gradient if number else total, *_contribution(lesson, one)]
        for number, one in enumerate(step.contributions)
    ]


def _contribution(lesson: Lesson, one: Contribution) -> list[str]:
    result, argument = lesson.name(one.result), lesson.name(one.argument)
    return [
        code(f"∂{result}/∂{argument} = {lesson.rule(one)}"),
        lesson.figure(one.local),
        lesson.figure(one.product),
        code(argument),
    ]


def _gradient(lesson: Lesson) -> Iterator[str]:
    yield "## The gradient"
    rows = []
    for name, partial in lesson.evaluation.gradient.items():
        node = lesson.evaluation.nodes[name]
        received = [] if node is None else lesson.sum_of(node)
        rows.append([code(lesson.called(name)), decimal(partial, lesson.precision), _sum(lesson, received)])
    yield _table(("input", "gradient", "sum of"), rows, right=("gradient",))


def _sum(lesson: Lesson, received: Sequence[Contribution]) -> str:
    return ", ".join(f"{lesson.figure(one.product)} from {code(lesson.name(one.result))}" for one in received)


# ---- Paths -----------------------------------------------------------------------------------------------------------


def _alone(lesson: Lesson) -> Iterator[str]:
    yield from _forward(lesson, wording.on_the_way(lesson), "The values on the way")
    for paths in lesson.paths:
        yield f"## With respect to {code(lesson.name(paths.node))}"
        yield _plain(wording.introduction(lesson, paths))
        rows = [_path(lesson, path, paths.node) for path in paths.shown if path.links]
        yield from [_table(("path", "product", "result"), rows, right=("result",))] if rows else []
        yield from map(_plain, wording.conclusion(lesson, paths))


def _path(lesson: Lesson, path: Path, node: int) -> list[str]:
    forms = wording.product(lesson, path)[:-1] or [lesson.rule(path.links[0])]
    return [code(wording.way(lesson, path, node)), code(" = ".join(forms)), lesson.figure(path.product)]
