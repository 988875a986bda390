"""The sections about many rows: a neuron, larger formulas, Hessians, means, Prospero, what the second core brings."""

import argparse
import multiprocessing
import os
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from statistics import median

from column_libraries import autodiff, timed
from columns import CORES, OURS, Contest, named
from measure import CORPORA, python, reached, run, table, verdict
from workloads import workload

PEERS = ("PyTorch", "PyTorch, compiled", "JAX", "CasADi", "CasADi, compiled", "autograd")

TARGET = 1.2
"""the best peer's time over ours"""

# ---- The neuron ------------------------------------------------------------------------------------------------------

COPY_TARGET = 0.8


def neuron(rounds: int, small: bool) -> str:
    """Measure the neuron at ten million rows, against the libraries and against copying its eleven columns."""
    work = workload("neuron")
    contest = Contest(work, work.small if small else work.rows, (*PEERS, "numexpr", "copy"))
    contest.run(rounds)
    about = (
        f"`{work.text}` with its gradient by all five inputs, at {contest.rows:,} rows in memory. `copy` copies the "
        "eleven columns into new memory, on the same cores."
    )
    speeds = {cores: contest.measured["copy", cores].time / contest.measured[OURS, cores].time for cores in CORES}
    lines = [f"- {named(cores)}: our speed over the copy's: {reached(speeds[cores], COPY_TARGET)}." for cores in CORES]
    return "\n\n".join(
        [f"## The neuron\n\n{about}", contest.report(), "\n".join(lines), contest.verdicts(TARGET), contest.prepared()]
    )


# ---- Larger formulas -------------------------------------------------------------------------------------------------

CONTESTS = {
    "bundle": (*PEERS, "numexpr"),
    "black_scholes": PEERS,
    "mixture": (*PEERS, "numexpr"),
}
ABOUT = {
    "bundle": "One residual of ADBench's bundle adjustment with its gradient by all fifteen inputs",
    "black_scholes": "The price of a call with its gradient by all five inputs: the Greeks delta, rho, vega and theta, "
    "and the derivative by the strike (numexpr has no error function)",
    "mixture": "The logarithm of a mixture of five Gaussians in the plane: a row is a datum, and the gradient is by "
    "the mixture's thirty parameters, which all rows share",
}


def formulas(rounds: int, small: bool) -> str:
    """Measure a bundle adjustment residual, Black–Scholes, and a mixture likelihood's terms at millions of rows."""
    parts = ["## Larger formulas"]
    for name, peers in CONTESTS.items():
        if name != "black_scholes" and not CORPORA.exists():
            parts.append(f"Skipped: the formula of `{name}`, as `{CORPORA.name}` is not there.")
            continue
        work = workload(name)
        contest = Contest(work, work.small if small else work.rows, peers)
        contest.run(rounds)
        about = f"### {work.title[0].upper()}{work.title[1:]}\n\n{ABOUT[name]}; {contest.rows:,} rows."
        parts += [about, contest.report(), contest.verdicts(TARGET), contest.prepared()]
    return "\n\n".join(parts)


# ---- Hessians and means ----------------------------------------------------------------------------------------------

HESSIAN_TARGET = 2.0


def hessians(rounds: int, small: bool) -> str:
    """Measure the Hessian of Black–Scholes at every row."""
    work = workload("black_scholes")
    contest = Contest(work, work.small if small else 10**6, ("JAX, Hessian",), "autodiff, Hessian")
    contest.run(rounds)
    about = (
        f"All second derivatives of Black–Scholes at {contest.rows:,} rows. Ours are computed with the value and the "
        "gradient, JAX's are `vmap(hessian)` alone."
    )
    return "\n\n".join(["## Hessians", about, contest.report(), contest.verdicts(HESSIAN_TARGET)])


def means(rounds: int, small: bool) -> str:
    """Measure the mean of the mixture's terms, and its gradient."""
    heading = "## A mean and its gradient"
    if not CORPORA.exists():
        return f"{heading}\n\nSkipped: the formula is not there."
    work = workload("mixture")
    contest = Contest(work, work.small if small else work.rows, ("JAX, mean",), "autodiff, mean")
    contest.run(rounds)
    about = (
        f"The mean of the mixture's terms over {contest.rows:,} rows with its gradient by thirty parameters, as "
        "`--reduce mean` computes it: our sums have twice the digits of a double."
    )
    return "\n\n".join([heading, about, contest.report(), contest.verdicts(TARGET)])


# ---- Prospero --------------------------------------------------------------------------------------------------------

PROSPERO_TARGET = 8.0
MEMORY_TARGET = 500.0
"""megabytes"""
PROSPERO_PEERS = ("PyTorch", "JAX", "JAX without jit", "CasADi", "CasADi, compiled", "autograd")
LIMITS = {"JAX": 45, "CasADi, compiled": 150}


def prospero(rounds: int, small: bool) -> str:
    """Measure a formula of 7,866 operations, with its gradient, at every pixel of an image."""
    heading = "## Prospero"
    if not CORPORA.exists():
        return f"{heading}\n\nSkipped: `prospero.expr` is not there."
    work = workload("prospero")
    shares, limits = dict.fromkeys(PROSPERO_PEERS, 16), dict.fromkeys(LIMITS, 10) if small else LIMITS
    contest = Contest(work, work.small if small else work.rows, PROSPERO_PEERS, shares=shares, limits=limits)
    contest.run(rounds)
    side = round(contest.rows**0.5)
    about = (
        f"7,866 operations with the gradient by x and y, at {side} × {side} pixels; the peers draw an image of "
        f"{side // 4} × {side // 4}, and their times are scaled. What is not done within its limit is left out: JAX's "
        f"compiler has {contest.limits['JAX']} s, the C compiler {contest.limits['CasADi, compiled']} s."
    )
    memory = max(contest.measured[OURS, cores].peak for cores in CORES) / 1e6
    lines = [contest.verdicts(PROSPERO_TARGET), f"- Our peak memory in MB: {verdict(memory, MEMORY_TARGET)}."]
    return "\n\n".join([f"{heading}\n\n{about}", contest.report(), *reversed(lines)])


# ---- One core and two ------------------------------------------------------------------------------------------------

CORES_TARGET = 1.85
OF_THE_MACHINE = 0.95
ABOUT_CORES = f"""\
One thread, two threads, and two processes, each on a core of its own, do the same work in turn. The last two columns
are what two processes, and two threads, bring in a turn: medians of several runs, as a process may have luck with where
its code and its numbers lie. Two processes share no lock and no memory: where they are less than {CORES_TARGET} times
as fast as one, the memory or the processor holds them up, and what two threads are to reach is {OF_THE_MACHINE} of what
they do."""
ROWS = {"neuron": 10**7, "bundle": 2 * 10**6, "black_scholes": 10**7, "mixture": 10**7, "prospero": 1024**2}


def cores(rounds: int, small: bool) -> str:
    """Measure what the second core brings."""
    heading = "## One core and two"
    if len(CORES) < 2:
        return f"{heading}\n\nSkipped: there is one core only."
    rows, profiles = [], []
    for name in ROWS:
        if name in ("neuron", "black_scholes") or CORPORA.exists():
            work = workload(name)
            contest = Contest(work, work.small if small else ROWS[name], ())
            rows.append(_row(contest, rounds))
            profiles += [contest.profile()] if "missed" in rows[-1][-1] else []
    header = ["", "rows", "1 core, s", "2 cores, s", "two processes at once", "times as fast"]
    return "\n\n".join([heading, ABOUT_CORES, table(header, rows), *profiles])


def _row(contest: Contest, rounds: int) -> list[str]:
    command = python(__file__, contest.work.name, "--rows", str(contest.rows))
    measured = [map(float, run(command).output.split()) for _ in range(rounds)]
    one, two, threads, processes = map(median, zip(*measured, strict=True))
    target = round(min(CORES_TARGET, OF_THE_MACHINE * processes), 2)
    said = reached(threads, target)
    return [contest.work.title, f"{contest.rows:,}", f"{one:.3g}", f"{two:.3g}", f"{processes:.2f}", said]


# ---- One thread, two threads, two processes --------------------------------------------------------------------------
#
# Two processes share the memory's bandwidth, the cache and the processor's heat, but no lock and no memory, so threads
# of one process cannot be expected to bring more.
#
#     python benchmarks/column_sections.py black_scholes --rows 1000000

TURNS = 4


def main() -> None:
    """Print the seconds with one thread and with two, and how many times as fast two threads and two processes are."""
    parser = argparse.ArgumentParser(description="one thread, two threads, two processes")
    parser.add_argument("workload")
    parser.add_argument("--rows", type=int, required=True)
    arguments = parser.parse_args()
    work = workload(arguments.workload)
    prepared, data = [autodiff(work, arguments.rows, cores) for cores in (1, 2)], work.columns(arguments.rows)
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    other = context.Process(target=second, args=(work.name, arguments.rows, there))
    other.start()
    here.recv()
    turns = []
    for _ in range(1 + TURNS):
        alone, shared = [timed(each.call, data)[0] for each in prepared]
        here.send("start")
        with on_core(0):
            together = timed(prepared[0].call, data)[0]
        rate = 1 / together + 1 / here.recv()
        turns.append((alone, shared, alone / shared, alone * rate))
    other.kill()
    print(*map(median, zip(*turns[1:], strict=True)))


def second(name: str, rows: int, pipe: Connection) -> None:
    """The second process: it computes on a core of its own whenever it is told to, and sends the seconds."""
    work = workload(name)
    prepared, data = autodiff(work, rows, 1), work.columns(rows)
    with on_core(1):
        pipe.send("ready")
        while pipe.recv():
            pipe.send(timed(prepared.call, data)[0])


@contextmanager
def on_core(number: int) -> Iterator[None]:
    """Keep this process to one of the cores that it may use, where the system can do so: Linux."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {sorted(allowed)[number]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


if __name__ == "__main__":
    main()
