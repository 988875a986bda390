"""The gradient of one node as a sum over paths: the product of the local derivatives along each path to the output."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, inf, isclose, log

from ..evaluation import Evaluation
from .chain_rule import Contribution, Explanation

MANY = 10**18
"""paths are counted up to this number"""
_FEW = 50
"""as many paths are all followed; of more only those to show, and the sum over the others is what the gradient lacks"""

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
    rest: float
    """the sum over the paths that are not shown"""

    @property
    def hidden(self) -> int:
        """The number of paths that are not shown."""
        return self.count - len(self.shown) if self.count < MANY else MANY

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
    """The paths from the output to a node, of which at most `most` are shown, or one more if it is the last.

    The time grows with the number of nodes times `most`, however many paths there are.
    """
    evaluation, output = explanation.evaluation, explanation.evaluation.program.output
    counts: dict[int, int] = {node: 1}
    leading: list[list[Contribution]] = []
    for step in reversed(explanation.steps):
        links = [link for link in step.contributions if link.argument in counts]
        if links and step.node != node:
            counts[step.node] = min(MANY, sum(counts[link.argument] for link in links))
            leading.append(links)
    count, gradient = counts.get(output, 0), explanation.adjoints[node] or 0.0
    chains: dict[int, _Chains] = {node: [(0.0, None)]}
    for links in leading:
        chains[links[0].result] = _largest(links, chains, count if count <= _FEW else most)
    largest = [_path(evaluation, chain) for _, chain in chains.get(output, ())]
    if count <= most + 1:
        largest.sort(key=lambda path: [link.place for link in path.links])
        return GradientPaths(node, gradient, count, tuple(largest), 0.0)
    products = [path.product for path in largest]
    rest = products[most:] if count == len(largest) else [gradient, *(-product for product in products[:most])]
    return GradientPaths(node, gradient, count, tuple(largest[:most]), _sum(rest))


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
    count = len(evaluation.program.graph.arguments[link.result])
    wanted = [place == link.place for place in range(count)]
    return evaluation.contributions(link.result, adjoint, wanted)[link.place]


def _sum(numbers: Sequence[float]) -> float:
    try:
        return fsum(numbers)
    except (OverflowError, ValueError):  # infinities of both signs, or a sum out of range
        return sum(numbers)
