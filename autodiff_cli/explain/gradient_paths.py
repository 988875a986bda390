"""The gradient of one node as a sum over paths: the product of the local derivatives along each path to the output."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, inf, isclose, log

from ..arithmetic import floats
from ..evaluation import Evaluation
from .chain_rule import Contribution, Explanation

MANY = 10**18
"""paths are counted up to this number"""

_Chain = tuple[Contribution, "_Chain"] | None
"""the contributions from a node down to the explained one"""
_Chains = list[tuple[float, _Chain]]
"""chains, each with the logarithm of the absolute value of its product"""


@dataclass(frozen=True)
class GradientPath:
    """A path from the output down to a node, and the product of the local derivatives along it."""

    links: tuple[Contribution, ...]
    product: float


@dataclass(frozen=True)
class GradientPaths:
    """The paths from the output to a node: those to show, and how many others there are."""

    node: int
    gradient: float
    count: int
    """the number of paths; `MANY` stands for that many or more"""
    shown: tuple[GradientPath, ...]
    """all paths, in the order of the formula, or those with the largest products, the largest first"""

    @property
    def hidden(self) -> int:
        """The number of paths that are not shown."""
        return self.count - len(self.shown) if self.count < MANY else MANY

    @property
    def rest(self) -> float:
        """The sum over the paths that are not shown."""
        return _sum([self.gradient, *(-path.product for path in self.shown)]) if self.hidden else 0.0

    @property
    def agrees(self) -> bool:
        """Whether the sum over the paths is the gradient.

        It is not where the product of a path is infinite while the sweep, which adds up at each node, stays finite.
        """
        products = [path.product for path in self.shown]
        total = _sum([*products, self.rest])
        if total != total or self.gradient != self.gradient:
            return (total != total) == (self.gradient != self.gradient)
        size = sum(map(abs, products))
        return total == self.gradient or isclose(total, self.gradient, rel_tol=1e-9, abs_tol=1e-9 * size)


def gradient_paths(explanation: Explanation, node: int, most: int = 12) -> GradientPaths:
    """The paths from the output to a node, of which at most `most` are shown.

    The time grows with the number of nodes times `most`, however many paths there are.
    """
    counts: dict[int, int] = {node: 1}
    chains: dict[int, _Chains] = {node: [(0.0, None)]}
    for step in reversed(explanation.steps):
        links = [link for link in step.contributions if link.argument in counts]
        if links and step.node != node:
            counts[step.node] = min(MANY, sum(counts[link.argument] for link in links))
            chains[step.node] = _largest(links, chains, most)
    evaluation = explanation.evaluation
    output = evaluation.program.output
    shown = [_path(evaluation, chain) for _, chain in chains.get(output, ())]
    count = counts.get(output, 0)
    if count <= most:
        shown.sort(key=lambda path: [link.place for link in path.links])
    return GradientPaths(node, explanation.adjoints[node] or 0.0, count, tuple(shown))


def _largest(links: Sequence[Contribution], chains: dict[int, _Chains], most: int) -> _Chains:
    """The chains that begin with one of the links: those with the largest products, the largest first."""
    longer: _Chains = [
        (_times(_size(link.local), size), (link, chain)) for link in links for size, chain in chains[link.argument]
    ]
    return sorted(longer, key=lambda chain: -chain[0])[:most]


def _size(local: float) -> float:
    """The logarithm of the absolute value of a local derivative; infinity for nan, so that it comes first."""
    return -inf if local == 0 else log(abs(local)) if abs(local) < inf else inf


def _times(a: float, b: float) -> float:
    return -inf if -inf in (a, b) else a + b


def _path(evaluation: Evaluation, chain: _Chain) -> GradientPath:
    links = []
    while chain is not None:
        link, chain = chain
        links.append(link)
    product: float | None = 1.0
    for link in links:
        product = None if product is None else _passed_on(evaluation, link, product)
    return GradientPath(tuple(links), product or 0.0)


def _passed_on(evaluation: Evaluation, link: Contribution, adjoint: float) -> float | None:
    """The part of a result's adjoint that the sweep passes on through a link; None to what was not chosen."""
    graph, values = evaluation.program.graph, evaluation.values
    arguments = graph.arguments[link.result]
    wanted = tuple([place == link.place for place in range(len(arguments))])
    pullback = floats.pullback(graph.operations[link.result], len(arguments), wanted)
    return pullback(adjoint, values[link.result], *[values[argument] for argument in arguments])[link.place]


def _sum(numbers: Sequence[float]) -> float:
    try:
        return fsum(numbers)
    except (OverflowError, ValueError):  # infinities of both signs, or a sum out of range
        return sum(numbers)
