"""What a teacher adds at some steps: a kink, a branch that was not taken, where an infinity or a nan comes from."""

from collections.abc import Iterator
from math import isfinite, isnan

from ... import rules
from ...arithmetic import floats
from ...printer import expression
from .. import Step
from . import Lesson


def forward(lesson: Lesson, node: int) -> str:
    """A remark on a value; "" where there is nothing to say."""
    values, arguments = lesson.evaluation.values, lesson.graph.arguments[node]
    if arguments and not isfinite(values[node]) and all(isfinite(values[argument]) for argument in arguments):
        what = "undefined for these numbers" if isnan(values[node]) else "infinite, or too large for a double"
        return f"here {lesson.figure(values[node])} arises: {_code(lesson.operation(node))} is {what}"
    return ""


def backward(lesson: Lesson, step: Step) -> Iterator[str]:
    """The remarks on a step of the sweep backward."""
    values, row = lesson.evaluation.values, lesson.graph.operations[step.node]
    if isnan(values[step.node]) and step.adjoint:
        yield f"{_code(lesson.name(step.node))} is nan, so whatever it passes on is nan"
        return
    if row.name == "where":
        yield _chosen(lesson, step)
    if _is_singular(lesson, step):
        yield _singular(lesson, step)
    elif step.adjoint and not all(isfinite(contribution.local) for contribution in step.contributions):
        yield "the local derivative is too large for a double"


def _is_singular(lesson: Lesson, step: Step) -> bool:
    """Does the operation have no derivative here? A power with the exponent 0 is 1 everywhere."""
    values, arguments = lesson.evaluation.values, lesson.graph.arguments[step.node]
    row, numbers = lesson.graph.operations[step.node], [values[argument] for argument in arguments]
    constant = row.name == "pow" and numbers[1] == 0 and all(one.place == 0 for one in step.contributions)
    return not constant and bool(floats.singular(row, len(arguments))(values[step.node], *numbers))


def _code(formula: str) -> str:
    """A formula between backticks, which it has none of itself."""
    return "`" + formula.replace("`", "'") + "`"


def _chosen(lesson: Lesson, step: Step) -> str:
    """Which branch was taken, and where the gradient goes."""
    arguments, values = lesson.graph.arguments[step.node], lesson.evaluation.values
    taken, other = (1, 2) if values[arguments[0]] else (2, 1)
    stated = (lesson.operation if lesson.graph.arguments[arguments[0]] else lesson.name)(arguments[0])
    receiving = {one.place for one in step.contributions}
    remark = f"the condition {_code(stated)} is {lesson.figure(values[arguments[0]])}, so the result is "
    remark += _code(lesson.name(arguments[taken]))
    remark += ", and the gradient goes there" * (taken in receiving and step.adjoint != 0)
    return remark + (f"; {_code(lesson.name(arguments[other]))} receives none" if other in receiving else "")


def _singular(lesson: Lesson, step: Step) -> str:
    slopes = [contribution.local for contribution in step.contributions]
    formula = lesson.operation(step.node)
    if not all(map(isfinite, slopes)):
        harmless = "; a gradient of 0 passes on 0 all the same" if not step.adjoint else ""
        return (
            f"{_code(formula)} has no finite derivative where {_condition(lesson, step.node)}, as it is here{harmless}"
        )
    listed = " and ".join(map(lesson.figure, slopes))
    taken = f"the slope is taken to be {listed}" if len(slopes) == 1 else f"the slopes are taken to be {listed}"
    return f"{_code(formula)} has no derivative where {_condition(lesson, step.node)}, as it is here; {taken}"


def _condition(lesson: Lesson, node: int) -> str:
    """Where the operation has no derivative, in the names of its arguments."""
    row, arguments = lesson.graph.operations[node], lesson.graph.arguments[node]
    if row.variadic and row.chooses:
        return "arguments tie"
    rule = rules.singular(row, len(arguments))
    (result,) = rule.results
    assert result is not None
    names = {
        parameter: (lesson.name(one), lesson.names[one][1])
        for parameter, one in zip(rule.parameters, (node, *arguments), strict=True)
    }
    return _code(expression(rule.graph, result, names))
