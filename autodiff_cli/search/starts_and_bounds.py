"""The points at which a numerical search starts, and the bounds of the names that it may change."""

from collections.abc import Iterable, Mapping, Sequence
from math import copysign, inf, isfinite

import numpy

from ..arithmetic.arrays import Doubles
from ..arithmetic.distributions import random_generator
from ..errors import NOT_FINITE, AutodiffError, Remedy, did_you_mean, quoted_names
from ..notation import shortest
from ..operations import CONSTANTS
from ..program import Program
from ..work_budget import WorkBudget, seconds_left

MORE_STARTS = Remedy("more starts", (), "search from more `starts`")
_LARGEST = numpy.finfo(float).max
_SPREAD = 3.0  # times the size of the first start, where a name has no bounds


def starting_point(
    names: Sequence[str], programs: Iterable[Program], start: Mapping[str, float], noun: str
) -> list[float]:
    """A number for each name: the one in `start`, else the default that a program gives it.

    `noun` is what messages call the names. Raises AutodiffError for names without a number, for a number that is not
    finite, and for numbers of anything else.
    """
    _refuse_other(start, names, "start", noun)
    known: dict[str, float] = {}
    for program in programs:
        numbers = program.graph.numbers
        known |= {name: numbers[node] for name, node in program.inputs.items() if node in numbers}
    known |= start
    absent = [name for name in names if name not in known]
    if absent:
        about = tuple(absent), f"pass {quoted_names(absent, len(absent))} in the start"
        remedy = Remedy("other starts", *about) if start else Remedy("missing starts", *about)
        raise AutodiffError(f"no start for {quoted_names(absent)}", remedy=remedy)
    for name in names:
        if not isfinite(known[name]):
            remedy = Remedy("other start", (), "begin at a finite number")
            raise AutodiffError(f"`{name}` starts at {known[name]}", remedy=remedy, code=NOT_FINITE)
    return [known[name] for name in names]


def start_instead(name: str, number: float) -> Remedy:
    """The remedy where nothing is left to vary: a name that has a number varies from there on."""
    return Remedy("start instead", (name, shortest(number)), f"leave `{name}` out of the fixed numbers")


def entry_bounds(
    bounds: Mapping[str, tuple[float, float]], names: Sequence[str], noun: str
) -> dict[str, tuple[float, float]]:
    """The bounds of names: those of a list are the bounds of all its entries except those that have their own.

    Raises AutodiffError for bounds of anything else.
    """
    limits: dict[str, tuple[float, float]] = {}
    for name in sorted(bounds, key=names.__contains__):
        entries = [] if name in names else [other for other in names if other.startswith(f"{name}[")]
        limits |= dict.fromkeys(entries or [name], bounds[name])
    _refuse_other(limits, names, "bound", noun)
    return limits


def bound_vectors(bounds: Mapping[str, tuple[float, float]], names: Sequence[str]) -> tuple[Doubles, Doubles]:
    """The lower and the upper bound of each name; infinite where it has none."""
    low, high = numpy.array([bounds.get(name, (-inf, inf)) for name in names]).reshape(-1, 2).T
    return low, high


def mirrored(start: float, low: float, high: float) -> float:
    """A start, or its mirror image in a bound that it is beyond, no farther than the middle between two bounds.

    On the bound itself many a formula has no value.
    """
    nearest = min(max(start, low), high)
    return nearest + copysign(min(abs(nearest - start), (high - low) / 2), nearest - start)


def random_starts(first: Doubles, low: Doubles, high: Doubles, count: int, seed: int) -> list[Doubles]:
    """The first start, and others that are drawn: uniformly between bounds, else around the first."""
    generator = random_generator(seed)
    room = _SPREAD * numpy.maximum(1.0, abs(first))
    low = numpy.where(numpy.isfinite(low), low, numpy.minimum(first, high) - room)
    high = numpy.where(numpy.isfinite(high), high, numpy.maximum(first, low) + room)
    low, high = numpy.clip([low, high], -_LARGEST, _LARGEST) / 2  # halved, as their distance might overflow
    return [first, *(2 * generator.uniform(low, high) for _ in range(count - 1))]


def share_of_work(starts: int) -> WorkBudget:
    """The budget of the first of so many starts that are left: half of the work, so that it cannot take that of all."""
    return WorkBudget(seconds_left() / min(starts, 2))


def _refuse_other(given: Iterable[str], names: Sequence[str], what: str, noun: str) -> None:
    """Raise AutodiffError if one of those that are given a start, or a bound, is not among the names."""
    for name in given:
        if name not in names:
            hint = did_you_mean(name, names) or f"the {noun}s are {quoted_names(names)}"
            if name in CONSTANTS:
                hint = f"a constant is called `{name}`: give the {noun} another name"
            raise AutodiffError(f"`{name}` has a {what}, but it is not one of the {noun}s", hint=hint)
