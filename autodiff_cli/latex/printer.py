"""Nodes of a graph as LaTeX for math mode, typeset as a person writes them."""

import re
from collections import ChainMap
from collections.abc import Mapping
from math import inf

from ..graph import Graph
from ..operations import CONSTANT
from ..work import charge
from . import notation
from .notation import LatexText

_NODE = 1e-5  # the work of a node
_CONSTANTS = {"e": "e", "pi": r"\pi", "inf": r"\infty", "nan": r"\mathrm{nan}"}


def formula(graph: Graph, node: int, names: dict[int, LatexText] | None = None, most: float = inf) -> str:
    """A node as LaTeX for math mode (with amsmath), what it is computed from written out.

    `names` says what other nodes, and inputs, are called and need not be written out; other inputs and constants are
    called by their labels, and constants without one are numbers. A text of more than `most` characters is left out.
    """
    texts = ChainMap({}, names or {})
    for part in graph.needed_by(node, leaves=texts):
        if graph.arguments[part] or part not in texts:
            texts[part] = text(graph, part, texts)
            if len(texts[part].text) > most:
                return ""
    return texts[node].text


def text(graph: Graph, node: int, texts: Mapping[int, LatexText]) -> LatexText:
    """A node as LaTeX, made of the texts of its arguments."""
    arguments = graph.arguments[node]
    if arguments:
        charge(_NODE)
        return notation.typeset(graph.operations[node], [texts[argument] for argument in arguments])
    label = graph.labels.get(node)
    if graph.operations[node] is CONSTANT:
        return LatexText(_CONSTANTS[label]) if label in _CONSTANTS else notation.number(graph.numbers[node])
    return LatexText(notation.name(label or "?"))


def columns(text: str) -> int:
    """About how wide a piece of LaTeX is when it is typeset."""
    return len(re.sub(r"\\[A-Za-z]+", "x", re.sub(r"\\(left|right|mathrm|operatorname|,)|[{}^_\\ ]", "", text)))
