"""The gradient check: whether each partial derivative is right and, where it is not exact, why not.

`check` compares the double gradient of a program at a point, input by input, with difference quotients of the value,
computed with as many digits as needed (`finite_differences`). `limits` finds their limit, `verdicts` what it means.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from math import isfinite

from ..evaluation import Evaluation, evaluate
from ..operations import SLOW
from ..parallel import Progress
from ..program import Program
from ..work_budget import NODE, TooMuchWorkError, WorkBudget, charge
from . import SECONDS
from .finite_differences import DIGITS, Quotients
from .limits import Limit, limit_of
from .point_of_doubles import PointOfDoubles
from .verdicts import Comparison, Verdict, undifferentiable

__all__ = ["Checker", "Verdict", "check"]

_POINT = 3e-4
"""the work of a check, apart from that of its verdicts"""
_NODE = 6e-5
"""the fixed part of the work of a verdict"""
Node = tuple[str, int | None]
"""a name or the text of a node, and the node, if the program has it"""


def check(
    program: Program,
    point: Mapping[str, float],
    wrt: Sequence[str] | None = None,
    *,
    nodes: bool = False,
    seconds: float = SECONDS,
) -> list[Verdict]:
    """Check every partial derivative of a program at a point, or with `nodes` the adjoint of every node.

    `seconds` is the work for a program of up to 100 operations; a larger one has more in proportion. A verdict that
    would take more is `undecided`.
    """
    evaluation = evaluate(program, point, wrt)
    return Checker(evaluation, seconds).all(nodes=nodes)


class Checker:
    """Checks the adjoints of one evaluation, one node at a time."""

    def __init__(self, evaluation: Evaluation, seconds: float = SECONDS) -> None:
        self.evaluation, self._needed = evaluation, frozenset(evaluation.order)
        self._seconds = seconds * max(1, len(evaluation.order) / 100)
        self._points: dict[int, PointOfDoubles] = {}
        self._singular: dict[int, bool] = {}
        self._is_spent = False  # whether the allowed work is used up

    def nodes(self, *, everywhere: bool = False) -> list[Node]:
        """The names and nodes that are checked: those of the gradient, or all that have an adjoint."""
        evaluation = self.evaluation
        if everywhere:
            nodes = [node for node in evaluation.order if evaluation.adjoints[node] is not None]
            return [(evaluation.program.text(node), node) for node in nodes]
        return [(name, evaluation.nodes[name]) for name in evaluation.wrt]

    def all(self, *, nodes: bool = False, progress: Progress = iter) -> list[Verdict]:
        """The verdicts on all of `nodes`, one by one; `progress` iterates over them, and may show the progress."""
        checked = self.nodes(everywhere=nodes)
        charge(_POINT + _NODE * len(checked))
        left, verdicts = self._seconds, []
        for place, (name, node) in enumerate(progress(checked), 1):
            # Half of what is left, as its digits help the next ones, and all for the last.
            work = WorkBudget(left if place == len(checked) else max(left / 2, self._seconds / 50))
            verdicts.append(self.check(name, node, work))
            left = max(0.0, left - (work.granted - work.left))
        return verdicts

    def check(self, name: str, node: int | None, work: WorkBudget) -> Verdict:
        """The verdict on one adjoint, within this much work."""
        if node is None or node not in self._needed:
            return Verdict(name, None, 0.0, 0.0, "ok")
        comparison = Comparison(self.evaluation, name, node, () if self._is_spent else self.dependents(node))
        try:
            charge(NODE * len(comparison.dependents))
            with work:
                return self._settle(comparison)
        except TooMuchWorkError as error:
            if work.left < 0:
                return comparison.verdict("undecided", f"no answer within {work.granted:.2g} seconds")
            self._is_spent = True
            return comparison.verdict("undecided", error.message)

    def _settle(self, comparison: Comparison) -> Verdict:
        """Compute quotients with more and more digits until they settle the verdict.

        Agreement is accepted at once; any other verdict only after the smallest step.
        """
        history: list[Quotients] = []
        remaining = list(DIGITS)
        while True:
            limit = limit_of(history, lambda: any(map(self._is_singular, comparison.dependents)))
            if limit is not None and (comparison.agrees(limit) or _final(limit, history)):
                return comparison.conclude(limit)
            if not remaining:
                return comparison.verdict("undecided", f"the quotients do not settle with {DIGITS[-1]} digits")
            hurry = limit is not None and not self._is_slow
            point = self._at(remaining.pop(-1 if hurry else 0))
            if point.context.isinf(point.values[self.evaluation.program.output]):
                return comparison.verdict("not differentiable", "the value is not finite here")
            if point.context.isinf(point.values[comparison.node]):
                return comparison.verdict("not differentiable", "there is no slope at an infinite number")
            history.append(point.quotients(comparison.node, comparison.dependents))
            history.sort(key=lambda quotients: quotients.digits)
            comparison.point = self._points[history[-1].digits]  # rules with fewer digits than the limit look wrong

    @cached_property
    def _is_slow(self) -> bool:
        """Whether an operation takes long with many digits."""
        operations = self.evaluation.program.graph.operations
        return any(operations[node].name in SLOW for node in self.evaluation.order)

    def dependents(self, node: int) -> list[int]:
        """The nodes that depend on a node, in topological order."""
        dependents, pending = {node}, [node]  # for many inputs quicker than the passes of `graph.dependent`
        while pending:
            new = [parent for parent in self._parents.get(pending.pop(), ()) if parent not in dependents]
            dependents.update(new)
            pending += new
        return sorted(dependents - {node})

    @cached_property
    def _parents(self) -> dict[int, list[int]]:
        """A mapping from each node to the nodes that it is an argument of."""
        parents: dict[int, list[int]] = {}
        for node in self.evaluation.order:
            for argument in self.evaluation.program.graph.arguments[node]:
                parents.setdefault(argument, []).append(node)
        return parents

    def _at(self, digits: int) -> PointOfDoubles:
        """The point with this many digits, computed only once."""
        if digits not in self._points:
            self._points[digits] = PointOfDoubles(self.evaluation, digits)
        return self._points[digits]

    def _is_singular(self, node: int) -> bool:
        """Whether a node has no derivative, or an infinite one, according to the double evaluation."""
        if node not in self._singular:
            self._singular[node] = undifferentiable(self.evaluation, node) or self._has_infinite_partial(node)
        return self._singular[node]

    def _has_infinite_partial(self, node: int) -> bool:
        evaluation = self.evaluation
        wanted = [evaluation.adjoints[operand] is not None for operand in evaluation.program.graph.arguments[node]]
        return not all(isfinite(partial or 0.0) for partial in evaluation.contributions(node, 1.0, wanted))


def _final(limit: Limit, history: Sequence[Quotients]) -> bool:
    """Whether more digits cannot change a limit; a slope needs the smallest step, other limits the two smallest."""
    digits = tuple(quotients.digits for quotients in history[-2:])
    return digits == DIGITS[-2:] or (bool(limit.slope) and digits[-1] == DIGITS[-1])
