"""The page as HTML: the frame, style and scripts with the parts that belong to a formula."""

import json
import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html import escape
from importlib.resources import files
from pathlib import PurePath

from ...errors import one_line
from ...evaluation import Evaluation
from ...export.javascript import operation_functions
from ...notation import decimal
from ..chain_rule import explain
from ..node_names import page_names
from ..walkthrough import Walkthrough
from .graph_svg import graph_svg
from .script_data import PageContent, script_data
from .source_listing import SourceListing

_SCRIPTS = (
    "numbers", "sweeps", "step_text", "elements", "step_panel", "formula", "graph", "table", "inputs", "walk", "page"
)  # fmt: skip
_EXTRA_WIDTH = 8  # characters of a number besides the digits after the point: -1.2346e-300
_MARKER = re.compile(r"\{\{(\w+)\}\}")
_IN_JSON = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


def page(evaluation: Evaluation, precision: int = 4) -> str:
    """The page of an evaluation. Raises AutodiffError where there is no Graphviz to draw the graph."""
    names = page_names(evaluation)
    listing = SourceListing.of(evaluation.program.source.text)
    content = PageContent(Walkthrough(explain(evaluation, names), names, precision), listing)
    style = f":root {{ --figures: {precision + _EXTRA_WIDTH}; }}\n{_file('page.css')}"
    script = "\n".join([_operations(content), *(_file(f"scripts/{script}.js") for script in _SCRIPTS)])
    parts = {
        "title": escape(_title(evaluation.program.source.name)),
        "style_hash": _hash(style),
        "script_hash": _hash(script),
        "style": style,
        "formula": "".join(f"<li><code>{escape(line)}</code></li>\n" for line in listing.text.split("\n")),
        "graph": graph_svg(content),
        "table": "".join(f'<tr id="row-{node}">{"".join(_cells(content, node))}</tr>\n' for node in content.order),
        "data": json.dumps(script_data(content)).translate(_IN_JSON),
        "script": script,
    }
    return _MARKER.sub(lambda marker: parts[marker[1]], _file("page.html"))  # in one pass: a part may hold a marker


def _cells(content: PageContent, node: int) -> Iterator[str]:
    """The cells of a node's row in the table: name and formula, operation, value, gradient."""
    evaluation, walk = content.evaluation, content.walk
    name, formula = walk.names[node][0], content.formula(node)
    text = f'<button type="button" tabindex="-1">{escape(name)}</button>'
    if node not in walk.graph.labels and formula != name:
        text += f"<code>{escape(formula)}</code>"
    yield f'<th scope="row">{text}</th>'
    operation = walk.graph.operations[node]
    symbol = "input" if walk.is_input(node) else operation.symbol or operation.called
    yield f'<td class="operation">{escape(symbol)}</td>'
    for heading, number in (("data", evaluation.values[node]), ("grad", evaluation.adjoints[node])):
        yield f'<td class="{heading}">{decimal(number, walk.precision)}</td>'


def _operations(content: PageContent) -> str:
    """The operations of the graph and their pullbacks as functions in JavaScript, written from the table."""
    graph, adjoints = content.walk.graph, content.walk.explanation.adjoints
    keys = [
        (graph.operations[node], len(arguments), tuple([adjoints[argument] is not None for argument in arguments]))
        for node in content.order
        if (arguments := graph.arguments[node])
    ]
    return operation_functions(keys)


def _title(name: str) -> str:
    """The title: the name of the formula's file, where it has one."""
    return "formula" if name in ("<formula>", "<stdin>") else one_line(PurePath(name).name)


def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """The source expression with which the page's content security policy allows this text and no other."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
