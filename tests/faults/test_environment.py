"""Little memory, few files, no home, no letters but ASCII: an answer or an error of one line."""

import os
import subprocess
from pathlib import Path

import pytest
from processes import AUTODIFF

from autodiff_cli.cli.command_line.outcome import outcome

pytestmark = pytest.mark.skipif(os.name == "nt", reason="limits and environments are those of POSIX")


def limited(limits: str, *words: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run the program by bash with these limits, in this environment alone."""
    command = ["bash", "-c", f'{limits}; exec "$@"', "bash", *AUTODIFF, *words]
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    return subprocess.run(command, env=kept | environment, capture_output=True, text=True, timeout=300)


POINT = ("eval", "x^2", "--set", "x=3", "--format", "plain")


@pytest.mark.slow
def test_sixteen_open_files_are_enough(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("x\n3\n")
    assert limited("ulimit -n 16", *POINT).stdout == "9.0\nx 6.0\n"
    done = limited("ulimit -n 16", "eval", "x^2", "--data", str(tmp_path / "data.csv"))
    assert (done.stdout, done.stderr, done.returncode) == ("x,value,grad_x\n3,9,6\n", "", 0)


@pytest.mark.slow
@pytest.mark.parametrize("megabytes", [100, 150, 400])
def test_too_little_memory_is_an_answer_or_an_error_of_one_line(megabytes: int, tmp_path: Path) -> None:
    file = tmp_path / "long.expr"
    file.write_text("+".join(f"sin({i}*x)" for i in range(200_000)))
    done = limited(f"ulimit -v {megabytes * 1024}", "eval", "-f", str(file), "--set", "x=1", "--format", "plain")
    errors = {0: "", 1: "error: there is not enough memory for this\n"}
    assert done.stderr == errors[done.returncode]


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        RuntimeError("can't start new thread"),
        ImportError("libarrow.so: failed to map segment from shared object"),
    ],
)
def test_there_are_several_signs_of_too_little_memory(error: Exception, capsys: pytest.CaptureFixture[str]) -> None:
    def fail() -> None:
        raise error

    assert outcome(fail) == 1
    assert capsys.readouterr().err == "error: there is not enough memory for this\n"


def test_no_home(tmp_path: Path) -> None:
    done = limited("true", *POINT, HOME=str(tmp_path / "nowhere"))
    assert (done.stdout, done.stderr, done.returncode) == ("9.0\nx 6.0\n", "", 0)
    done = limited("unset HOME", *POINT)
    assert (done.stdout, done.stderr, done.returncode) == ("9.0\nx 6.0\n", "", 0)


@pytest.mark.slow
def test_a_figure_needs_no_place_for_a_cache(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "p.svg"
    done = limited("true", "plot", "x", "--over", "x=0:1", "-o", str(file), MPLCONFIGDIR="/dev/null/nowhere")
    assert (done.stderr, done.returncode) == ("", 0)
    assert file.exists()


@pytest.mark.parametrize("locale", ["C", "POSIX", "nowhere"])
def test_a_language_without_letters_is_no_obstacle(locale: str) -> None:
    done = limited("true", "eval", "θ^2", "--set", "θ=3", "--format", "plain", LANG=locale)
    assert (done.stdout, done.stderr, done.returncode) == ("9.0\nθ 6.0\n", "", 0)
    bare = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    done = limited("true", "eval", "θ^2", "--set", "θ=3", **bare)
    assert done.returncode == 2
    assert done.stderr.startswith("error: --set takes NAME=NUMBER, not `\\udcce\\udcb8=3`")
