"""The parser's builder with what it lacks: the operations on doubles, and derivatives inside of formulas."""

from collections.abc import Collection

from ..arithmetic import floats
from ..errors import Source
from ..graph import Graph
from ..parser.list_builder import ListBuilder


class ProgramBuilder(ListBuilder):
    """Builds the graph of any program: with lists, sums over an index and derivatives."""

    def __init__(self, source: Source, entries: Collection[str] = (), *, selects: bool = False) -> None:
        super().__init__(source, floats, entries, selects=selects)

    def differentiate(self, output: int, variable: int) -> int:
        """The derivative of a node by another, added to the graph; only the nodes that it depends on are visited."""
        from ..simplify import readable  # only here: most programs have no derivatives
        from ..transforms import derivative

        order = self.graph.needed_by(output)
        part, copies = Graph(), dict[int, int]()
        part.paste(self.graph, order, copies)
        if variable not in copies:
            return self.graph.constant(0.0)
        result, leaf = copies[output], copies[variable]
        raw = derivative(part, result, [leaf], textbook=True)
        (slope,) = readable(part, result, raw, [leaf] if part.arguments[leaf] else [])
        originals = {copy: node for node, copy in copies.items()}
        self.graph.paste(part, part.needed([slope]), originals)
        return originals[slope]
