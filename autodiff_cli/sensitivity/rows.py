"""Elasticities for each row of a table, as a formula of their own for the engine for columns."""

from collections.abc import Sequence
from dataclasses import replace

from ..errors import AutodiffError, did_you_mean, named
from ..operations import DIV, MUL
from ..program import Program
from ..transforms import derivative

VALUE = "value"
PREFIX = "elasticity_"


def with_elasticities(program: Program, wrt: Sequence[str] | None) -> Program:
    """The program with its value and its elasticities as named outputs: `value`, and `elasticity_x` for each input.

    `wrt` limits them to some inputs. Raises AutodiffError for what is no input.
    """
    names = list(dict.fromkeys(wrt)) if wrt is not None else list(program.inputs)
    for name in names:
        if name not in program.inputs:
            hint = did_you_mean(name, program.inputs) or f"the inputs are {named(program.inputs)}"
            raise AutodiffError(f"`{name}` is not an input of the formula", hint=hint)
    graph = program.graph.cut(())
    nodes = [program.inputs[name] for name in names]
    outputs = {VALUE: program.output}
    for name, node, slope in zip(names, nodes, derivative(graph, program.output, nodes), strict=True):
        share = graph.add(MUL, (graph.add(DIV, (node, node)), graph.add(DIV, (node, program.output))))
        outputs[PREFIX + name] = graph.add(MUL, (slope, share))  # x/x has no value where x is 0
    graph.unwritten |= set(range(len(program.graph), len(graph)))
    return replace(program, graph=graph, names={**program.names, **outputs})


def results(program: Program) -> list[str]:
    """The outputs of a program that has them."""
    return [VALUE, *(name for name in program.names if name.startswith(PREFIX))]
