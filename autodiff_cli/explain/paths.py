"""One gradient alone: the product of the local derivatives along each path to the output, and their sum."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, inf, isclose, log

from ..arithmetic import floats
from ..evaluation import Evaluation
from . import Contribution, Explanation

MANY = 10**18
"""so many paths or more are not counted one by one"""

_Chain = tuple[Contribution, "_Chain"] | None
"""the links from a node down to the one that is explained"""
_Chains = list[tuple[float, _Chain]]
"""chains with the logarithm of their product's size"""


@dataclass(frozen=True)
class Path:
    """A way from the output down to a node, and the product of the local derivatives along it."""

    links: tuple[Contribution, ...]
    product: float


@dataclass(frozen=True)
class Paths:
    """The paths from the output to a node: those that are shown, and what is known of the others."""

    node: int
    gradient: float
    count: int
    """how many there are; `MANY` stands for that many or more"""
    shown: tuple[Path, ...]
    """all of them, in the order of writing, or those with the largest products, the largest first"""

    @property
    def hidden(self) -> int:
        """How many are not shown."""
        return self.count - len(self.shown) if self.count < MANY else MANY

    @property
    def rest(self) -> float:
        """What those that are not shown add up to."""
        return _sum([self.gradient, *(-path.product for path in self.shown)]) if self.hidden else 0.0

    @property
    def agrees(self) -> bool:
        """Is the sum over the paths the gradient?

        Not where a path's product is infinite and the sweep, which adds up at each node, has a finite number there.
        """
        products = [path.product for path in self.shown]
        total = _sum([*products, self.rest])
        if total != total or self.gradient != self.gradient:
            return (total != total) == (self.gradient != self.gradient)
        size = sum(map(abs, products))
        return total == self.gradient or isclose(total, self.gradient, rel_tol=1e-9, abs_tol=1e-9 * size)


def paths(explanation: Explanation, node: int, most: int = 12) -> Paths:
    """The paths from the output to a node, at the most so many of them.

    Takes time that grows with the number of nodes times `most`, however many paths there are.
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
    found = [_path(evaluation, chain) for _, chain in chains.get(output, ())]
    count = counts.get(output, 0)
    if count <= most:
        found.sort(key=lambda path: [link.place for link in path.links])
    return Paths(node, explanation.adjoints[node] or 0.0, count, tuple(found))


def _largest(links: Sequence[Contribution], chains: dict[int, _Chains], most: int) -> _Chains:
    """The chains that begin with one of the links, those with the largest products first."""
    longer: _Chains = [
        (_times(_size(link.local), size), (link, chain)) for link in links for size, chain in chains[link.argument]
    ]
    return sorted(longer, key=lambda chain: -chain[0])[:most]


def _size(local: float) -> float:
    """The logarithm of a local derivative's size; what is nan is to be seen first."""
    return -inf if local == 0 else log(abs(local)) if abs(local) < inf else inf


def _times(a: float, b: float) -> float:
    return -inf if -inf in (a, b) else a + b


def _path(evaluation: Evaluation, chain: _Chain) -> Path:
    links = []
    while chain is not None:
        link, chain = chain
        links.append(link)
    product = 1.0
    for link in links:
        product = _passed_on(evaluation, link, product)
    return Path(tuple(links), product)


def _passed_on(evaluation: Evaluation, link: Contribution, adjoint: float) -> float:
    """What the sweep passes on through a link if such an adjoint arrives there."""
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
