"""A page that walks through a formula: the graph, the formula and the table, step by step, in any browser.

It is one file that needs nothing else: no network, no other file. `page.html` is its frame, `page.css` its looks, and
`scripts/` what moves it; the operations are written in JavaScript from the table, for those that the formula has.
"""

import json
import re
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from importlib.resources import files
from pathlib import PurePath

from ...errors import one_line
from ...evaluation import Evaluation
from ...export.javascript import operation_functions
from .. import explain
from . import data, drawing, markup
from .listing import Listing
from .naming import names

_SCRIPTS = ("numbers", "tape", "words", "elements", "telling", "formula", "picture", "table", "inputs", "walk", "page")
"""in this order"""
_REST = 8  # characters of a number besides the digits after the point: -1.2346e-300
_MARKER = re.compile(r"\{\{(\w+)\}\}")
_IN_JSON = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


def text(evaluation: Evaluation, precision: int = 4) -> str:
    """The page of an evaluation, as HTML. Raises AutodiffError where there is no Graphviz to draw the graph."""
    called = names(evaluation)
    listing = Listing.of(evaluation.program.source.text)
    subject = data.Subject(explain(evaluation, called), called, listing, precision)
    style = f":root {{ --figures: {precision + _REST}; }}\n{_file('page.css')}"
    script = "\n".join([_operations(subject), *(_file(f"scripts/{one}.js") for one in _SCRIPTS)])
    parts = {
        "title": escape(_title(evaluation.program.source.name)),
        "style_hash": _hash(style),
        "script_hash": _hash(script),
        "style": style,
        "formula": markup.formula(subject),
        "graph": drawing.drawing(subject),
        "table": markup.table(subject),
        "data": json.dumps(data.data(subject)).translate(_IN_JSON),
        "script": script,
    }
    return _filled(_file("page.html"), parts)


def _filled(template: str, parts: Mapping[str, str]) -> str:
    """The template with its parts; what looks like a marker in a part is left as it is."""
    return _MARKER.sub(lambda marker: parts[marker[1]], template)


def _operations(subject: data.Subject) -> str:
    """How the operations of the graph compute, in JavaScript."""
    graph, adjoints = subject.explanation.evaluation.program.graph, subject.explanation.adjoints
    keys = [
        (graph.operations[node], len(arguments), tuple([adjoints[argument] is not None for argument in arguments]))
        for node in subject.order
        if (arguments := graph.arguments[node])
    ]
    return operation_functions(keys)


def _title(name: str) -> str:
    """What the page is called: after the formula's file, where it has one."""
    return "formula" if name in ("<formula>", "<stdin>") else one_line(PurePath(name).name)


def _file(name: str) -> str:
    return files(__name__).joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """What the page's policy allows: this text and no other."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
