"""A test of the gradient check by random programs, with right and with wrong derivative rules.

    python tests/support/fuzz_check.py                                  30,000 right gradients and 7,000 wrong ones
    python tests/support/fuzz_check.py --gradients 300 --mutants 150    a short run
    python tests/support/fuzz_check.py --peers --write    other checks too, into docs/background/gradient-check.md
    python tests/support/fuzz_check.py --case 4711                      one case, and what is known about it

A right gradient that gets the verdict mismatch is a false alarm. A wrong one is a miss if the check accepts it where
the wrong rule matters; `fuzz_cases.matters` says where that is. The exit code is 1 if there is any of either.
"""

import argparse
import platform
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import count as counting
from multiprocessing import Pool
from statistics import mean, median

import peer_checks
from fuzz_cases import FIRST_MUTANT, Outcome, run
from places import ROOT

from autodiff_cli import __version__

DOCUMENT = ROOT / "docs" / "background" / "gradient-check.md"
BEGIN, END = "<!-- fuzz_check.py: begin -->", "<!-- fuzz_check.py: end -->"
_BATCH = 25
Work = tuple[int, int, bool]


def outcomes(seed: int, count: int, *, mutated: bool, peers: bool = False, processes: int = 1) -> Iterator[Outcome]:
    """So many outcomes, in order, of as many cases as that takes."""
    start = FIRST_MUTANT if mutated else 0
    found = 0
    with Pool(processes) as pool:
        for number in counting(start, processes * 4 * _BATCH):
            work = [(seed, first, peers) for first in range(number, number + processes * 4 * _BATCH, _BATCH)]
            batches = pool.map(_batch, work, 1) if processes > 1 else map(_batch, work)
            for outcome in (outcome for batch in batches for outcome in batch):
                yield outcome
                found += 1
                if found == count:
                    return


def _batch(work: Work) -> list[Outcome]:
    seed, first, peers = work
    checks = _checks() if peers else None
    found = [run(seed, number, checks) for number in range(first, first + _BATCH)]
    return [outcome for outcome in found if outcome is not None]


@cache
def _checks() -> dict[str, peer_checks.Check]:
    return peer_checks.installed()


def summary(right: Sequence[Outcome], wrong: Sequence[Outcome]) -> str:
    """The verdicts of the check itself, as a table."""
    kinds = ("ok", "ok, ill-conditioned", "ok, subgradient", "not differentiable", "undecided", "mismatch")
    lines = ["| verdict | right rules | wrong rules |", "| --- | ---: | ---: |"]
    tallies = [Counter(outcome.verdict.verdict for outcome in group) for group in (right, wrong)]
    lines += [f"| {kind} | {tallies[0][kind]:,} | {tallies[1][kind]:,} |" for kind in kinds]
    justified = sum(outcome.verdict.verdict == "mismatch" and outcome.wrong for outcome in right)
    alarms, misses = (sum(outcome.failed for outcome in group) for group in (right, wrong))
    times = [outcome.seconds * 1e3 for outcome in right]
    lines += [
        "",
        f"Of {len(right):,} gradients by the right rules, **{alarms}** false alarms. {justified} were rightly called a "
        "mismatch: an operation on the way has no derivative, and the gradient is not one of the slopes. "
        f"Of {len(wrong):,} gradients by a wrong rule, **{misses}** were accepted.",
        "",
        f"Time for one gradient: median {median(times):.1f} ms, mean {mean(times):.1f} ms.",
    ]
    return "\n".join(lines)


def comparison(right: Sequence[Outcome], wrong: Sequence[Outcome]) -> str:
    """The false alarms and misses of every check, at ordinary points and at all."""
    right, wrong = ([outcome for outcome in group if outcome.peers] for group in (right, wrong))
    groups = [(group, ordinary) for ordinary in (True, False) for group in (right, wrong)]
    chosen = [[outcome for outcome in group if outcome.case.ordinary or not ordinary] for group, ordinary in groups]
    sizes = [f"{len(group):,}" for group in chosen]
    lines = [
        f"| check | false alarms in {sizes[0]}, ordinary | misses in {sizes[1]}, ordinary "
        f"| false alarms in {sizes[2]}, all | misses in {sizes[3]}, all |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    ours = [sum(outcome.failed for outcome in group) for group in chosen]
    lines.append(f"| **autodiff {__version__}** | " + " | ".join(f"**{number:,}**" for number in ours) + " |")
    for name in right[0].peers:
        counts = [sum(outcome.peers[name] == bool(outcome.mutation) for outcome in group) for group in chosen]
        lines.append(f"| {name} | " + " | ".join(f"{number:,}" for number in counts) + " |")
    return "\n".join(lines)


def main() -> None:
    """Run as many cases as asked for and report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--gradients", type=int, default=30_000)
    parser.add_argument("--mutants", type=int, default=7_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--peers", action="store_true", help="run the checks of other libraries, where installed")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/background/gradient-check.md")
    parser.add_argument("--case", type=int, help="show one case")
    arguments = parser.parse_args()
    if arguments.case is not None:
        print(run(arguments.seed, arguments.case, _checks() if arguments.peers else None))
        return
    groups: list[list[Outcome]] = []
    for mutated, count in ((False, arguments.gradients), (True, arguments.mutants)):
        groups.append([])
        for outcome in outcomes(
            arguments.seed, count, mutated=mutated, peers=arguments.peers, processes=arguments.processes
        ):
            groups[-1].append(outcome)
            if outcome.failed:
                print(f"FAILED {outcome}", file=sys.stderr, flush=True)
    report = f"CPython {platform.python_version()}, seed {arguments.seed}.\n\n" + summary(*groups)
    if arguments.peers:
        report += "\n\n" + comparison(*groups)
    print(report)
    if arguments.write:
        before, _, rest = DOCUMENT.read_text(encoding="utf-8").partition(BEGIN)
        after = rest.partition(END)[2]
        DOCUMENT.write_text(f"{before}{BEGIN}\n\n{report}\n\n{END}{after}", encoding="utf-8")
    sys.exit(any(outcome.failed for group in groups for outcome in group))


if __name__ == "__main__":
    main()
