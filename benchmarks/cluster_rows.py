"""Rows per second of `eval --cluster local`, and what follows for a hundred machines: docs/background/cluster.md."""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from os import sched_getaffinity
from pathlib import Path
from shutil import rmtree

import numpy
import pyarrow
import pyarrow.parquet as parquet
from measure import ROOT, autodiff, insert, processor, run, table

PAGE = ROOT / "docs" / "background" / "cluster.md"
BEGIN, END = "<!-- cluster_rows.py: begin -->", "<!-- cluster_rows.py: end -->"

PARTITION = 2**20
"""rows of a file"""
SMALL = 1000
"""files of one row, by which the cost of a task is measured"""
NODES, CORES = 100, 16
LINK = 10e9 / 8
"""bytes per second into a node, and as many out of it at the same time"""
TASKS = 1000
"""tasks per second of the scheduler"""
JOB = 10**12
"""rows of the job that is worked out"""

PROGRAMS = {
    "neuron": dict.fromkeys(("x1", "x2", "w1", "w2", "b"), (-2.0, 2.0)),
    "black_scholes": {
        "spot": (50.0, 150.0), "strike": (50.0, 150.0), "rate": (0.0, 0.1), "vol": (0.1, 0.5), "years": (0.1, 2.0)
    },
}  # fmt: skip
"""a file in examples → its columns, and the interval that they are drawn from"""


@dataclass(frozen=True)
class Measured:
    """The speed of one program: rows per second by one process and by all, bytes of a row that is read and written."""

    program: str
    single: float
    whole: float
    core: float
    """of these rows for each of all cores, while all of them work"""
    read: float
    written: float


def write_data(folder: Path, program: str, files: int, rows: int) -> float:
    """Write the columns of a program to so many files of so many rows; return the bytes of a row."""
    random = numpy.random.default_rng(1)
    folder.mkdir()
    for number in range(files):
        columns = {name: random.uniform(*ends, rows) for name, ends in PROGRAMS[program].items()}
        parquet.write_table(pyarrow.table(columns), folder / f"{number:05}.parquet")
    return size(folder) / (files * rows)


def size(folder: Path) -> int:
    """Return the bytes of the files in a folder."""
    return sum(file.stat().st_size for file in folder.iterdir())


def seconds(program: str, data: Path, jobs: int, rounds: int) -> tuple[float, int]:
    """Return the least wall time of the whole command, and the bytes that it writes."""
    out = data.parent / "out"
    words = ["-f", f"examples/{program}.expr", "--data", str(data), "-o", str(out)]
    times = []
    for _ in range(rounds):
        rmtree(out, ignore_errors=True)
        times.append(run(autodiff("eval", *words, "--cluster", "local", "--jobs", str(jobs))).seconds)
    return min(times), size(out)


def measured(program: str, folder: Path, files: int, rounds: int, cores: int) -> Measured:
    """Measure a program; the time to start the processes is taken off."""
    data, tiny = folder / f"{program}-data", folder / f"{program}-tiny"
    read = write_data(data, program, files, PARTITION)
    write_data(tiny, program, 1, 1)
    rows = files * PARTITION
    speeds, written = [], 0
    for jobs in (1, cores):
        start, _ = seconds(program, tiny, jobs, rounds)
        time, written = seconds(program, data, jobs, rounds)
        speeds.append(rows / (time - start))
    rmtree(data)
    return Measured(program, *speeds, speeds[-1] / cores, read, written / rows)


def task_cost(folder: Path, rounds: int, cores: int) -> float:
    """Return the seconds that one more file takes beside the rows in it."""
    write_data(folder / "one", "neuron", 1, 1)
    write_data(folder / "many", "neuron", SMALL, 1)
    one, _ = seconds("neuron", folder / "one", cores, rounds)
    many, _ = seconds("neuron", folder / "many", cores, rounds)
    return (many - one) / (SMALL - 1)


def report(found: Sequence[Measured], cost: float, files: int, cores: int) -> str:
    """Return the part of the page that the numbers decide on."""
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "pyarrow", "distributed"))
    about = (
        f"{files} files of {PARTITION:,} rows, {processor()}, {cores} cores, Python {sys.version.split()[0]}, "
        f"{libraries}; files and results in the machine's own file system. One more file costs {cost * 1e3:.1f} ms "
        "beside its rows, with the client, the scheduler and the workers on these cores together."
    )
    rows = [
        [f"`{each.program}`", f"{each.single:,.0f}", f"{each.whole:,.0f}", f"{each.read:.0f}", f"{each.written:.0f}"]
        for each in found
    ]
    header = ["", "rows/s, one process", f"rows/s, {cores} processes", "bytes read per row", "bytes written per row"]
    return "\n\n".join([about, table(header, rows), *estimate(found)])


def estimate(found: Sequence[Measured]) -> list[str]:
    """Return what follows for the cluster: tables with their headings."""
    cluster, partitions = [], []
    for each in found:
        limits = {
            "computing": each.core * CORES,
            "reading": LINK / each.read,
            "writing": LINK / each.written,
        }
        bound = min(limits, key=lambda what: limits[what])
        speed = limits[bound] * NODES
        gigabytes = speed * (each.read + each.written) / 1e9
        each_way = [f"{limit / 1e6:,.1f}" for limit in limits.values()]
        together = [speed / 1e6, JOB / speed / 60, gigabytes]
        cluster.append([f"`{each.program}`", *each_way, bound, *(f"{number:,.0f}" for number in together)])
        partitions += [_partition(each, speed, rows) for rows in (10**5, 10**6, 10**7, 10**8)]
    nodes = ["", "computing", "reading", "writing", "the least"]
    whole = ["10⁶ rows/s, all", "minutes for 10¹² rows", "GB/s in and out"]
    sizes = ["", "rows of a file", "MB read", "seconds of a core", "tasks per second", "of what a scheduler does"]
    return [
        f"What one node could do, in 10⁶ rows per second, and what {NODES} of them would:",
        table([*nodes, *whole], cluster),
        "The same work in files of different sizes:",
        table(sizes, partitions),
    ]


def _partition(each: Measured, speed: float, rows: int) -> list[str]:
    tasks = speed / rows
    cells = [f"{rows:,}", f"{rows * each.read / 1e6:,.0f}", f"{rows / each.core:,.1f}", f"{tasks:,.0f}"]
    return [f"`{each.program}`", *cells, f"{tasks / TASKS:,.0%}"]


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--print", action="store_true", help="leave the page as it is")
    words = parser.parse_args()
    cores = len(sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as folder:
        found = [measured(name, Path(folder), words.files, words.rounds, cores) for name in PROGRAMS]
        text = report(found, task_cost(Path(folder), words.rounds, cores), words.files, cores)
    if words.print:
        print(text)
        return
    insert(PAGE, BEGIN, END, text)


if __name__ == "__main__":
    main()
