"""Errors and warnings for results that are not finite: they point at the first node with an infinity or a nan."""

from collections.abc import Callable, Iterable, Sequence
from math import isfinite, isnan

from .. import rules
from ..arithmetic import floats
from ..errors import NOT_FINITE, AutodiffError, Notice, Remedy
from ..notation import shortest
from ..operations import AND, CONSTANT, NOT, OR, POW
from ..program import Program
from . import Evaluation, limit, sweep_backward

ALLOW = Remedy("allow nonfinite", (), "")
"""for those who want the numbers all the same"""


def nonfinite_error(evaluation: Evaluation) -> AutodiffError | None:
    """The error for an output or a gradient that is not finite; None if all are finite."""
    if not isfinite(evaluation.value):
        return _forward(evaluation)
    for name, partial in evaluation.gradient.items():
        if not isfinite(partial):
            return _backward(evaluation, name, partial)
    return None


def nonfinite_warning(evaluation: Evaluation) -> Notice | None:
    """The warning for a finite result that was computed from an infinity or a nan; None if it was not.

    An infinity that the user wrote, or gave to an input, needs no warning.
    """
    if not isfinite(evaluation.value) or all(map(isfinite, map(evaluation.values.__getitem__, evaluation.order))):
        return None
    program = evaluation.program
    causes = (node for node in _live(evaluation) if program.graph.arguments[node] and _arises(evaluation, node))
    node = next(causes, None)
    if node is None:
        return None
    return Notice(
        f"the result passed through {_statement(evaluation, node, ', which is')}",
        span=program.graph.span(node),
        source=program.source,
    )


def kink_warning(
    evaluation: Evaluation, what: str, is_smooth: Callable[[int], bool] = lambda node: False, order: int = 1
) -> Notice | None:
    """The warning that `what` follows a convention, at the first node on a kink, a step or a tie; None without one.

    `is_smooth` tells whether a node is certainly on none of these, although the doubles are. `order` is the highest one
    of the derivatives: from 2 on, a kink of the first derivative counts.
    """
    program = evaluation.program
    marks = varying(evaluation, evaluation.nodes.values())
    for node in _live(evaluation):
        if is_singular(evaluation, node, marks, order) and not is_smooth(node):
            wanted = [marks[argument] for argument in program.graph.arguments[node]]
            if not all(isfinite(slope or 0.0) for slope in evaluation.contributions(node, 1.0, wanted)):
                continue  # no convention: what follows is infinite, or a limit
            cause = f"`{program.formula(node)}` is not smooth{_with(evaluation, node)}"
            return Notice(f"{what} by convention: {cause}", span=program.graph.span(node), source=program.source)
    return None


def is_singular(evaluation: Evaluation, node: int, varying: Sequence[int], order: int = 1) -> bool:
    """Whether the operation of a node has no derivative here, up to an order, in the arguments marked as varying."""
    graph, values = evaluation.program.graph, evaluation.values
    operation, arguments = graph.operations[node], graph.arguments[node]
    if not operation.singular or not any(varying[argument] for argument in arguments):
        return False
    numbers = evaluation.operands(node)
    if operation in (AND, OR, NOT):  # conditions do not vary: only a number that is 0 can change the result nearby
        nearby = [number or float(varying[argument]) for argument, number in zip(arguments, numbers, strict=True)]
        return bool(floats.function(operation, len(arguments))(*nearby) != values[node])
    if operation is POW and numbers[1] == 0 and not varying[arguments[1]]:
        return False  # x^0 is 1 everywhere
    is_bent = order > 1 and floats.bent(operation, len(arguments))(*numbers)
    return bool(is_bent or floats.singular(operation, len(arguments))(values[node], *numbers))


def varying(evaluation: Evaluation, nodes: Iterable[int | None]) -> bytearray:
    """Mark these nodes, and every other that varies with one of them other than in steps."""
    graph = evaluation.program.graph
    marks = bytearray(len(graph))
    for node in nodes:
        if node is not None:
            marks[node] = 1
    for node in evaluation.order:
        arguments = graph.arguments[node]
        if arguments and not marks[node]:
            positions = rules.sloping_arguments(graph.operations[node], len(arguments))
            marks[node] = any(marks[arguments[position]] for position in positions)
    return marks


def derivative_error(
    evaluation: Evaluation, message: str, remedy: Remedy, is_finite: Callable[[int], bool]
) -> AutodiffError:
    """The error for a derivative that is not finite, given whether the derivative of each node is finite.

    It points at the first node whose derivative is not finite although those of its arguments are.
    """
    arguments = evaluation.program.graph.arguments
    for node in _live(evaluation):
        if not is_finite(node) and all(is_finite(argument) for argument in arguments[node]):
            message += f": it arises in `{evaluation.program.formula(node)}`{_with(evaluation, node)}"
            return _error(evaluation, node, message, remedy)
    return AutodiffError(message, remedy=remedy, code=NOT_FINITE)


def _forward(evaluation: Evaluation) -> AutodiffError:
    node = next(node for node in _live(evaluation, isfinite) if _arises(evaluation, node))
    value, operation = evaluation.values[node], evaluation.program.graph.operations[node]
    if operation is CONSTANT:
        message = f"the result is not finite: it comes from this {shortest(value)}"
    else:
        message = f"the result is not finite: {_statement(evaluation, node)}{_cause(evaluation, node)}"
    hint = "the real roots of odd order are cbrt(x) and nthroot(x, n)" if operation is POW and isnan(value) else ""
    return _error(evaluation, node, message, ALLOW, hint)


def _cause(evaluation: Evaluation, node: int) -> str:
    """The reason why finite numbers give this node an infinity or nan; "" for an input."""
    operation, value = evaluation.program.graph.operations[node], evaluation.values[node]
    numbers = evaluation.operands(node)
    if not numbers:
        return ""
    if operation.name in ("div", "mod") and numbers[1] == 0:
        return ", as nothing can be divided by 0"
    if operation is POW and isnan(value):
        return ", as a negative number has no real power with a fractional exponent"
    if isnan(value) or (operation.singular and floats.singular(operation, len(numbers))(value, *numbers)):
        return ", as it has no real value there"
    return ", as the largest double is 1.8e308"


def _backward(evaluation: Evaluation, name: str, partial: float) -> AutodiffError:
    node, cause = _first_overflow(evaluation, name)
    cause = cause.format(f"`{evaluation.program.formula(node)}`")
    message = f"the gradient of `{name}` is {shortest(partial)}: {cause}{_with(evaluation, node)}"
    if isnan(partial) and (reason := _without_limit(evaluation, name)):
        message += f", and no limit was found: {reason}"
    remedy = Remedy("allow or leave out a gradient", (), "") if len(evaluation.nodes) > 1 else ALLOW
    return _error(evaluation, node, message, remedy)


def _error(evaluation: Evaluation, node: int, message: str, remedy: Remedy, hint: str = "") -> AutodiffError:
    source, span = evaluation.program.source, evaluation.program.graph.span(node)
    return AutodiffError(message, span=span, source=source, remedy=remedy, hint=hint, code=NOT_FINITE)


def _statement(evaluation: Evaluation, node: int, verb: str = " is") -> str:
    value = shortest(evaluation.values[node])
    return f"`{evaluation.program.formula(node)}`{verb} {value}{_with(evaluation, node)}"


def _with(evaluation: Evaluation, node: int) -> str:
    return with_arguments(evaluation.program, node, lambda argument: shortest(evaluation.values[argument]))


def with_arguments(program: Program, node: int, value: Callable[[int], str]) -> str:
    """The values of the node's arguments that are not numbers in the text, as in ` with x = -1`."""
    graph = program.graph
    shown = dict.fromkeys(a for a in graph.arguments[node] if graph.operations[a] is not CONSTANT)
    numbers = [(program.text(argument), value(argument)) for argument in shown]
    values = [f"{text} = {number}" for text, number in numbers if text != number]
    return f" with {', '.join(values[:8])}{', …' * (len(values) > 8)}" if values else ""


def _live(evaluation: Evaluation, stop: Callable[[float], bool] = lambda value: False) -> list[int]:
    """The nodes that the output's value was computed from, without those in a branch of a `where` that was not taken.

    The arguments of a node whose value `stop` accepts are not followed.
    """
    graph, values = evaluation.program.graph, evaluation.values
    live = bytearray(len(graph))
    live[evaluation.program.output] = 1
    for node in reversed(evaluation.order):
        if live[node] and not stop(values[node]):
            arguments = graph.arguments[node]
            if graph.operations[node].name == "where" and values[arguments[0]] == values[arguments[0]]:
                arguments = arguments[0], arguments[1 if values[arguments[0]] else 2]
            for argument in arguments:
                live[argument] = 1
    return [node for node in evaluation.order if live[node]]


def _arises(evaluation: Evaluation, node: int) -> bool:
    """Whether the node is not finite although all of its arguments are."""
    values, arguments = evaluation.values, evaluation.program.graph.arguments[node]
    return not isfinite(values[node]) and all(isfinite(values[argument]) for argument in arguments)


def _without_limit(evaluation: Evaluation, name: str) -> str:
    """The reason why the slope of a finite output has no limit; "" if the output has no slope for another reason."""
    node = evaluation.nodes[name]
    if node is None or isnan(evaluation.values[node]):
        return ""
    return limit(evaluation, {node: 1.0}).reason


def _first_overflow(evaluation: Evaluation, name: str) -> tuple[int, str]:
    """The first node, backward to a name, where finite numbers give one that is not; and the cause in words."""
    graph, values, output = evaluation.program.graph, evaluation.values, evaluation.program.output
    dependent = graph.dependent(evaluation.order, [node for node in [evaluation.nodes[name]] if node is not None])
    adjoints = sweep_backward(graph, evaluation.order, values, output, dependent)
    for node in reversed(evaluation.order):
        adjoint, arguments = adjoints[node], graph.arguments[node]
        if not dependent[node] or adjoint is None:
            continue
        if isnan(adjoint):
            return node, "infinite contributions to {} meet with opposite signs"
        if not isfinite(adjoint):
            return node, "the contributions to {} add up to more than a double can hold"
        if arguments:
            wanted = [dependent[argument] for argument in arguments]
            contributions, partials = (
                [number or 0.0 for number in evaluation.contributions(node, g, wanted)] for g in (adjoint, 1.0)
            )
            if not all(map(isfinite, contributions)):
                overflows = all(map(isfinite, partials))
                return node, "it overflows in {}" if overflows else "the slope of {} is not finite"
    raise AssertionError("a gradient that is not finite has a cause")
