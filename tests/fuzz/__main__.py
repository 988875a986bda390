"""Run random command lines until something breaks.

    python -m tests.fuzz --cases 1000000 --jobs 2 --journal fuzz.json     the long run; again to go on where it stopped
    python -m tests.fuzz --seed 1 --case 4711                             one case, and what is wrong with it

A finding is a traceback, an exit code that the help does not list, more than 5 s of processor time or 500 MB, half a
file, a file left behind, or an output that cannot be read back. Each kind is shown once, made small, with the commands
that reproduce it. The exit code is 1 if there is any.
"""

import argparse
import json
import multiprocessing
import os
import signal
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from . import texts
from .commands import case
from .minimising import minimised, shell

_BATCH = 50
_PATIENCE = 120  # seconds without a word from a process
_LIFE = 10_000  # cases of one process, because what it keeps in memory grows


@dataclass
class Journal:
    """The progress of a run, and its findings."""

    seed: int
    done: int = 0
    seconds: float = 0.0
    codes: Counter[str] = field(default_factory=Counter)
    findings: dict[str, dict[str, Any]] = field(default_factory=dict)
    """kind → the first case, how many there were, and the commands"""

    @classmethod
    def at(cls, path: Path | None, seed: int) -> "Journal":
        """The journal in a file, if it is there and of this seed."""
        if path is not None and path.exists():
            found = json.loads(path.read_text(encoding="utf-8"))
            if found["seed"] == seed:
                return cls(**found | {"codes": Counter(found["codes"])})
        return cls(seed)

    def keep(self, path: Path | None) -> None:
        """Write the file, whole or not at all."""
        if path is not None:
            new = path.with_suffix(".new")
            new.write_text(json.dumps(vars(self), indent=1), encoding="utf-8")
            new.replace(path)

    def add(self, kind: str, number: int, text: str) -> None:
        """Count a finding, and show it if it is the first of its kind."""
        if kind in self.findings:
            self.findings[kind]["count"] += 1
            return
        self.findings[kind] = {"number": number, "count": 1, "commands": text}
        print(f"\nFOUND {kind} (case {number})\n{text}", flush=True)


def _work(pipe: Connection, seed: int) -> None:
    """Run the batches that come through the pipe; say before and after each case which it is."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    from .running import Runner

    runner, seen = Runner(), set[str]()
    try:
        while (first := pipe.recv()) is not None:
            for number in range(first, first + _BATCH):
                pipe.send((number, None, "", ""))
                drawn = case(seed, number)
                outcome, text = runner.run(drawn), ""
                if outcome.finding and outcome.finding not in seen:
                    seen.add(outcome.finding)
                    text = _minimised(runner, drawn, outcome.finding, outcome.detail, pipe, number)
                pipe.send((number, f"{outcome.code}", outcome.finding, text))
            pipe.send((first, None, "", None))
    finally:
        runner.close()


def _minimised(runner: Any, drawn: Any, finding: str, detail: str, pipe: Connection, number: int) -> str:
    def is_same(candidate: Any) -> bool:
        pipe.send((number, None, "", ""))
        return bool(runner.run(candidate).finding == finding)

    small = minimised(drawn, is_same, 12 if finding.startswith(("slow", "memory")) else 400)
    return f"{detail}\n{shell(small)}"


class Worker:
    """A process that runs cases, and what it last said."""

    def __init__(self, seed: int) -> None:
        context = multiprocessing.get_context("fork")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=_work, args=(other, seed), daemon=False)
        self.process.start()
        other.close()
        self.heard, self.number, self.first, self.cases = time.monotonic(), -1, -1, 0

    def begin(self, first: int) -> None:
        """Give it a batch."""
        self.first, self.cases, self.heard = first, self.cases + _BATCH, time.monotonic()
        self.pipe.send(first)

    def end(self) -> None:
        """Let it go; it removes its folder, unless it hangs."""
        with suppress(OSError):
            self.pipe.send(None)
        self.process.join(10)
        self.process.kill()
        self.process.join()


class Run:
    """A long run: the processes, the batches that are open, the journal."""

    def __init__(self, journal: Journal, cases: int, jobs: int, path: Path | None) -> None:
        self.journal, self.cases, self.path = journal, cases, path
        self.next, self.finished = journal.done, set[int]()
        self.workers = [Worker(journal.seed) for _ in range(jobs)]
        self.start, self.started_at, self.before = time.monotonic(), journal.done, journal.seconds

    def run(self) -> None:
        """Run all cases; what is done is kept, whatever happens."""
        self.workers = [worker for worker in self.workers if self._busy(worker)]
        try:
            while self.workers:
                for ready in wait([worker.pipe for worker in self.workers], timeout=5):
                    self._hear(next(worker for worker in self.workers if worker.pipe is ready))
                for worker in [*self.workers]:
                    if time.monotonic() - worker.heard > _PATIENCE:
                        self._lost(worker, f"no answer in {_PATIENCE} s")
        finally:
            for worker in self.workers:
                worker.end()
            self._keep()

    def _busy(self, worker: Worker) -> bool:
        """Give a process the next batch; false if there is none."""
        if self.next >= self.cases:
            worker.end()
            return False
        worker.begin(self.next)
        self.next += _BATCH
        return True

    def _hear(self, worker: Worker) -> None:
        try:
            number, code, finding, text = worker.pipe.recv()
        except (EOFError, ConnectionResetError):
            worker.process.join()
            self._lost(worker, f"the process ended with {worker.process.exitcode}")
            return
        worker.heard, worker.number = time.monotonic(), number
        if code is not None:
            self.journal.codes[code] += 1
            if finding:
                self.journal.add(finding, number, text)
        elif text is None:
            self._done(worker)

    def _done(self, worker: Worker) -> None:
        """A batch is done: the next one, by a new process now and then."""
        self._finish(worker.first)
        if worker.cases < _LIFE:
            if not self._busy(worker):
                self.workers.remove(worker)
        else:
            self._renew(worker)

    def _lost(self, worker: Worker, why: str) -> None:
        """A process is gone with a case; the rest of its batch is left out."""
        self.journal.add(why, worker.number, f"python -m tests.fuzz --seed {self.journal.seed} --case {worker.number}")
        self._finish(worker.first)
        self._renew(worker)

    def _finish(self, batch: int) -> None:
        """Count a batch as done, once all before it are."""
        self.finished.add(batch)
        while self.journal.done in self.finished:
            self.finished.remove(self.journal.done)
            self.journal.done += _BATCH
        self._keep()

    def _renew(self, worker: Worker) -> None:
        worker.end()
        self.workers.remove(worker)
        fresh = Worker(self.journal.seed)
        if self._busy(fresh):
            self.workers.append(fresh)

    def _keep(self) -> None:
        seconds = time.monotonic() - self.start
        self.journal.seconds = self.before + seconds
        self.journal.keep(self.path)
        done = self.journal.done - self.started_at
        if done % 1000 == 0:
            print(
                f"{self.journal.done:,} cases, {done / seconds:.0f}/s, {len(self.journal.findings)} findings",
                flush=True,
            )


def _show(seed: int, number: int) -> int:
    """One case: its commands, how it ends, and what is wrong."""
    drawn = case(seed, number)
    print(shell(drawn), flush=True)
    leader, follower = multiprocessing.Pipe()
    if not (child := os.fork()):
        from .running import Runner

        runner = Runner()
        follower.send(runner.run(drawn))
        runner.close()
        os._exit(0)
    follower.close()
    try:
        outcome = leader.recv()
    except EOFError:
        print(f"the process ended with {os.waitpid(child, 0)[1]}")
        return 1
    print(f"\n{outcome}")
    return bool(outcome.finding)


def main() -> int:
    """Run as many cases as asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--cases", type=int, default=1000, help="go on until so many are done")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--journal", type=Path, help="keep what is done in a file, and go on from there")
    parser.add_argument("--case", type=int, help="run one case alone")
    parser.add_argument(
        "--large",
        type=float,
        default=texts.large_share,
        help="the share of long sums and of formulas in themselves, 0 to 1; another draws other cases",
    )
    arguments = parser.parse_args()
    texts.large_share = arguments.large
    if arguments.case is not None:
        return _show(arguments.seed, arguments.case)
    journal = Journal.at(arguments.journal, arguments.seed)
    run = Run(journal, arguments.cases, arguments.jobs, arguments.journal)
    run.run()
    seconds, done = time.monotonic() - run.start, journal.done - run.started_at
    codes = ", ".join(f"{code}: {count:,}" for code, count in sorted(journal.codes.items()))
    print(
        f"\n{journal.done:,} cases, {done / seconds:.0f} a second; exit codes {codes}; {len(journal.findings)} findings"
    )
    return bool(journal.findings)


if __name__ == "__main__":
    sys.exit(main())
