"""Blocks of rows on several threads: shared evenly, and ended as soon as nobody wants the result any more."""

import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from places import ROOT
from processes import ended_by

numpy = pytest.importorskip("numpy")
pytest.importorskip("scipy")

from autodiff_cli import parse
from autodiff_cli.graph import Graph
from autodiff_cli.many_points.computation import Computation
from autodiff_cli.operations import INPUT, MUL
from autodiff_cli.parallel import in_order
from autodiff_cli.vectorized import numpy_executor, threads
from autodiff_cli.vectorized.compiled_executor import machine
from autodiff_cli.vectorized.numpy_executor import NumpyExecutor
from autodiff_cli.vectorized.plan import Plan
from autodiff_cli.vectorized.threads import run

PATIENCE = 60
STEPS = 10_000
ROWS = 300_000
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
CHOICES = "+".join(f"max(x, {i}*y)" for i in range(12))
ENGINES = ["numpy", *(["compiled"] if machine() else [])]
pytestmark = pytest.mark.usefixtures("threads_for_any_work")


Steps = Callable[[Callable[[], None]], NumpyExecutor]


@pytest.fixture
def with_steps(monkeypatch: pytest.MonkeyPatch) -> Steps:
    """An executor of a plan with many steps, each of which calls a function."""

    def executor(step: Callable[[], None]) -> NumpyExecutor:
        def multiply(a: object, b: object) -> object:
            step()
            return a

        monkeypatch.setitem(numpy_executor._OWN, MUL.name, multiply)
        graph = Graph()
        graph.add(INPUT)
        for node in range(STEPS):
            graph.add(MUL, (node, node))
        return NumpyExecutor(Plan(graph, (STEPS,)))

    return executor


# ---- Blocks ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("offset", [0, 6])
@pytest.mark.parametrize("most", [1024, 30_000])
@pytest.mark.parametrize(("rows", "jobs"), [(0, 1), (1, 1), (1, 4), (40_000, 2), (100_001, 16), (3_000_000, 3)])
def test_every_row_is_in_one_block_and_every_thread_has_as_many(rows: int, jobs: int, most: int, offset: int) -> None:
    blocks = threads._blocks(rows, most, jobs, offset)
    assert [block.start for block in blocks] == [0, *(block.stop for block in blocks)][: len(blocks)]
    assert (blocks[-1].stop if blocks else 0) == rows
    sizes = [block.stop - block.start for block in blocks]
    assert all(0 < size <= most for size in sizes)
    assert len(set(sizes[1:-1])) <= 1
    assert all(block.start % threads.LINE == offset for block in blocks[1:])
    assert len(blocks) >= min(jobs, rows / threads._EVEN)


# ---- Threads ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("formula", ["sqrt(x)*max(x, 1)", CHOICES.replace("y", "(x*x)")])
def test_threads_give_every_bit_that_one_gives(formula: str, engine: str) -> None:
    columns = {"x": numpy.linspace(-1, 2, ROWS)}
    computation = Computation(parse(formula), ["x"], {}, engine=engine)
    alone = computation(columns)
    for results in (computation(columns, jobs=2), computation(columns, jobs=3), *in_order([columns], computation, 2)):
        assert numpy.array_equal(results.value, alone.value, equal_nan=True)
        assert numpy.array_equal(results.gradient[0], alone.gradient[0], equal_nan=True)
        assert results.nonfinite_rows.tolist() == alone.nonfinite_rows.tolist()


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_a_thread_raises_is_raised(jobs: int, with_steps: Steps) -> None:
    with _no_thread_left(), pytest.raises(ZeroDivisionError):
        run(with_steps(lambda: 1 // 0), [numpy.ones(ROWS)], ROWS, jobs)


# ---- Interrupts ------------------------------------------------------------------------------------------------------


@contextmanager
def _no_thread_left() -> Iterator[None]:
    """Threads that the block starts end, if not at once."""
    before = set(threading.enumerate())
    yield
    deadline = time.monotonic() + PATIENCE
    while set(threading.enumerate()) - before:
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_thread_whose_result_nobody_wants_any_more_ends_in_the_middle_of_a_plan(jobs: int, with_steps: Steps) -> None:
    begun, closed, steps = threading.Event(), threading.Event(), itertools.count()

    def step() -> None:
        next(steps)
        begun.set()
        assert closed.wait(PATIENCE)

    executor = with_steps(step)
    with _no_thread_left():
        results = in_order([0, ROWS], lambda rows: run(executor, [numpy.ones(rows)], rows, jobs)[1], 2)
        assert next(results) == []
        assert begun.wait(PATIENCE)
        results.close()
        closed.set()
    assert next(steps) < STEPS


@POSIX
def test_an_interrupt_ends_the_threads_of_a_computation_in_the_middle_of_a_plan(with_steps: Steps) -> None:
    raised, steps = threading.Event(), itertools.count()

    def step() -> None:
        if next(steps) == 0:
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        assert raised.wait(PATIENCE)

    executor = with_steps(step)
    with _no_thread_left():
        with pytest.raises(KeyboardInterrupt):
            run(executor, [numpy.ones(ROWS)], ROWS, 2)
        raised.set()
    assert next(steps) < STEPS


@pytest.mark.slow
@POSIX
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_an_interrupt_of_the_process_ends_it_and_leaves_no_file(name: str, jobs: str, tmp_path: Path) -> None:
    words = ["eval", CHOICES, "--over", "x=0:1e6:1", "y=0:1e6:1", "--jobs", jobs, "-o", "out.csv", "--budget", "inf"]
    process = subprocess.Popen(
        [sys.executable, "-m", "autodiff_cli", *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
    )
    while not any(path.stat().st_size for path in tmp_path.iterdir()):
        assert process.poll() is None
        time.sleep(0.01)
    number = getattr(signal, name)
    process.send_signal(number)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == ended_by(number)
    assert not list(tmp_path.iterdir())
