"""The walk as text for people: the values, then the gradients, then the gradient that was asked for."""

from collections.abc import Iterator, Sequence
from typing import TextIO

from rich.text import Text

from ... import terminal
from ...notation import decimal
from .. import Contribution, Step
from . import Lesson, alone, layout, remarks, values, wording
from .block import Block
from .layout import Row

_MOST_TERMS = 8


def write(lesson: Lesson, out: TextIO) -> None:
    """Write the lesson; it has colours on a terminal only."""
    console = terminal.console(out)
    for block in blocks(lesson):
        for line in block.whole():
            console.print(line, soft_wrap=True)


def blocks(lesson: Lesson) -> Iterator[Block]:
    """The lesson, step by step."""
    title = [wording.statement(lesson, node) for node in wording.title(lesson)]
    yield Block([line for text in title for line in layout.paragraph(text, 0, "bold", hanging=4)], close=True)
    if lesson.paths:
        yield from alone.blocks(lesson)
        return
    yield from values.blocks(lesson, lesson.walk, "Forward: the values")
    yield from _backward(lesson)
    if lesson.evaluation.wrt:
        yield _gradient(lesson)


def _backward(lesson: Lesson) -> Iterator[Block]:
    steps = [step for step in lesson.explanation.steps if step.contributions]
    every = [row for step in steps for row in _contributions(lesson, step)]
    columns = layout.widths(every)
    together = layout.fit(every, columns, 4)
    yield Block(layout.paragraph(wording.chain_rule(lesson), 2), "Backward: the gradients")
    for step in steps:
        yield Block(_step(lesson, step, columns if together else None))


def _step(lesson: Lesson, step: Step, columns: Sequence[int] | None) -> list[Text]:
    """A node with its gradient and what it passes on, aligned with the other steps or by itself."""
    line = Text(f"  {lesson.name(step.node)} = {lesson.formula(step.node)}   ")
    lines = [line.append(f"gradient {lesson.figure(step.adjoint)}", "bold")]
    if not step.adjoint:
        line.append(": nothing to pass on")
    received = lesson.sum_of(step.node)
    if len(received) > 1:
        lines += layout.paragraph(f"{_terms(lesson, received)} = {lesson.figure(step.adjoint)}", 4, hanging=2)
    rows = _contributions(lesson, step)
    for row in rows:
        lines += layout.lines(row, columns or layout.widths(rows), 4)
    for remark in remarks.backward(lesson, step):
        lines += layout.note(remark)
    return lines


def _contributions(lesson: Lesson, step: Step) -> list[Row]:
    """For each argument `∂o/∂n`, `= 1 - o^2`, `= 0.5000`, `1 · 0.5000 = 0.5000`, `to n`."""
    return [_contribution(lesson, one, step.adjoint) for one in step.contributions] if step.adjoint else []


def _contribution(lesson: Lesson, one: Contribution, adjoint: float) -> Row:
    rule, local = lesson.rule(one), lesson.figure(one.local)
    return [
        (f"∂{lesson.name(one.result)}/∂{lesson.name(one.argument)}", ""),
        (f"= {rule}", ""),
        (f"= {local}" if local != rule else "", ""),
        (f"  {lesson.figure(adjoint)} · {lesson.enclosed(one.local)} = {lesson.figure(one.product)}", "green"),
        (f"to {lesson.name(one.argument)}", "green"),
    ]


def _terms(lesson: Lesson, received: Sequence[Contribution]) -> str:
    """`-6 from e + 3 from d`, or `-6 from e` alone."""
    terms = [
        f"{lesson.enclosed(one.product) if number else lesson.figure(one.product)} from {lesson.name(one.result)}"
        for number, one in enumerate(received[:_MOST_TERMS])
    ]
    more = len(received) - len(terms)
    return " + ".join(terms) + (f" + … ({more:,} more)" if more else "")


def _gradient(lesson: Lesson) -> Block:
    rows: list[tuple[Row, str]] = []
    partials = {name: decimal(partial, lesson.precision) for name, partial in lesson.evaluation.gradient.items()}
    width = max(map(len, partials.values()))
    for name, partial in partials.items():
        node = lesson.evaluation.nodes[name]
        received = [] if node is None else lesson.sum_of(node)
        row = [(lesson.called(name), "cyan"), (partial.rjust(width), "bold")]
        rows.append((row, f"= {_terms(lesson, received)}" if len(received) > 1 else ""))
    sizes = layout.widths([row for row, _ in rows])
    lines = [line for row, how in rows for line in _sum(layout.lines(row, sizes, 2)[0], how, 2 + sum(sizes) + 4)]
    return Block(lines, f"The gradient of {lesson.name(lesson.output)}")


def _sum(line: Text, terms: str, column: int) -> list[Text]:
    """A line with the terms that its number is the sum of, on as many lines as they take."""
    first, *others = layout.paragraph(terms, max(column, line.cell_len + 2))
    gap = " " * (len(first.plain) - len(first.plain.lstrip()) - line.cell_len)
    return [Text.assemble(line, gap, first.plain.lstrip()) if terms else line, *others]
