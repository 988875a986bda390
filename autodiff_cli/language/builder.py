"""The parser's builder with what it lacks: the operations on doubles, and derivatives inside of formulas."""

from collections.abc import Collection, Sequence
from decimal import Decimal, InvalidOperation
from math import inf, isfinite

from ..arithmetic import floats
from ..errors import Source
from ..graph import Graph
from ..notation import shortest
from ..operations import INPUT
from ..parser.list_builder import ListBuilder

_DIGITS = 15
"""of a decimal that a double always holds"""
_FIRST = frozenset("0123456789.-−")
"""the characters that numbers begin with"""


class ProgramBuilder(ListBuilder):
    """Builds the graph of any program: with lists, sums over an index and derivatives."""

    def __init__(self, source: Source, entries: Collection[str] = (), *, selects: bool = False) -> None:
        super().__init__(source, floats, entries, selects=selects)

    def differentiate(self, output: int, variables: Sequence[int]) -> list[int]:
        """The derivatives of a node by others, added to the graph; only the nodes that it depends on are visited."""
        from ..simplify import readable  # only here: most programs have no derivatives
        from ..transforms import derivative

        order, first = self.graph.needed_by(output), len(self.graph)
        part, copies = Graph(), dict[int, int]()
        part.paste(self.graph, order, copies)
        for node in order:
            if self._is_rounded(node):
                part.operations[copies[node]] = INPUT  # so that nothing is computed with this double
        result = copies[output]
        leaves = [copies[variable] for variable in variables if variable in copies]
        raw = derivative(part, result, leaves, textbook=True)
        computed = [leaf for leaf in leaves if part.arguments[leaf]]
        constants = [copies[node] for node in self._constants.values() if node in copies]
        slopes = readable(part, result, raw, computed + constants)  # a point may give a constant another number
        originals = {copy: node for node, copy in copies.items()}
        self.graph.paste(part, part.needed(slopes), originals)
        by_leaf = dict(zip(leaves, [originals[slope] for slope in slopes], strict=True))
        nodes = [by_leaf[copies[v]] if v in copies else self.graph.constant(0.0) for v in variables]
        return nodes if len(nodes) == 1 else [self._apart(node, first) for node in nodes]

    def _is_rounded(self, node: int) -> bool:
        """Whether a double may not be the number that stands in the text, or that was computed from such numbers."""
        number = self.graph.numbers.get(node, inf)
        if not isfinite(number) or node in self._constants.values():
            return False
        text, (start, end) = self.source.text, self.graph.span(node)
        if is_long(number) or text[start] not in _FIRST:
            return is_long(number)
        try:
            return Decimal("".join(text[start:end].split()).replace("−", "-")) != Decimal(shortest(number))
        except InvalidOperation:
            return False

    def _apart(self, node: int, first: int) -> int:
        """A copy of a node that was added from `first` on, so that no other derivative is computed from it."""
        graph = self.graph
        is_new = node >= first and graph.arguments[node]
        return graph.add(graph.operations[node], graph.arguments[node]) if is_new else node


def is_long(number: float) -> bool:
    """Whether a double has more digits than it holds of every decimal."""
    return len(Decimal(shortest(number)).normalize().as_tuple().digits) > _DIGITS
