"""Nodes of a graph as LaTeX for math mode, typeset as a person writes them."""

import re
from collections import ChainMap
from collections.abc import Mapping
from functools import lru_cache
from math import inf

from ..graph import Graph
from ..notation import is_constant
from ..operations import CONSTANT, EXP
from ..work_budget import charge
from . import notation
from .notation import LatexText

_NODE = 1e-5  # the work of a node
_CONSTANTS = {"e": "e", "pi": r"\pi", "inf": r"\infty", "nan": r"\mathrm{nan}"}


def formula(
    graph: Graph,
    node: int,
    names: dict[int, LatexText] | None = None,
    most: float = inf,
    *,
    own_e: bool | None = None,
) -> str:
    """A node as LaTeX for math mode (with amsmath), what it is computed from written out.

    A comparison is in parentheses, as after an equals sign.
    `names` has the names of nodes that need not be written out, and of inputs; other inputs and constants are
    called by their labels, and constants without one are numbers. A text of more than `most` characters is left out.
    `own_e` is whether something other than the base of exp is called `e`; by default the labels decide.
    """
    texts = ChainMap({}, names or {})
    for part in graph.needed_by(node, leaves=texts):
        if graph.arguments[part] or part not in texts:
            texts[part] = text(graph, part, texts, own_e=own_e)
            if len(texts[part].text) > most:
                return ""
    return texts[node].right_side


def text(graph: Graph, node: int, texts: Mapping[int, LatexText], *, own_e: bool | None = None) -> LatexText:
    """A node as LaTeX, made of the texts of its arguments; for `own_e` see `formula`."""
    arguments = graph.arguments[node]
    if arguments:
        charge(_NODE)
        if graph.operations[node] is EXP and (has_own_e(graph) if own_e is None else own_e):
            return LatexText(rf"\exp\left({texts[arguments[0]].text}\right)")
        return notation.typeset(graph.operations[node], [texts[argument] for argument in arguments])
    label = graph.labels.get(node, "")
    if graph.operations[node] is CONSTANT:
        number = graph.numbers[node]
        return LatexText(_CONSTANTS[label]) if is_constant(label, number) else notation.number(number)
    return LatexText(notation.name(label or "?"))


def has_own_e(graph: Graph) -> bool:
    """Whether the program calls something other than the base of exp `e`."""
    return _has_own_e(graph, len(graph.labels))


@lru_cache(maxsize=1)  # asked for each exp of a document, which may have thousands
def _has_own_e(graph: Graph, _: int) -> bool:
    return any(label == "e" and not is_constant(label, graph.numbers.get(node)) for node, label in graph.labels.items())


def columns(text: str) -> int:
    """The approximate width in columns of a piece of LaTeX when it is typeset."""
    return len(re.sub(r"\\[A-Za-z]+", "x", re.sub(r"\\(left|right|mathrm|operatorname|,)|[{}^_\\ ]", "", text)))
