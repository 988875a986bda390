"""Written derivatives compared with the true ones, at many points and with many digits.

The true derivative is what the rules give. Where what was written differs from that, the difference quotients decide:
at a kink every slope between left and right is correct, and where there is no slope there is nothing to compare.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from ..arithmetic import Real
from ..operations import SLOW
from ..program import Program
from ..work_budget import TooMuchWorkError
from .exact_formula import ExactFormula
from .finite_differences import HighPrecisionPoint
from .limits import AGREES, Limit, limit_of

ENOUGH = 5
"""comparisons that tell a wrong derivative from a right one; one may agree by chance, as those of odd functions at 0"""
_DIGITS = (60, 240, 960)
"""digits for the rules: more of them until both derivatives are known well enough"""
_LIMIT_DIGITS = (60, 120, 240, 960)
"""digits for the quotients; the last only for those that have not settled"""
_CLAIM_DIGITS = 240
_MOST_SLOW = 5
"""points of a formula with slow functions at which all digits are used; others that need them are skipped"""
_SAME = 1e-14  # room for constants that are written with all digits of a double
_ASIDE, _LEAST = 1e-9, 1e-300  # steps to the points around one: relative, and from zero
_LOST = 10  # digits that an evaluation may lose, beyond those that cancel


@dataclass(frozen=True)
class Counterexample:
    """A point at which a written derivative is not the true one."""

    name: str
    """the variable of the derivative"""
    point: dict[str, float]
    true: float
    written: float


@dataclass(frozen=True)
class Verification:
    """The numbers of points and, if any, the simplest counterexample."""

    compared: int
    skipped: int
    """points without a slope or a value"""
    complete: bool
    """whether the work that is allowed was enough for all points"""
    counterexample: Counterexample | None


def verify(
    program: Program,
    derivatives: Mapping[str, Program],
    points: Iterable[Mapping[str, float]],
    tolerance: float = 0.0,
    written: Mapping[str, Program] | None = None,
    count: float = inf,
) -> Verification:
    """Compare derivatives, one formula for each name, with the true ones at points given from simple to complicated.

    A name in a derivative that the program computes is its value there. Numbers are taken as they are written, and so
    are those of the points for which `written` has a formula; enough digits are used that rounding makes no
    difference. A derivative must have a value wherever the function has a slope, except at the edge of its domain.
    Points where the function or both derivatives are undefined, or where the function has no slope, are skipped, and so
    are points that need very many digits of slow functions, except for the first few. `tolerance` is how far off a
    derivative may be, relative to the terms that the true one is the sum of. After `count` points no more are tried
    than `ENOUGH` comparisons need. Where the work that is allowed is spent, no more points are tried; raises
    TooMuchWorkError if it is not enough for the first.
    """
    claims = {name: ExactFormula(derivative, written=written) for name, derivative in derivatives.items()}
    formula = ExactFormula(program, derivatives, {name for claim in claims.values() for name in claim.free}, written)
    compared, skipped = 0, 0
    slow_left = _MOST_SLOW if any(operation.name in SLOW for operation in program.graph.operations) else inf
    for point in points:
        if compared + skipped >= count and compared >= min(count, ENOUGH):
            break
        try:
            place = _Place(formula, claims, point, tolerance, _DIGITS[-1] if slow_left > 0 else _CLAIM_DIGITS)
            outcome = place.compare_all()
        except TooMuchWorkError:
            if not (compared or skipped):
                raise
            return Verification(compared, skipped, complete=False, counterexample=None)
        slow_left -= place.used_all_digits
        if isinstance(outcome, Counterexample):
            return Verification(compared + 1, skipped, complete=True, counterexample=outcome)
        compared, skipped = (compared + 1, skipped) if outcome else (compared, skipped + 1)
    return Verification(compared, skipped, complete=True, counterexample=None)


class _Place:
    """A formula and its written derivatives at one point."""

    def __init__(
        self,
        formula: ExactFormula,
        claims: Mapping[str, ExactFormula],
        point: Mapping[str, float],
        tolerance: float,
        most_digits: int,
    ) -> None:
        self._most_digits = most_digits
        self._formula, self._claims, self._point, self._tolerance = formula, claims, point, tolerance
        self._nodes = formula.nodes(point)
        self._known: dict[int, HighPrecisionPoint] = {}

    @property
    def used_all_digits(self) -> bool:
        """Whether anything has been evaluated with the most digits."""
        return _DIGITS[-1] in self._known

    def compare_all(self) -> Counterexample | bool:
        """True if all derivatives are right, False if nothing can be said of one here, or the first counterexample."""
        are_right = True
        for name in self._claims:
            outcome = self.compare(name)
            if isinstance(outcome, Counterexample):
                return outcome  # at once: the others may take more work than is left
            are_right = are_right and outcome
        return are_right

    def compare(self, name: str) -> Counterexample | bool:
        """True if the derivative is right, False if nothing can be said here, or the counterexample."""
        before: tuple[Real, ...] = ()
        for digits in _DIGITS:
            if digits > self._most_digits:
                return False
            around = self._around(digits)
            value, finite = around.values[around.output], around.context.isfinite
            if value != value:
                return False  # most points, where the domain is small
            claim = self._claim(name, digits)
            (true, size), written = self._slope(name, around), claim.values[claim.output]
            if not (finite(true) or finite(written)) or (before and not finite(value)):
                return False
            gap, noise = abs(true - written), around.context.mpf(10) ** (_LOST - digits)
            if finite(gap) and gap <= max(_SAME * abs(true), self._allowed(name, around)):
                return True
            rounding = noise * (size + _condition(claim))
            if finite(gap) and abs(true) <= noise * size and gap <= rounding < inf:
                return True
            if gap > rounding and _agree(before, (true, written)):
                return self._by_quotients(name, true)
            before = true, written
        return self._by_quotients(name, None)

    def _slope(self, name: str, around: HighPrecisionPoint) -> tuple[Real, Real]:
        """The derivative by the rules, and the size of the terms that it is the sum of."""
        node = self._nodes[name]
        return (around.context.zero,) * 2 if node is None else (around.adjoints[node], around.sizes[node])

    def _allowed(self, name: str, around: HighPrecisionPoint) -> Real:
        """The error of a derivative that the tolerance allows; 0 where a term is infinite."""
        size = self._slope(name, around)[1]
        return self._tolerance * size if self._tolerance and around.context.isfinite(size) else around.context.zero

    def _by_quotients(self, name: str, by_rules: Real | None) -> Counterexample | bool:
        """Like `compare`, but by the difference quotients or, where a slope is too small for them, by the rules."""
        around, claim = self._around(_CLAIM_DIGITS), self._claim(name, _CLAIM_DIGITS)
        written, allowed = claim.values[claim.output], self._allowed(name, around)
        slopes: list[Real] = []
        for digits, limit in self._limits(name):
            slopes = _slopes(limit)
            if limit and slopes:
                margin = (limit.margin or AGREES * max(map(abs, slopes))) + allowed
                low, high = min(slopes) - margin, max(slopes) + margin
                if low <= written <= high:
                    if by_rules is not None and limit.kind != "kink" and low <= by_rules <= high:
                        return self._counterexample(name, by_rules, written)
                    if not limit.hidden or self._is_known(name, limit.margin):
                        return True
                    slopes = []
                elif digits >= _CLAIM_DIGITS:
                    break
        if not slopes:
            return False
        has_slope = len(slopes) == 1 and self._is_finite(around)
        if not around.context.isfinite(written) and not (has_slope and self._is_inside()):
            return False
        return self._counterexample(name, min(slopes, key=lambda slope: abs(slope - written)), written)

    def _is_known(self, name: str, margin: Real) -> bool:
        """Whether a slope that may be off by a margin is smaller than is usual for such a value."""
        before, now = map(self._around, (_DIGITS[0], _CLAIM_DIGITS))
        node, value = self._nodes[name], now.values[now.output]
        size = 0 if node is None else abs(now.values[node])
        return _agree([before.values[before.output]], [value]) and margin <= abs(value) / (size or 1)

    def _counterexample(self, name: str, true: Real, written: Real) -> Counterexample:
        return Counterexample(name, dict(self._point), float(true) + 0.0, float(written) + 0.0)  # no -0.0

    def _limits(self, name: str) -> Iterator[tuple[int, Limit | None]]:
        """The limits of the quotients with more and more digits; None where they do not settle."""
        node, history = self._nodes[name], []
        if node is None:
            yield 0, Limit("smooth", 0, 0, 0, 0)
            return
        for digits in _LIMIT_DIGITS:
            if digits > self._most_digits:
                return
            around = self._around(digits)
            if not around.context.isfinite(around.values[around.output]):
                continue
            moved = around.graph.dependent(around.order, [node])
            history.append(around.quotients(node, [other for other in around.order if moved[other] and other != node]))
            yield digits, limit_of(history, lambda: True)

    def _is_finite(self, around: HighPrecisionPoint) -> bool:
        """Whether no step of the formula passes through infinity, as in `1/(2/x)` at 0."""
        return all(around.context.isfinite(around.values[node]) for node in around.order)

    def _is_inside(self) -> bool:
        """Whether the function has a value a little above and below in each input, where the others move up too.

        An input stays if there is a value at isolated places only, as for a whole exponent of a negative number.
        """
        moving = [name for name in self._point if self._has_value({name: 1}) or self._has_value({name: -1})]
        up = dict.fromkeys(moving, 1)
        return all(self._has_value(up | down) for down in ({}, *({name: -1} for name in moving)))

    def _has_value(self, signs: Mapping[str, int]) -> bool:
        """Whether the function has a value a little above the point (1) or below (-1) in some inputs."""
        aside = {name: sign * max(abs(self._point[name]) * _ASIDE, _LEAST) for name, sign in signs.items()}
        around = self._formula.at({name: a + aside.get(name, 0.0) for name, a in self._point.items()}, _DIGITS[0])
        return bool(around.context.isfinite(around.values[around.output]))

    def _around(self, digits: int) -> HighPrecisionPoint:
        """The formula at the point; computed only once."""
        if digits not in self._known:
            self._known[digits] = self._formula.at(self._point, digits)
        return self._known[digits]

    def _claim(self, name: str, digits: int) -> HighPrecisionPoint:
        """A written derivative at the point."""
        around = self._around(digits)
        values = {name: around.values[node] for name, node in self._formula.program.names.items()}
        return self._claims[name].at(self._point, digits, values)


def _agree(before: Sequence[Real], now: Sequence[Real]) -> bool:
    """Whether numbers are the same as those before, if there are any."""
    return bool(before) and all(abs(new - old) <= _SAME * abs(new) for new, old in zip(now, before, strict=True))


def _slopes(limit: Limit | None) -> list[Real]:
    """The slope or, at a kink, those on either side; none where there is none."""
    if limit is None or limit.kind in ("infinite", "jump", "undefined"):
        return []
    return [limit.left, limit.right] if limit.kind == "kink" else [limit.slope]


def _condition(claim: HighPrecisionPoint) -> Real:
    """The largest change of a written derivative when everything that is not exact in it changes relative to 1."""
    return claim.context.fsum(claim.sizes[node] * abs(claim.values[node]) for node in claim.order)
