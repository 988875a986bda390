"""Data files and grids: order, memory, streams, interrupts, and results equal to those of single points."""

import csv
import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import nullcontext
from fractions import Fraction
from math import isclose, isnan
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import ROOT, records
from processes import ended_by

from autodiff_cli import AutodiffError, parse
from autodiff_cli.cli import group
from autodiff_cli.cli.evaluation import many_points
from autodiff_cli.cli.sources import ranges
from autodiff_cli.evaluation import evaluate

pytest.importorskip("numpy", reason="data files need NumPy")
pytest.importorskip("scipy", reason="data files need SciPy")
pytest.importorskip("pyarrow", reason="data files need PyArrow")

import numpy

from autodiff_cli.data import terminal_table
from autodiff_cli.data.formats import text_files
from autodiff_cli.data.grid import GridAxis, GridReader
from autodiff_cli.many_points.computation import Computation

COMMAND = (sys.executable, "-m", "autodiff_cli")
PATIENCE = 300  # seconds, after which a test has failed
SIGNALS = [
    number
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")
    if (number := getattr(signal, name, None)) is not None and signal.getsignal(number) is not signal.SIG_IGN
]
"""those that are not ignored here, and so by the programs that are started, as after `nohup`"""
POSIX = pytest.mark.skipif(os.name == "nt", reason="signals and pipes are those of POSIX")


def start(*words: str, folder: Path | None = None) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [*COMMAND, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def end(process: "subprocess.Popen[bytes]") -> tuple[str, str, int]:
    stdout, stderr = process.communicate(timeout=PATIENCE)
    return stdout.decode(), stderr.decode(), process.returncode


def rows(*words: str, data: str = "", folder: Path | None = None, code: int = 0) -> list[dict[str, str]]:
    process = start(*words, folder=folder)
    stdout, stderr = process.communicate(data.encode(), timeout=PATIENCE)
    assert process.returncode == code, stderr.decode()
    return list(csv.DictReader(io.StringIO(stdout.decode())))


# ---- Results ---------------------------------------------------------------------------------------------------------


def _points(names: Sequence[str], at: dict[str, float], count: int) -> list[dict[str, float]]:
    """The point, and others near it."""
    return [
        {name: at[name] * (1 + 0.01 * step * (1 + place)) for place, name in enumerate(names)} for step in range(count)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.expr")), ids=lambda path: path.stem)
def test_every_row_has_the_value_and_the_gradient_of_its_point(path: Path) -> None:
    program = parse(path.read_text(encoding="utf-8"))
    numbers = {name: program.graph.numbers[node] for name, node in program.inputs.items()}
    points = _points(list(numbers), numbers, 4)
    text = "\n".join([",".join(numbers), *(",".join(map(repr, point.values())) for point in points)])
    found = rows("eval", "-f", str(path), "--data", "-", "--allow-nonfinite", data=text)
    assert len(found) == len(points)
    for point, row in zip(points, found, strict=True):
        evaluation = evaluate(program, point)
        assert float(row["value"]) == pytest.approx(evaluation.value, rel=1e-11, nan_ok=True)
        scale = max(map(abs, evaluation.gradient.values()))
        for name, partial in evaluation.gradient.items():
            assert float(row[f"grad_{name}"]) == pytest.approx(partial, rel=1e-9, abs=1e-11 * scale, nan_ok=True)


@pytest.mark.slow
def test_the_formulas_of_a_corpus_have_the_same_results_in_a_table() -> None:
    from autodiff_cli.many_points.computation import Computation

    for record in records("feynman.jsonl"):
        program = parse(record["text"])
        names = [name for name in record["at"] if name in program.inputs]
        points = _points(names, {name: float(record["at"][name]) for name in names}, 3)
        computation = Computation(program, names, {})
        found = computation({name: numpy.array([point[name] for point in points]) for name in names})
        value, *gradient = found.columns
        for row, point in enumerate(points):
            evaluation = evaluate(program, point)
            scale = max(map(abs, evaluation.gradient.values()))
            assert same(value[row], evaluation.value, abs(evaluation.value)), record["text"]
            for name, partials in zip(computation.wrt, gradient, strict=True):
                assert same(partials[row], evaluation.gradient[name], scale), record["text"]


def same(a: float, b: float, scale: float) -> bool:
    """Equal but for rounding, of which a few of the formulas have much, as they cancel."""
    return isclose(a, b, rel_tol=1e-9, abs_tol=1e-6 * scale) or (isnan(a) and isnan(b)) or a == b


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2", "3"])
def test_the_rows_do_not_depend_on_the_number_of_threads(jobs: str, tmp_path: Path) -> None:
    lines = [f"{row},{row / 7},text {row}" for row in range(300_000)]
    (tmp_path / "data.csv").write_text("\n".join(["number,x,name", *lines, ""]))
    found = rows("eval", "x*x", "--data", "data.csv", "--jobs", jobs, folder=tmp_path)
    assert [row["number"] for row in found] == [str(row) for row in range(300_000)]
    assert all(float(row["value"]) == (int(row["number"]) / 7) * (int(row["number"]) / 7) for row in found[::1009])
    assert all(row["name"] == f"text {row['number']}" for row in found[::1009])


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_the_budget_counts_the_rows_of_all_threads(jobs: str, tmp_path: Path) -> None:
    table = tmp_path / "rows.csv"
    table.write_text("y\n" + "0.5\n" * 19)
    formula = "f(a) = sin(a) + cos(a*y); sum(i, 1, 9000, f(i))"
    words = ["eval", formula, "--data", str(table), "--jobs", jobs, "--budget"]
    _, error, code = end(start(*words, "0.75"))
    assert (error.splitlines()[0], code) == ("error: this takes more work than is allowed", 1)
    assert end(start(*words, "10"))[2] == 0


# ---- Streams ---------------------------------------------------------------------------------------------------------


@POSIX
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_pipe_shows_its_first_rows_before_the_last_are_there(jobs: str) -> None:
    process = start("eval", "x^2", "--data", "-", "--jobs", jobs)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"x,name\n3,a\n4,b\n")
    process.stdin.flush()
    assert [process.stdout.readline() for _ in range(3)] == [b"x,name,value,grad_x\n", b"3,a,9,6\n", b"4,b,16,8\n"]
    process.stdin.write(b"5,c\n")
    process.stdin.flush()
    assert process.stdout.readline() == b"5,c,25,10\n"
    assert end(process) == ("", "", 0)


@pytest.mark.slow
@POSIX
def test_the_memory_does_not_grow_with_a_stream() -> None:
    def peak(blocks: int) -> int:
        script = f"import sys; [sys.stdout.write('0.5,1.25,name\\n' * 100_000) for _ in range({blocks})]"
        writer = subprocess.Popen([sys.executable, "-c", "print('x,y,n');" + script], stdout=subprocess.PIPE)
        reader = subprocess.Popen([*COMMAND, "eval", "x*y", "--data", "-", "-o", os.devnull], stdin=writer.stdout)
        assert writer.stdout is not None
        writer.stdout.close()
        _, status, usage = os.wait4(reader.pid, 0)
        reader.returncode = os.waitstatus_to_exitcode(status)
        assert (reader.returncode, writer.wait(PATIENCE)) == (0, 0)
        return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)

    assert peak(60) - peak(20) < 28_000_000, "of 40 more blocks of 1.4 MB at least half were kept"


@POSIX
def test_a_pipe_that_is_closed_ends_quietly() -> None:
    words = f"{sys.executable} -m autodiff_cli eval 'x' --over x=0:1e9:1 | head -n 2; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", words], capture_output=True, timeout=PATIENCE, env={**os.environ})
    assert (done.stdout, done.stderr, done.returncode) == (b"x,value,grad_x\n0,0,1\n", b"", 141)


@pytest.mark.slow
@POSIX
@pytest.mark.parametrize("number", SIGNALS)
def test_an_interrupt_leaves_no_file_and_what_was_there_before(number: int, tmp_path: Path) -> None:
    (tmp_path / "out.csv").write_text("before")
    process = start("eval", "1/x", "--data", "-", "-o", "out.csv", folder=tmp_path)
    assert process.stdin is not None
    assert process.stderr is not None
    process.stdin.write(b"x\n0\n")
    process.stdin.flush()
    assert process.stderr.readline().startswith(b"warning: line 2")  # it is at work, and waits for more
    assert len(list(tmp_path.iterdir())) == 2
    process.send_signal(number)
    assert process.wait(PATIENCE) == ended_by(number)
    process.communicate()
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]
    assert (tmp_path / "out.csv").read_text() == "before"


@pytest.mark.slow
def test_strict_stops_at_the_first_failed_row_and_writes_no_file(tmp_path: Path) -> None:
    for text, code in (("x\n1\n\n0\n2\nfour\n", 3), ("x\n1\nfour\n0\n", 1)):
        process = start("eval", "1/x", "--data", "-", "-o", "out.csv", "--strict", folder=tmp_path)
        stdout, stderr = process.communicate(text.encode(), timeout=PATIENCE)
        assert (stdout, process.returncode) == (b"", code)
        assert stderr.startswith(b"error: line ")
        assert stderr.count(b"\n") == 1
        assert not list(tmp_path.iterdir())


def test_the_reasons_are_found_of_the_rows_that_are_named_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "zeros.csv").write_text("x\n" + "0\n" * 100)
    found, reason = list[int](), Computation.reason
    monkeypatch.setattr(
        Computation, "reason", lambda self, columns, row, work: found.append(row) or reason(self, columns, row, work)
    )
    words = ["eval", "1/x", "--data", str(tmp_path / "zeros.csv"), "-o", str(tmp_path / "out.csv")]
    assert group.main([*words, "--strict", "--allow-nonfinite"], standalone_mode=False) == 0
    assert found == [0, 1, 2, 3, 4]


def test_a_table_for_people_reads_the_cells_of_the_rows_that_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "many.csv").write_text("x,t\n" + "1,a\n" * 3000)
    monkeypatch.setattr(text_files, "PART_BYTES", 400)
    read, contents = list[int](), terminal_table._contents
    monkeypatch.setattr(terminal_table, "_contents", lambda column: read.append(len(column)) or contents(column))
    words = ["eval", "x", "--data", str(tmp_path / "many.csv"), "--columns", "t", "--format", "table", "--jobs", "1"]
    assert group.main([*words, "-o", str(tmp_path / "out.txt")], standalone_mode=False) == 0
    assert "1,000 of 3,000 rows" in (tmp_path / "out.txt").read_text(encoding="utf-8")
    assert 3 * 1000 <= sum(read) < 3 * 1200  # of `t` and the two results


@pytest.mark.slow
def test_a_row_without_a_result_keeps_its_place_and_all_of_them_are_counted() -> None:
    data = ["x,n", *(f"{'bad' if row % 10 == 3 else row % 10},{row}" for row in range(100_000)), ""]
    process = start("eval", "1/x", "--data", "-")
    stdout, stderr = process.communicate("\n".join(data).encode(), timeout=PATIENCE)
    found = list(csv.DictReader(io.StringIO(stdout.decode())))
    assert [row["n"] for row in found] == [str(row) for row in range(100_000)]
    assert {row["value"] for row in found[3::10]} == {""}
    assert {row["value"] for row in found[::10]} == {"inf"}
    lines = stderr.decode().splitlines()
    assert [line.split(":")[1] for line in lines[:5]] == [f" line {line}" for line in ("2", "5", "12", "15", "22")]
    assert lines[5:7] == ["warning: … and 19,995 more", "error: 10,000 of 100,000 rows cannot be read, "
                          "the result of 10,000 is not finite"]  # fmt: skip
    assert process.returncode == 1


@pytest.mark.parametrize("package", ["numpy", "scipy", "pyarrow"])
@pytest.mark.parametrize(
    "words",
    [("eval", "x", "--data", "nowhere.csv"), ("eval", "x", "--over", "x=0:1:1"), ("check", "x", "--data", "no.csv")],
    ids=["eval --data", "eval --over", "check --data"],
)
def test_a_missing_package_is_named_with_the_line_that_brings_it(
    package: str, words: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(AutodiffError, match=f"`{package}`") as found:
        group.main([*words], standalone_mode=False)
    assert (found.value.code, found.value.hint) == (5, 'pip install "autodiff-cli[data]"')


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("size", [1000, None])
def test_a_long_job_shows_its_rows_and_the_time_that_is_left(size: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    from autodiff_cli.terminal import progress

    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(progress, "_DELAY", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    with progress.meter(size) as advance:
        advance(1234, 250)
        give_up = time.monotonic() + PATIENCE
        while "1,234 rows" not in screen.getvalue() and time.monotonic() < give_up:
            time.sleep(0.01)
    assert "1,234 rows" in screen.getvalue()
    assert "rows/s" in screen.getvalue()
    assert ("25%" in screen.getvalue()) == (size is not None)


def test_the_progress_is_that_of_the_rows_that_are_computed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    finished: list[tuple[int, int]] = []
    meter = nullcontext(lambda rows, size: finished.append((rows, size)))
    monkeypatch.setattr(many_points, "meter", lambda reader, engine, is_hidden: meter)
    words = ["eval", "x^2", "--over", "x=0:1:1e-6", "-o", str(tmp_path / "rows.csv")]
    group.main(words, standalone_mode=False)
    assert len(finished) > 1
    assert [size for _, size in finished] == [rows for rows, _ in finished]


@pytest.mark.parametrize("order", ["abc", "cba"])
def test_all_files_of_a_folder_decide_the_engine_and_not_the_first(
    order: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from autodiff_cli.many_points import computation
    from autodiff_cli.vectorized import threads

    if computation.machine() is None:
        pytest.skip("there is no compiler")
    monkeypatch.setattr(computation, "_COMPILING", 1000)
    monkeypatch.setattr(computation, "_STARTING", 0)
    monkeypatch.setattr(threads, "cores", lambda: 1)
    for name, rows in zip(order, (1, 3000, 3000), strict=True):
        (tmp_path / f"{name}.csv").write_text("x\n" + "0.123456\n" * rows)
    group.main(["eval", "x^2", "--data", str(tmp_path), "--reduce", "sum", "--verbose"], standalone_mode=False)
    assert "6,001 rows, engine compiled, " in capsys.readouterr().err


def test_a_short_job_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from autodiff_cli.terminal import progress

    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(progress, "_DELAY", 3600.0)
    with progress.meter(10) as advance:
        advance(10, 10)
    assert screen.getvalue() == ""


# ---- Grids -----------------------------------------------------------------------------------------------------------


def axis(word: str) -> list[float]:
    (steps,) = ranges.with_steps([word]).values()
    found = GridAxis(*steps)
    return [float(number) for number in found.points(numpy.arange(found.count))]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("x=0:1:0.1", [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]),
        ("x=0:1:0.3", [0, 0.3, 0.6, 0.9]),
        ("x=1:-1:-0.5", [1, 0.5, 0, -0.5, -1]),
        ("x=2:2:1", [2]),
        ("x=0:1:5", [0]),
        ("x=-0.3:0.3:0.1", [-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3]),
        ("x=1e-300:3e-300:1e-300", [1e-300, 2e-300, 3e-300]),
        ("x=1e22:1e22+4194304:2097152", [1e22, 1e22 + 2097152, 1e22 + 4194304]),
        ("x=0:1:1/3", [0, 1 / 3, 2 / 3, 1]),
        ("x=0:pi:pi/7", None),
    ],
)
def test_the_points_of_a_range_are_the_numbers_that_would_be_written(word: str, expected: list[float] | None) -> None:
    from math import pi

    assert axis(word) == (expected or [pi / 7 * step for step in range(7)] + [pi])


@given(
    low=st.integers(-(10**6), 10**6),
    step=st.integers(1, 10**4),
    count=st.integers(1, 60),
    digits=st.integers(0, 12),
    ends=st.booleans(),
)
def test_every_point_of_a_decimal_range_is_the_double_next_to_the_decimal(
    low: int, step: int, count: int, digits: int, ends: bool
) -> None:
    scale = 10**digits
    high = low + step * (count - 1) + (0 if ends else step // 2)
    made = GridAxis(*(Fraction(number, scale) for number in (low, high, step)))
    assert made.count == count
    assert list(made.points(numpy.arange(count))) == [(low + place * step) / scale for place in range(count)]


def test_a_grid_is_the_product_of_its_ranges_with_the_last_varying_fastest() -> None:
    found = rows("eval", "x*10 + y", "--over", "x=1:3:1", "y=0:0.5:0.25", "--no-inputs")
    assert [float(row["value"]) for row in found] == [10 * x + y for x in (1, 2, 3) for y in (0, 0.25, 0.5)]


def test_a_grid_is_made_of_parts_that_fit_together() -> None:
    axes = {
        "x": GridAxis(Fraction(0), Fraction(699), Fraction(1)),
        "y": GridAxis(Fraction(0), Fraction(299), Fraction(1)),
    }
    reader = GridReader(axes)
    blocks = [reader.block(part, ["x", "y"]) for part in reader.parts()]
    assert len(blocks) > 2
    assert sum(block.rows for block in blocks) == reader.size() == reader.position() == 700 * 300
    x, y = (numpy.concatenate([block.columns[name] for block in blocks]) for name in axes)
    assert (x * 300 + y == numpy.arange(700 * 300)).all()
    assert [block.place(0) for block in blocks][:2] == [1, blocks[0].rows + 1]


def test_a_grid_larger_than_any_memory_shows_its_first_rows() -> None:
    process = start("eval", "x+y+z", "--over", "x=0:1e5:1", "y=0:1e5:1", "z=0:1e5:1")
    assert process.stdout is not None
    assert process.stdout.readline() == b"x,y,z,value,grad_x,grad_y,grad_z\n"
    assert process.stdout.readline() == b"0,0,0,0,1,1,1\n"
    process.kill()
    process.communicate()
