"""The second derivatives of a program at a point: the Hessian matrix, as sparse as the formula makes it.

A forward sweep over the graph of the gradient, with dual numbers, gives the Hessian times each direction. Inputs share
a direction if the entries of their columns can still be read from the sum.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import inf, isfinite, isnan, nan

from ..arithmetic import duals
from ..errors import AutodiffError, Remedy
from ..evaluation import LIMIT_SECONDS, MOST_LIMITS, Evaluation, limit
from ..evaluation.nonfinite import ALLOW, derivative_error
from ..graph import Graph
from ..notation import shortest
from ..operations import INPUT
from ..sparsity import dependencies, star_colouring
from ..transforms import derivative
from ..work_budget import TooMuchWorkError, WorkBudget, seconds_left
from .forward import slopes

_KEPT = 1e-4
"""an entry that is smaller than this, relative to the terms that it is the sum of, has lost digits"""


@dataclass(frozen=True)
class Hessian:
    """Second partial derivatives, without those that are zero at every point because of the graph alone."""

    names: tuple[str, ...]
    entries: dict[tuple[int, int], float]
    """the indices of two names → the derivative with respect to both; each (i, j) is also there as (j, i)"""
    directions: int
    """the number of directions that the Hessian was multiplied by"""
    undefined: frozenset[int] = frozenset()
    """the indices of the names with respect to which there is no derivative, as the value is nan"""

    def entry(self, i: int, j: int) -> float:
        """The derivative with respect to the two names with these indices."""
        return self.entries.get((i, j), nan if {i, j} <= self.undefined else 0.0)

    @cached_property
    def matrix(self) -> list[list[float]]:
        """All rows, zeros included."""
        rows = [[0.0] * len(self.names) for _ in self.names]
        for (i, j), number in (dict.fromkeys(product(self.undefined, repeat=2), nan) | self.entries).items():
            rows[i][j] = number
        return rows


def hessian(evaluation: Evaluation) -> Hessian:
    """The second derivatives of the output with respect to the names of the evaluation's gradient.

    Raises AutodiffError if one of these names is computed from another.
    """
    refuse_dependent(evaluation.program.graph, evaluation.order, evaluation.nodes)
    graph = evaluation.program.graph.cut(node for node in evaluation.nodes.values() if node is not None)
    nodes = [graph.add(INPUT) if node is None else node for node in evaluation.nodes.values()]
    gradient = derivative(graph, evaluation.program.output, nodes)
    neighbours = _symmetric(dependencies(graph, gradient, nodes))
    colours = star_colouring(neighbours)
    products, sizes = (
        slopes(graph, evaluation.values, zip(nodes, colours, strict=True), gradient, arithmetic)
        for arithmetic in (duals, duals.Sizes)
    )
    entries, undefined = _entries(neighbours, colours, products), frozenset[int]()
    if isnan(evaluation.value):
        entries = dict.fromkeys(entries, nan)
        undefined = frozenset(i for i, slope in enumerate(evaluation.gradient.values()) if isnan(slope))
    else:
        _settle(entries, _entries(neighbours, colours, sizes), evaluation, graph, nodes)
    return Hessian(tuple(evaluation.nodes), entries, len(products), undefined)


def _settle(
    entries: dict[tuple[int, int], float],
    sizes: Mapping[tuple[int, int], float],
    evaluation: Evaluation,
    graph: Graph,
    nodes: Sequence[int],
) -> None:
    """Compute again, with more digits or as limits, the entries that the chain rule leaves open, or has lost.

    The sizes are those of the terms that the entries are sums of.
    """
    lost = [(i, j) for (i, j), number in entries.items() if i <= j and not _KEPT * sizes[i, j] <= abs(number) < inf]
    if not lost:
        return
    from .taylor import settled_slope  # imports mpmath

    with suppress(TooMuchWorkError), WorkBudget(min(LIMIT_SECONDS, seconds_left() / 2), grows=False):
        rows = sorted({i for i, _ in lost[:MOST_LIMITS]})
        partials = derivative(graph, evaluation.program.output, [nodes[i] for i in rows], textbook=True)
        gradient = dict(zip(rows, partials, strict=True))
        for i, j in lost[:MOST_LIMITS]:
            number = settled_slope(evaluation, graph, gradient[i], nodes[j])
            if isnan(number):
                number = limit(evaluation, {nodes[i]: 1.0}, {nodes[j]: 1.0}).slope
            if not isnan(number):
                entries[i, j] = entries[j, i] = number


def refuse_dependent(graph: Graph, order: Sequence[int], names: Mapping[str, int | None]) -> None:
    """Raise AutodiffError if one of some names, which have these nodes, is computed from another one."""
    named = {node: name for name, node in names.items() if node is not None}
    if not any(graph.arguments[node] for node in named):
        return
    origins: dict[int, str] = {}
    """node → one of the names that it is computed from, or its own"""
    for node in order:
        origin = next((origins[argument] for argument in graph.arguments[node] if argument in origins), None)
        name = named.get(node, origin)
        if origin is not None and node in named:
            raise AutodiffError(
                f"`{name}` is computed from `{origin}`: no second derivatives with respect to both",
                remedy=Remedy("one of two", (origin,), f"leave one of the two out of `wrt`, such as wrt=[{origin!r}]"),
            )
        if name is not None:
            origins[node] = name


def _symmetric(dependent: Sequence[set[int]]) -> list[set[int]]:
    """The union of the pattern and its transpose."""
    pattern = [set(columns) for columns in dependent]
    for i, columns in enumerate(dependent):
        for j in columns:
            pattern[j].add(i)
    return pattern


def _entries(
    neighbours: Sequence[set[int]], colours: Sequence[int], products: Sequence[Sequence[float]]
) -> dict[tuple[int, int], float]:
    """The entries of the pattern; of (i, j) and (j, i), one is read from the products and the other copied."""
    entries = {}
    for i, columns in enumerate(neighbours):
        colour_counts = Counter(colours[j] for j in columns)
        for j in columns:
            if colour_counts[colours[j]] == 1 and (j, i) not in entries:
                entries[i, j] = entries[j, i] = products[colours[j]][i]
    return dict(sorted(entries.items()))


def nonfinite_error(evaluation: Evaluation, hessian: Hessian) -> AutodiffError | None:
    """The error for an entry that is not finite; None if all are."""
    index = next((index for index, number in hessian.entries.items() if not isfinite(number)), None)
    if index is None:
        return None
    from .settled_series import is_finite, series  # imports mpmath

    first, second = (hessian.names[i] for i in index)
    nodes = (evaluation.nodes[name] for name in (first, second))
    moving = series(evaluation, {node: 1.0 for node in nodes if node is not None}, 2)
    names = f"`{first}`" if first == second else f"`{first}` and `{second}`"
    message = f"the second derivative by {names} is {shortest(hessian.entries[index])}"
    return derivative_error(evaluation, message, ALLOW, lambda node: is_finite(moving[node], 2))
