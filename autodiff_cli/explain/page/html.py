"""The page as HTML: the template, style and scripts with the parts that belong to a formula."""

from collections.abc import Iterable, Iterator, Mapping
from html import escape

from ...evaluation import Evaluation
from ...export.javascript import operation_functions
from ...notation import decimal
from ...output import json
from ..chain_rule import explain
from ..node_names import page_names
from ..walkthrough import Walkthrough
from .data_rows import DataRows
from .graph_svg import graph_svg
from .script_data import formula, script_data
from .source_listing import SourceListing, source_listing
from .templates import file_text, filled, policy_hash
from .variants import Variant, folded, unfolded

MODES = ("steps", "paths", "wiggle", "downhill", "predict", "bug")
"""the uses of the panel beside the graph, in the order of its buttons: a script each, in `scripts/modes`"""
_SCRIPTS = (
    "variants", "numbers", "constant_expression", "sweeps", "elements", "step_text", "formula", "graph",
    "gradient_flow", "table", "inputs", "walk", "player", "address", "printing", "modes",
    *(f"modes/{mode}" for mode in MODES), "page",
)  # fmt: skip
_EXTRA_WIDTH = 8  # characters of a number besides its decimal places: -1.2346e-300
_IN_JSON = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


def page(evaluation: Evaluation, precision: int = 4, rows: DataRows | None = None) -> str:
    """The page of an evaluation. Raises AutodiffError if Graphviz, which draws the graph, is missing."""
    shown = (*unfolded(evaluation), *folded(evaluation))
    variants = [(variant, _walkthrough(variant.evaluation, precision)) for variant in shown]
    walk = _walkthrough(evaluation, precision)
    listing = source_listing(evaluation.program.source.text)
    style = f":root {{ --figures: {precision + _EXTRA_WIDTH}; }}\n{file_text('page.css')}"
    operations = _operations([walk, *(other for _, other in variants)])
    script = "\n".join([operations, *(file_text(f"scripts/{script}.js") for script in _SCRIPTS)])
    parts = {
        "script": script,
        "script_hash": policy_hash(script),
        "variants": "".join(_template(variant, _body(one, listing, rows)) for variant, one in variants),
    }
    return filled("page.html", evaluation.program.source, style, parts | _body(walk, listing, rows))


def _walkthrough(evaluation: Evaluation, precision: int) -> Walkthrough:
    names = page_names(evaluation)
    return Walkthrough(explain(evaluation, names), names, precision)


def _body(walk: Walkthrough, listing: SourceListing, rows: DataRows | None) -> dict[str, str]:
    """The parts of the page that show the nodes."""
    order = walk.evaluation.order
    return {
        "graph": graph_svg(walk),
        "table": "".join(f'<tr id="row-{node}">{"".join(_cells(walk, node))}</tr>\n' for node in order),
        "data": json.encoded(script_data(walk, listing, rows)).translate(_IN_JSON),
    }


def _template(variant: Variant, body: Mapping[str, str]) -> str:
    """The parts with which a page shows another variant."""
    table = f"<table><tbody>{body['table']}</tbody></table>"
    data = f'<script type="application/json">{body["data"]}</script>'
    texts = {"key": variant.key, "name": variant.name, "label": variant.label, "back": variant.back}
    attributes = "".join(f' data-{key}="{escape(text)}"' for key, text in texts.items())
    return f"<template{attributes}>{body['graph']}{table}{data}</template>\n"


def _cells(walk: Walkthrough, node: int) -> Iterator[str]:
    """The cells of a node's row in the table: name and formula, operation, value, gradient."""
    name, text = walk.names[node][0], formula(walk, node)
    code = f"<code>{escape(text)}</code>" if node not in walk.graph.labels and text != name else ""
    yield f'<th scope="row"><button type="button" tabindex="-1">{escape(name)}</button>{code}</th>'
    operation = walk.graph.operations[node]
    symbol = "input" if walk.evaluation.is_input(node) else operation.symbol or operation.called
    yield f'<td class="operation">{escape(symbol)}</td>'
    for heading, number in (("data", walk.evaluation.values[node]), ("grad", walk.evaluation.adjoints[node])):
        yield f'<td class="{heading}">{decimal(number, walk.precision)}</td>'


def _operations(walks: Iterable[Walkthrough]) -> str:
    """The operations of the graphs and their pullbacks as functions in JavaScript, written from the table."""
    keys = [
        (walk.graph.operations[node], len(arguments), tuple([adjoints[argument] is not None for argument in arguments]))
        for walk in walks
        for adjoints in [walk.explanation.adjoints]
        for node in walk.evaluation.order
        if (arguments := walk.graph.arguments[node])
    ]
    return operation_functions(keys)
