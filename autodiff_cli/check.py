"""Gradients against finite differences: is each partial derivative right, and if it is not exact, why not?

`check` judges the double gradient of a program at a point, input by input. The referee is `differences`: quotients of
the value with as many digits as it takes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, isfinite, isnan, log10
from sys import float_info
from time import monotonic
from typing import Any, Literal

from .arithmetic import floats
from .differences import DIGITS, OutOfTimeError, Quotients, Surroundings, neighbours
from .evaluation import Evaluation, evaluate
from .limits import AGREES, Limit, limit
from .program import Program

Kind = Literal["ok", "ok, ill-conditioned", "ok, subgradient", "not differentiable", "undecided", "mismatch"]

EPSILON = 2.0**-52
_TINY = 1e-320
_PATIENCE = 1e4  # roundings of the size of all contributions that an ill-conditioned gradient may be off
_SMALLEST_NORMAL = 2.0**-1022
_LARGEST = float_info.max
_BEYOND = "a number on the way is too large even for the finite differences"


@dataclass(frozen=True)
class Verdict:
    """What became of one partial derivative."""

    name: str
    node: int | None
    """in the graph; None for a name that the program does not use"""
    gradient: float
    """the double gradient, which is judged"""
    difference: float | None
    """the finite difference; None where there is no slope"""
    verdict: Kind
    reason: str = ""
    """why, in words, where the verdict is not simply ok"""
    left: float | None = None
    right: float | None = None
    """the slopes on either side, where they are not the same"""
    digits_lost: int | None = None
    """of the sixteen that a double has, where the formula loses some"""

    @property
    def relative_error(self) -> float | None:
        """The distance of the gradient from the finite difference, relative to that."""
        if self.difference is None or not isfinite(self.gradient) or not isfinite(self.difference):
            return None
        distance = abs(self.gradient - self.difference)
        return distance / abs(self.difference) if self.difference else (inf if distance else 0.0)


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
        return Case(self, name, node, self.evaluation.adjoints[node] or 0.0, self._dependents(node)).verdict()

    def _dependents(self, node: int) -> list[int]:
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

    def surroundings(self, digits: int, deadline: float) -> Surroundings:
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

    def singular(self, node: int) -> bool:
        """Has a node no derivative, as far as the double evaluation tells?"""
        if node not in self._singular:
            self._singular[node] = self._look(node)
        return self._singular[node]

    def undifferentiable(self, node: int) -> bool:
        """Has the operation no derivative there, according to its row?"""
        graph, values = self.evaluation.program.graph, self.evaluation.values
        row, operands = graph.operations[node], graph.arguments[node]
        return floats.singular(row, len(operands))(values[node], *[values[operand] for operand in operands])

    def _look(self, node: int) -> bool:
        graph, values = self.evaluation.program.graph, self.evaluation.values
        row, operands = graph.operations[node], graph.arguments[node]
        wanted = tuple(self.evaluation.adjoints[operand] is not None for operand in operands)
        partials = floats.pullback(row, len(operands), wanted)(1.0, values[node], *[values[o] for o in operands])
        return self.undifferentiable(node) or not all(map(isfinite, partials))


class Case:
    """One adjoint, and what is needed to judge it."""

    around: Surroundings

    def __init__(self, checker: Checker, name: str, node: int, gradient: float, dependents: list[int]) -> None:
        self.checker = checker
        self.evaluation = checker.evaluation
        self.name, self.node, self.gradient, self.dependents = name, node, gradient, dependents

    def verdict(self) -> Verdict:
        """Take quotients with more and more digits until they say something."""
        self._deadline = monotonic() + self.checker.seconds
        try:
            return self._settle()
        except OutOfTimeError:
            return self._verdict("undecided", f"no answer within {self.checker.seconds:g} seconds")

    def _settle(self) -> Verdict:
        """A gradient that agrees is right at once; before any other verdict come the smallest steps that there are."""
        history: list[Quotients] = []
        remaining = list(DIGITS)
        while True:
            found = limit(history, self.singular)
            if found is not None and (self._agrees(found) or self._final(found, history)):
                return self._judge(found)
            if not remaining:
                return self._verdict("undecided", f"the quotients do not settle with {DIGITS[-1]} digits")
            digits = remaining.pop(0 if found is None else -1)
            self.around = self.checker.surroundings(digits, self._deadline)
            history.append(self.around.quotients(self.node, self.dependents))
            history.sort(key=lambda quotients: quotients.digits)

    @staticmethod
    def _final(found: Limit, history: Sequence[Quotients]) -> bool:
        """Is this the last word? A slope may be settled by any two steps, other limits by the two smallest."""
        digits = tuple(quotients.digits for quotients in history[-2:])
        return digits == DIGITS[-2:] or (bool(found.slope) and digits[-1] == DIGITS[-1])

    def _agrees(self, found: Limit) -> bool:
        """Is there a slope, not zero, that the gradient equals?"""
        return bool(found.slope) and not isnan(self.gradient) and abs(self.gradient - found.slope) <= found.margin

    def _verdict(self, verdict: Kind, reason: str = "", difference: float | None = None, **more: Any) -> Verdict:
        if not reason and verdict.startswith("ok") and any(other in self.around.decided for other in self.dependents):
            reason = "the branch was decided by rounding"
        return Verdict(self.name, self.node, self.gradient, difference, verdict, reason, **more)

    def _judge(self, found: Limit) -> Verdict:
        if self.around.context.isinf(self.around.values[self.evaluation.program.output]):
            return self._verdict("not differentiable", "the value is not finite here")
        if found.kind == "undefined":
            return self._verdict("not differentiable", "the formula is not defined around this point")
        if found.kind == "jump":
            return self._verdict("not differentiable", "the value jumps here")
        if found.kind in ("kink", "infinite"):
            return self._at_kink(float(found.left), float(found.right))
        return self._smooth(found)

    # ---- A slope on both sides ------------------------------------------------------------------------------------

    def _smooth(self, found: Limit) -> Verdict:
        difference = float(found.slope)
        reason = "at the edge of the domain: the slope is that of the inner side" if found.kind == "edge" else ""
        if not isnan(self.gradient) and abs(self.gradient - found.slope) <= found.margin + _TINY:
            if not found.slope and found.margin > _TINY and self.gradient:
                return self._verdict("undecided", f"the slope is zero, or too small to be seen with {DIGITS[-1]} digits")
            return self._verdict("ok", reason, difference)
        if isinf_alike(self.gradient, difference):
            return self._verdict("ok", "the derivative is beyond the range of double precision", difference)
        if self._rules_are_right(found) and self._precision_falls_short(found.slope):
            return self._ill_conditioned(difference)
        if self._beyond_the_referee():
            return self._verdict("undecided", _BEYOND, difference)
        if isnan(self.gradient):
            return self._verdict("mismatch", "the gradient is nan, but a derivative exists", difference)
        return self._verdict("mismatch", "the gradient and the finite difference do not agree", difference)

    def _ill_conditioned(self, difference: float) -> Verdict:
        if not isfinite(self.gradient) or not isfinite(difference):
            return self._verdict("ok, ill-conditioned", "a number on the way is beyond the range of doubles", difference)
        error = abs(self.gradient - difference)
        lost = 16 if not difference else min(16, max(1, round(16 + log10(error / abs(difference)))))
        reason = f"double precision loses {'all' if lost == 16 else lost} of 16 digits here; the rules are right"
        return self._verdict("ok, ill-conditioned", reason, difference, digits_lost=lost)

    def _rules_are_right(self, found: Limit) -> bool:
        """Does the gradient itself, computed with many digits, agree with the finite difference?"""
        exact = self.around.adjoints[self.node]
        return bool(abs(exact - found.slope) <= found.margin + _TINY)

    def _precision_falls_short(self, slope: Any) -> bool:
        """Do roundings in double precision explain the distance?"""
        if self._out_of_range():
            return True
        if not isfinite(self.gradient):
            return False
        error = abs(self.gradient - slope)
        if error <= _PATIENCE * EPSILON * self.around.sizes[self.node]:
            return True
        return bool(error <= _PATIENCE * max(abs(run[self.node] - slope) for run in self.around.disturbed))

    def _out_of_range(self) -> bool:
        """Has a float over- or underflowed on the way?"""
        evaluation, around = self.evaluation, self.around
        pairs = [(evaluation.values[other], around.values[other]) for other in self._involved]
        pairs += [
            (adjoint, around.adjoints[other])
            for other in self._involved
            if (adjoint := evaluation.adjoints[other]) is not None
        ]
        return any(_differs_in_range(double, exact, around.context) for double, exact in pairs)

    def _beyond_the_referee(self) -> bool:
        """Is a number on the way so large that the finite differences, too, count it as infinite?"""
        arguments, values = self.evaluation.program.graph.arguments, self.around.values
        return any(
            arguments[other] and abs(values[other]) > _LARGEST and not self.checker.undifferentiable(other)
            for other in self._involved
        )

    @cached_property
    def _involved(self) -> set[int]:
        return neighbours(self.evaluation.program.graph, self.node, self.dependents)

    # ---- Two slopes, or infinite ones -----------------------------------------------------------------------------

    def _at_kink(self, left: float, right: float) -> Verdict:
        sides = [slope for slope in (left, right) if not isnan(slope)]  # nan: outside of the domain
        slopes = {"left": left if not isnan(left) else None, "right": right if not isnan(right) else None}
        if sorted(sides) == [-inf, inf]:
            return self._verdict("not differentiable", "the slope is infinite on both sides, with either sign", **slopes)
        low, high = min(sides), max(sides)
        margin = AGREES * max((abs(slope) for slope in sides if isfinite(slope)), default=0.0)
        if low - margin <= self.gradient <= high + margin:
            if isfinite(self.gradient):
                reason = "a kink: the gradient lies between the slopes on the left and on the right"
            else:
                reason = "the slope is infinite here, and so is the gradient"
            return self._verdict("ok, subgradient", reason, **slopes)
        exact = self.around.adjoints[self.node]
        if low - margin <= exact <= high + margin and self._precision_falls_short(exact):
            reason = "a kink, where double precision falls short; the rules are right"
            return self._verdict("ok, ill-conditioned", reason, **slopes)
        if self._beyond_the_referee():
            return self._verdict("undecided", _BEYOND, **slopes)
        word = "is nan, not between" if isnan(self.gradient) else "lies outside of"
        return self._verdict("mismatch", f"the gradient {word} the slopes on the left and on the right", **slopes)

    @cached_property
    def singular(self) -> bool:
        """Did the double evaluation meet a node, on the way, that has no derivative?"""
        return any(map(self.checker.singular, self.dependents))


def isinf_alike(gradient: float, difference: float) -> bool:
    """Are both numbers the same infinity?"""
    return gradient == difference and not isfinite(gradient)


def _differs_in_range(double: float, exact: Any, context: Any) -> bool:
    """Is a double infinite, nan, zero or subnormal where the exact number is not?"""
    if not context.isfinite(exact):
        return False
    return not isfinite(double) or (abs(double) < _SMALLEST_NORMAL and exact != 0)
