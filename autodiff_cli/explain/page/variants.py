"""Other graphs for the same computation: a function expanded into its meaning, or folded.

Each call of a folded function of the program's own is one node.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from math import isclose, isfinite
from typing import Any, NamedTuple

from ...derivatives.differentiate import differentiate
from ...errors import AutodiffError
from ...evaluation import Evaluation, evaluate
from ...graph import Graph
from ...language import parse
from ...language.list_builder import ListBuilder
from ...notation import CALL, flattened
from ...operations import CONSTANT, FUNCTIONS, PARAMETER, Operation, by_name
from ...parser import run
from ...parser.scope import Function
from ...printer import Text, number, text
from ...program import Program
from ...transforms import expand

_MOST_NODES = 150
"""of a variant, to be readable at a glance; and of a page on which functions unfold, as each makes it larger"""
_MOST_FUNCTIONS = 3
_MOST_ARGUMENTS = 20
_MOST_STEPS = 200  # of a function
_MOST_WORK = 10_000  # steps, each differentiated with respect to an argument


class Variant(NamedTuple):
    """Another graph for the same computation, which the page shows when its address has `key=name`."""

    key: str
    name: str
    label: str
    """the text of a button that leads there"""
    back: str
    """and of the one that leads back"""
    evaluation: Evaluation


def _evaluated(program: Program, evaluation: Evaluation) -> Evaluation | None:
    """The evaluation of a variant of a program at the same point; None where its numbers are not finite."""
    point = {name: evaluation.values[node] for name, node in evaluation.inputs.items()}
    within = [name for name, node in evaluation.nodes.items() if node is not None]
    variant = evaluate(program, point, within)
    return variant if all(map(isfinite, (variant.value, *variant.gradient.values()))) else None


# ---- Unfolding -------------------------------------------------------------------------------------------------------


def unfolded(evaluation: Evaluation) -> Iterator[Variant]:
    """A variant for each of the first functions, which is replaced by its meaning everywhere.

    A function is left out where its meaning overflows at this point.
    """
    program, order = evaluation.program, evaluation.order
    if len(order) > _MOST_NODES:
        return
    used = (program.graph.operations[node] for node in order)
    for name in list(dict.fromkeys(one.name for one in used if one.meaning and not one.symbol))[:_MOST_FUNCTIONS]:
        variant = _evaluated(expand(program, {name}), evaluation)
        if variant is not None:
            yield Variant("unfold", name, f"Unfold {name}", f"Fold {name}", variant)


# ---- Folding ---------------------------------------------------------------------------------------------------------


def folded(evaluation: Evaluation) -> Iterator[Variant]:
    """Variants for functions of the program's own, those that are defined last first."""
    reading = ListBuilder(evaluation.program.source, _entries(evaluation), allows_list=True)
    with suppress(AutodiffError):
        run(reading)
    if reading.graph.operations != evaluation.program.graph.operations:  # those that are taken apart stay so
        return
    variants = (_variant(evaluation, name) for name in reversed(reading.functions))
    yield from islice(filter(None, variants), _MOST_FUNCTIONS)


def _variant(evaluation: Evaluation, name: str) -> Variant | None:
    """The variant in which a function is folded; None where it cannot be, or is not called."""
    if name in FUNCTIONS or by_name(name) is not None:
        return None
    builder = _FoldingBuilder(evaluation, name)
    try:
        run(builder)
        program = builder.program()
        program = program.select(evaluation.program.output_name) if evaluation.program.output_name else program
        shorter = _evaluated(program, evaluation)
    except (AutodiffError, _CannotFoldError):
        return None
    if shorter is None or len(shorter.order) > _MOST_NODES:
        return None
    calls = sum(program.graph.operations[node].name == name for node in shorter.order)
    if not calls or not isclose(shorter.value, evaluation.value, rel_tol=1e-9):
        return None
    times = f" ×{calls}" if calls > 1 else ""
    return Variant("fold", name, f"Fold {name}{times}", f"Unfold {name}", shorter)


def _entries(evaluation: Evaluation) -> list[str]:
    return [name for name in evaluation.inputs if "[" in name]


class _CannotFoldError(Exception):
    """A function has too many arguments or steps to be one node, or too many forms, or its value is a list."""


class _FoldingBuilder(ListBuilder):
    """Reads a program again; a call of one of its functions is an operation of that name."""

    def __init__(self, evaluation: Evaluation, folded: str) -> None:
        super().__init__(evaluation.program.source, _entries(evaluation), allows_list=True)
        self._folded = folded
        self._definition: tuple[int, int] | None = None  # the place of the one of that name that is called first
        self._operations: dict[str, Operation] = {}
        self._work = 0

    def inline(self, function: Function, arguments: list[int], start: int, end: int) -> int:
        """Add the node of a call, or of another function the nodes of its body."""
        if function is self.functions.get(self._folded) and function.body and self._is_of_the_first():
            return self._add_call(function, arguments, start, end)
        return super().inline(function, arguments, start, end)

    def inline_text(self, name: str, values: list[Any], start: int, end: int) -> Any:
        """Add the node of a call with lists, or of another function the nodes of its text."""
        if name != self._folded or not self._is_of_the_first():
            return super().inline_text(name, values, start, end)
        arguments, first = [*flattened(tuple(values))], len(self.graph)
        parameters = [self.graph.add(PARAMETER, (), start, end) for _ in arguments]
        result = super().inline_text(name, _with_leaves(values, iter(parameters)), start, end)
        if not isinstance(result, int):
            raise _CannotFoldError
        needed = self.graph.needed_by(result, leaves=parameters)
        body = [node for node in needed if node >= first and self.graph.arguments[node]]
        if not body:
            return super().inline_text(name, values, start, end)
        return self._add_call(Function(parameters, body, result, len(body)), arguments, start, end)

    def _waits(self, function: Function, arguments: list[int]) -> bool:
        """Unfold calls in definitions at once, so that the body of each function is complete."""
        return False

    def _is_of_the_first(self) -> bool:
        """Whether the name still stands for the function of its first call."""
        place = self.place_of(self._folded)
        self._definition = self._definition or place
        return self._definition == place

    def _add_call(self, function: Function, arguments: list[int], start: int, end: int) -> int:
        """Add the node of a call: values from outside that the function uses are further arguments."""
        outer = list(dict.fromkeys(_outer(self.graph, function)))
        if len(arguments) + len(outer) > _MOST_ARGUMENTS or len(function.body) > _MOST_STEPS:
            raise _CannotFoldError
        text = _text(self.graph, function, outer)
        if text not in self._operations:
            self._work += len(function.body) * (len(arguments) + len(outer))
            if self._work > _MOST_WORK:
                raise _CannotFoldError
            self._operations[text] = _operation(self._folded, text, len(arguments) + len(outer))
        node: int = self.graph.add(self._operations[text], (*arguments, *outer), start, end)
        return node


def _with_leaves(values: Iterable[Any], nodes: Iterator[int]) -> list[Any]:
    """The values with other nodes in place of theirs, one after the other."""
    return [tuple(_with_leaves(value, nodes)) if isinstance(value, tuple) else next(nodes) for value in values]


def _outer(graph: Graph, function: Function) -> Iterator[int]:
    """The nodes, other than numbers, that a function uses and that are neither its parameters nor in its body."""
    own = {*function.parameters, *function.body}
    for node in function.body:
        for part in graph.arguments[node]:
            if part not in own and graph.operations[part] is not CONSTANT:
                yield part


def _text(graph: Graph, function: Function, outer: Sequence[int]) -> str:
    """A function as a program in p1, p2, …: its parameters, and the values from outside that it uses."""
    parameters = enumerate([*function.parameters, *outer], 1)
    texts: dict[int, Text] = {parameter: (f"p{place}", CALL) for place, parameter in parameters}
    statements = []
    for place, node in enumerate(function.body, 1):
        texts |= {part: number(graph.numbers[part]) for part in graph.arguments[node] if part not in texts}
        statements.append(f"v{place} = {text(graph, node, texts)[0]}")
        texts[node] = f"v{place}", CALL
    return "\n".join([*statements, texts[function.result][0]])


def _operation(name: str, text: str, arguments: int) -> Operation:
    """A program in p1, p2, … as an operation on them."""
    program, parameters = parse(text), [f"p{place}" for place in range(1, arguments + 1)]
    partials = tuple(_partial(program, parameter) for parameter in parameters)
    return Operation(name, ", ".join(parameters), partials, "a function of the program", value=text, meaning=text)


def _partial(program: Program, parameter: str) -> str:
    """The derivative as a program whose last line is a formula."""
    if parameter not in program.inputs:
        return "0"
    derivatives = differentiate(program, [parameter])
    return f"{derivatives.text.rstrip()}\n{derivatives.results[parameter].name}".rstrip()
