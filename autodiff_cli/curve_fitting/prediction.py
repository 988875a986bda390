"""A fitted curve at other points, with its bands, as a formula of its own for the engine for columns."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import reduce

import numpy

from ..arithmetic.arrays import Doubles
from ..graph import Graph
from ..many_points.computation import Computation
from ..many_points.quantities import NamedValues
from ..operations import ADD, DIV, HYPOT, INPUT, MUL, SQRT, SUB
from ..program import Program
from ..transforms import derivative
from .fit import Fit
from .model import Model

VALUE = "value"


def results(model: Model, fit: Fit, columns: Collection[str]) -> list[str]:
    """The names of the results for rows of these columns: the value, and the edges of the bands that are known.

    The confidence band contains the curve, the prediction band a new response; where the responses have weights or
    deviations, the new one needs its own.
    """
    statistics, weighting = fit.statistics, model.data.weighting
    bands = ["confidence", "prediction"]
    known = {*columns} - (model.program.names.keys() - model.program.inputs)
    if statistics.unknown_because or statistics.factor != statistics.factor:
        bands = []
    elif weighting is not None and not known.issuperset(weighting.columns):
        bands.remove("prediction")
    return [VALUE, *(f"{band}_{edge}" for band in bands for edge in ("low", "high"))]


def with_bands(model: Model, fit: Fit, columns: Collection[str]) -> Program:
    """The program with the results for rows of these columns as named outputs, in inputs and parameters."""
    program, statistics, names = model.program, fit.statistics, results(model, fit, columns)
    inputs = dict(program.inputs_given(model.data.names))
    of_columns = [inputs[name] for name in model.data.names]
    graph = program.graph.cut(of_columns)
    for node in of_columns:  # no default, and no constant such as e, stands for a column that is absent
        graph.numbers.pop(node, None)
    slopes = derivative(graph, program.output, [inputs[name] for name in fit.point])

    def product(factor: float, node: int) -> int:
        return graph.add(MUL, (graph.constant(factor), node))

    def total(first: int, second: int) -> int:
        return graph.add(ADD, (first, second))

    outputs, bands, steps = {VALUE: program.output}, dict[str, list[int]](), dict[int, str]()
    if "confidence_low" in names:
        known = numpy.array([name not in statistics.at_bound for name in statistics.parameters])
        errors = numpy.where(known, [part.standard_error for part in statistics.parameters.values()], 0.0)
        sizes, vectors = numpy.linalg.eigh(numpy.where(numpy.outer(known, known), statistics.correlation, 0.0))
        root = vectors * numpy.sqrt(numpy.maximum(sizes, 0.0)) * errors[:, None]
        bands["confidence"] = [reduce(total, map(product, column, slopes)) for column in root.T.tolist()]
    if "prediction_low" in names:
        deviation = _deviation(graph, inputs, model, statistics.response_deviation, steps)
        bands["prediction"] = [*bands["confidence"], deviation]
    for band, parts in bands.items():
        half = product(statistics.factor, graph.add(HYPOT, tuple(parts)))
        outputs[f"{band}_low"] = graph.add(SUB, (program.output, half))
        outputs[f"{band}_high"] = graph.add(ADD, (program.output, half))
    graph.unwritten |= set(range(len(program.graph), len(graph)))
    return replace(program, graph=graph, inputs=inputs, names={**program.names, **inputs, **outputs}, steps=steps)


def _deviation(graph: Graph, inputs: dict[str, int], model: Model, of_weight_1: float, steps: dict[int, str]) -> int:
    """The deviation of a new response, which may depend on columns that become inputs."""
    weighting, deviation = model.data.weighting, graph.constant(of_weight_1)
    if weighting is None:
        return deviation
    source, copies = weighting.program, dict[int, int]()
    nodes = source.inputs_given(weighting.columns)
    for column in weighting.columns:
        if column not in inputs:
            inputs[column] = graph.add(INPUT)
            graph.labels[inputs[column]] = column
        copies[nodes[column]] = inputs[column]
    graph.paste(source.graph, source.graph.needed([source.output]), copies, (0, 0))
    if model.data.has_deviations:
        return graph.add(MUL, (deviation, copies[source.output]))
    root = graph.add(SQRT, (copies[source.output],))
    graph.labels[root] = source.text(source.output)  # where one of them is 0, the other is
    ratio = graph.add(DIV, (deviation, root))
    steps |= dict.fromkeys((root, ratio), "prediction")
    return ratio


def predicted(model: Model, fit: Fit, columns: Mapping[str, Doubles]) -> dict[str, Doubles]:
    """The results for rows of these columns, by name."""
    names = results(model, fit, columns)
    numbers = {**model.fixed, **fit.point}
    program = with_bands(model, fit, columns)
    computation = Computation(program, list(columns), numbers, (), NamedValues(tuple(names)))
    return dict(zip(names, computation(columns).columns, strict=True))
