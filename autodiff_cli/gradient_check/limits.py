"""The limit of difference quotients as the step shrinks: a slope, two different ones, an infinite one, a jump, or none.

All numbers are mpmath's.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from ..arithmetic import Real
from ..evaluation.slope_limits import TINY
from .finite_differences import DIGITS, Quotients

Side = Literal["finite", "zero", "infinite", "jump", "undefined", "unsettled"]

_SETTLED = 1e-10
"""relative: quotients that agree this well have reached the limit"""
_ONE_SIDED = 1e-9
AGREES = 1e-9
"""relative: a gradient that agrees this well with the slope is right"""


@dataclass(frozen=True)
class Limit:
    """The slope at a point, from both sides."""

    kind: Literal["smooth", "edge", "kink", "infinite", "jump", "undefined"]
    left: Real
    right: Real
    slope: Real = None
    """at a smooth point or the edge of the domain"""
    margin: Real = None
    """the uncertainty of the slope"""
    hidden: bool = False
    """whether the slope counts as zero although rounding could hide one that a double can represent"""


def limit_of(history: Sequence[Quotients], singular: Callable[[], bool]) -> Limit | None:
    """The limit of the quotients, which are in the order of smaller and smaller steps; None if they have not settled.

    `singular` says whether the double evaluation met a node without a derivative. Only then is a kink, an infinite
    slope or a jump accepted, because a smooth function looks like each of these while the step is too large.
    """
    if len(history) < 2:
        return None
    before, now = history[-2:]
    left, right = (_side(before, now, side, history) for side in ("left", "right"))
    if left == right == "undefined":
        return Limit("undefined", now.left, now.right)
    if "undefined" in (left, right):
        return None if _too_far(now) else _edge(now, left, right, singular())
    if left == right == "zero":
        return _flat("smooth", now)
    smooth = _smooth(before, now)
    if smooth is not None:
        return None if _too_far(now) else smooth
    return _broken(now, left, right) if "unsettled" not in (left, right) and singular() else None


def _too_far(now: Quotients) -> bool:
    """Whether the step reaches beyond a jump; otherwise the quotients of round(x) at 1e60 would settle on 1."""
    return now.crossed and now.digits < DIGITS[-1]


def _smooth(before: Quotients, now: Quotients) -> Limit | None:
    """The common slope of both sides."""
    tolerance = _SETTLED * abs(now.central)
    if abs(now.central - before.central) > tolerance or now.noise > tolerance:
        return None
    gap, gap_before = abs(now.right - now.left), abs(before.right - before.left)
    if gap > tolerance and gap > gap_before / 100:
        return None
    return Limit("smooth", now.left, now.right, now.central, AGREES * abs(now.central))


def _flat(kind: Literal["smooth", "edge"], now: Quotients) -> Limit:
    """A slope of zero, or too small to be told from zero."""
    sizes = [abs(slope) for slope in (now.left, now.right) if now.step.context.isfinite(slope)]
    return Limit(kind, now.left, now.right, now.step.context.zero, max(sizes) + now.noise, now.noise > TINY)


def _side(before: Quotients, now: Quotients, name: str, history: Sequence[Quotients]) -> Side:
    """The behaviour of the quotients of one side."""
    context = now.step.context
    old, new = getattr(before, name), getattr(now, name)
    if not context.isfinite(new):
        return "undefined"
    if not context.isfinite(old):
        return "unsettled"
    if abs(new) <= max((now.step / before.step) ** 0.25 * abs(old) + now.noise, TINY - now.noise):
        return "zero"
    if abs(new - old) <= _ONE_SIDED * abs(new) and now.noise <= _ONE_SIDED * abs(new):
        return "finite"
    if now.noise > abs(new) / 1000 or old == 0:
        return "unsettled"
    if abs(new * now.step - old * before.step) <= _ONE_SIDED * abs(new * now.step):
        return "jump"
    return "infinite" if _grows(name, history) or _creeps(name, history) else "unsettled"


def _grows(name: str, history: Sequence[Quotients]) -> bool:
    """Whether the last three slopes grow as a power of the step; the power 1 is that of quotients that never settle."""
    if len(history) < 3:
        return False
    log, sizes = history[-1].step.context.log, [abs(getattr(quotients, name)) for quotients in history[-3:]]
    signs = {getattr(quotients, name) > 0 for quotients in history[-3:]}
    if not all(sizes) or len(signs) > 1:
        return False
    growth = [log(sizes[i + 1] / sizes[i]) / log(history[i - 3].step / history[i - 2].step) for i in (0, 1)]
    return bool(0.01 < growth[0] < 0.99 and abs(growth[1] - growth[0]) <= 0.01)


def _creeps(name: str, history: Sequence[Quotients]) -> bool:
    """Whether the slope grows as the logarithm of the step, like that of x*log(x) at 0."""
    slopes = [getattr(quotients, name) for quotients in history[-4:]]
    ratios = [new / old for old, new in pairwise(slopes) if old]
    return len(ratios) == 3 and all(1.5 < ratio < 40 for ratio in ratios)


def _edge(now: Quotients, left: Side, right: Side, singular: bool) -> Limit | None:
    """The slope at the edge of the domain: that of the side inside it."""
    inner, slope = (left, now.left) if right == "undefined" else (right, now.right)
    if inner == "zero":
        return _flat("edge", now)
    if inner == "finite":
        return Limit("edge", now.left, now.right, slope, AGREES * abs(slope))
    return _broken(now, left, right) if singular and inner != "unsettled" else None


def _broken(now: Quotients, left: Side, right: Side) -> Limit:
    """A point without a derivative."""
    context = now.step.context

    def slope(side: Side, quotient: Real) -> Real:
        return quotient * context.inf if side == "infinite" else context.zero if side == "zero" else quotient

    if "jump" in (left, right):
        return Limit("jump", now.left, now.right)
    return Limit("infinite" if "infinite" in (left, right) else "kink", slope(left, now.left), slope(right, now.right))
