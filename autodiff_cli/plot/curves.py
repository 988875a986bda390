"""A program along one of its inputs: its value and its derivatives as curves, in pieces between the breaks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, nan

from ..errors import NOT_FINITE, AutodiffError
from ..program import Program
from . import layout
from .pieces import Piece, gaps, pieces
from .refinement import Sample, Samples, Watched
from .sampler import Sampler
from .windows import Window

MOST_DERIVATIVES = 6
"""so many are told apart without colours"""
_USUAL, _FEWEST = 200, 50  # samples to begin with
_MOST_OPERATIONS = 4e7
"""in refining once; a minute or so"""


@dataclass(frozen=True)
class Curve:
    """The function, or one of its derivatives."""

    wrt: str | None
    """the name that it is the derivative with respect to; None for the function itself"""
    pieces: list[Piece]


@dataclass(frozen=True)
class Panel:
    """Curves over one another, and the values that are shown."""

    curves: list[Curve]
    window: Window


@dataclass(frozen=True)
class Plot:
    """Panels below one another, over the same range of an input."""

    program: Program
    name: str
    ends: Window
    panels: list[Panel]
    undefined: list[str]
    """the names whose derivative has no finite value anywhere in the range"""


def trace(
    program: Program,
    point: Mapping[str, float],
    name: str,
    ends: Window,
    wrt: Sequence[str],
    count: int | None = None,
    watched: Watched = iter,
) -> Plot:
    """Follow a program and its derivatives with respect to `wrt` along the input `name`, with `count` samples or more.

    Raises AutodiffError where the program has no finite value in the whole range. `watched` hands on what takes long to
    go through, so that someone can see how far it is.
    """
    low, high = ends
    sampler = Sampler(program, point, {name: ends}, list(dict.fromkeys([*wrt, name])))
    if count is None:
        count = int(max(_FEWEST, min(_USUAL, _MOST_OPERATIONS / 2 / (1 + sampler.size))))
    numbers = sorted({low, high, *(low + (high - low) * (step / count) for step in range(1, count))})
    slope = 1 + sampler.wrt.index(name)
    budget = int(min(40 * count, _MOST_OPERATIONS / (1 + sampler.size)))
    samples = Samples(_defined(sampler), numbers, slope, watched)
    if not any(map(isfinite, samples.values(0))):
        raise nowhere_defined({name: ends})
    first = layout.first_windows(samples, 1 + len(sampler.wrt))
    samples.refine(first, budget)
    panels = layout.panels(samples, 1 + len(wrt))
    shown = {curve: window for window, curves in panels for curve in curves}
    samples.refine([layout.finer(shown.get(curve), seen) for curve, seen in enumerate(first)], budget)
    found = {curve: pieces(samples, curve, window) for curve, window in shown.items()}
    if slope in found:
        found[slope] = pieces(samples, slope, shown[slope], gaps(found[0]))
    if not found[0]:
        raise nowhere_defined({name: ends})
    names = [None, *wrt]
    drawn = [Panel([Curve(names[curve], found[curve]) for curve in curves], window) for window, curves in panels]
    return Plot(program, name, ends, drawn, [name for curve, name in enumerate(wrt, 1) if not found.get(curve)])


def nowhere_defined(over: Mapping[str, Window]) -> AutodiffError:
    """The error for ranges in which there is nothing to draw."""
    ranges = ", ".join(f"{name} from {low:g} to {high:g}" for name, (low, high) in over.items())
    words = " ".join(f"{name}=LOW:HIGH" for name in over)
    return AutodiffError(
        f"there is nothing to draw: no value is finite with {ranges}",
        hint=f"choose other numbers: --over {words}",
        code=NOT_FINITE,
    )


def _defined(sampler: Sampler) -> Callable[[float], Sample]:
    """The samples of a sampler, where the derivatives of what has no finite value have none either."""

    def at(number: float) -> Sample:
        sample = sampler(number)
        return sample if isfinite(sample[0]) else (nan,) * len(sample)

    return at
