"""A worksheet to print: the walk through a gradient with room for the numbers, or with the answers."""

from collections.abc import Callable, Iterator
from html import escape

from ...evaluation import Evaluation
from ..chain_rule import explain
from ..node_names import page_names
from ..walkthrough import Walkthrough
from .graph_svg import graph_svg
from .templates import file_text, filled


def worksheet(evaluation: Evaluation, precision: int = 4, *, solved: bool = False) -> str:
    """The worksheet of an evaluation. Raises AutodiffError if Graphviz, which draws the graph, is missing."""
    names = page_names(evaluation)
    walk = Walkthrough(explain(evaluation, names), names, precision)

    def answer(number: float) -> str:
        return f'<span class="answer">{escape(walk.figure(number))}</span>' if solved else '<span class="blank"></span>'

    parts = {
        "graph": graph_svg(walk, on_paper=True, blank=not solved),
        "seed": f"The gradient of {_code(walk.name(walk.output))} is 1.",
        "forward": "".join(_forward(walk, answer)),
        "backward": "".join(_backward(walk, answer)),
        "gradient": "".join(_gradient(walk, answer)),
    }
    return filled("worksheet.html", evaluation.program.source, file_text("worksheet.css"), parts)


def _forward(walk: Walkthrough, answer: Callable[[float], str]) -> Iterator[str]:
    for node in walk.forward_nodes:
        name, value = _code(walk.name(node)), walk.evaluation.values[node]
        if walk.graph.arguments[node]:
            operation = walk.operation(node)
            yield _row(name, "" if operation == walk.name(node) else _code(operation), answer(value))
        else:
            yield _row(name, "an input" if walk.evaluation.is_input(node) else "a constant", walk.figure(value))


def _backward(walk: Walkthrough, answer: Callable[[float], str]) -> Iterator[str]:
    for step in walk.explanation.steps:
        for link in step.contributions:
            formulas = (walk.name(step.node), walk.name(link.argument), walk.rule(link))
            yield _row(*map(_code, formulas), answer(link.local), answer(link.product))


def _gradient(walk: Walkthrough, answer: Callable[[float], str]) -> Iterator[str]:
    for node in walk.evaluation.nodes.values():
        if node is not None:
            yield _row(_code(walk.name(node)), answer(walk.explanation.adjoints[node] or 0.0))


def _row(*cells: str) -> str:
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>\n"


def _code(text: str) -> str:
    return f"<code>{escape(text)}</code>"
