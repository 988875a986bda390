"""Compare libraries on one workload of many rows, side by side: what a section about columns is made of.

Each library runs in a process of its own, in turn with the others, on one core and on two. Before that, its results at
some thousand rows are compared with ours.
"""

import json
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from statistics import median

from column_libraries import LIBRARIES
from measure import Run, attempt, python, reached, run, table
from profiles import profile
from workloads import Workload

OURS = "autodiff"
TOLERANCE = 1e-10
"""of a result, relative to the largest number of its column"""
CHECKED = 2**12
"""rows that are checked"""
PREPARING_TARGET = 20.0
SLOW = 12.0
"""seconds of a process that is run only once"""
CORES = tuple(cores for cores in (1, 2) if cores <= (os.cpu_count() or 1))


@dataclass
class Measured:
    """One library on so many cores."""

    seconds: list[float] = field(default_factory=list)
    """of all rows; scaled where fewer were run"""
    peak: int = 0
    """bytes, of the whole process"""
    wall: float = 0.0

    @property
    def time(self) -> float:
        """The median."""
        return median(self.seconds)


@dataclass
class Contest:
    """A workload, who takes part, and what came of it."""

    work: Workload
    rows: int
    peers: Sequence[str]
    ours: str = OURS
    """our name in the contest"""
    shares: Mapping[str, int] = field(default_factory=dict)
    """peer → the part of the rows that it is given: 16 for a sixteenth"""
    limits: Mapping[str, int] = field(default_factory=dict)
    """peer → seconds after which it is given up"""
    measured: dict[tuple[str, int], Measured] = field(default_factory=dict)
    preparing: dict[str, float] = field(default_factory=dict)
    """library → the seconds from the text to the results of a few rows, where nothing is compiled yet"""
    notes: list[str] = field(default_factory=list)

    def run(self, rounds: int) -> None:
        """Check the results of all, then time them in turn."""
        missing = [name for name in self.peers if not find_spec(LIBRARIES[name][1])]
        if missing:
            self.notes.append(f"Not installed: {', '.join(missing)}.")
        self.peers = [name for name in self.peers if name not in missing]
        with tempfile.TemporaryDirectory() as folder:
            self._check(Path(folder))
            entries = [(name, cores) for cores in CORES for name in (self.ours, *self.peers)]
            for number in range(rounds):
                for name, cores in entries if number % 2 == 0 else reversed(entries):
                    fast = self.measured.get((name, cores), Measured()).wall < SLOW
                    if fast and name in (self.ours, *self.peers):
                        self._measure(name, cores, Path(folder))

    def _measure(self, name: str, cores: int, folder: Path) -> None:
        share = self.shares.get(name, 1)
        done = self._process(name, self.rows // share, cores, folder)
        if done is not None:
            found, measured = json.loads(done.output), self.measured.setdefault((name, cores), Measured())
            measured.seconds += [share * second for second in found["seconds"]]
            measured.peak, measured.wall = max(measured.peak, done.peak), done.seconds

    def _process(self, name: str, rows: int, cores: int, folder: Path, *options: str) -> Run | None:
        """Run the library in a process; drop it if it fails or is not done in time."""
        print(f"  {self.work.name}: {name}, {rows:,} rows, {named(cores)}", file=sys.stderr)
        here = str(Path(__file__).parent / "column_libraries.py")
        options = ("--rows", str(rows), "--cores", str(cores), "--folder", str(folder), *options)
        command = python(here, self.work.name, name, *options)
        done = (
            run(command, cores=cores)
            if name == self.ours
            else attempt(command, limit=self.limits.get(name, 0), cores=cores)
        )
        if isinstance(done, str):
            self.peers = [peer for peer in self.peers if peer != name]
            self.notes.append(f"{name}: {done}.")
            return None
        return done

    def _check(self, folder: Path) -> None:
        """Compare the results of everybody at a few rows."""
        import numpy

        rows = min(self.rows, CHECKED)
        files = {name: folder / f"{place}.npy" for place, name in enumerate((self.ours, *self.peers))}
        for name, file in files.items():
            done = self._process(name, rows, 1, folder, "--results", str(file))
            if done is None:
                continue
            found = json.loads(done.output)
            self.preparing[name] = found["prepare"] + found["first"]
            if name == "copy":
                continue
            ours, theirs = numpy.load(files[self.ours]), numpy.load(file)
            scale = numpy.abs(ours).max(axis=1, keepdims=True)
            if not (numpy.abs(ours - theirs) <= TOLERANCE * scale).all():
                raise SystemExit(f"error: the results of {name} differ from ours for {self.work.name}")

    def best(self, cores: int) -> str:
        """The fastest peer, the copy aside."""
        return min((name for name in self.peers if name != "copy"), key=lambda name: self.measured[name, cores].time)

    def ahead(self, cores: int) -> float:
        """The best peer's time over ours."""
        return self.measured[self.best(cores), cores].time / self.measured[self.ours, cores].time

    def report(self) -> str:
        """The table, from the fastest to the slowest, and the notes."""
        ordered = sorted((self.ours, *self.peers), key=lambda name: self.measured[name, CORES[-1]].time)
        header = ["", *[f"{named(cores)}, s" for cores in CORES], "× ours", "preparing, s", "peak, MB"]
        rows = [self._row(name) for name in ordered]
        return "\n\n".join([table(header, rows), *self.notes])

    def _row(self, name: str) -> list[str]:
        entries = [self.measured[name, cores] for cores in CORES]
        ratios = [
            entry.time / self.measured[self.ours, cores].time for entry, cores in zip(entries, CORES, strict=True)
        ]
        share = self.shares.get(name, 1)
        title = f"**{name}**" if name == self.ours else name
        scaled = f" (1/{share} of the rows, scaled)" if share > 1 else ""
        times = [f"{entry.time:.3g}" for entry in entries]
        peak = max(entry.peak for entry in entries) / 1e6
        return [
            title + scaled,
            *times,
            " / ".join(f"{ratio:.2f}" for ratio in ratios),
            f"{self.preparing[name]:.2f}",
            f"{peak:.0f}",
        ]

    def verdicts(self, target: float) -> str:
        """Whether we are so many times as fast as the best peer, on one core and on two; if not, the profile."""
        if not set(self.peers) - {"copy"}:
            return "There is nobody to compare with."
        lines = []
        for cores in CORES:
            said = reached(self.ahead(cores), target)
            lines += [f"- {named(cores)}: {self.best(cores)}'s time over ours: {said}.", *self._even(cores)]
        text = "\n".join(lines)
        return text if all(self.ahead(cores) >= target for cores in CORES) else f"{text}\n\n{self.profile()}"

    def prepared(self) -> str:
        """The time that `torch.compile` prepares, over ours; nothing where it did not take part."""
        compiler = "PyTorch, compiled"
        if compiler not in self.preparing:
            return ""
        longer = reached(self.preparing[compiler] / self.preparing[self.ours], PREPARING_TARGET)
        return f"- Preparing: {compiler}'s time over ours: {longer}."

    def _even(self, cores: int) -> list[str]:
        """The number of rows at which a peer that is faster, but takes longer to prepare, comes level."""
        best = self.best(cores)
        longer = self.preparing[best] - self.preparing[self.ours]
        gained = self.measured[self.ours, cores].time - self.measured[best, cores].time
        if gained <= 0 or longer <= 0:
            return []
        return [f"  It prepares {longer:.1f} s longer, and so comes level at {longer / gained * self.rows:.1e} rows."]

    def profile(self) -> str:
        """A profile of our time."""
        return profile(self.work, min(self.rows, 2**20 if len(self.work.text) < 10_000 else 2**14))


def named(count: int) -> str:
    """`1 core`, `2 cores`."""
    return "1 core" if count == 1 else f"{count} cores"
