"""A fitted curve at other points, with its bands, as a formula of its own for the engine for columns."""

from collections.abc import Mapping
from dataclasses import replace
from functools import reduce

import numpy

from ..arithmetic.arrays import Doubles
from ..operations import ADD, HYPOT, MUL, SUB
from ..program import Program
from ..transforms import derivative
from ..vectorized.computation import Computation
from ..vectorized.quantities import NamedValues
from .fit import Fit
from .model import Model

VALUE = "value"


def results(fit: Fit) -> list[str]:
    """The names of the results for a row: the value, and the edges of the confidence and the prediction band."""
    statistics = fit.statistics
    deviations = {"confidence": statistics.factor, "prediction": statistics.residual_deviation}
    bands = [name for name, number in deviations.items() if number == number and not statistics.unknown_because]
    return [VALUE, *(f"{band}_{edge}" for band in bands for edge in ("low", "high"))]


def with_bands(program: Program, fit: Fit) -> Program:
    """The program with its value and the edges of its bands as named outputs, in inputs and parameters.

    The confidence band contains the curve, the prediction band a new response.
    """
    graph, statistics = program.graph.cut(()), fit.statistics
    slopes = derivative(graph, program.output, [program.inputs[name] for name in fit.point])

    def product(factor: float, node: int) -> int:
        return graph.add(MUL, (graph.constant(factor), node))

    def total(first: int, second: int) -> int:
        return graph.add(ADD, (first, second))

    outputs = {VALUE: program.output}
    if len(results(fit)) > 1:
        sizes, vectors = numpy.linalg.eigh(numpy.array(statistics.covariance))
        root = vectors * numpy.sqrt(numpy.maximum(sizes, 0.0))
        curve = [reduce(total, map(product, column, slopes)) for column in root.T.tolist()]
        deviations = {"confidence": curve, "prediction": [*curve, graph.constant(statistics.residual_deviation)]}
        for band, parts in deviations.items():
            half = product(statistics.factor, graph.add(HYPOT, tuple(parts)))
            outputs[f"{band}_low"] = graph.add(SUB, (program.output, half))
            outputs[f"{band}_high"] = graph.add(ADD, (program.output, half))
    graph.unwritten |= set(range(len(program.graph), len(graph)))
    return replace(program, graph=graph, names={**program.names, **outputs})


def predicted(model: Model, fit: Fit, columns: Mapping[str, Doubles]) -> dict[str, Doubles]:
    """The results for rows of these columns, by name."""
    names = results(fit)
    numbers = {**model.fixed, **fit.point}
    program = with_bands(model.program, fit)
    computation = Computation(program, list(columns), numbers, (), NamedValues(tuple(names)))
    return dict(zip(names, computation(columns).columns, strict=True))
