"""A program with equal parts as one node, and numbers in place of some inputs."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from .graph import Graph
from .operations import CONSTANT
from .program import Program


def merged(program: Program, apart: Collection[str], fixed: Mapping[str, float]) -> Program:
    """A copy of a program in which equal operations on the same nodes are one node.

    Values with different names stay different, and so does what is named in `apart`. `fixed` gives inputs a number for
    good. Raises AutodiffError for a number for a name that the program computes.
    """
    source, target = program.graph, Graph()
    inputs = program.point(fixed)
    numbers = {node: float(fixed[name]) for name, node in inputs.items() if name in fixed}
    kept = {program.names[name] for name in apart if name in program.names}
    known: dict[object, int] = {}
    moved: list[int] = []
    for node, row in enumerate(source.operations):
        arguments = tuple([moved[argument] for argument in source.arguments[node]])
        label = None if node in numbers else source.labels.get(node)
        number = numbers.get(node, source.numbers.get(node))
        key = (row, arguments) if arguments else (repr(number), label) if row is CONSTANT or node in numbers else node
        same = None if node in kept else known.get(key)
        if same is not None and (label is None or target.labels.setdefault(same, label) == label):
            moved.append(same)
            continue
        moved.append(target.add(CONSTANT if node in numbers else row, arguments, *source.span(node)))
        if label is not None:
            target.labels[moved[node]] = label
        if number is not None:
            target.numbers[moved[node]] = number
        if node not in kept:
            known.setdefault(key, moved[node])

    def follow(nodes: Mapping[str, int]) -> dict[str, int]:
        return {name: moved[node] for name, node in nodes.items()}

    return replace(
        program,
        graph=target,
        names={name: moved[node] for name, node in program.names.items() if node not in numbers},
        inputs=follow({name: node for name, node in inputs.items() if name not in fixed}),
        constants=follow({name: node for name, node in program.constants.items() if name not in fixed}),
        output=moved[program.output],
    )
