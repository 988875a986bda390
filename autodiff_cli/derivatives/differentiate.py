"""Derivatives as formulas: one for each variable, of any order, in a program that can be evaluated like any other."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..errors import AutodiffError, did_you_mean, named
from ..graph import Graph
from ..operations import INPUT
from ..parser.scope import CONSTANTS
from ..printer import Listing, Statement, Text, defaults, expression, free, leaf_texts
from ..program import Program
from ..simplify import shortened, simplified
from ..transforms import derivative, merged

_WIDTH = 100  # columns of a statement
_LONGEST = 200  # nodes of a formula that is written without named steps
_PROMISING = 3000  # nodes of one that is simplified as a whole, in the hope that it gets as short
_LARGEST = 20_000  # nodes of a graph in which that is tried


@dataclass(frozen=True)
class Derivatives:
    """The derivatives of a program's output."""

    program: Program
    order: int
    graph: Graph
    """the program's graph, and the derivatives behind it"""
    nodes: dict[str, int]
    """with respect to what → the derivative's node"""
    defaults: list[Statement]
    """the inputs that have a default"""
    steps: list[Statement]
    """named values that the derivatives are computed from"""
    results: dict[str, Statement]
    """with respect to what → the derivative's statement; without a name where it is all there is"""

    @cached_property
    def used(self) -> set[int]:
        """The nodes that the derivatives are made of."""
        return set(self.graph.needed(self.nodes.values()))

    @property
    def statements(self) -> list[Statement]:
        """The whole program."""
        return [*self.defaults, *self.steps, *self.results.values()]

    @property
    def text(self) -> str:
        """The whole program as text, a line for each statement."""
        return "".join(f"{statement}\n" for statement in self.statements)


def differentiate(
    program: Program, wrt: Sequence[str] | None = None, *, order: int = 1, fixed: Mapping[str, float] | None = None
) -> Derivatives:
    """The derivatives of the output with respect to each of some names, inputs or named values; without, every input.

    An `order` above 1 differentiates again with respect to the same name. `fixed` gives inputs a number for good.
    Raises AutodiffError for a name that the program does not know.
    """
    program = merged(program, wrt or (), fixed or {})
    graph = program.graph
    variables = _variables(program, wrt)
    by = {name: node for name, node in variables.items() if node is not None}
    leaves = [node for node in by.values() if graph.operations[node] is not INPUT]
    found = dict(zip(by, _simple(graph, program.output, list(by.values()), leaves), strict=True)) if by else {}
    for _ in range(order - 1):
        found = {name: _simple(graph, node, [by[name]], leaves)[0] for name, node in found.items()}
    nodes = {name: found[name] if name in by else graph.constant(0.0) for name in variables}
    return _listed(program, order, nodes, leaves)


def _simple(graph: Graph, output: int, variables: Sequence[int], leaves: Sequence[int]) -> list[int]:
    """The simplified derivatives of a node: as wholes where these are short, else between what is used again."""
    written = graph.needed([output])
    raw = derivative(graph, output, variables, textbook=True)
    if len(graph.needed(raw)) <= _LARGEST and max(_lengths(graph, raw, _PROMISING)) < _PROMISING:
        found = simplified(graph, raw, written, leaves)
        if max(_lengths(graph, found)) < _LONGEST:
            return found
    return shortened(graph, raw, written, leaves)


def _lengths(graph: Graph, nodes: Sequence[int], most: int = _LONGEST) -> list[int]:
    """How many nodes each of some nodes is written with, counted up to a limit."""
    costs: dict[int, int] = {}
    for node in graph.needed(nodes):
        costs[node] = min(most, 1 + sum([costs[argument] for argument in graph.arguments[node]]))
    return [costs[node] for node in nodes]


def _variables(program: Program, wrt: Sequence[str] | None) -> dict[str, int | None]:
    """What to differentiate by: name → node; None for any name where the program has no names at all."""
    if not wrt:
        needed = set(program.graph.needed([program.output]))
        found: dict[str, int | None] = {name: node for name, node in program.inputs.items() if node in needed}
        if not found:
            raise AutodiffError("the formula has no inputs to differentiate by", hint="its derivative is 0")
        return found
    known = program.names | program.inputs
    for name in wrt if known else ():
        if name not in known:
            hint = did_you_mean(name, known) or f"it has {named(known)}"
            raise AutodiffError(f"`{name}` is not in the formula", hint=hint)
    return {name: program.inputs.get(name, program.names.get(name)) for name in wrt}


def _listed(program: Program, order: int, nodes: dict[str, int], leaves: Sequence[int]) -> Derivatives:
    """The derivatives as formulas where these are short, else as a program with named steps."""
    graph = program.graph
    used = graph.needed(nodes.values())
    texts = leaf_texts(graph, used, CONSTANTS, program.inputs)
    given = list(defaults(graph, used))
    taken = {*program.names, *program.inputs, *(text for text, _ in texts.values())}
    names = _names(program, order, nodes, taken)
    plain = None if set(leaves).intersection(used) else _plain(graph, nodes, texts)
    if plain is not None and len(plain) == 1 and not given:
        names = dict.fromkeys(names, "")
    labels = {n: label for n, label in graph.labels.items() if graph.arguments[n] and program.names.get(label) == n}
    listing = Listing(graph, texts, labels, taken, _WIDTH)
    lines = listing.write([(names[name], node) for name, node in nodes.items()])
    steps, results = lines[: -len(nodes)], lines[-len(nodes) :]
    if plain is not None and _is_shorter(plain, steps, results):
        steps, results = (
            [],
            [Statement(names[name], text, nodes[name]) for name, text in zip(nodes, plain, strict=True)],
        )
    return Derivatives(program, order, graph, nodes, given, steps, dict(zip(nodes, results, strict=True)))


def _plain(graph: Graph, nodes: Mapping[str, int], texts: Mapping[int, Text]) -> list[str] | None:
    """Each derivative as one expression; None where that would be long."""
    if max(_lengths(graph, list(nodes.values()))) >= _LONGEST:
        return None
    return [expression(graph, node, texts) for node in nodes.values()]


def _is_shorter(plain: Sequence[str], steps: Sequence[Statement], results: Sequence[Statement]) -> bool:
    """Are the plain formulas easier to read than those with names for what they share?"""
    if len(plain) == 1 and len(plain[0]) <= _WIDTH:
        return True
    with_names = sum(len(statement.text) + len(statement.name) for statement in (*steps, *results))
    return sum(map(len, plain)) <= (1.3 if max(map(len, plain)) <= _WIDTH else 1.1) * with_names


def _names(program: Program, order: int, wrt: Iterable[str], taken: Collection[str]) -> dict[str, str]:
    """What the derivatives are called: `df_dx`, `d2f_dx2`."""
    what = program.output_name or "f"
    power = str(order) if order > 1 else ""
    known = set(taken)
    names = {}
    for name in wrt:
        names[name] = free(f"d{power}{what}_d{name}{power}", known)
        known.add(names[name])
    return names
