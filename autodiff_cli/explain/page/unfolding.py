"""The same computation with a function taken apart, for a page on which it unfolds into what it means."""

from collections.abc import Iterator
from math import isfinite
from typing import NamedTuple

from ...evaluation import Evaluation, evaluate
from ...transforms import expand

_MOST_NODES = 150
"""of a page on which functions unfold: each makes the page larger by itself"""
MOST_FUNCTIONS = 3


class Variant(NamedTuple):
    """Another graph for the same computation, which the page shows when its address says `key=name`."""

    key: str
    name: str
    label: str
    """the text of a button that leads there"""
    back: str
    """and one that leads back"""
    evaluation: Evaluation


def wrt_within(evaluation: Evaluation) -> list[str]:
    """The names that the gradient is with respect to, without those outside of the program."""
    return [name for name, node in evaluation.nodes.items() if node is not None]


def unfolded(evaluation: Evaluation) -> Iterator[Variant]:
    """A variant for each of the first functions, which is replaced by its meaning everywhere.

    A function is left out where its meaning overflows at this point.
    """
    program, order = evaluation.program, evaluation.order
    if len(order) > _MOST_NODES:
        return
    used = (program.graph.operations[node] for node in order)
    point = {name: evaluation.values[node] for name, node in evaluation.inputs.items()}
    for name in list(dict.fromkeys(one.name for one in used if one.meaning and not one.symbol))[:MOST_FUNCTIONS]:
        variant = evaluate(expand(program, {name}), point, wrt_within(evaluation))
        if all(map(isfinite, (variant.value, *variant.gradient.values()))):
            yield Variant("unfold", name, f"Unfold {name}", f"Fold {name}", variant)
