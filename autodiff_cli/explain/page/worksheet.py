"""A worksheet to print: the walk through a gradient with room for the numbers, or with the answers."""

from collections.abc import Iterator
from html import escape

from ...evaluation import Evaluation
from ..chain_rule import explain
from ..node_names import page_names
from ..walkthrough import Walkthrough
from .frame import file_text, filled
from .graph_svg import graph_svg


def worksheet(evaluation: Evaluation, precision: int = 4, *, solved: bool = False) -> str:
    """The worksheet of an evaluation. Raises AutodiffError where there is no Graphviz to draw the graph."""
    names = page_names(evaluation)
    walk = Walkthrough(explain(evaluation, names), names, precision)
    sheet = _Worksheet(walk, solved)
    parts = {
        "graph": graph_svg(walk, blank=not solved),
        "seed": f"The gradient of {_code(walk.name(walk.output))} is 1.",
        "forward": "".join(sheet.forward()),
        "backward": "".join(sheet.backward()),
        "gradient": "".join(sheet.gradient()),
    }
    return filled("worksheet.html", evaluation.program.source, file_text("worksheet.css"), parts)


class _Worksheet:
    """The rows of the tables."""

    def __init__(self, walk: Walkthrough, solved: bool) -> None:
        self._walk, self._solved = walk, solved

    def forward(self) -> Iterator[str]:
        walk = self._walk
        for node in walk.forward_nodes:
            if walk.graph.arguments[node]:
                value = self._answer(walk.evaluation.values[node])
                yield _row(_code(walk.name(node)), _code(walk.operation(node)), value)
            else:
                yield _row(_code(walk.name(node)), "an input", walk.figure(walk.evaluation.values[node]))

    def backward(self) -> Iterator[str]:
        walk = self._walk
        for step in walk.explanation.steps:
            for link in step.contributions:
                numbers = (self._answer(link.local), self._answer(link.product))
                yield _row(
                    _code(walk.name(step.node)), _code(walk.name(link.argument)), _code(walk.rule(link)), *numbers
                )

    def gradient(self) -> Iterator[str]:
        walk = self._walk
        for node in walk.evaluation.nodes.values():
            if node is not None:
                yield _row(_code(walk.name(node)), self._answer(walk.explanation.adjoints[node] or 0.0))

    def _answer(self, number: float) -> str:
        if self._solved:
            return f'<span class="answer">{escape(self._walk.figure(number))}</span>'
        return '<span class="blank"></span>'


def _row(*cells: str) -> str:
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>\n"


def _code(text: str) -> str:
    return f"<code>{escape(text)}</code>"
