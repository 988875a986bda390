"""Why a result is not finite: the first node, forward or backward, where an infinity or a nan arises."""

from math import isfinite

from .arithmetic import floats
from .errors import NOT_FINITE, AutodiffError, Notice
from .evaluation import Evaluation
from .operations import CONSTANT
from .spelling import shortest


def problem(evaluation: Evaluation) -> AutodiffError | None:
    """The error for an output or a gradient that is not finite; None if all are finite."""
    if not isfinite(evaluation.value):
        return _forward(evaluation)
    for name, partial in evaluation.gradient.items():
        if not isfinite(partial):
            return _backward(evaluation, name, partial)
    return None


def passed_through(evaluation: Evaluation) -> Notice | None:
    """The warning for a finite result that an infinite or nan node took part in; None if there is no such node."""
    if all(map(isfinite, map(evaluation.values.__getitem__, evaluation.order))):
        return None
    node = _first_cause(evaluation)
    if node is None or not evaluation.program.graph.arguments[node]:
        return None
    program = evaluation.program
    return Notice(
        f"the result passed through {_statement(evaluation, node, ', which is')}",
        span=program.graph.span(node),
        source=program.source,
    )


def _forward(evaluation: Evaluation) -> AutodiffError:
    node = _first_cause(evaluation)
    assert node is not None
    hint = "--allow-nonfinite prints the numbers all the same"
    return _error(evaluation, node, f"the result is not finite: {_statement(evaluation, node)}", hint)


def _backward(evaluation: Evaluation, name: str, partial: float) -> AutodiffError:
    node = _first_infinite_slope(evaluation)
    hint = "--allow-nonfinite prints the numbers all the same; --wrt leaves this gradient out"
    if node is None:
        node = evaluation.program.output
        return _error(evaluation, node, f"the gradient of `{name}` is {shortest(partial)}: it overflows", hint)
    place = _with(evaluation, node)
    formula = evaluation.program.formula(node)
    return _error(
        evaluation,
        node,
        f"the gradient of `{name}` is {shortest(partial)}: the slope of `{formula}` is not finite{place}",
        hint,
    )


def _error(evaluation: Evaluation, node: int, message: str, hint: str) -> AutodiffError:
    program = evaluation.program
    return AutodiffError(message, span=program.graph.span(node), source=program.source, hint=hint, code=NOT_FINITE)


def _statement(evaluation: Evaluation, node: int, verb: str = " is") -> str:
    value = shortest(evaluation.values[node])
    return f"`{evaluation.program.formula(node)}`{verb} {value}{_with(evaluation, node)}"


def _with(evaluation: Evaluation, node: int) -> str:
    """` with x = -1`: the values of the node's arguments that are not constants."""
    program, graph = evaluation.program, evaluation.program.graph
    shown = dict.fromkeys(a for a in graph.arguments[node] if graph.operations[a] is not CONSTANT)
    values = [f"{program.text(argument)} = {shortest(evaluation.values[argument])}" for argument in shown]
    return f" with {', '.join(values[:8])}{', …' * (len(values) > 8)}" if values else ""


def _live(evaluation: Evaluation) -> list[int]:
    """The nodes that the output's value really came from: not those in the branch of a `where` that was not taken."""
    graph, values = evaluation.program.graph, evaluation.values
    live = bytearray(len(graph))
    live[evaluation.program.output] = 1
    for node in reversed(evaluation.order):
        if live[node]:
            arguments = graph.arguments[node]
            if graph.operations[node].name == "where" and values[arguments[0]] == values[arguments[0]]:
                arguments = arguments[0], arguments[1 if values[arguments[0]] else 2]
            for argument in arguments:
                live[argument] = 1
    return [node for node in evaluation.order if live[node]]


def _first_cause(evaluation: Evaluation) -> int | None:
    """The first node that is not finite although all that it was computed from is; a leaf may be one."""
    graph, values = evaluation.program.graph, evaluation.values
    for node in _live(evaluation):
        if not isfinite(values[node]) and all(isfinite(values[argument]) for argument in graph.arguments[node]):
            return node
    return None


def _first_infinite_slope(evaluation: Evaluation) -> int | None:
    """The first node, backward, that turns a finite adjoint into a contribution that is not finite."""
    graph, values, adjoints = evaluation.program.graph, evaluation.values, evaluation.adjoints
    for node in reversed(evaluation.order):
        adjoint, arguments = adjoints[node], graph.arguments[node]
        if adjoint and isfinite(adjoint) and arguments:
            wanted = tuple(adjoints[argument] is not None for argument in arguments)
            contributions = floats.pullback(graph.operations[node], len(arguments), wanted)(
                adjoint, values[node], *[values[argument] for argument in arguments]
            )
            if not all(map(isfinite, contributions)):
                return node
    return None
