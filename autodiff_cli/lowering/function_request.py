"""A request for a function: the program, what to differentiate with respect to, and the inputs that are numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..errors import AutodiffError, Remedy
from ..program import Program


@dataclass(frozen=True)
class FunctionRequest:
    """A program and its derivatives; nodes are those of the program's graph."""

    program: Program
    fixed: dict[str, float]
    """the inputs that are numbers"""
    inputs: dict[str, int]
    """the other inputs that the output depends on, in the order of the text → their nodes"""
    wrt: dict[str, int]
    """the names of the gradient → their nodes"""
    hessian: bool
    """whether second derivatives are wanted"""

    @property
    def numbers(self) -> dict[int, float]:
        """The nodes of the inputs that are numbers."""
        nodes = self.program.inputs_given(self.fixed)
        return {nodes[name]: number for name, number in self.fixed.items()}


def function_request(
    program: Program,
    wrt: Sequence[str] | None = None,
    *,
    hessian: bool = False,
    fixed: Mapping[str, float] | None = None,
) -> FunctionRequest:
    """A request that has been checked.

    `wrt` names inputs or named values; without it the gradient is with respect to every input that the output depends
    on. Inputs that are `fixed` are numbers. Raises AutodiffError for a name that the program does not know, or that it
    computes and that is fixed, for a derivative with respect to a number, and for second derivatives with respect to
    what is computed.
    """
    point = program.inputs_given(fixed or {})
    known = {name: number for name, number in (fixed or {}).items() if name in point}
    used = set(program.graph.needed([program.output])) - {point[name] for name in known}
    inputs = {name: node for name, node in program.inputs.items() if node in used}
    names = list(inputs if wrt is None else dict.fromkeys(wrt))
    for name in names:
        if name in known:
            raise AutodiffError(
                f"`{name}` is set to a number, so there is no derivative with respect to it",
                remedy=Remedy("set and differentiated", (name,), f"leave `{name}` out, of `wrt` or of `fixed`"),
            )
    nodes = dict(zip(names, program.nodes(names, program.inputs, {}), strict=True))
    if hessian:
        _refuse_computed(program, nodes)
    return FunctionRequest(program, known, inputs, nodes, hessian and bool(nodes))


def _refuse_computed(program: Program, nodes: Mapping[str, int]) -> None:
    """Raise for second derivatives with respect to what is computed: its own inputs would have to be held constant."""
    for name, node in nodes.items():
        if program.graph.arguments[node]:
            raise AutodiffError(
                f"second derivatives are with respect to inputs, and `{name}` is computed",
                span=program.graph.span(node),
                source=program.source,
                remedy=Remedy("computed in a Hessian", (name,), f"leave `{name}` out of `wrt`, or `hessian`"),
            )
