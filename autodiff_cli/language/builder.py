"""The parser's builder with what it lacks: the operations on doubles, and derivatives inside of formulas."""

from collections.abc import Collection, Sequence
from math import inf, isfinite

from ..arithmetic import floats
from ..errors import Source
from ..graph import Graph
from ..operations import INPUT
from ..parser.list_builder import ListBuilder
from .written_numbers import is_rounded


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
        """Whether the node is a number, no constant such as pi, that its double may not equal."""
        is_number = isfinite(self.graph.numbers.get(node, inf)) and node not in self._constants.values()
        return is_number and is_rounded(self.graph, self.source.text, node)

    def _apart(self, node: int, first: int) -> int:
        """A copy of a node that was added from `first` on, so that no other derivative is computed from it."""
        graph = self.graph
        is_new = node >= first and graph.arguments[node]
        return graph.add(graph.operations[node], graph.arguments[node]) if is_new else node
