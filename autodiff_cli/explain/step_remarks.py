"""Remarks on single steps: a kink, a branch that was not taken, where an infinity or a nan comes from."""

from collections.abc import Iterator
from math import isfinite, isnan

from .. import rules
from ..arithmetic import floats
from ..operations import POW, WHERE
from ..printer import expression
from .chain_rule import BackwardStep
from .walkthrough import Walkthrough


def value_remark(walk: Walkthrough, node: int) -> str:
    """The remark on a value; "" where there is none."""
    values, arguments = walk.evaluation.values, walk.graph.arguments[node]
    if arguments and not isfinite(values[node]) and all(isfinite(values[argument]) for argument in arguments):
        what = "undefined for these numbers" if isnan(values[node]) else "infinite, or too large for a double"
        return f"here {walk.figure(values[node])} arises: {_code(walk.operation(node))} is {what}"
    return ""


def step_remarks(walk: Walkthrough, step: BackwardStep) -> Iterator[str]:
    """The remarks on a step of the backward sweep."""
    values, operation = walk.evaluation.values, walk.graph.operations[step.node]
    if isnan(values[step.node]) and step.adjoint:
        yield f"{_code(walk.name(step.node))} is nan, so whatever it passes on is nan"
        return
    if operation is WHERE:
        yield _branch(walk, step)
    if _is_singular(walk, step):
        yield _singular(walk, step)
    elif step.adjoint and not all(isfinite(link.local) for link in step.contributions):
        yield _nonfinite(walk, step)
    unchosen = [link.argument for link in step.contributions if not link.local and not link.product]
    if operation.chooses and unchosen and not isfinite(step.adjoint):
        names = ", ".join(_code(walk.name(node)) for node in dict.fromkeys(unchosen))
        chooser = _code(walk.operation(step.node))
        yield f"what {chooser} does not choose receives nothing, not even {walk.figure(step.adjoint)}: {names}"


def _nonfinite(walk: Walkthrough, step: BackwardStep) -> str:
    """The remark on a local derivative that is not finite, though the operation has a derivative here."""
    values, slope = walk.evaluation.values, f"the local derivative of {_code(walk.operation(step.node))} is"
    if any(isnan(link.local) for link in step.contributions):
        return f"{slope} undefined for these numbers"
    is_given = any(not isfinite(values[argument]) for argument in walk.graph.arguments[step.node])
    return f"{slope} {'infinite, as an argument is' if is_given else 'too large for a double'}"


def _is_singular(walk: Walkthrough, step: BackwardStep) -> bool:
    """Whether the operation has no derivative here. A power with the exponent 0 has: it is 1 everywhere."""
    values, arguments = walk.evaluation.values, walk.graph.arguments[step.node]
    operation, numbers = walk.graph.operations[step.node], [values[argument] for argument in arguments]
    constant = operation is POW and numbers[1] == 0 and all(link.place == 0 for link in step.contributions)
    return not constant and bool(floats.singular(operation, len(arguments))(values[step.node], *numbers))


def _code(formula: str) -> str:
    """A formula between backticks, with other quotes in place of its own backticks."""
    return "`" + formula.replace("`", "'") + "`"


def _branch(walk: Walkthrough, step: BackwardStep) -> str:
    """The remark on which branch was taken, and where the gradient goes."""
    arguments, values = walk.graph.arguments[step.node], walk.evaluation.values
    taken, other = (1, 2) if values[arguments[0]] else (2, 1)
    condition = (walk.operation if walk.graph.arguments[arguments[0]] else walk.name)(arguments[0])
    receiving = {link.place for link in step.contributions}
    remark = f"the condition {_code(condition)} is {walk.figure(values[arguments[0]])}, so "
    remark += f"{_code(walk.name(step.node))} is {_code(walk.name(arguments[taken]))}"
    remark += ", and the gradient goes there" * (taken in receiving and step.adjoint != 0)
    return remark + (f"; {_code(walk.name(arguments[other]))} receives none" if other in receiving else "")


def _singular(walk: Walkthrough, step: BackwardStep) -> str:
    slopes = [link.local for link in step.contributions]
    formula = walk.operation(step.node)
    if not all(map(isfinite, slopes)):
        remark = f"{_code(formula)} has no finite derivative where {_condition(walk, step.node)}, as it is here"
        if any(isnan(link.product) for link in step.contributions):
            return f"{remark}; 0 times infinity can be anything, so the gradient is sought as a limit"
        return remark + "; nothing is passed on to it, so it passes on nothing" * (not step.adjoint)
    *others, last = map(walk.figure, slopes)
    listed = " and ".join(filter(None, (", ".join(others), last)))
    taken = f"the slope is taken to be {listed}" if len(slopes) == 1 else f"the slopes are taken to be {listed}"
    return f"{_code(formula)} has no derivative where {_condition(walk, step.node)}, as it is here; {taken}"


def _condition(walk: Walkthrough, node: int) -> str:
    """The condition under which the operation has no derivative, in the names of its arguments."""
    operation, arguments = walk.graph.operations[node], walk.graph.arguments[node]
    if operation.variadic and operation.chooses:
        return "arguments tie"
    if operation.name == "clip":
        return f"{_code(walk.name(arguments[0]))} is at an end of the interval"
    rule = rules.singular(operation, len(arguments))
    (result,) = rule.results
    assert result is not None
    names = {
        parameter: (walk.name(operand), walk.names[operand][1])
        for parameter, operand in zip(rule.parameters, (node, *arguments), strict=True)
    }
    return _code(expression(rule.graph, result, names))
