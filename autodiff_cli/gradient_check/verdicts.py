"""The verdict on a partial derivative, given the limit of the difference quotients."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, isfinite, isnan, log10
from sys import float_info
from typing import Any, Literal

from ..arithmetic import floats
from ..arithmetic.duals import SMALLEST_NORMAL
from ..evaluation import Evaluation
from ..evaluation.slope_limits import TINY
from .finite_differences import DIGITS, nodes_around
from .limits import AGREES, Limit
from .point_of_doubles import PointOfDoubles

Kind = Literal["ok", "ok, ill-conditioned", "ok, subgradient", "not differentiable", "undecided", "mismatch"]

_EPSILON = 2.0**-52
_TOLERANCE = 1e4  # in estimated rounding errors: how far off an ill-conditioned gradient may be
_LARGEST = float_info.max
_OUT_OF_RANGE = "a number on the way is beyond the range of doubles; the rules are right"
_BEYOND = "a number on the way is too large even for the finite differences"


@dataclass(frozen=True)
class Verdict:
    """The result of checking one partial derivative."""

    name: str
    node: int | None
    """in the graph; None for a name that the program does not use"""
    gradient: float
    """the double gradient, which is checked"""
    difference: float | None
    """the finite difference; None where there is no slope"""
    verdict: Kind
    reason: str = ""
    """the reason, where the verdict is not simply ok"""
    left: float | None = None
    right: float | None = None
    """the slopes on either side, where they are not the same"""
    digits_lost: int | None = None
    """the number of a double's sixteen digits that are lost, where the formula loses some"""

    @property
    def relative_error(self) -> float | None:
        """The distance of the gradient from the finite difference, relative to the latter."""
        if self.difference is None or not isfinite(self.gradient) or not isfinite(self.difference):
            return None
        distance = abs(self.gradient - self.difference)
        return distance / abs(self.difference) if self.difference else (inf if distance else 0.0)


class Comparison:
    """Compares the adjoint of a node with the limit of the difference quotients at a point."""

    point: PointOfDoubles

    def __init__(self, evaluation: Evaluation, name: str, node: int, dependents: Sequence[int]) -> None:
        self.evaluation = evaluation
        self.name, self.node, self.dependents = name, node, dependents
        self.gradient = evaluation.adjoints[node] or 0.0

    def agrees(self, limit: Limit) -> bool:
        """Whether there is a slope other than zero, and the gradient equals it."""
        return bool(limit.slope) and not isnan(self.gradient) and abs(self.gradient - limit.slope) <= limit.margin

    def verdict(self, verdict: Kind, reason: str = "", difference: float | None = None, **more: Any) -> Verdict:
        """A verdict on this adjoint."""
        if not reason and verdict == "ok" and any(other in self.point.held_nodes for other in self.dependents):
            reason = "the branch was decided by rounding"
        return Verdict(self.name, self.node, self.gradient, difference, verdict, reason, **more)

    def conclude(self, limit: Limit) -> Verdict:
        """The verdict for a limit of the quotients."""
        if limit.kind == "undefined":
            value = self.point.values[self.evaluation.program.output]
            place = "at" if value != value else "around"
            return self.verdict("not differentiable", f"the formula is not defined {place} this point")
        if limit.kind == "jump":
            return self.verdict("not differentiable", "the value jumps here")
        if limit.kind in ("kink", "infinite"):
            return self._at_kink(float(limit.left), float(limit.right))
        return self._smooth(limit)

    # ---- A slope on both sides ------------------------------------------------------------------------------------

    def _smooth(self, limit: Limit) -> Verdict:
        difference = float(limit.slope)
        reason = "at the edge of the domain: the slope is that of the inner side" if limit.kind == "edge" else ""
        if limit.hidden and not limit.margin + TINY < abs(self.gradient - limit.slope) < inf:
            return self.verdict("undecided", f"the slope is zero, or too small to be seen with {DIGITS[-1]} digits")
        if not isnan(self.gradient) and abs(self.gradient - limit.slope) <= limit.margin + TINY:
            return self.verdict("ok", reason, difference)
        if _same_infinity(self.gradient, difference):
            return self.verdict("ok", "the derivative is beyond the range of double precision", difference)
        if self._rules_are_right(limit):
            if self._rounding_explains(limit.slope):
                return self._rounded(difference)
            if self._out_of_range():
                return self.verdict("ok, ill-conditioned", _OUT_OF_RANGE, difference)
        if self._exceeds_high_precision():
            return self.verdict("undecided", _BEYOND, difference)
        if isnan(self.gradient):
            return self.verdict("mismatch", "the gradient is nan, but a derivative exists", difference)
        return self.verdict("mismatch", "the gradient and the finite difference do not agree", difference)

    def _rounded(self, difference: float) -> Verdict:
        error = abs(self.gradient - difference)
        lost = 16 if not difference else round(min(16, max(1, 16 + log10(error / abs(difference)))))
        reason = f"double precision loses {'all' if lost == 16 else lost} of 16 digits here; the rules are right"
        return self.verdict("ok, ill-conditioned", reason, difference, digits_lost=lost)

    def _rules_are_right(self, limit: Limit) -> bool:
        """Whether the gradient by the rules, computed with many digits, agrees with the finite difference."""
        exact = self.point.adjoints[self.node]
        return bool(abs(exact - limit.slope) <= limit.margin + TINY)

    def _rounding_explains(self, slope: Any) -> bool:
        """Whether rounding in double precision explains the distance of the gradient from the slope."""
        if not isfinite(self.gradient) or not isfinite(float(slope)):
            return False
        point, node, error = self.point, self.node, abs(self.gradient - slope)
        if error <= _TOLERANCE * _EPSILON * point.sizes[node]:
            return True
        if error <= _TOLERANCE * max(abs(run[node] - slope) for run in point.disturbed):
            return True
        if error <= max(abs(run[node] - slope) for run in point.chosen_anew):  # another branch has another slope
            return True
        return not self._out_of_range() and bool(error <= _TOLERANCE * abs(point.rounded[node] - slope))

    def _out_of_range(self) -> bool:
        """Whether a double has overflowed or underflowed at a node around the one that is checked."""
        evaluation, point = self.evaluation, self.point
        pairs = [(evaluation.values[other], point.values[other]) for other in self._involved]
        pairs += [
            (adjoint, point.adjoints[other])
            for other in self._involved
            if (adjoint := evaluation.adjoints[other]) is not None
        ]
        return any(_differs_in_range(double, exact, point.context) for double, exact in pairs)

    def _exceeds_high_precision(self) -> bool:
        """Whether an intermediate number is so large that even the finite differences treat it as infinite."""
        arguments, values = self.evaluation.program.graph.arguments, self.point.values
        return any(
            arguments[other] and abs(values[other]) > _LARGEST and not undifferentiable(self.evaluation, other)
            for other in self._involved
        )

    @cached_property
    def _involved(self) -> set[int]:
        return nodes_around(self.evaluation.program.graph, self.node, self.dependents)

    # ---- Two slopes, or infinite ones -----------------------------------------------------------------------------

    def _at_kink(self, left: float, right: float) -> Verdict:
        sides = [slope for slope in (left, right) if not isnan(slope)]  # nan: outside the domain
        slopes = {"left": left if not isnan(left) else None, "right": right if not isnan(right) else None}
        if sorted(sides) == [-inf, inf]:
            return self.verdict("not differentiable", "the slope is infinite on both sides, with either sign", **slopes)
        low, high = min(sides), max(sides)
        margin = AGREES * max((abs(slope) for slope in sides if isfinite(slope)), default=0.0)
        if low - margin <= self.gradient <= high + margin:
            if isfinite(self.gradient):
                reason = "a kink: the gradient lies between the slopes on the left and on the right"
            else:
                reason = "the slope is infinite here, and so is the gradient"
            return self.verdict("ok, subgradient", reason, **slopes)
        exact = self.point.adjoints[self.node]
        if low - margin <= exact <= high + margin and (self._rounding_explains(exact) or self._out_of_range()):
            reason = "a kink, where double precision falls short; the rules are right"
            return self.verdict("ok, ill-conditioned", reason, **slopes)
        if self._exceeds_high_precision():
            return self.verdict("undecided", _BEYOND, **slopes)
        word = "is nan, not between" if isnan(self.gradient) else "lies outside"
        return self.verdict("mismatch", f"the gradient {word} the slopes on the left and on the right", **slopes)


def undifferentiable(evaluation: Evaluation, node: int) -> bool:
    """Whether the operation of a node has no derivative at its arguments, according to the table."""
    operation, operands = evaluation.program.graph.operations[node], evaluation.operands(node)
    return bool(floats.singular(operation, len(operands))(evaluation.values[node], *operands))


def _same_infinity(gradient: float, difference: float) -> bool:
    """Whether both numbers are the same infinity."""
    return gradient == difference and not isfinite(gradient)


def _differs_in_range(double: float, exact: Any, context: Any) -> bool:
    """Whether a double is infinite, nan, zero or subnormal where the exact number is not."""
    if not context.isfinite(exact):
        return False
    return not isfinite(double) or (abs(double) < SMALLEST_NORMAL and exact != 0)
