"""Derivatives as formulas: one for each variable, of any order, in a program like any other."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..arithmetic.symbolic import Symbols
from ..errors import AutodiffError, Remedy, did_you_mean, quoted_names
from ..graph import Graph
from ..notation import CALL, without_brackets
from ..operations import INPUT
from ..printer import WIDTH, Listing, Statement, Text, defaults, expression, leaf_texts, unused_name
from ..program import Program
from ..simplify import LONGEST, lengths, readable
from ..transforms import derivative, merged

_MOST_NODES, _MOST_FOR_EACH = 20_000, 50  # nodes of the graph beyond order 1: for any formula, and for each node of it


@dataclass(frozen=True)
class Derivatives:
    """The derivatives of a program's output."""

    program: Program
    order: int
    graph: Graph
    """the program's graph, to which the derivatives were appended"""
    nodes: dict[str, int]
    """name of the variable → the derivative's node"""
    defaults: list[Statement]
    """the default values of inputs"""
    steps: list[Statement]
    """named values that the derivatives are computed from"""
    results: dict[str, Statement]
    """name of the variable → the derivative's statement, which has no name where it is the whole program"""

    @cached_property
    def used(self) -> set[int]:
        """The nodes that the derivatives depend on, themselves included."""
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
    """The derivatives of the output with respect to some inputs or named values, or to every input.

    An `order` above 1 differentiates repeatedly with respect to the same name. `fixed` replaces inputs by numbers.
    Raises AutodiffError for a name that is not in the program, and for an order whose derivatives are too long.
    """
    program = merged(program, wrt or (), fixed or {})
    graph = program.graph
    variables = _variables(program, wrt)
    known = {name: node for name, node in variables.items() if node is not None}
    leaves = [node for node in known.values() if graph.operations[node] is not INPUT]
    raw = derivative(graph, program.output, list(known.values()), textbook=True)
    first = readable(graph, program.output, raw, leaves)
    nodes = dict(zip(known, first, strict=True))
    most = _MOST_NODES + _MOST_FOR_EACH * len(graph)
    for reached in range(1, order):
        symbols = Symbols(graph, textbook=True)
        slopes: dict[str, list[int]] = {}
        for name, node in nodes.items():
            slopes[name] = derivative(graph, node, [known[name]], symbols=symbols)
            if len(graph) > most:
                message = f"the derivative of order {reached + 1} takes more than {most:,} operations"
                raise AutodiffError(
                    message, remedy=Remedy("fewer orders", (str(reached),), f"order {reached} is possible")
                )
        nodes = {name: readable(graph, nodes[name], raw, leaves)[0] for name, raw in slopes.items()}
    nodes = {name: nodes[name] if name in known else graph.constant(0.0) for name in variables}
    return _written(program, order, nodes, leaves)


def refuse_repeated(wrt: Sequence[str]) -> None:
    """Raise AutodiffError where a name is repeated, which elsewhere is a derivative of a higher order."""
    for name in dict.fromkeys(wrt):
        if (order := wrt.count(name)) > 1:
            words = f"for the derivative of order {order} write wrt={name!r}, order={order}"
            hint = f"for a mixed one differentiate D(f, {name})"
            raise AutodiffError(f"`{name}` is repeated", hint=hint, remedy=Remedy("order", (name, str(order)), words))


def _variables(program: Program, wrt: Sequence[str] | None) -> dict[str, int | None]:
    """The variables to differentiate with respect to: name → node; None for any name if the program has no names."""
    if not wrt:
        needed = set(program.graph.needed([program.output]))
        inputs: dict[str, int | None] = {name: node for name, node in program.inputs.items() if node in needed}
        if not inputs:
            raise AutodiffError("the formula has no inputs to differentiate by", hint="its derivative is 0")
        return inputs
    known = program.names | program.inputs
    for name in wrt if known else ():
        if name not in known:
            hint = did_you_mean(name, known) or f"it has {quoted_names(known)}"
            raise AutodiffError(f"`{name}` is not in the formula", hint=hint)
    return {name: program.node(name, program.inputs) for name in wrt}


def _written(program: Program, order: int, nodes: dict[str, int], leaves: Sequence[int]) -> Derivatives:
    """The derivatives as formulas if these are short, else as a program with named steps."""
    graph = program.graph
    used = graph.needed(nodes.values())
    texts = leaf_texts(graph, used, {*program.inputs, *nodes})
    texts |= {node: (name, CALL) for name, node in program.constants.items() if name in nodes}
    for node in texts.keys() & graph.labels.keys():
        if texts[node][0] != graph.labels[node]:
            del graph.labels[node]  # in the program the name means something else
    default_values = list(defaults(graph, used))
    taken = {*program.names, *program.inputs, *(text for text, _ in texts.values())}
    names = _names(program, order, nodes, taken)
    plain = None if set(leaves).intersection(used) else _plain(graph, nodes, texts)
    if plain is not None and len(plain) == 1 and not default_values:
        names = dict.fromkeys(names, "")
    labels = {n: label for n, label in graph.labels.items() if graph.arguments[n] and program.names.get(label) == n}
    listing = Listing(graph, texts, labels, taken)
    lines = listing.write([(names[name], node) for name, node in nodes.items()])
    steps, results = lines[: -len(nodes)], lines[-len(nodes) :]
    if plain is not None and _is_easier(plain, steps, results):
        steps = []
        results = [Statement(names[name], text, node) for (name, node), text in zip(nodes.items(), plain, strict=True)]
    return Derivatives(program, order, graph, nodes, default_values, steps, dict(zip(nodes, results, strict=True)))


def _plain(graph: Graph, nodes: Mapping[str, int], texts: Mapping[int, Text]) -> list[str] | None:
    """Each derivative as one expression; None if that would be long."""
    most = LONGEST * len(nodes)
    if len(graph.needed(nodes.values())) >= most or max(lengths(graph, list(nodes.values()))) >= LONGEST:
        return None
    return [expression(graph, node, texts) for node in nodes.values()]


def _is_easier(plain: Sequence[str], steps: Sequence[Statement], results: Sequence[Statement]) -> bool:
    """Whether the plain formulas are easier to read than those with names for what they share."""
    if len(plain) == 1 and len(plain[0]) <= WIDTH:
        return True
    with_names = sum(len(statement.text) + len(statement.name) for statement in (*steps, *results))
    distinct = {*plain} if max(map(len, plain)) <= WIDTH // 2 else plain  # what is repeated is read once
    return sum(map(len, distinct)) <= (1.3 if max(map(len, plain)) <= WIDTH else 1.1) * with_names


def _names(program: Program, order: int, wrt: Iterable[str], taken: Collection[str]) -> dict[str, str]:
    """The names of the derivatives: `df_dx`, `d2f_dx2`; those for the entries of a list form a list: `d2f_dx2[1]`."""
    output = without_brackets(program.output_name or "f")
    power = str(order) if order > 1 else ""
    taken = {name.partition("[")[0] for name in taken}
    bases: dict[str, str] = {}
    names = {}
    for name in wrt:
        base, bracket, index = name.partition("[")
        if base not in bases:
            bases[base] = unused_name(f"d{power}{output}_d{base}{power}", taken)
            taken.add(bases[base])
        names[name] = bases[base] + bracket + index
    return names
