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

numpy = pytest.importorskip("numpy")
pytest.importorskip("scipy")

from autodiff_cli import parse
from autodiff_cli.parallel import in_order
from autodiff_cli.vectorized import executor
from autodiff_cli.vectorized.compiler import gradient_plan
from autodiff_cli.vectorized.computation import Computation
from autodiff_cli.vectorized.executor import run
from autodiff_cli.vectorized.plan import ExecutionPlan, PlanStep, RegisterKind

PATIENCE = 60
STEPS = 10_000
ROWS = 300_000
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
CHOICES = "+".join(f"max(x, {i}*y)" for i in range(12))
"""a formula with so many choices that bounds decide some of them"""


def _plan(step: Callable[[], None]) -> ExecutionPlan:
    """Many steps that are all the same."""
    return ExecutionPlan(
        (PlanStep(step, lambda arrays: ()),) * STEPS, (), dict.fromkeys(RegisterKind, 0) | {RegisterKind.RESULT: 1}
    )


# ---- Blocks ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("formula", ["x*y", CHOICES])
@pytest.mark.parametrize(("rows", "jobs"), [(0, 1), (1, 1), (1, 4), (40_000, 2), (100_001, 16), (3_000_000, 3)])
def test_every_row_is_in_one_block_and_every_thread_has_as_many(formula: str, rows: int, jobs: int) -> None:
    groups = executor._groups(gradient_plan(parse(formula), ["x", "y"], {}, ["x"]), rows, jobs)
    blocks = sorted(itertools.chain(*groups), key=lambda block: block.start)
    assert all(groups)
    assert [block.start for block in blocks] == [0, *(block.stop for block in blocks)][: len(blocks)]
    assert (blocks[-1].stop if blocks else 0) == rows
    assert min(jobs, rows) <= len(groups)
    sizes = [block.stop - block.start for block in blocks]
    assert jobs == 1 or not sizes or max(sizes) - min(sizes) <= len(sizes)


def test_blocks_beside_other_threads_are_longer_and_a_large_plan_has_short_ones() -> None:
    plan = gradient_plan(parse(CHOICES), ["x", "y"], {}, ["x", "y"])
    alone, beside = (executor._groups(plan, 10**6, jobs)[0][0].stop for jobs in (1, 2))
    with_many_registers = ExecutionPlan(plan.steps, (), plan.counts | {RegisterKind.NUMBER: 10**5})
    assert plan.block == alone < beside <= plan.long_block
    assert with_many_registers.block == with_many_registers.long_block < alone


# ---- Threads ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("formula", ["sqrt(x)*max(x, 1)", CHOICES.replace("y", "(x*x)")])
def test_threads_give_every_bit_that_one_gives(formula: str) -> None:
    columns = {"x": numpy.linspace(-1, 2, ROWS)}
    computation = Computation(parse(formula), ["x"], {})
    alone = computation(columns)
    for results in (computation(columns, jobs=2), computation(columns, jobs=3), *in_order([columns], computation, 2)):
        assert numpy.array_equal(results.value, alone.value, equal_nan=True)
        assert numpy.array_equal(results.gradient[0], alone.gradient[0], equal_nan=True)
        assert results.nonfinite_rows.tolist() == alone.nonfinite_rows.tolist()


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_a_thread_raises_is_raised(jobs: int) -> None:
    with _no_thread_left(), pytest.raises(ZeroDivisionError):
        run(_plan(lambda: 1 // 0), [], ROWS, jobs)


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


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_thread_whose_result_nobody_wants_any_more_ends_in_the_middle_of_a_plan(jobs: int) -> None:
    begun, closed, steps = threading.Event(), threading.Event(), itertools.count()

    def step() -> None:
        next(steps)
        begun.set()
        assert closed.wait(PATIENCE)

    with _no_thread_left():
        results = in_order([0, ROWS], lambda rows: run(_plan(step), [], rows, jobs)[1], 2)
        assert next(results) == []
        assert begun.wait(PATIENCE)
        results.close()
        closed.set()
    assert next(steps) < STEPS


@POSIX
def test_an_interrupt_ends_the_threads_of_a_computation_in_the_middle_of_a_plan() -> None:
    raised, steps = threading.Event(), itertools.count()

    def step() -> None:
        if next(steps) == 0:
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        assert raised.wait(PATIENCE)

    with _no_thread_left():
        with pytest.raises(KeyboardInterrupt):
            run(_plan(step), [], ROWS, 2)
        raised.set()
    assert next(steps) < STEPS


@pytest.mark.slow
@POSIX
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_an_interrupt_of_the_process_ends_it_and_leaves_no_file(name: str, jobs: str, tmp_path: Path) -> None:
    words = ["eval", CHOICES, "--over", "x=0:1e6:1", "y=0:1e6:1", "--jobs", jobs, "-o", "out.csv"]
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
    assert process.returncode == 128 + number
    assert not list(tmp_path.iterdir())
