"""The uncertainty of a result for each row of a table, as a formula of its own for the engine for columns."""

from collections.abc import Mapping
from dataclasses import replace
from functools import reduce
from itertools import combinations

from ..errors import AutodiffError
from ..operations import ABS, ADD, DIV, HYPOT, INPUT, MAX, MIN, MUL, SQRT, WHERE
from ..program import Program
from ..transforms import derivative
from .correlations import Correlations, correlation_matrix
from .measured_values import MeasuredValue

PREFIX = "u_"
"""of the column, or the input, that has the standard uncertainty of another"""
RESULTS = ("value", "u")
"""the outputs of the program"""
_LEAST, _LARGEST = 5e-324, 1.7976931348623157e308  # in place of sizes of 0 and infinity


def with_uncertainty(program: Program, known: Mapping[str, MeasuredValue], correlations: Correlations) -> Program:
    """The program with the inputs `u_x` for each of its inputs x, and with its result and the uncertainty as outputs.

    Without a column or a number `u_x` is that of the measured value, or 0. Constants such as e have one too, for they
    may be columns. Raises AutodiffError for correlations that `correlation_matrix` refuses, and for an input that is
    itself called `u_x`.
    """
    constants = {name: node for name, node in program.constants.items() if not _is_name(PREFIX + name, program)}
    uncertain = program.inputs | constants
    correlation_matrix({name: MeasuredValue(0.0, 1.0) for name in uncertain}, correlations)  # refuses some
    graph, inputs = program.graph.cut(()), dict(program.inputs)
    slopes = dict(zip(uncertain, derivative(graph, program.output, list(uncertain.values())), strict=True))
    terms: dict[str, int] = {}
    steps: dict[int, str] = {}
    for name in uncertain:
        if _is_name(PREFIX + name, program):
            message = f"`{PREFIX + name}` is a name of the formula, so it cannot be the uncertainty of `{name}`"
            raise AutodiffError(message, hint="give it another name in the formula")
        node = inputs[PREFIX + name] = graph.add(INPUT)
        graph.labels[node] = PREFIX + name
        graph.numbers[node] = known[name].u if name in known else 0.0
        root = graph.add(SQRT, (node,))  # which a negative uncertainty does not have
        steps[root] = RESULTS[1]
        known_positive = graph.add(ADD, (node, graph.add(MUL, (graph.constant(0.0), root))))
        terms[name] = graph.add(MUL, (slopes[name], known_positive))
        if name in constants:  # whose slope may have no value: nobody asks for it unless it is a column
            terms[name] = graph.add(WHERE, (node, terms[name], graph.constant(0.0)))
    if not correlations:
        u = graph.add(HYPOT, tuple(terms.values())) if terms else graph.constant(0.0)
    else:
        sizes = [graph.add(ABS, (term,)) for term in terms.values()]
        unit = graph.add(MIN, (graph.add(MAX, (*sizes, graph.constant(_LEAST))), graph.constant(_LARGEST)))
        parts = {name: graph.add(DIV, (term, unit)) for name, term in terms.items()}  # whose squares are doubles
        squares = [graph.add(MUL, (part, part)) for part in parts.values()]
        for pair in combinations(parts, 2):
            coefficient = correlations.get(pair, correlations.get(pair[::-1]))
            if coefficient is not None:
                product = graph.add(MUL, (parts[pair[0]], parts[pair[1]]))
                squares.append(graph.add(MUL, (graph.constant(2 * coefficient), product)))
        total = reduce(lambda *squares: graph.add(ADD, squares), squares)
        u = graph.add(MUL, (unit, graph.add(SQRT, (graph.add(MAX, (total, graph.constant(0.0))),))))
    graph.unwritten |= set(range(len(program.graph), len(graph)))
    names = {**program.names, **inputs, **dict(zip(RESULTS, (program.output, u), strict=True))}
    return replace(program, graph=graph, inputs=inputs, names=names, steps=steps)


def _is_name(name: str, program: Program) -> bool:
    return name in program.names or name in program.inputs
