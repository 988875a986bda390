"""The walkthrough as text: the values, then the gradients; or the paths to the gradients that were asked for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from typing import TextIO

from ...terminal.printable_text import columns
from ...terminal.screen import Screen, Segment, Segments, plain, width
from ..chain_rule import BackwardStep, Contribution
from ..gradient_paths import GradientPath, GradientPaths
from ..step_remarks import step_remarks, value_remark
from ..walkthrough import Walkthrough
from . import sentences, text_layout
from .text_layout import MOST_COLUMNS, TextLayout

_MOST_TERMS = 8


@dataclass(frozen=True)
class TextBlock:
    """Some lines of the text that are shown together, below a heading where a part of it begins."""

    lines: Sequence[Segments]
    heading: str = ""
    follows_closely: bool = False
    """whether there is no empty line before the block"""

    def all_lines(self) -> list[Segments]:
        """The empty line before the block, the heading and the lines."""
        heading = [[(self.heading, "bold")]] if self.heading else []
        return [*([] if self.follows_closely else [()]), *heading, *self.lines]


def write(walk: Walkthrough, out: TextIO) -> None:
    """Write the walkthrough, in colours where `out` is a terminal."""
    screen = Screen(out)
    for block in blocks(walk, min(screen.width, MOST_COLUMNS)):
        for line in block.all_lines():
            screen.paragraph(*line)


def blocks(walk: Walkthrough, room: int) -> Iterator[TextBlock]:
    """The blocks of the text in a number of columns, which `key_stepper` shows one at a time."""
    layout = TextLayout(room)
    title = [layout.paragraph(text, 0, "bold", hanging=4) for text in sentences.statements(walk)]
    yield TextBlock([*chain(*title)], follows_closely=True)
    if walk.paths:
        yield from _paths(layout, walk)
        return
    yield from _forward(layout, walk, walk.forward_nodes, "Forward: the values")
    yield from _backward(layout, walk)
    if walk.evaluation.wrt:
        yield _gradient(layout, walk)


# ---- Forward ---------------------------------------------------------------------------------------------------------


def _forward(layout: TextLayout, walk: Walkthrough, nodes: Sequence[int], heading: str) -> Iterator[TextBlock]:
    """Values in topological order, a block for each; leaves that follow one another share a block."""
    rows = {node: _value(walk, node) for node in nodes}
    aligned = [row if len(row) > 2 else [row[0], ("", "")] for row in rows.values()]  # all but leaves
    widths = text_layout.widths(aligned)
    title = set(sentences.title(walk))
    column = 2 + sum(widths) + len(widths) + 1  # where comments begin
    for _, group in groupby(enumerate(nodes), key=lambda entry: entry[0] if walk.graph.arguments[entry[1]] else -1):
        lines: list[list[Segment]] = []
        for _, node in group:
            lines += layout.lines(rows[node], widths, 2)
            if node not in title or node in walk.derivatives:
                _add_comment(layout, walk, node, lines, column)
            lines += layout.note(value_remark(walk, node))
        yield TextBlock(lines, heading, follows_closely=not heading)
        heading = ""


def _value(walk: Walkthrough, node: int) -> Segments:
    """`n`, `= v3 + b`, `= -6 + 6.8814`, `= 0.8814`; a leaf has its number alone."""
    name = walk.name(node), "cyan" if walk.evaluation.is_input(node) else ""
    value = f"= {walk.figure(walk.evaluation.values[node])}"
    if not walk.graph.arguments[node]:
        return [name, (value, "")]
    formula, filled = f"= {walk.formula(node)}", f"= {walk.filled(node)}"
    return [name, (formula, ""), (filled if filled not in (formula, value) else "", "dim"), (value, "")]


def _add_comment(layout: TextLayout, walk: Walkthrough, node: int, lines: list[list[Segment]], column: int) -> None:
    """Add a comment on a value that the last line has room for; which derivative it is goes below if need be."""
    line = lines[-1]
    end = width(line) + 1  # it already ends with a space
    for text in walk.comments(node):
        needed = 2 + columns(text)
        start = column if column >= end and column + needed <= layout.room else end
        if start + needed <= layout.room:
            line += [(" " * (start - width(line)), ""), (f"# {text}", "dim")]
            return
    if node in walk.derivatives:
        lines += layout.paragraph(f"# {walk.derivatives[node]}", 4, "dim", hanging=6)


# ---- Backward --------------------------------------------------------------------------------------------------------


def _backward(layout: TextLayout, walk: Walkthrough) -> Iterator[TextBlock]:
    steps = [(step, _contributions(walk, step)) for step in walk.explanation.steps if step.contributions]
    rows = [row for _, of_step in steps for row in of_step]
    widths = text_layout.widths(rows)
    are_aligned = layout.fit(rows, widths, 4)
    yield TextBlock(layout.paragraph(sentences.chain_rule(walk), 2), "Backward: the gradients")
    for step, of_step in steps:
        yield TextBlock(_step(layout, walk, step, of_step, widths if are_aligned else text_layout.widths(of_step)))


def _step(
    layout: TextLayout, walk: Walkthrough, step: BackwardStep, rows: Sequence[Segments], widths: Sequence[int]
) -> list[list[Segment]]:
    """A node with its gradient and the rows of what it passes on, in columns of these widths."""
    name = f"  {walk.name(step.node)} = {walk.formula(step.node)}   "
    lines: list[list[Segment]] = [[(name, ""), (f"gradient {walk.figure(step.adjoint)}", "bold")]]
    if not step.adjoint:
        lines[0].append((": nothing to pass on", ""))
    terms = walk.terms(step.node)
    if len(terms) > 1:
        lines += layout.paragraph(f"{_sum(walk, terms)} = {walk.figure(step.adjoint)}", 4, hanging=2)
    for row in rows:
        lines += layout.lines(row, widths, 4)
    return [*lines, *chain(*map(layout.note, step_remarks(walk, step)))]


def _contributions(walk: Walkthrough, step: BackwardStep) -> list[Segments]:
    """For each argument `∂o/∂n`, `= 1 - o^2`, `= 0.5000`, `1 · 0.5000 = 0.5000`, `to n`."""
    rows: list[Segments] = []
    for link in step.contributions if step.adjoint else ():
        argument, rule, local = walk.name(link.argument), walk.rule(link), walk.figure(link.local)
        product = f"{walk.figure(step.adjoint)} · {walk.enclosed(link.local)} = {walk.figure(link.product)}"
        equal = f"= {local}" if local != rule else ""
        partial = f"∂{walk.name(step.node)}/∂{argument}"
        rows.append(
            [(partial, ""), (f"= {rule}", ""), (equal, ""), (f"  {product}", "green"), (f"to {argument}", "green")]
        )
    return rows


def _sum(walk: Walkthrough, terms: Sequence[Contribution]) -> str:
    """`-6 from e + 3 from d`, or `-6 from e` alone."""
    texts = [
        f"{walk.enclosed(link.product) if place else walk.figure(link.product)} from {walk.name(link.result)}"
        for place, link in enumerate(terms[:_MOST_TERMS])
    ]
    more = len(terms) - len(texts)
    return " + ".join(texts) + (f" + … ({more:,} more)" if more else "")


def _gradient(layout: TextLayout, walk: Walkthrough) -> TextBlock:
    """The partial derivatives, each with the sum that it is."""
    partials = {name: walk.figure(partial) for name, partial in walk.evaluation.gradient.items()}
    most = max(map(len, partials.values()))
    rows: dict[str, Segments] = {
        name: [(walk.shortened_name(name), "cyan"), (partial.rjust(most), "bold")] for name, partial in partials.items()
    }
    widths = text_layout.widths(list(rows.values()))
    lines: list[list[Segment]] = []
    for name, row in rows.items():
        terms = walk.terms(walk.evaluation.nodes[name])
        text = f"= {_sum(walk, terms)}" if len(terms) > 1 else ""
        lines += _with_sum(layout, layout.lines(row, widths, 2)[0], text, 2 + sum(widths) + 4)
    return TextBlock(lines, f"The gradient of {walk.name(walk.output)}")


def _with_sum(layout: TextLayout, line: list[Segment], terms: str, column: int) -> list[list[Segment]]:
    """A line with the terms that its number is the sum of, on as many lines as they take."""
    first, *others = layout.paragraph(terms, max(column, width(line) + 2))
    text = plain(first)
    gap = " " * (len(text) - len(text.lstrip()) - width(line))
    return [[*line, (gap + text.lstrip(), "")] if terms else line, *others]


# ---- Paths -----------------------------------------------------------------------------------------------------------


def _paths(layout: TextLayout, walk: Walkthrough) -> Iterator[TextBlock]:
    """The gradients that were asked for, path by path."""
    yield from _forward(layout, walk, sentences.nodes_on_paths(walk), "The values on the way")
    for paths in walk.paths:
        heading = f"The gradient of {walk.name(walk.output)} with respect to {walk.name(paths.node)}"
        yield TextBlock(layout.paragraph(sentences.introduction(walk, paths), 2), heading)
        yield from (TextBlock(_path(layout, walk, path, paths)) for path in paths.shown if path.links)
        yield from (TextBlock(layout.note(remark)) for remark in sentences.remarks_on_paths(walk, paths))
        yield from (TextBlock(layout.paragraph(line, 2)) for line in sentences.conclusion(walk, paths))


def _path(layout: TextLayout, walk: Walkthrough, path: GradientPath, paths: GradientPaths) -> list[list[Segment]]:
    """The nodes of a path, then the product: on one line, or where it is long on one for each of its forms."""
    lines = layout.paragraph(sentences.names_on_path(walk, path, paths.node), 2, "cyan", hanging=4)
    forms = sentences.product(walk, path)
    if 4 + columns(" = ".join(forms)) <= layout.room:
        return [*lines, [(f"    {' = '.join(forms)}", "")]]
    first, *others = forms
    equal = [layout.paragraph(f"= {form}", 4, hanging=4) for form in others]
    return [*lines, *layout.paragraph(first, 4, hanging=4), *chain(*equal)]
