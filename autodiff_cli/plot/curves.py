"""A program along one of its inputs: its value and its derivatives as curves, in pieces between the breaks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite, nan, nextafter

from ..errors import NOT_FINITE, AutodiffError, Remedy
from ..notation import rounded
from ..parallel import Progress
from ..program import Program
from . import panel_layout
from .adaptive_sampling import AdaptiveSamples, Sample
from .axis_ticks import range_text
from .curve_pieces import Piece, gaps, pieces, visible
from .program_sampler import ProgramSampler
from .scales import LINEAR, Scales
from .viewing_window import Window, drawable, evenly_spaced

MOST_DERIVATIVES = 6
"""as many as can be told apart without colours"""
_USUAL_SAMPLES, _FEWEST_SAMPLES = 200, 50  # to begin with
_MOST_OPERATIONS = 1e6  # in one refinement: about two seconds
_SAME = 1e-6  # relative: values or slopes at neighbouring doubles that differ more are those of a jump or a kink
_TANGENT_PARTS = 100  # as a tangent is a curve on logarithmic axes


@dataclass(frozen=True)
class Tangent:
    """The value and the slope of a function at a number of its input."""

    at: float
    value: float
    slope: float


@dataclass(frozen=True)
class Curve:
    """A function, one of its derivatives, or a tangent."""

    program: Program
    wrt: str | None
    """the name that it is the derivative with respect to; None for the function itself, and its tangents"""
    pieces: list[Piece]
    tangent: Tangent | None = None
    """the point where the curve touches the function, if it is a tangent"""


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
    """Panels one below the other, over the same range of an input; places on logarithmic axes are logarithms."""

    name: str
    ends: Window
    panels: list[CurvePanel]
    undrawn: dict[str, str]
    """the names whose derivative has nothing to draw in the whole range → why: it `is nowhere finite`"""
    scales: Scales = LINEAR

    @property
    def curves(self) -> list[Curve]:
        """The curves of all panels."""
        return [curve for panel in self.panels for curve in panel.curves]

    def number(self, curve: Curve) -> int:
        """The place of a curve among all of them, which its colour and its mark depend on."""
        return next(place for place, other in enumerate(self.curves) if other is curve)


def trace(
    program: Program,
    point: Mapping[str, float],
    name: str,
    ends: Window,
    wrt: Sequence[str],
    count: int | None = None,
    progress: Progress = iter,
    *,
    scales: Scales = LINEAR,
    values: Window | None = None,
) -> CurvePlot:
    """Follow a program and its derivatives with respect to `wrt` along the input `name`, with `count` samples or more.

    `values` is the range of values to show. Raises AutodiffError where the program has no value that can be drawn in
    the whole range. `progress` iterates over long work, and may show the progress.
    """
    sampler = ProgramSampler(program, point, {name: ends}, list(dict.fromkeys([*wrt, name])))
    if count is None:
        count = int(max(_FEWEST_SAMPLES, min(_USUAL_SAMPLES, _MOST_OPERATIONS / 2 / sampler.cost)))
    numbers = sorted(set(evenly_spaced(scales.across(ends), 1 + count)))
    derivative = 1 + sampler.wrt.index(name)
    slope = 1 + len(sampler.wrt) if any(scales) else derivative

    def sample(place: float) -> Sample:
        number = scales.number(place)
        return scales.drawn(number, _defined(tuple(map(drawable, sampler(number)))), derivative)

    budget = int(min(40 * count, _MOST_OPERATIONS / sampler.cost))
    samples = AdaptiveSamples(sample, numbers, slope, progress)

    def is_below(curve: int) -> bool:
        """Whether a logarithmic axis is the reason why a curve has no samples."""
        return scales.y and any(sampler(scales.number(place))[curve] <= 0 for place in numbers)

    if not any(map(isfinite, samples.values(0))):
        raise _nothing_positive(name, ends, scales) if is_below(0) else nothing_to_plot({name: ends})
    shown = values and (scales.up(values[0]), scales.up(values[1]))
    first = panel_layout.first_windows(samples, 1 + len(sampler.wrt), shown)
    samples.refine(first, budget)
    panels = panel_layout.panels(samples, 1 + len(wrt), shown)
    windows = {curve: window for window, curves in panels for curve in curves}
    samples.refine([panel_layout.finer(windows.get(curve), seen) for curve, seen in enumerate(first)], budget)
    parts = {curve: pieces(samples, curve, window) for curve, window in windows.items()}
    if slope in parts:
        parts[slope] = pieces(samples, slope, windows[slope], gaps(parts[0]))
    if not parts[0]:
        raise nothing_to_plot({name: ends})
    names = [None, *wrt]
    drawn = [
        CurvePanel([Curve(program, names[curve], parts[curve]) for curve in curves], window)
        for window, curves in panels
    ]
    undrawn = {
        name: "is nowhere above 0, as a logarithmic axis needs it" if is_below(curve) else "is nowhere finite"
        for curve, name in enumerate(wrt, 1)
        if not parts.get(curve)
    }
    return CurvePlot(name, ends, drawn, undrawn, scales)


def together(plots: Sequence[CurvePlot]) -> CurvePlot:
    """Plots over the same range as one; panels of different plots are one where each curve can be followed by eye."""
    if len(plots) == 1:
        return plots[0]
    groups: list[list[CurvePanel]] = []
    for panel in (panel for plot in plots for panel in plot.panels):
        fitting = (group for group in groups if panel_layout.joined([other.window for other in [*group, panel]]))
        group = next(fitting, None)
        if group is None:
            groups.append([panel])
        else:
            group.append(panel)
    panels = [
        CurvePanel([curve for panel in group for curve in panel.curves], window)
        for group in groups
        if (window := panel_layout.joined([panel.window for panel in group]))
    ]
    undrawn = {name: reason for plot in plots for name, reason in plot.undrawn.items()}
    return replace(plots[0], panels=panels, undrawn=undrawn)


def with_tangent(plot: CurvePlot, point: Mapping[str, float], at: float) -> CurvePlot:
    """The plot with the tangent of each function at a number. Raises AutodiffError where one has no finite slope."""
    places = evenly_spaced(plot.scales.across(plot.ends), 1 + _TANGENT_PARTS)
    panels = []
    for panel in plot.panels:
        curves = list(panel.curves)
        for function in (curve for curve in panel.curves if curve.wrt is None and curve.tangent is None):
            sampler = ProgramSampler(function.program, point, {plot.name: plot.ends}, [plot.name])
            value, slope = sampler(at)
            reason = _without_tangent(value, slope, *(sampler(nextafter(at, end)) for end in (-inf, inf)))
            if reason:
                message = f"there is no tangent with {plot.name} = {rounded(at)}: {reason}"
                raise AutodiffError(message, code=NOT_FINITE)
            heights = [plot.scales.up(value + slope * (plot.scales.number(place) - at)) for place in places]
            line = [(place, up) for place, up in zip(places, heights, strict=True) if isfinite(up)]
            curves.append(Curve(function.program, None, [line], Tangent(at, value, slope)))
        panels.append(CurvePanel(curves, panel.window))
    return replace(plot, panels=panels)


def _without_tangent(value: float, slope: float, before: Sample, after: Sample) -> str:
    """The reason why a function has no tangent, by its value, its slope, and the doubles nearby; "" if it has one."""
    if not (isfinite(value) and isfinite(slope)):
        return f"the value is {rounded(value)} and the slope {rounded(slope)}"
    for what, left, right in zip(("jumps", "has a kink, where its slope changes"), before, after, strict=True):
        if abs(left - right) > _SAME * (abs(left) + abs(right)) + _SAME:
            return f"the function {what} from {rounded(left)} to {rounded(right)}"
    return ""


def nothing_to_plot(over: Mapping[str, Window]) -> AutodiffError:
    """The error for ranges in which the function has no value that can be drawn."""
    return AutodiffError(
        f"there is nothing to draw: all values are undefined, infinite or beyond 1e300 with {_ranges(over)}",
        remedy=Remedy("nothing to plot", tuple(over), "choose other numbers"),
        code=NOT_FINITE,
    )


def _nothing_positive(name: str, ends: Window, scales: Scales) -> AutodiffError:
    """The error for a range in which the function has no value that a logarithmic axis can show."""
    message = "there is nothing to draw: a logarithmic axis shows values above 0, and there are none with "
    remedy = Remedy("linear values", ("x",) * scales.x, "draw them on a linear axis")
    return AutodiffError(message + _ranges({name: ends}), remedy=remedy, code=NOT_FINITE)


def _ranges(over: Mapping[str, Window]) -> str:
    return ", ".join(f"{name} from {range_text(low, high)}" for name, (low, high) in over.items())


def _defined(sample: Sample) -> Sample:
    """The sample, with derivatives of nan where the function has no finite value."""
    return sample if isfinite(sample[0]) else (nan,) * len(sample)
