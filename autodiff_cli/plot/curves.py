"""A program along one of its inputs: its value and its derivatives as curves, in pieces between the breaks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, nan

from ..errors import NOT_FINITE, AutodiffError, Remedy
from ..parallel import Progress
from ..program import Program
from . import panel_layout
from .adaptive_sampling import AdaptiveSamples, Sample
from .axis_ticks import range_text
from .curve_pieces import Piece, gaps, pieces, visible
from .program_sampler import ProgramSampler
from .viewing_window import Window

MOST_DERIVATIVES = 6
"""as many as can be told apart without colours"""
_USUAL, _FEWEST = 200, 50  # samples to begin with
_MOST_OPERATIONS = 1e6  # in one refinement: about two seconds
_EACH = 8  # operations that a sample takes the time of, besides its own


@dataclass(frozen=True)
class Curve:
    """The function, or one of its derivatives."""

    wrt: str | None
    """the name that it is the derivative with respect to; None for the function itself"""
    pieces: list[Piece]


@dataclass(frozen=True)
class CurvePanel:
    """Curves with common axes, and the range of values that is shown."""

    curves: list[Curve]
    window: Window

    def visible(self, curve: Curve) -> list[Piece]:
        """The parts of a curve within the window."""
        return [part for piece in curve.pieces for part in visible(piece, self.window)]


@dataclass(frozen=True)
class CurvePlot:
    """Panels one below the other, over the same range of an input."""

    program: Program
    name: str
    ends: Window
    panels: list[CurvePanel]
    undefined: list[str]
    """the names whose derivative has no finite value anywhere in the range"""


def trace(
    program: Program,
    point: Mapping[str, float],
    name: str,
    ends: Window,
    wrt: Sequence[str],
    count: int | None = None,
    progress: Progress = iter,
) -> CurvePlot:
    """Follow a program and its derivatives with respect to `wrt` along the input `name`, with `count` samples or more.

    Raises AutodiffError where the program has no finite value in the whole range. `progress` iterates over what takes
    long, and may show how far it is.
    """
    low, high = ends
    sampler = ProgramSampler(program, point, {name: ends}, list(dict.fromkeys([*wrt, name])))
    if count is None:
        count = int(max(_FEWEST, min(_USUAL, _MOST_OPERATIONS / 2 / (_EACH + sampler.size))))
    numbers = sorted({low, high, *(low + (high - low) * (step / count) for step in range(1, count))})
    slope = 1 + sampler.wrt.index(name)
    budget = int(min(40 * count, _MOST_OPERATIONS / (_EACH + sampler.size)))
    samples = AdaptiveSamples(lambda number: _defined(sampler(number)), numbers, slope, progress)
    if not any(map(isfinite, samples.values(0))):
        raise nothing_to_plot({name: ends})
    first = panel_layout.first_windows(samples, 1 + len(sampler.wrt))
    samples.refine(first, budget)
    panels = panel_layout.panels(samples, 1 + len(wrt))
    windows = {curve: window for window, curves in panels for curve in curves}
    samples.refine([panel_layout.finer(windows.get(curve), seen) for curve, seen in enumerate(first)], budget)
    parts = {curve: pieces(samples, curve, window) for curve, window in windows.items()}
    if slope in parts:
        parts[slope] = pieces(samples, slope, windows[slope], gaps(parts[0]))
    if not parts[0]:
        raise nothing_to_plot({name: ends})
    names = [None, *wrt]
    drawn = [CurvePanel([Curve(names[curve], parts[curve]) for curve in curves], window) for window, curves in panels]
    return CurvePlot(program, name, ends, drawn, [name for curve, name in enumerate(wrt, 1) if not parts.get(curve)])


def nothing_to_plot(over: Mapping[str, Window]) -> AutodiffError:
    """The error for ranges in which the function has no finite value."""
    ranges = ", ".join(f"{name} from {range_text(low, high)}" for name, (low, high) in over.items())
    return AutodiffError(
        f"there is nothing to draw: no value is finite with {ranges}",
        remedy=Remedy("nothing to plot", tuple(over), "choose other numbers"),
        code=NOT_FINITE,
    )


def _defined(sample: Sample) -> Sample:
    """The sample, with derivatives of nan where the function has no finite value."""
    return sample if isfinite(sample[0]) else (nan,) * len(sample)
