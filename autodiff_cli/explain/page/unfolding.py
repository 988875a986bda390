"""The same computation with a function taken apart, for a page on which it unfolds into what it means."""

from collections.abc import Mapping
from math import isfinite

from ...evaluation import Evaluation, evaluate
from ...transforms import expand

_MOST_NODES = 150
"""of a page on which functions unfold: each makes the page larger by itself"""
_MOST_FUNCTIONS = 3


def unfolded(evaluation: Evaluation) -> Mapping[str, Evaluation]:
    """The evaluations with one function each replaced by its meaning everywhere: name of the function → evaluation.

    A function is left out where its meaning overflows at this point.
    """
    program, order = evaluation.program, evaluation.order
    if len(order) > _MOST_NODES:
        return {}
    used = (program.graph.operations[node] for node in order)
    names = list(dict.fromkeys(one.name for one in used if one.meaning and not one.symbol))[:_MOST_FUNCTIONS]
    point = {name: evaluation.values[node] for name, node in evaluation.inputs.items()}
    evaluations = {name: evaluate(expand(program, {name}), point, evaluation.wrt) for name in names}
    return {name: one for name, one in evaluations.items() if all(map(isfinite, (one.value, *one.gradient.values())))}
