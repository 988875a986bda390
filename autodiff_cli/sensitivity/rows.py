"""Elasticities for each row of a table, as a formula of their own for the engine for columns."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import reduce

from ..errors import AutodiffError, did_you_mean, quoted_names
from ..operations import DIV, MUL
from ..program import Program
from ..transforms import derivative

PREFIX = "elasticity_"


def with_elasticities(
    program: Program, wrt: Sequence[str] | None, columns: Iterable[str] = ()
) -> tuple[Program, list[str]]:
    """The program with named outputs for its value and its elasticities, `elasticity_x` for each input; their names.

    `wrt` limits them to some inputs. A constant such as e is an input where it is named there, or one of the `columns`.
    Raises AutodiffError for what is not an input, and for an elasticity whose name the formula has.
    """
    inputs = program.inputs_given({name for name in (*columns, *(wrt or ())) if name in program.constants})
    names = list(dict.fromkeys(inputs if wrt is None else wrt))
    for name in names:
        if name not in inputs:
            raise no_input(name, inputs)
        if PREFIX + name in program.names or PREFIX + name in inputs:
            message = f"`{PREFIX + name}` is a name of the formula, so it cannot be the elasticity of `{name}`"
            raise AutodiffError(message, hint="give it another name in the formula")
    graph = program.graph.cut(())
    nodes = [inputs[name] for name in names]
    outputs, steps = {"value": program.output}, dict[int, str]()
    for name, node, slope in zip(names, nodes, derivative(graph, program.output, nodes), strict=True):
        value = program.output
        pairs = ((node, node), (value, value), (node, value))  # 0/0 of the first two has no value, as it should be
        ratios = [graph.add(DIV, pair) for pair in pairs]
        steps |= dict.fromkeys(ratios, PREFIX + name)
        outputs[PREFIX + name] = reduce(lambda product, ratio: graph.add(MUL, (product, ratio)), ratios, slope)
    graph.unwritten |= set(range(len(program.graph), len(graph)))
    made = replace(program, graph=graph, inputs=inputs, names={**program.names, **outputs}, steps=steps)
    return made, list(outputs)


def no_input(name: str, inputs: Collection[str]) -> AutodiffError:
    """The error for a name that is not among the inputs."""
    hint = did_you_mean(name, inputs) or f"the inputs are {quoted_names(inputs)}"
    return AutodiffError(f"`{name}` is not an input of the formula", hint=hint)
