"""The benchmark suite runs, checks what it compares, and says what is not installed. Nothing here looks at a time."""

import os
import subprocess
import sys

import pytest
from places import ROOT

HERE = ROOT / "benchmarks"


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Python with the arguments; the package is that of this checkout."""
    paths = os.pathsep.join([str(HERE.parent), str(HERE)])
    environment = os.environ | {"PYTHONPATH": paths}
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False, env=environment)


def report(*arguments: str) -> str:
    """The report of the suite at small sizes."""
    done = run(str(HERE / "run.py"), *arguments, "--small", "--print")
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_report_of_a_section_has_a_row_for_everybody_or_says_who_is_missing() -> None:
    pytest.importorskip("scipy", reason="columns need SciPy")
    text = report("neuron")
    assert "## What was to be reached" in text
    for name in ("autodiff", "copy", "PyTorch", "JAX", "CasADi", "autograd", "numexpr"):
        assert name in text.partition("## The neuron")[2], text


@pytest.mark.slow
def test_the_steps_of_small_formulas_are_timed() -> None:
    pytest.importorskip("numpy", reason="the profiles of columns are in the same file")
    done = run(str(HERE / "profiles.py"), "formulas")
    assert done.returncode == 0, done.stderr
    assert [line.split("|")[1].strip() for line in done.stdout.splitlines()[-4:]] == [
        "find the words",
        "parse, words included",
        "evaluate, value and gradient",
        "write JSON",
    ]


def test_a_section_that_does_not_exist_is_refused() -> None:
    done = run(str(HERE / "run.py"), "tea")
    assert done.returncode == 2
    assert "no section tea" in done.stderr


def test_derivatives_that_come_too_late_count_in_the_table_of_their_formulas() -> None:
    script = """
from derivative_length import Answer, Formula, _sizes, _table
first, second, late = (Formula(f"x^{n}", "x") for n in (2, 3, 4))
texts = ["2*x", "3*x^2", None]
ours = dict(zip([first, second], _sizes(texts)))
peer = Answer("peer", [first, second, late], texts, {late}, 60)
for group in ([first], [second, late]):
    print(_table("corpus", group, ours, [peer]).splitlines()[-1].split(" | ")[0])
"""
    done = run("-c", script)
    assert done.stdout.splitlines() == ["| peer", "| peer, 1 not done in 60 s"], done.stderr


def test_the_read_me_names_every_file() -> None:
    text = (HERE / "README.md").read_text(encoding="utf-8")
    assert {file.name for file in HERE.glob("*.py")} - set(text.replace("`", " ").replace("/", " ").split()) == set()


@pytest.mark.slow
def test_results_that_differ_stop_the_suite() -> None:
    pytest.importorskip("scipy", reason="columns need SciPy")
    done = run("-c", "import columns, column_sections; columns.TOLERANCE = -1.0; column_sections.neuron(1, True)")
    assert done.returncode == 1
    assert "differ from ours" in done.stderr


@pytest.mark.slow
def test_formulas_in_data_frames_are_compared_with_those_written_by_hand() -> None:
    for package in ("duckdb", "pandas", "polars"):
        pytest.importorskip(package)
    rows = ["pandas", "polars", "polars, lazy", "DuckDB"]
    done = run(str(HERE / "frames.py"), "--rows", "1000", "--rounds", "1", "--print")
    assert done.returncode == 0, done.stderr
    assert [line.split("|")[1].strip() for line in done.stdout.splitlines()[2:]] == rows
