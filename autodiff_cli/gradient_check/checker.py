"""The gradient check: whether each partial derivative is right and, where it is not exact, why not.

`check` compares the double gradient of a program at a point, input by input, with difference quotients of the value,
computed with as many digits as needed (`finite_differences`). `limits` finds their limit, `verdicts` what it means.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from math import inf, isfinite
from time import monotonic

from ..arithmetic import floats
from ..evaluation import Evaluation, evaluate
from ..operations import SLOW
from ..parallel import Progress
from ..program import Program
from ..work import NODE, TooMuchWorkError, charge
from .deadline import SECONDS, Clock, Deadline, OutOfTimeError
from .double_branches import PointOfDoubles
from .finite_differences import DIGITS, Quotients
from .limits import Limit, limit_of
from .verdicts import Comparison, Verdict, undifferentiable

__all__ = ["Checker", "Verdict", "check"]

_POINT = 3e-4
"""the work of a check, besides that of its verdicts"""
_NODE = 6e-5
"""the work of a verdict, whatever it is"""
Node = tuple[str, int | None]
"""a name or the text of a node, and the node, if the program has it"""


def check(
    program: Program,
    point: Mapping[str, float],
    wrt: Sequence[str] | None = None,
    *,
    nodes: bool = False,
    seconds: float = SECONDS,
    clock: Clock = monotonic,
) -> list[Verdict]:
    """Check every partial derivative of a program at a point, or with `nodes` the adjoint of every node.

    `seconds` is the time for a program of up to 100 operations, on the clock; one with more has more in proportion. A
    verdict that would take longer is `undecided`.
    """
    evaluation = evaluate(program, point, wrt)
    return Checker(evaluation, seconds, clock).all(nodes=nodes)


class Checker:
    """Checks the adjoints of one evaluation, one node at a time."""

    def __init__(self, evaluation: Evaluation, seconds: float = SECONDS, clock: Clock = monotonic) -> None:
        self.evaluation, self._needed = evaluation, frozenset(evaluation.order)
        self._seconds, self._clock = seconds * max(1, len(evaluation.order) / 100), clock
        self._points: dict[int, PointOfDoubles] = {}
        self._too_many_digits = inf  # for which the time did not suffice
        self._singular: dict[int, bool] = {}
        self._is_spent = False  # the work that may be done

    def nodes(self, *, everywhere: bool = False) -> list[Node]:
        """The names and nodes that are checked: those of the gradient, or all that have an adjoint."""
        evaluation = self.evaluation
        if everywhere:
            nodes = [node for node in evaluation.order if evaluation.adjoints[node] is not None]
            return [(evaluation.program.text(node), node) for node in nodes]
        return [(name, evaluation.nodes[name]) for name in evaluation.wrt]

    def all(self, *, nodes: bool = False, progress: Progress = iter) -> list[Verdict]:
        """The verdicts on all of `nodes`, one by one; `progress` iterates over them, and may show how far it is."""
        checked = self.nodes(everywhere=nodes)
        charge(_POINT + _NODE * len(checked))
        return [self.check(name, node, left) for left, (name, node) in self._shared(checked, progress)]

    def _shared(self, nodes: Sequence[Node], progress: Progress) -> Iterator[tuple[float, Node]]:
        """Each node with its time: half of what is left, as its digits help the next ones, and all for the last."""
        end = self._clock() + self._seconds
        for place, node in enumerate(progress(nodes), 1):
            left = max(0.0, end - self._clock())
            yield (left if place == len(nodes) else max(left / 2, self._seconds / 50)), node

    def check(self, name: str, node: int | None, seconds: float) -> Verdict:
        """The verdict on one adjoint, in so many seconds."""
        if node is None or node not in self._needed:
            return Verdict(name, None, 0.0, 0.0, "ok")
        comparison = Comparison(self.evaluation, name, node, () if self._is_spent else self.dependents(node))
        deadline = Deadline.after(seconds, self._clock)
        try:
            charge(NODE * len(comparison.dependents))
            return self._settle(comparison, deadline)
        except OutOfTimeError:
            return comparison.verdict("undecided", f"no answer within {seconds:.2g} seconds")
        except TooMuchWorkError as error:
            self._is_spent = True
            return comparison.verdict("undecided", error.message)

    def _settle(self, comparison: Comparison, deadline: Deadline) -> Verdict:
        """Compute quotients with more and more digits until they settle the verdict.

        Agreement is accepted at once; any other verdict only after the smallest step.
        """
        history: list[Quotients] = []
        remaining, cost, digits = list(DIGITS), 0.0, 1
        while True:
            limit = limit_of(history, lambda: any(map(self._is_singular, comparison.dependents)))
            if limit is not None and (comparison.agrees(limit) or _final(limit, history)):
                return comparison.conclude(limit)
            if not remaining:
                return comparison.verdict("undecided", f"the quotients do not settle with {DIGITS[-1]} digits")
            hurry = limit is not None and not self._is_slow
            start, fewer, digits = deadline.clock(), digits, remaining.pop(-1 if hurry else 0)
            deadline.expect(cost * (digits / fewer) ** 3 if self._is_slow else 0)
            point = self._at(digits, deadline)
            if point.context.isinf(point.values[self.evaluation.program.output]):
                return comparison.verdict("not differentiable", "the value is not finite here")
            if point.context.isinf(point.values[comparison.node]):
                return comparison.verdict("not differentiable", "there is no slope at an infinite number")
            history.append(point.quotients(comparison.node, comparison.dependents))
            history.sort(key=lambda quotients: quotients.digits)
            comparison.point = self._points[history[-1].digits]  # rules with fewer digits than the limit look wrong
            cost = deadline.clock() - start

    @cached_property
    def _is_slow(self) -> bool:
        """Whether an operation takes so long with many digits that a deadline could pass meanwhile."""
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

    def _at(self, digits: int, deadline: Deadline) -> PointOfDoubles:
        """The point with this many digits, computed only once."""
        if digits >= self._too_many_digits:
            raise OutOfTimeError
        if digits not in self._points:
            try:
                self._points[digits] = PointOfDoubles(self.evaluation, digits, deadline)
            except OutOfTimeError:
                self._too_many_digits = digits
                raise
        self._points[digits].deadline = deadline
        return self._points[digits]

    def _is_singular(self, node: int) -> bool:
        """Whether a node has no derivative, or an infinite one, according to the double evaluation."""
        if node not in self._singular:
            self._singular[node] = undifferentiable(self.evaluation, node) or self._has_infinite_partial(node)
        return self._singular[node]

    def _has_infinite_partial(self, node: int) -> bool:
        graph, values = self.evaluation.program.graph, self.evaluation.values
        operation, operands = graph.operations[node], graph.arguments[node]
        wanted = tuple(self.evaluation.adjoints[operand] is not None for operand in operands)
        partials = floats.pullback(operation, len(operands), wanted)(1.0, values[node], *[values[o] for o in operands])
        return not all(isfinite(partial or 0.0) for partial in partials)


def _final(limit: Limit, history: Sequence[Quotients]) -> bool:
    """Whether more digits cannot change a limit; a slope needs the smallest step, other limits the two smallest."""
    digits = tuple(quotients.digits for quotients in history[-2:])
    return digits == DIGITS[-2:] or (bool(limit.slope) and digits[-1] == DIGITS[-1])
