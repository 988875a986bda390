"""Derivative graphs made short: the same value in fewer nodes, as a person would write it.

A node is first put into a form in which equal things are equal (`reading`, `algebra`, `sums`, `products`, `choices`),
rewritten by the laws of one table on the way (`laws`, `matching`), and then written in the shortest of several ways
(`factoring`, `quotients`, `writing`).
"""

from collections import Counter
from collections.abc import Collection, Sequence

from ..graph import Graph
from ..operations import CONSTANT, OPERATIONS
from .algebra import Algebra
from .forms import Form
from .laws import INWARD, LAWS, compiled
from .reading import Reader, is_named_constant
from .writing import Writer

_NEG = OPERATIONS["neg"]
_CHEAP = 3  # nodes: what is no longer is read again wherever it is used
_FEW_TRIALS = 10
_TRIALS = 500  # other ways to write a sum that are tried


def simplified(graph: Graph, nodes: Sequence[int], written: Collection[int], leaves: Collection[int] = ()) -> list[int]:
    """Nodes with the same values as these, added to the graph.

    `written` are the nodes of the formula that the user wrote: what is in them is kept where nothing shorter is found.
    `leaves` are not looked into.
    """
    algebra = Algebra(compiled(INWARD, LAWS), decimals=any(_is_decimal(graph, node) for node in written))
    known = {node: algebra.leaf(node) for node in leaves}
    reader = Reader(algebra, graph, [*nodes, *list(written)[-1:]], known, set(written))
    writer = Writer(algebra, graph, {graph.operations[node].name for node in written}, _TRIALS)
    for node in written:
        writer.keep(node, reader.forms.get(node), is_leaf=node in known)
    return [writer.write(reader.forms[node]) for node in nodes]


def shortened(graph: Graph, nodes: Sequence[int], written: Collection[int], leaves: Collection[int] = ()) -> list[int]:
    """The same for graphs of any size: what is used more than once, or has a name, stays one node.

    Only what lies between such nodes is simplified. The work is in proportion to the number of nodes.
    """
    order = graph.needed(nodes)
    uses = Counter([argument for node in order for argument in graph.arguments[node]] + list(nodes))
    kept, outputs, apart = set(written), set(nodes), set(leaves)
    algebra = Algebra(compiled(INWARD, LAWS), decimals=any(_is_decimal(graph, node) for node in written))
    writer = Writer(algebra, graph, {graph.operations[node].name for node in written}, 0)
    known: dict[int, Form] = {}
    for node in order:
        arguments = graph.arguments[node]
        if node in kept:
            writer.keep(node, None, is_leaf=not arguments or node in graph.labels)
            if node in apart or (
                arguments and (node in graph.labels or (uses[node] > 1 and writer.costs[node] > _CHEAP))
            ):
                known[node] = algebra.leaf(node)
                writer.costs[node] = 1
        elif arguments and (uses[node] > 1 or node in outputs):
            writer.trials, algebra.work = _FEW_TRIALS, 0
            form = Reader(algebra, graph, [node], known).forms[node]
            made = writer.write(form)
            known[node] = form if writer.costs[made] <= _CHEAP else _as_one(algebra, graph, made)
            writer.costs[made] = 1
    return [writer.write(known[node]) if node in known else node for node in nodes]


def _as_one(algebra: Algebra, graph: Graph, node: int) -> Form:
    """A node that is not looked into, apart from its sign; or its number."""
    if graph.operations[node] is _NEG:
        return algebra.scaled(-1, _as_one(algebra, graph, graph.arguments[node][0]))
    return algebra.leaf(node) if graph.arguments[node] else Reader(algebra, graph, [node], {}).forms[node]


def _is_decimal(graph: Graph, node: int) -> bool:
    """Is it a number that is not whole?"""
    number = graph.numbers.get(node, 0.0)
    return graph.operations[node] is CONSTANT and not is_named_constant(graph, node) and not number.is_integer()
