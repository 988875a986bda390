"""Enclosures of a program's value and gradient: the two sweeps over balls.

At a point, precision is raised until every digit that is asked for is certain. Over a box, each of its parts gives an
enclosure, which the mean value theorem narrows: f(x) lies in f(m) + gradient * (x - m).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TypeAlias

from .. import engine, rules
from ..arithmetic import balls
from ..arithmetic.balls import Ball, Balls
from ..errors import AutodiffError, Remedy
from ..evaluation import Evaluation, evaluate, used
from ..language.written_numbers import as_written
from ..notation import shortest
from ..program import Program
from .decimals import bits, double, is_writable
from .derivative_factors import refuse_rounded, with_rounding
from .failures import failure

MOST_PARTS = 100_000
"""parts of a box, over all inputs"""
_SPARE = 32  # bits beyond those of the digits
_DOUBLINGS = 4  # of the precision

Numbers: TypeAlias = Mapping[int, Ball]
Ends: TypeAlias = tuple[Ball, Ball]
Constant: TypeAlias = float | Program
"""a double, or a formula without inputs, whose decimals are taken as they are written"""
NumberOrRange: TypeAlias = Constant | tuple[Constant, Constant]
EnclosedPoint: TypeAlias = Mapping[str, NumberOrRange]


@dataclass(frozen=True)
class Certificate:
    """Enclosures at a point or over a box; `values` and `adjoints` have an entry for each node of the graph."""

    evaluation: Evaluation
    """the doubles next to the middles of the balls"""
    values: Sequence[Ball]
    adjoints: Sequence[Ball | None]
    bits: int
    written: Mapping[int, str]
    """the numbers and ranges of inputs as they were given"""
    over_ranges: bool
    """whether it holds for more than one point"""

    @property
    def value(self) -> Ball:
        """The enclosure of the value of the output."""
        return self.values[self.evaluation.program.output]

    @property
    def gradient(self) -> dict[str, Ball]:
        """The enclosure of the partial derivative with respect to each name of the gradient."""
        nodes = self.evaluation.nodes.items()
        return {name: Ball(0) if node is None else self.adjoints[node] or Ball(0) for name, node in nodes}

    def is_smooth(self, node: int) -> bool:
        """Whether an operation that has kinks, steps or ties is certain to be on none."""
        graph, arithmetic = self.evaluation.program.graph, Balls(self.bits)
        operation, arguments = graph.operations[node], graph.arguments[node]
        is_singular = rules.function(rules.singular(operation, len(arguments)), arithmetic)
        with arithmetic.precision():
            (truth,) = is_singular(self.values[node], *[self.values[argument] for argument in arguments])
        return bool(truth.is_zero())


def certify(
    program: Program,
    point: EnclosedPoint,
    wrt: Sequence[str] | None = None,
    *,
    digits: int = 17,
    parts: int = 1,
) -> Certificate:
    """Enclose the value and the gradient of a program.

    A pair of constants makes an input any number between the two, and the result holds for all of them; each such
    range that the program uses is divided into `parts`. Raises AutodiffError where there is no enclosure, and where
    `evaluate` does.
    """
    refuse_rounded(program)
    middles = {name: _middle(number) for name, number in point.items()}
    evaluation = evaluate(program, middles, wrt)
    inputs = used(evaluation.order, evaluation.inputs).items()
    ranges = [node for name, node in inputs if isinstance(point.get(name), tuple)]
    if parts ** len(ranges) > MOST_PARTS:
        raise AutodiffError(
            f"{parts} parts of each of {len(ranges)} ranges are more than {MOST_PARTS:,}",
            remedy=Remedy("fewer parts", (str(_most_parts(len(ranges))),), "take fewer parts"),
        )
    written = {node: _written(point[name]) for name, node in evaluation.inputs.items() if name in point}
    if ranges:
        arithmetic = Balls(bits(digits) + _SPARE)
        values, slopes = _over_box(evaluation, point, arithmetic, dict.fromkeys(ranges, parts))
    else:
        arithmetic, values, slopes = _at_point(evaluation, point, bits(digits))
    doubles = [double(ball)[0] for ball in values]
    adjoints = [None if slope is None else double(slope)[0] for slope in slopes]
    evaluation = replace(evaluation, values=doubles, adjoints=adjoints)
    return Certificate(evaluation, values, slopes, arithmetic.bits, written, bool(ranges))


def _most_parts(ranges: int) -> int:
    """The largest number of parts of each of this many ranges."""
    return int(MOST_PARTS ** (1 / ranges) + 1e-9)


def _middle(number: NumberOrRange) -> float:
    if isinstance(number, tuple):
        low, high = map(_middle, number)
        return low + (high - low) / 2
    return evaluate(number, {}, ()).value if isinstance(number, Program) else float(number)


def _written(number: NumberOrRange) -> str:
    if isinstance(number, tuple):
        return "..".join(map(_written, number))
    return number.formula(number.output) if isinstance(number, Program) else shortest(number)


class _Sweeps:
    """The two sweeps of an evaluation over balls."""

    def __init__(self, evaluation: Evaluation, leaves: Numbers) -> None:
        self.evaluation = evaluation
        graph, order = evaluation.program.graph, evaluation.order
        self.values = [leaves.get(node, Ball(0)) for node in range(len(graph))]
        self.adjoints: list[Ball | None] = [None] * len(graph)
        self._sources = [node for node in evaluation.nodes.values() if node is not None]
        self._active = graph.dependent(order, self._sources)

    def run(self, arithmetic: Balls) -> None:
        """Compute the values, and the adjoints of what the gradient is with respect to."""
        program, order = self.evaluation.program, self.evaluation.order
        engine.forward(program.graph, order, self.values, arithmetic)
        if self._active[program.output] and is_writable(self.values[program.output]):
            self.adjoints = engine.backward(
                program.graph, order, self.values, program.output, self._active, arithmetic, Ball(1)
            )

    @property
    def results(self) -> list[Ball]:
        """The value of the output and the gradient, without what is zero because no path leads there."""
        adjoints = [self.adjoints[node] for node in self._sources]
        return [self.values[self.evaluation.program.output], *(ball for ball in adjoints if ball is not None)]

    def is_accurate(self, wanted: int) -> bool:
        """Whether all results have this many certain bits."""
        return all(ball.is_finite() and ball.rel_accuracy_bits() >= wanted for ball in self.results)

    def narrow(self, arithmetic: Balls) -> None:
        """Narrow the value over a box by the mean value theorem, if the gradient is with respect to all that varies."""
        evaluation, output = self.evaluation, self.evaluation.program.output
        order, inputs = set(evaluation.order), evaluation.inputs.values()
        ranges = [node for node in inputs if node in order and not self.values[node].is_exact()]
        if not set(ranges) <= set(self._sources) or output in ranges:
            return
        middle = list(self.values)
        for node in ranges:
            middle[node] = middle[node].mid()
        engine.forward(evaluation.program.graph, evaluation.order, middle, arithmetic)
        slopes = [(self.adjoints[node], self.values[node] - middle[node]) for node in ranges]
        mean = sum((slope * step for slope, step in slopes if slope is not None), middle[output])
        if mean.is_finite():
            self.values[output] = self.values[output].intersection(mean)

    def require_results(self, arithmetic: Balls, more_parts: int = 0) -> None:
        """Raise AutodiffError where a result has no enclosure; `more_parts` of each range may have one."""
        if not all(map(is_writable, self.results)):
            raise failure(self.evaluation, self.values, self.adjoints, self._active, arithmetic, more_parts)

    @property
    def slopes(self) -> list[Ball | None]:
        """The adjoints of what the gradient is with respect to or depends on; None for anything else."""
        pairs = zip(self.adjoints, self._active, strict=True)
        return [(Ball(0) if slope is None else slope) if active else None for slope, active in pairs]


def _at_point(
    evaluation: Evaluation, point: EnclosedPoint, wanted: int
) -> tuple[Balls, Sequence[Ball], Sequence[Ball | None]]:
    """The first arithmetic with this many certain bits in all results, or the most precise one, and the enclosures."""
    program = evaluation.program
    for doubling in range(_DOUBLINGS + 1):
        arithmetic = Balls((wanted + _SPARE) << doubling)
        with arithmetic.precision():
            leaves, given = _leaves(program, evaluation.order, arithmetic), _inputs(evaluation, point, arithmetic)
            sweeps = _Sweeps(evaluation, {**leaves, **given})
            sweeps.run(arithmetic)
            if sweeps.is_accurate(wanted + 2):
                break
    with arithmetic.precision():
        if rounded := with_rounding(program, leaves):  # only now: no precision makes up for it
            sweeps = _Sweeps(evaluation, {**leaves, **rounded, **given})
            sweeps.run(arithmetic)
        sweeps.require_results(arithmetic)
    return arithmetic, sweeps.values, sweeps.slopes


def _over_box(
    evaluation: Evaluation, point: EnclosedPoint, arithmetic: Balls, parts: Mapping[int, int]
) -> tuple[Sequence[Ball], Sequence[Ball | None]]:
    """The hull of the enclosures over the parts of a box; `parts` has their number for each input with a range."""
    size, count, most = len(evaluation.values), max(parts.values()), _most_parts(len(parts))
    more_parts = min(16 * count, most) if count < most else 0
    values: list[Ends | None] = [None] * size
    slopes: list[Ends | None] = [None] * size
    with arithmetic.precision():
        leaves = _leaves(evaluation.program, evaluation.order, arithmetic)
        others = {**leaves, **with_rounding(evaluation.program, leaves)}
        for box in _parts(_inputs(evaluation, point, arithmetic), parts):
            sweeps = _Sweeps(evaluation, {**others, **box})
            sweeps.run(arithmetic)
            sweeps.require_results(arithmetic, more_parts)
            sweeps.narrow(arithmetic)
            values = list(map(balls.extended, values, sweeps.values))
            slopes = [
                ball if ball is None else balls.extended(e, ball) for e, ball in zip(slopes, sweeps.slopes, strict=True)
            ]
        hulls = [balls.between(*ends) if ends else Ball(0) for ends in values]
        return hulls, [ends and balls.between(*ends) for ends in slopes]


def _parts(box: Numbers, parts: Mapping[int, int]) -> Iterator[dict[int, Ball]]:
    """The parts of a box, each of whose inputs is divided into that many."""
    divided = [[(node, part) for part in balls.divided(ball, parts.get(node, 1))] for node, ball in box.items()]
    return map(dict, product(*divided))


def _inputs(evaluation: Evaluation, point: EnclosedPoint, arithmetic: Balls) -> dict[int, Ball]:
    """The balls of the inputs that have a number at a point."""
    return {node: _ball(point[name], arithmetic) for name, node in evaluation.inputs.items() if name in point}


def _ball(number: NumberOrRange, arithmetic: Balls) -> Ball:
    """The ball of a number, or of a range."""
    if isinstance(number, tuple):
        return balls.between(*(_ball(end, arithmetic) for end in number))
    if not isinstance(number, Program):
        return arithmetic.number(number)
    order = number.graph.needed([number.output])
    values = _leaves(number, order, arithmetic)
    engine.forward(number.graph, order, values, arithmetic)
    return values[number.output]


def _leaves(program: Program, order: Sequence[int], arithmetic: Balls) -> dict[int, Ball]:
    """The balls of constants and defaults."""
    return {node: as_written(program, node, arithmetic) for node in order if node in program.graph.numbers}
