"""Remarks on single steps: a kink, a branch that was not taken, where an infinity or a nan comes from."""

from collections.abc import Iterator
from math import isfinite, isnan

from .. import rules
from ..arithmetic.symbolic import Symbols
from ..evaluation.nonfinite import is_singular
from ..graph import Graph
from ..operations import AND, CONSTANT, OR, POW, WHERE, Operation
from ..printer import expression
from .chain_rule import BackwardStep
from .local_derivatives import leaf
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
    if is_singular(walk.evaluation, step.node, walk.explanation.varying):
        yield _singular(walk, step)
    elif step.adjoint and not all(isfinite(link.local) for link in step.contributions):
        yield _nonfinite(walk, step)
    elif _is_power_of_zero(walk, step):
        yield "a power of 0 is 0 for every exponent above 0, so its slope in the exponent is 0"
    unchosen = [link.argument for link in step.contributions if not link.local and not link.product]
    if operation.chooses and unchosen and not isfinite(step.adjoint):
        names = ", ".join(_code(walk.name(node)) for node in dict.fromkeys(unchosen))
        chooser = _code(walk.operation(step.node))
        yield f"what {chooser} does not choose receives nothing, not even {walk.figure(step.adjoint)}: {names}"


def _is_power_of_zero(walk: Walkthrough, step: BackwardStep) -> bool:
    """Whether the slope in an exponent is asked for where the rule, `y*log(a)`, is 0 times infinity."""
    base = walk.graph.arguments[step.node][0]
    is_zero = walk.graph.operations[step.node] is POW and walk.evaluation.values[base] == 0
    return is_zero and any(link.place == 1 for link in step.contributions)


def _nonfinite(walk: Walkthrough, step: BackwardStep) -> str:
    """The remark on a local derivative that is not finite, though the operation has a derivative here."""
    values, slope = walk.evaluation.values, f"the local derivative of {_code(walk.operation(step.node))} is"
    if any(isnan(link.local) for link in step.contributions):
        return f"{slope} undefined for these numbers"
    is_given = any(not isfinite(values[argument]) for argument in walk.graph.arguments[step.node])
    return f"{slope} {'infinite, as an argument is' if is_given else 'too large for a double'}"


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
        remark = f"{_code(formula)} has no finite derivative {_where(walk, step.node)}"
        if any(isnan(link.product) for link in step.contributions):
            return f"{remark}; 0 times infinity can be anything, so the gradient is sought as a limit"
        return remark + "; nothing is passed on to it, so it passes on nothing" * (not step.adjoint)
    *others, last = map(walk.figure, slopes)
    listed = " and ".join(filter(None, (", ".join(others), last)))
    taken = f"the slope is taken to be {listed}" if len(slopes) == 1 else f"the slopes are taken to be {listed}"
    return f"{_code(formula)} has no derivative {_where(walk, step.node)}; {taken}"


def _where(walk: Walkthrough, node: int) -> str:
    """The words for where the operation has no derivative, in the names of its arguments."""
    operation, arguments = walk.graph.operations[node], walk.graph.arguments[node]
    if operation.variadic and operation.chooses:
        return "where arguments tie, as it is here"
    if operation.name == "clip":
        return f"where {_code(walk.name(arguments[0]))} is at an end of the interval, as it is here"
    graph, operands = Graph(), (node, *arguments)
    leaves = [leaf(walk.graph, operand, graph) for operand in operands]
    (condition,) = rules.function(rules.singular(operation, len(arguments)), _Conditions(graph))(*leaves)
    if graph.operations[condition] is CONSTANT:
        return "anywhere"
    names = {
        place: (walk.name(operand), walk.names[operand][1])
        for place, operand in zip(leaves, operands, strict=True)
        if graph.operations[place] is not CONSTANT
    }
    return f"where {_code(expression(graph, condition, names))}, as it is here"


class _Conditions(Symbols):
    """Symbols for a condition, without the parts of it that are known to hold, or not to."""

    def apply(self, operation: Operation, *arguments: int) -> int:
        """The node of an operation on nodes; for `and` and `or` with a number, the argument that decides."""
        if operation is AND or operation is OR:
            for argument, other in (arguments, arguments[::-1]):
                number = self._number(argument)
                if number is not None:
                    return other if bool(number) == (operation is AND) else argument
        return super().apply(operation, *arguments)
