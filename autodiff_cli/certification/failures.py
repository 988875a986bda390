"""Reasons and places for missing enclosures: a choice that is not certain, a pole, or the edge of a domain."""

from collections.abc import Sequence

from ..arithmetic.balls import Ball, Balls, is_narrow
from ..errors import NOT_FINITE, AutodiffError, Remedy
from ..evaluation import Evaluation
from ..evaluation.nonfinite import with_arguments
from ..notation import shortest
from ..operations import CONSTANT
from .decimals import decimal, double, is_wide, is_writable

_DIGITS = 6


def failure(
    evaluation: Evaluation,
    values: Sequence[Ball],
    slopes: Sequence[Ball | None],
    active: Sequence[int],
    arithmetic: Balls,
    more_parts: int,
) -> AutodiffError:
    """The error for balls of which not all are finite: it points at the operation that has no enclosure first.

    `more_parts` is a number of parts of each range that may help, 0 if there is none.
    """
    program, graph = evaluation.program, evaluation.program.graph
    for node in _live(evaluation, values):
        if not is_writable(values[node]) and all(is_writable(values[a]) for a in graph.arguments[node]):
            return _of_value(evaluation, values, node, more_parts)
    for node in reversed(evaluation.order):
        slope, arguments = slopes[node], graph.arguments[node]
        if slope is not None and is_writable(slope) and arguments:
            wanted = tuple(active[argument] for argument in arguments)
            pullback = arithmetic.pullback(graph.operations[node], len(arguments), wanted)
            passed = pullback(slope, values[node], *[values[argument] for argument in arguments])
            if any(
                want and ball is not None and not is_writable(ball) for want, ball in zip(wanted, passed, strict=True)
            ):
                return _of_slope(evaluation, values, node, more_parts)
    return AutodiffError("the gradient cannot be enclosed: it is too large", code=NOT_FINITE, source=program.source)


def _live(evaluation: Evaluation, values: Sequence[Ball]) -> list[int]:
    """The nodes that the value comes from, without those in the branch of a `where` that is certainly not taken."""
    graph = evaluation.program.graph
    live = {evaluation.program.output}
    for node in reversed(evaluation.order):
        if node in live:
            arguments = graph.arguments[node]
            if graph.operations[node].name == "where":
                condition, first, second = arguments
                chosen = (first,) if values[condition] != 0 else (second,) if values[condition].is_zero() else ()
                arguments = condition, *chosen
            live.update(arguments)
    return [node for node in evaluation.order if node in live]


def _of_value(evaluation: Evaluation, values: Sequence[Ball], node: int, more_parts: int) -> AutodiffError:
    program, graph = evaluation.program, evaluation.program.graph
    operation, arguments = graph.operations[node], graph.arguments[node]
    if operation is CONSTANT or not arguments:
        problem = "is not a finite number"
    elif operation.chooses:
        problem = "is not certain"
    elif values[node].is_finite():
        problem = "is too large"
    elif all(values[argument].is_exact() for argument in arguments):
        problem = "has no finite value"
    else:
        problem = "may have no finite value"
    remedy = (
        Remedy("narrower ranges", (str(more_parts),) if more_parts else (), "") if _is_box(evaluation, values) else None
    )
    message = f"the result cannot be enclosed: `{program.formula(node)}` {problem}"
    return _error(evaluation, values, node, message, remedy)


def _of_slope(evaluation: Evaluation, values: Sequence[Ball], node: int, more_parts: int) -> AutodiffError:
    program, arguments = evaluation.program, evaluation.program.graph.arguments[node]
    is_certain = all(values[argument].is_exact() for argument in arguments)
    problem = "has no finite slope" if is_certain else "may have no slope"
    message = f"the gradient cannot be enclosed: `{program.formula(node)}` {problem}"
    remedy = Remedy("leave out the gradient", (), "")
    if more_parts and _is_box(evaluation, values):
        remedy = Remedy("narrower ranges, or no gradient", (str(more_parts),), "")
    return _error(evaluation, values, node, message, remedy)


def _is_box(evaluation: Evaluation, values: Sequence[Ball]) -> bool:
    """Whether some input has a range."""
    return not all(is_narrow(values[argument]) for argument in evaluation.inputs.values())


def _error(
    evaluation: Evaluation, values: Sequence[Ball], node: int, message: str, remedy: Remedy | None
) -> AutodiffError:
    """The error that points at a node and gives the values of its operands."""
    program = evaluation.program
    over_ranges = _is_box(evaluation, values)
    message += with_arguments(program, node, lambda argument: _text(values[argument], over_ranges))
    return AutodiffError(message, span=program.graph.span(node), source=program.source, remedy=remedy, code=NOT_FINITE)


def _text(ball: Ball, over_ranges: bool) -> str:
    if is_narrow(ball):
        return shortest(double(ball)[0])
    if not is_wide(ball, over_ranges):
        return str(decimal(ball, _DIGITS))
    low, high = (double(end)[0] for end in (ball.lower(), ball.upper()))
    return f"[{low:.{_DIGITS}g}, {high:.{_DIGITS}g}]"
