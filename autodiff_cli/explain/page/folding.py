"""The same computation with a function of the program's own folded: each of its calls is one node."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from math import isclose, isfinite

from ...derivatives.differentiate import differentiate
from ...errors import AutodiffError
from ...evaluation import Evaluation, evaluate
from ...graph import Graph
from ...notation import CALL
from ...operations import CONSTANT, FUNCTIONS, Operation, by_name
from ...parser import parse, run
from ...parser.builder import Builder, ListsNeeded
from ...parser.scope import Function
from ...printer import Text, applied, number
from ...program import Program
from .unfolding import MOST_FUNCTIONS, Variant

_MOST_ARGUMENTS = 20
_MOST_STEPS = 200  # of a function
_MOST_NODES = 150  # of a variant, which is to be read at a glance


def folded(evaluation: Evaluation) -> Iterator[Variant]:
    """Variants for functions of the program's own, those that are defined last first."""
    if evaluation.program.graph.unwritten:  # operations that are taken apart stay so
        return
    reading = _FoldingBuilder(evaluation, "")
    with suppress(ListsNeeded, AutodiffError):
        run(reading)
    yield from islice(
        filter(None, (_variant(evaluation, name) for name in reversed(reading.functions))), MOST_FUNCTIONS
    )


def _variant(evaluation: Evaluation, name: str) -> Variant | None:
    """The variant in which a function is folded; None where it cannot be, or is not called."""
    if name in FUNCTIONS or by_name(name) is not None:
        return None
    builder = _FoldingBuilder(evaluation, name)
    try:
        run(builder)
        program = builder.program()
        program = program.select(evaluation.program.output_name) if evaluation.program.output_name else program
        point = {name: evaluation.values[node] for name, node in evaluation.inputs.items()}
        shorter = evaluate(program, point, evaluation.wrt)
    except (ListsNeeded, AutodiffError, _TooLargeError):
        return None
    calls = sum(program.graph.operations[node] is builder.operation for node in shorter.order)
    same = (
        isclose(shorter.value, evaluation.value, rel_tol=1e-9) and shorter.gradient.keys() == evaluation.gradient.keys()
    )
    if not calls or not same or len(shorter.order) > _MOST_NODES or not all(map(isfinite, shorter.gradient.values())):
        return None
    times = f" ×{calls}" if calls > 1 else ""
    return Variant("fold", name, f"Fold {name}{times}", f"Unfold {name}", shorter)


class _TooLargeError(Exception):
    """A function has too many arguments or steps to be one node."""


class _FoldingBuilder(Builder):
    """Reads a program again; a call of one of its functions is an operation of that name."""

    def __init__(self, evaluation: Evaluation, folded: str) -> None:
        super().__init__(evaluation.program.source)
        self._folded = folded
        self._function: Function | None = None  # the one of that name that is called first
        self._outer: list[int] = []  # what it takes from outside, which are further arguments
        self.operation: Operation | None = None

    def inline(self, function: Function, arguments: list[int], start: int, end: int) -> int:
        """Add the node of a call, or of another function the nodes of its body."""
        if self.operation is None and function.body and function is self.functions.get(self._folded):
            self._function, self._outer = function, list(dict.fromkeys(_outer(self.graph, function)))
            if len(arguments) + len(self._outer) > _MOST_ARGUMENTS or len(function.body) > _MOST_STEPS:
                raise _TooLargeError
            self.operation = _operation(self.graph, function, self._outer, self._folded)
        if function is not self._function or self.operation is None:
            return super().inline(function, arguments, start, end)
        return self.graph.add(self.operation, (*arguments, *self._outer), start, end)


def _outer(graph: Graph, function: Function) -> Iterator[int]:
    """The nodes, other than numbers, that a function uses and that are neither its parameters nor in its body."""
    own = {*function.parameters, *function.body}
    for node in function.body:
        for part in graph.arguments[node]:
            if part not in own and graph.operations[part] is not CONSTANT:
                yield part


def _operation(graph: Graph, function: Function, outer: Sequence[int], name: str) -> Operation:
    """A function as an operation on its arguments and on the values from outside that it uses."""
    leaves = [*function.parameters, *outer]
    parameters = [f"p{place}" for place in range(1, len(leaves) + 1)]
    texts: dict[int, Text] = {leaf: (parameter, CALL) for leaf, parameter in zip(leaves, parameters, strict=True)}
    statements = []
    for place, node in enumerate(function.body, 1):
        texts |= {part: number(graph.numbers[part]) for part in graph.arguments[node] if part not in texts}
        statements.append(f"v{place} = {applied(graph, node, texts)[0]}")
        texts[node] = f"v{place}", CALL
    value = "\n".join([*statements, texts[function.result][0]])
    program = parse(value)
    partials = tuple(_partial(program, parameter) for parameter in parameters)
    return Operation(name, ", ".join(parameters), partials, "a function of the program", value=value, meaning=value)


def _partial(program: Program, parameter: str) -> str:
    """The derivative as a program whose last line is a formula."""
    if parameter not in program.inputs:
        return "0"
    derivatives = differentiate(program, [parameter])
    return f"{derivatives.text.rstrip()}\n{derivatives.results[parameter].name}".rstrip()
