"""The page that walks through an evaluation, in a cell of a notebook."""

from __future__ import annotations

from html import escape

from ..errors import AutodiffError
from ..evaluation import Evaluation, evaluate
from ..language import parse
from ..notation import CALL
from ..operations import CONSTANT, INPUT
from ..printer import Listing, Text, number, unused_name
from .walkthrough import MOST_NODES, require_short

_BASE = '<base href="about:srcdoc">'
"""the address of a page in a cell, after which the page writes its state"""
_HEIGHT = 720  # pixels


class PageInCell:
    """The page as a notebook shows it; `html` is the page itself. Raises AutodiffError for more than 500 nodes."""

    def __init__(self, evaluation: Evaluation) -> None:
        from .page.html import page

        require_short(evaluation, MOST_NODES, "explain a value that has fewer steps")
        self.html = page(evaluation if evaluation.program.source.text else written_out(evaluation))

    def _repr_html_(self) -> str:
        style = f"width: 100%; height: {_HEIGHT}px; border: 0"
        framed = escape(self.html.replace("<head>", f"<head>{_BASE}", 1))
        return f'<iframe title="The chain rule, step by step" style="{style}" srcdoc="{framed}"></iframe>'

    def __repr__(self) -> str:
        return "<the chain rule, step by step: a page for a notebook>"


def written_out(evaluation: Evaluation) -> Evaluation:
    """The evaluation of a program without a text, as that of a program with one that computes the same values.

    Inputs and computed values have their labels as names, where these are names of the language; other inputs are
    called v1, v2 and so on.
    """
    graph, values, output = evaluation.program.graph, evaluation.values, evaluation.program.output
    names: dict[int, str] = {}
    for node, operation in enumerate(graph.operations):
        label = graph.labels.get(node, "")
        if label and operation is not CONSTANT and _is_name(label):
            names[node] = unused_name(label, names.values())
        elif operation is INPUT:
            names[node] = unused_name(f"v{1 + len(names)}", {*names.values(), *graph.labels.values()})
    texts: dict[int, Text] = {}
    for node, operation in enumerate(graph.operations):
        if operation is INPUT:
            texts[node] = names[node], CALL
        elif operation is CONSTANT:
            texts[node] = number(values[node])
    computed = {node: name for node, name in names.items() if graph.arguments[node]}
    result = computed.pop(output, "")
    statements = Listing(graph, texts, computed, set(names.values())).write([(result, output)])
    program = parse("\n".join(map(str, statements)), result or "Value")
    return evaluate(program, {name: values[node] for node, name in names.items() if name in program.inputs})


def _is_name(label: str) -> bool:
    try:
        return list(parse(f"{label}*1").inputs) == [label]
    except AutodiffError:
        return False
