"""Derivatives that were lost since a number on the way to them is too small, or too large, for a double.

The reciprocal of `1/x` at 1e-200 has the slope -1e-400 there: as a double that is 0, and so is what follows. One more
sweep finds them, over adjoints whose exponents have no bounds.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import isclose, isfinite
from sys import float_info

from .. import engine
from ..arithmetic import Real, floats
from ..graph import Graph
from ..operations import Operation
from ..work_budget import charge

_LEAST = float_info.min / float_info.epsilon
"""the size below which a product may have lost digits"""
_MOST = float_info.max
_USUAL = 1e75
"""the size up to which, and down to whose reciprocal, numbers have no slope that brings back what was lost"""
_SAME = 1e-13
"""the relative difference up to which adjoints differ by rounding alone"""
_NODE = 1e-5  # the work of a node, in seconds


def may_be_lost(derivatives: Iterable[float | None], values: Iterable[float]) -> bool:
    """Whether some of a sweep's derivatives may be wrong as others were lost on the way, given the values of nodes.

    nan counts as lost, and None, for a node that no path leads to, does not. Behind a value that is not finite nothing
    counts as lost: limits are for that.
    """
    for derivative in derivatives:  # a loop: this is asked for every point
        if derivative is not None and not _LEAST <= abs(derivative) <= _MOST:
            break
    else:
        return False
    sizes = [abs(value) for value in values if value]
    return all(map(isfinite, sizes)) and not all(1 / _USUAL <= size <= _USUAL for size in sizes)


def _has_all_digits(partial: float | None) -> bool:
    return partial is None or float_info.min <= abs(partial) <= _MOST


def restored(
    graph: Graph, order: Sequence[int], values: list[float], output: int, adjoints: Sequence[float | None]
) -> Iterator[tuple[int, float]]:
    """The nodes whose adjoints are wrong because some were lost on the way, each with the right one, if it is finite.

    It takes time, so `may_be_lost` is asked first. Raises TooMuchWorkError at a bound on the work.
    """
    charge(_NODE * len(order))
    arithmetic = _UnboundedAdjoints()
    active = bytearray(adjoint is not None for adjoint in adjoints)
    exact = engine.backward(graph, order, values, output, active, arithmetic, one=arithmetic.precise.number(1))
    for node, adjoint in enumerate(exact):
        if adjoint is None or not isfinite(right := float(adjoint)):
            continue
        if not isclose(adjoints[node] or 0.0, right, rel_tol=_SAME, abs_tol=float_info.min):
            yield node, right


class _UnboundedAdjoints:
    """The arithmetic of doubles, with adjoints whose exponents have no bounds.

    A partial derivative is that of doubles, whose rules avoid cancellation, where a double can hold it.
    """

    add = staticmethod(floats.add)

    def __init__(self) -> None:
        self.precise = floats.more_precise()

    def function(self, operation: Operation, count: int) -> Callable[..., float]:
        """The operation on doubles."""
        return floats.function(operation, count)

    def pullback(self, operation: Operation, count: int, wanted: tuple[int, ...]) -> Callable[..., Sequence[Real]]:
        """(adjoint, result, *arguments) → a contribution for each argument, None for one that was not chosen."""
        doubles, precise = floats.pullback(operation, count, wanted), self.precise.pullback(operation, count, wanted)

        def contributions(adjoint: Real, result: float, *arguments: float) -> Sequence[Real]:
            partials = doubles(1.0, result, *arguments)
            if all(map(_has_all_digits, partials)):
                return [None if partial is None else adjoint * partial for partial in partials]
            numbers = precise(adjoint, *map(self.precise.number, (result, *arguments)))
            return [
                adjoint * partial if partial is not None and _has_all_digits(partial) else number
                for partial, number in zip(partials, numbers, strict=True)
            ]

        return contributions
