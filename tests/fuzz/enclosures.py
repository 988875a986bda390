"""Random programs whose certified values and gradients must enclose those of mpmath with 100 digits and more.

    python -m tests.fuzz.enclosures --cases 100000
    python -m tests.fuzz.enclosures --case 4711               one case, with all numbers

Every other case gives each input a range around its number; then the numbers of random points in the box must lie in
the enclosures. What mpmath itself does not know well, because it loses digits or meets an infinity, is left out.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import random_programs
from random_programs import Case

from autodiff_cli import AutodiffError, engine, parse
from autodiff_cli.arithmetic.balls import Ball
from autodiff_cli.arithmetic.multiprecision import Multiprecision
from autodiff_cli.certification.certify import certify
from autodiff_cli.errors import NOT_FINITE
from autodiff_cli.language.written_numbers import as_written
from autodiff_cli.operations import SLOW
from autodiff_cli.program import Program

Number = Any  # mpmath has no types
_DIGITS = 100
_POINTS = 3  # of a box
_WIDTHS = (1e-6, 1e-3, 0.1, 1.0)
_UNDERFLOW = 1e-300
"""a number that mpmath takes for zero in an exponential is smaller than this"""
_HUGE = 1e290
"""the exponential of minus a larger number is zero to mpmath as it is used here"""
_ARITHMETICS = [Multiprecision(digits, textbook=True) for digits in (_DIGITS, 2 * _DIGITS)]
_MORE = [Multiprecision(digits, textbook=True) for digits in (700, 900)]
"""for very large and very small numbers"""
_TIE = 1e-60
"""a number that is not zero but smaller may be a rounding error of mpmath, which must not decide anything"""


@dataclass(frozen=True)
class Enclosure:
    """A number with its bounds by the balls, and the truth."""

    name: str
    ball: Ball
    true: Number
    error: Number
    """of the truth itself"""

    @property
    def holds(self) -> bool:
        """Whether the truth is in the ball, but for its own error."""
        context = self.true.context
        middle, radius = (_mpf(context, part) for part in (self.ball.mid(), self.ball.rad().upper()))
        return bool(abs(self.true - middle) <= radius + self.error)


def _mpf(context: Any, ball: Ball) -> Number:
    mantissa, exponent = ball.man_exp()
    return context.ldexp(int(mantissa), int(exponent))


def outcome(case: Case, random: Random) -> tuple[str, list[Enclosure]]:
    """The outcome of a case, and the enclosures that do not hold."""
    try:
        program = parse(case.formula)
    except AutodiffError:
        return "unreadable", []
    point: dict[str, Any] = dict(case.point)
    points = [case.point]
    if random.random() < 0.5:
        width = random.choice(_WIDTHS)
        point = {name: (x - width * random.random(), x + width * random.random()) for name, x in point.items()}
        points += [{name: random.uniform(*ends) for name, ends in point.items()} for _ in range(_POINTS)]
    try:
        certificate = certify(program, point, [case.wrt], parts=random.choice((1, 1, 3)))
    except AutodiffError as error:
        if error.code != NOT_FINITE:
            raise
        return "no enclosure", []
    found = [enclosure for at in points for enclosure in _compared(program, at, case.wrt, certificate)]
    if not found:
        return "not known to mpmath", []
    return ("range" if len(points) > 1 else "point"), [enclosure for enclosure in found if not enclosure.holds]


def _compared(program: Program, point: dict[str, float], wrt: str, certificate: Any) -> Iterator[Enclosure]:
    """The value and the gradient at a point with their enclosures, as far as mpmath knows them."""
    sizes = [abs(number) for number in (*point.values(), *program.graph.numbers.values()) if number]
    is_ordinary = all(1e-20 < size < 1e20 for size in sizes)
    arithmetics = _ARITHMETICS if is_ordinary else _MORE
    coarse, fine = (_results(program, point, wrt, arithmetic) for arithmetic in arithmetics)
    if coarse is None or fine is None:
        return
    context = arithmetics[1].context
    balls = certificate.value, certificate.gradient[wrt]
    for name, ball, rough, true in zip(("value", "gradient"), balls, coarse, fine, strict=True):
        rough = context.mpf(rough)
        error = 2 * abs(true - rough)
        if error <= context.mpf(10) ** (-_DIGITS // 2) * max(abs(true), _mpf(context, ball.rad().upper()), 1e-30):
            yield Enclosure(name, ball, true, error + context.mpf(10) ** -150 * abs(true) + _UNDERFLOW)


def _results(program: Program, point: dict[str, float], wrt: str, exact: Multiprecision) -> list[Number] | None:
    """The value and the derivative by mpmath; None where anything on the way is not finite."""
    graph, inputs, context = program.graph, program.inputs_given(point), exact.context
    order = graph.needed([program.output])
    if any(graph.operations[node].name in SLOW for node in order) and any(abs(x) > 1e6 for x in point.values()):
        return None
    values: list[Number] = [None] * len(graph)
    for node in order:
        if node in graph.numbers:
            values[node] = as_written(program, node, exact)
    for name, node in inputs.items():
        if name in point:
            values[node] = context.mpf(point[name])
    engine.forward(graph, order, values, exact)
    if not all(context.isfinite(values[node]) for node in order):
        return None
    choosing = [values[a] for node in order if graph.operations[node].chooses for a in graph.arguments[node]]
    has_underflow = any(abs(values[node]) > _HUGE for node in order)
    if any(abs(value) < _TIE and (value or has_underflow) for value in choosing):
        return None
    node = inputs.get(wrt)
    active = graph.dependent(order, [node] if node is not None else [])
    adjoints = engine.backward(graph, order, values, program.output, active, exact, context.one)
    known = [adjoint for adjoint in adjoints if adjoint is not None]
    if not all(map(context.isfinite, known)):
        return None
    slope = adjoints[node] if node is not None else None
    return [values[program.output], context.zero if slope is None else slope]


def run(seed: int, numbers: range) -> tuple[Counter[str], list[str]]:
    """The number of cases with each outcome, and the violations in words."""
    counts: Counter[str] = Counter()
    violations = []
    for number in numbers:
        case = random_programs.case(seed, number)
        kind, wrong = outcome(case, Random(f"{seed} {number} box"))
        counts[kind] += 1
        violations += [f"case {number}: {case.formula} at {case.point}: {each}" for each in wrong]
    return counts, violations


def main() -> None:
    """Run the cases of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--case", type=int)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    numbers = range(options.case, options.case + 1) if options.case is not None else range(options.cases)
    total: Counter[str] = Counter()
    for start in range(numbers.start, numbers.stop, 1000):
        counts, violations = run(options.seed, range(start, min(start + 1000, numbers.stop)))
        total += counts
        print(*violations, sep="\n", end="\n" if violations else "", flush=True)
        print(min(start + 1000, numbers.stop), dict(total), flush=True)


if __name__ == "__main__":
    main()
