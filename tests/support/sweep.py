"""A sweep over the whole range of doubles for the errors of every operation: values and partial derivatives.

    python tests/support/sweep.py                            10,000 points for each operation
    python tests/support/sweep.py nthroot beta --points 1e6  more for some
    python tests/support/sweep.py --ways point columns       not the formulas for exported code
    python tests/support/sweep.py --seed 7 --processes 2     other points, both cores

A result is judged four ways: as `eval` computes it at one point, as columns of `--data` do by NumPy and compiled, and
by the formulas that exported code has where a language has no function of its own. The referee is Arb, whose enclosures
are certain; where they are not narrow, and for what seems wrong, it is mpmath, with ever more digits until two answers
agree, and last come differences of values, without a derivative rule. The exit code is 1 if a result is beyond the
bound of docs/numerics.md.
"""

import argparse
import itertools
import math
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from multiprocessing import Pool
from typing import NamedTuple

import referee
import sweep_enclosures
from flint import arb
from referee import Arguments
from sweep_points import points
from sweep_ways import WAYS

from autodiff_cli.operations import Operation, by_name

_BATCH = 1000
_SECONDS = 3.0
"""for a point; where mpmath takes longer it is left out"""
Case = tuple[str, int]
"""an operation and the number of arguments"""


class Finding(NamedTuple):
    """The error of one result."""

    way: str
    result: str
    """`value`, or the parameter that it is differentiated by"""
    ulps: float
    true: float
    beyond: bool
    """the bound"""
    arguments: Arguments
    actual: float


class Tally:
    """The findings about one result of an operation."""

    def __init__(self) -> None:
        self.count, self.beyond = 0, list[Finding]()
        self.worst: Finding | None = None

    def add(self, finding: Finding) -> None:
        self.count += 1
        if self.worst is None or finding.ulps > self.worst.ulps:
            self.worst = finding
        if finding.beyond:
            self.beyond.append(finding)


def findings(case: Case, batch: int, seed: int, size: int = _BATCH, ways: Sequence[str] = tuple(WAYS)) -> list[Finding]:
    """The findings at a batch of points."""
    name, count = case
    operation = by_name(name)
    assert operation is not None
    chosen = list(itertools.islice(points(operation, count, f"{seed} {batch}"), size))
    answers = {way: WAYS[way](operation, count, chosen) for way in ways}
    return [
        finding
        for place, point in enumerate(chosen)
        for finding in _judged(operation, point, {way: results[place] for way, results in answers.items()})
    ]


def judged(operation: Operation, point: Arguments) -> Iterator[Finding]:
    """The findings at one point, in every way."""
    answers = {name: way(operation, len(point), [point])[0] for name, way in WAYS.items()}
    return _judged(operation, point, answers)


def _judged(operation: Operation, point: Arguments, answers: dict[str, Sequence[float]]) -> Iterator[Finding]:
    """The value and, where the operation is smooth, its partials, found in several ways."""
    certain = _certainly(operation, point, answers)
    if certain is not None:
        yield from certain
        return
    signal.setitimer(signal.ITIMER_REAL, _SECONDS)
    try:
        for index, true in referee.quick_results(operation, point):
            for way, results in answers.items():
                verdict = referee.judged(operation, point, index, results[index], true, formula=way != "point")
                yield Finding(way, _label(operation, index), *verdict, point, results[index])
            if not index and not _promises_partials(true, point):
                return
    except referee.NoAnswerError:
        return
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _certainly(operation: Operation, point: Arguments, answers: dict[str, Sequence[float]]) -> list[Finding] | None:
    """The same by enclosures; None where these do not say, or something seems wrong."""
    value = next(iter(answers.values()))[0]
    for enclosures in sweep_enclosures.results(operation, point, value):
        found = list(_within_bounds(operation, point, answers, enclosures))
        if None not in found:
            return found
    return None


def _within_bounds(
    operation: Operation, point: Arguments, answers: dict[str, Sequence[float]], enclosures: Sequence[tuple[int, arb]]
) -> Iterator[Finding | None]:
    """The findings of each way, for the results that the bounds hold for; None and no more where it is beyond them."""
    for index, true in enclosures:
        if index and not _promises_partials(sweep_enclosures.number(enclosures[0][1]), point):
            return
        off = {actual: _ulps(operation, point, index, actual, true) for actual in {r[index] for r in answers.values()}}
        label = _label(operation, index)
        for way, results in answers.items():
            ulps = off[results[index]]
            if ulps > referee.bound_of(operation, index, formula=way != "point"):
                yield None
                return
            yield Finding(way, label, ulps, float(true), False, point, results[index])


def _ulps(operation: Operation, point: Arguments, index: int, actual: float, true: arb) -> float:
    off = sweep_enclosures.ulps(actual, true)
    if referee.bound_of(operation, index) < off < math.inf and operation.name in referee.OF_TERMS:
        return sweep_enclosures.ulps(actual, true, referee.unit(operation, point, index))
    return off


def _promises_partials(value: referee.Number, point: Arguments) -> bool:
    """Whether the bounds hold for partials too: where value and arguments are zero or in the range of all digits."""
    return all(a == 0 or _is_ordinary(a) for a in (value, *point))


def _is_ordinary(number: referee.Number) -> bool:
    """Whether it is nan or in the range in which doubles have all their digits."""
    return bool(number != number or referee.SMALLEST_NORMAL < abs(number) <= referee.LARGEST)


def _give_up(*_: object) -> None:
    raise referee.NoAnswerError


signal.signal(signal.SIGALRM, _give_up)


def _label(operation: Operation, index: int) -> str:
    names = operation.names if not operation.variadic else "abcd"
    return "value" if index == 0 else f"∂{names[index - 1]}"


def cases(names: Iterable[str]) -> list[Case]:
    """All operations, or those named; of one with any number of arguments a few."""
    chosen = set(names)
    return [(operation.name, count) for operation, count in referee.CASES if not chosen or operation.name in chosen]


def swept(
    case: Case, seed: int, number: int, ways: Sequence[str], run: Callable[..., Iterable[list[Finding]]]
) -> dict[tuple[str, str], Tally]:
    """(result, way) → what is found at so many points."""
    tallies: dict[tuple[str, str], Tally] = {}
    work = partial(findings, case, seed=seed, size=min(number, _BATCH), ways=ways)
    for finding in itertools.chain.from_iterable(run(work, range(-(-number // _BATCH)))):
        tallies.setdefault((finding.result, finding.way), Tally()).add(finding)
    return tallies


def main(arguments: Sequence[str]) -> int:
    """Sweep and print; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("operations", nargs="*", help="names of the table, such as nthroot; all if none is named")
    parser.add_argument("--points", type=float, default=1e4, help="for each operation")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--ways", nargs="+", choices=tuple(WAYS), default=tuple(WAYS))
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--show", type=int, default=3, help="how many results beyond the bound are shown")
    options = parser.parse_args(arguments)
    if unknown := set(options.operations) - {operation.name for operation, _ in referee.CASES}:
        parser.error(f"no operation is called {', '.join(sorted(unknown))}")
    failed = False
    with Pool(options.processes) as pool:
        run = pool.imap_unordered if options.processes > 1 else map
        for case in cases(options.operations):
            for (result, way), tally in swept(case, options.seed, int(options.points), options.ways, run).items():
                failed |= bool(tally.beyond)
                _print(case, result, way, tally, options.show)
    return int(failed)


def _print(case: Case, result: str, way: str, tally: Tally, show: int) -> None:
    worst = tally.worst
    assert worst is not None
    place = ", ".join(map(repr, worst.arguments))
    print(
        f"{case[0]:12} {result:6} {way:8} {tally.count:9,} points, worst {worst.ulps:9.3g} ulp at ({place})", flush=True
    )
    for finding in tally.beyond[:show]:
        place = ", ".join(map(repr, finding.arguments))
        print(f"    {finding.ulps:.3g} ulp at ({place}): {finding.actual!r}, true {finding.true!r}")
    if tally.beyond:
        print(f"    {len(tally.beyond):,} beyond the bound", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
