"""What the second core of the machine brings at most: two processes do the same work, each on a core of its own.

    python benchmarks/two_at_once.py black_scholes --rows 1000000

prints how many times as much two processes do together as one does alone, by the shortest times. They share the
memory's bandwidth, the cache and the processor's heat, but no lock and no memory, so threads of one process cannot be
expected to bring more.
"""

import argparse
import multiprocessing
import os
from contextlib import suppress
from multiprocessing.synchronize import Barrier

from column_libraries import autodiff, timed
from measure import python, run
from workloads import workload

TURNS = 8


def most(name: str, rows: int) -> float:
    """How many times as much two processes do as one, in a process of its own."""
    return float(run(python(__file__, name, "--rows", str(rows))).output)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("workload")
    parser.add_argument("--rows", type=int, required=True)
    arguments = parser.parse_args()
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(2)
    other = context.Process(target=calls, args=(arguments.workload, arguments.rows, 1, barrier))
    other.start()
    alone, together = calls(arguments.workload, arguments.rows, 0, barrier)
    other.join()
    print(2 * min(alone) / min(together))


def calls(name: str, rows: int, core: int, barrier: Barrier) -> tuple[list[float], list[float]]:
    """The seconds of calls alone and beside the other process's, which waits during the first."""
    with suppress(AttributeError):  # only Linux keeps a process to a core
        os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[core]})
    work = workload(name)
    prepared, data = autodiff(work, rows, 1), work.columns(rows)
    alone, together = [], []
    for _ in range(TURNS):
        barrier.wait()
        together.append(timed(prepared.call, data)[0])
        barrier.wait()
        if core == 0:
            alone.append(timed(prepared.call, data)[0])
    return alone, together


if __name__ == "__main__":
    main()
