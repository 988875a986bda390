"""Simplification of derivative graphs: the same value in fewer nodes, as a person would write it.

A node is first read as a canonical form, in which equal things are equal (`reading`, `forms`). Sums, products, choices
and conditions are simplified each in a file of its own, and by the table of `laws` (`patterns`, `rewriting`); they
know each other as an `algebra`, which `simplifier` puts together. Then the form is written in the shortest of several
ways (`writing`, `monomials`, `quotients`, `factoring`).
"""

from collections import Counter
from collections.abc import Collection, Sequence
from fractions import Fraction
from math import isfinite

from ..graph import Graph
from ..operations import CONSTANT, MAX, MIN, NEG
from .algebra import Algebra
from .forms import Form
from .laws import INWARD, LAWS, compiled
from .numbers import without_tens
from .reading import Reader, is_named_constant, with_unevaluated_numbers
from .samples import Samples
from .simplifier import Simplifier
from .writing import Writer

LONGEST = 200
"""nodes of a formula that is written without named steps"""
_LONGEST_AGAIN = 40
"""nodes of a formula that is simplified once more: what is longer rarely becomes shorter"""
_PROMISING = 1500  # nodes of a formula that simplification as a whole may still make that short
_LARGEST = 20_000  # nodes of a graph in which this is tried
_UNREADABLE = 50_000  # nodes of a graph that is not simplified
_CHEAP = 3  # nodes: a formula no longer than this is read again wherever it is used
_FEW_TRIALS = 10
_TRIALS = 500  # other ways to write a sum that are tried


def simplified(graph: Graph, nodes: Sequence[int], written: Sequence[int], leaves: Collection[int] = ()) -> list[int]:
    """Nodes with the same values as these, added to the graph.

    `written` are the nodes of the formula that the user wrote, in topological order: what is in them is kept where
    nothing shorter is found. `leaves` are opaque.
    """
    algebra, writer = _algebra_and_writer(graph, written, _TRIALS)
    known = {node: _leaf(algebra, graph, node) for node in (*leaves, *_compared(graph, written, 3))}
    reader = Reader(algebra, graph, [*nodes, *written[-1:]], known, set(written))
    unfinished = reader.collected | with_unevaluated_numbers(graph, written)
    for node in written:
        form = None if node in unfinished else reader.forms.get(node)
        writer.keep(node, form, is_leaf=node in leaves)
    return [writer.write(reader.forms[node]) for node in nodes]


def readable(graph: Graph, output: int, derivatives: Sequence[int], leaves: Collection[int] = ()) -> list[int]:
    """The derivatives of a node, simplified: each as a whole if all are short, else apart from their shared parts.

    Those that are too large for anyone to read stay as they are.
    """
    size = len(graph.needed_by(*derivatives))
    if not derivatives or size > _UNREADABLE:
        return [*derivatives]
    written = graph.needed_by(output)
    if size <= _LARGEST and max(lengths(graph, derivatives, _PROMISING)) < _PROMISING:
        short = simplified(graph, derivatives, written, leaves)
        if max(lengths(graph, short)) < LONGEST:
            return _read_again(graph, short, written, leaves)
    return _shortened(graph, derivatives, written, leaves)


def _read_again(graph: Graph, nodes: list[int], written: Sequence[int], leaves: Collection[int]) -> list[int]:
    """Simplified nodes simplified once more, where that makes them shorter and loses nothing."""
    if max(lengths(graph, nodes)) > _LONGEST_AGAIN:
        return nodes
    again = simplified(graph, nodes, written, leaves)
    samples = Samples(graph, dict.fromkeys(range(len(graph)), 2))
    return min(nodes, again, key=lambda some: (sum(map(samples.faults, some)), sum(lengths(graph, some))))


def lengths(graph: Graph, nodes: Sequence[int], most: int = LONGEST) -> list[int]:
    """The number of nodes in the expression of each of some nodes, counted up to a limit."""
    counts: dict[int, int] = {}
    for node in graph.needed_by(*nodes):
        counts[node] = min(most, 1 + sum([counts[argument] for argument in graph.arguments[node]]))
    return [counts[node] for node in nodes]


def _shortened(graph: Graph, nodes: Sequence[int], written: Sequence[int], leaves: Collection[int] = ()) -> list[int]:
    """The nodes simplified in graphs of any size: a node that is used more than once, or has a name, stays one node.

    Only what lies between such nodes is simplified. The work is proportional to the number of nodes.
    """
    order = graph.needed_by(*nodes)
    uses = Counter([argument for node in order for argument in graph.arguments[node]] + list(nodes))
    kept, outputs, opaque = set(written), set(nodes), {*leaves, *_compared(graph, written, 2)}
    unfinished = with_unevaluated_numbers(graph, written) - opaque
    algebra, writer = _algebra_and_writer(graph, written, _FEW_TRIALS)
    algebra.most_parts = 0  # or the work would not be proportional
    known: dict[int, Form] = {}
    for node in order:
        arguments, is_named = graph.arguments[node], node in graph.labels
        if node in kept:
            writer.keep(node, None, is_leaf=not arguments or is_named)
        if node in kept and node not in unfinished:
            is_shared = uses[node] > 1 and writer.costs[node] > _CHEAP
            if node in opaque or (arguments and (is_named or is_shared)):
                known[node] = _leaf(algebra, graph, node)
                writer.costs[node] = 1
        elif arguments and (uses[node] > 1 or node in outputs):
            writer.trials, algebra.work = _FEW_TRIALS, 0
            form = Reader(algebra, graph, [node], known).forms[node]
            short = writer.write(form)
            known[node] = form if writer.costs[short] <= _CHEAP else _opaque(algebra, graph, short)
            writer.costs[short] = 1
    return [writer.write(known[node]) if node in known else node for node in nodes]


def _compared(graph: Graph, written: Collection[int], least: int) -> list[int]:
    """The arguments of each `max` or `min` with at least this many: compared with the result, they stay as they are.

    Two arguments that are simplified together with the result are compared with each other instead, by a law.
    """
    extremes = [
        node for node in written if graph.operations[node] in (MAX, MIN) and len(graph.arguments[node]) >= least
    ]
    return [argument for node in extremes for argument in graph.arguments[node] if graph.arguments[argument]]


def _algebra_and_writer(graph: Graph, written: Sequence[int], trials: int) -> tuple[Algebra, Writer]:
    decimals: dict[int, set[Fraction]] = {}
    for number in [Fraction(repr(graph.numbers[node])) for node in written if _is_decimal(graph, node)]:
        decimals.setdefault(without_tens(number.numerator)[0], set()).add(number)
    algebra = Simplifier(compiled(INWARD, LAWS), decimals=decimals)
    return algebra, Writer(algebra, graph, {graph.operations[node].name for node in written}, trials)


def _opaque(algebra: Algebra, graph: Graph, node: int) -> Form:
    """The form of a number, or of an opaque node; its sign is kept separately."""
    if graph.operations[node] is NEG:
        return algebra.scaled(-1, _opaque(algebra, graph, graph.arguments[node][0]))
    return _leaf(algebra, graph, node) if graph.arguments[node] else Reader(algebra, graph, [node], {}).forms[node]


def _leaf(algebra: Algebra, graph: Graph, node: int) -> Form:
    return algebra.leaf(node, is_computed=bool(graph.arguments[node]))


def _is_decimal(graph: Graph, node: int) -> bool:
    """Whether a node is a number that is not whole."""
    number = graph.numbers.get(node, 0.0)
    is_plain = graph.operations[node] is CONSTANT and not is_named_constant(graph, node)
    return is_plain and isfinite(number) and not number.is_integer()
