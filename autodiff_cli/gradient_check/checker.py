"""Gradients against finite differences: is each partial derivative right, and if it is not exact, why not?

`check` judges the double gradient of a program at a point, input by input. The referee is `differences`: quotients of
the value with as many digits as it takes. `limits` says what they tend to, and `judgement` what that means.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from math import inf, isfinite
from time import monotonic

from ..arithmetic import floats
from ..evaluation import Evaluation, evaluate
from ..program import Program
from .finite_differences import DIGITS, Quotients, Surroundings
from .limits import Limit, limit
from .rounding import OutOfTimeError
from .verdicts import Judge, Verdict, undifferentiable

__all__ = ["Checker", "Verdict", "check"]


def check(
    program: Program,
    point: Mapping[str, float],
    wrt: Sequence[str] | None = None,
    *,
    nodes: bool = False,
    seconds: float = 10.0,
) -> list[Verdict]:
    """Check every partial derivative of a program at a point, or with `nodes` the adjoint of every node.

    `seconds` bounds the time that one of them may take; then its verdict is `undecided`.
    """
    evaluation = evaluate(program, point, wrt)
    return Checker(evaluation, seconds).all(nodes=nodes)


class Checker:
    """Judges the adjoints of one evaluation, one node at a time."""

    def __init__(self, evaluation: Evaluation, seconds: float = 10.0) -> None:
        self.evaluation = evaluation
        self.seconds = seconds
        self._surroundings: dict[int, Surroundings] = {}
        self._too_slow = inf  # so many digits take more time than there is
        self._singular: dict[int, bool] = {}

    def nodes(self, *, everywhere: bool = False) -> list[tuple[str, int | None]]:
        """The names and nodes that are judged: those of the gradient, or all that have an adjoint."""
        evaluation = self.evaluation
        if everywhere:
            program = evaluation.program
            known = [node for node in evaluation.order if evaluation.adjoints[node] is not None]
            return [(program.text(node), node) for node in known]
        return [(name, evaluation.inputs.get(name, evaluation.program.names.get(name))) for name in evaluation.wrt]

    def all(self, *, nodes: bool = False) -> list[Verdict]:
        """The verdict on each."""
        return [self.judge(name, node) for name, node in self.nodes(everywhere=nodes)]

    def judge(self, name: str, node: int | None) -> Verdict:
        """The verdict on one adjoint."""
        if node is None:
            return Verdict(name, None, 0.0, 0.0, "ok")
        judge = Judge(self.evaluation, name, node, self.dependents(node))
        deadline = monotonic() + self.seconds
        try:
            return self._settle(judge, deadline)
        except OutOfTimeError:
            return judge.verdict("undecided", f"no answer within {self.seconds:g} seconds")

    def _settle(self, judge: Judge, deadline: float) -> Verdict:
        """Take quotients with more and more digits until they say something.

        A gradient that agrees is right at once; before any other verdict come the smallest steps that there are.
        """
        history: list[Quotients] = []
        remaining = list(DIGITS)
        while True:
            found = limit(history, lambda: any(map(self._is_singular, judge.dependents)))
            if found is not None and (judge.agrees(found) or _final(found, history)):
                return judge.judge(found)
            if not remaining:
                return judge.verdict("undecided", f"the quotients do not settle with {DIGITS[-1]} digits")
            judge.around = self._at(remaining.pop(0 if found is None else -1), deadline)
            if judge.around.context.isinf(judge.around.values[self.evaluation.program.output]):
                return judge.verdict("not differentiable", "the value is not finite here")
            if judge.around.context.isinf(judge.around.values[judge.node]):
                return judge.verdict("not differentiable", "there is no slope at an infinite number")
            history.append(judge.around.quotients(judge.node, judge.dependents))
            history.sort(key=lambda quotients: quotients.digits)

    def dependents(self, node: int) -> list[int]:
        """The nodes that depend on one, in order."""
        found, waiting = {node}, [node]
        while waiting:
            new = [parent for parent in self._parents.get(waiting.pop(), ()) if parent not in found]
            found.update(new)
            waiting += new
        return sorted(found - {node})

    @cached_property
    def _parents(self) -> dict[int, list[int]]:
        """The nodes that each node is an argument of."""
        parents: dict[int, list[int]] = {}
        for node in self.evaluation.order:
            for argument in self.evaluation.program.graph.arguments[node]:
                parents.setdefault(argument, []).append(node)
        return parents

    def _at(self, digits: int, deadline: float) -> Surroundings:
        """The values around the point with so many digits."""
        if digits >= self._too_slow:
            raise OutOfTimeError
        if digits not in self._surroundings:
            try:
                self._surroundings[digits] = Surroundings(self.evaluation, digits, deadline)
            except OutOfTimeError:
                self._too_slow = digits
                raise
        self._surroundings[digits].deadline = deadline
        return self._surroundings[digits]

    def _is_singular(self, node: int) -> bool:
        """Has a node no derivative, as far as the double evaluation tells?"""
        if node not in self._singular:
            self._singular[node] = undifferentiable(self.evaluation, node) or self._is_infinite(node)
        return self._singular[node]

    def _is_infinite(self, node: int) -> bool:
        graph, values = self.evaluation.program.graph, self.evaluation.values
        operation, operands = graph.operations[node], graph.arguments[node]
        wanted = tuple(self.evaluation.adjoints[operand] is not None for operand in operands)
        partials = floats.pullback(operation, len(operands), wanted)(1.0, values[node], *[values[o] for o in operands])
        return not all(map(isfinite, partials))


def _final(found: Limit, history: Sequence[Quotients]) -> bool:
    """Is this the last word? A slope may be settled by any two steps, other limits by the two smallest."""
    digits = tuple(quotients.digits for quotients in history[-2:])
    return digits == DIGITS[-2:] or (bool(found.slope) and digits[-1] == DIGITS[-1])
