"""The command line where it meets the system: pipes, signals, files and broken bytes."""

import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import hints
import pytest
from processes import AUTODIFF, ended_by, on_a_terminal, run

from autodiff_cli import cli


def test_no_formula_at_a_terminal_is_an_error_and_does_not_wait() -> None:
    assert "no formula was given" in on_a_terminal("eval")


def test_rows_shown_at_a_terminal_control_nothing(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    (tmp_path / "a.csv").write_bytes(b"x,note\n1,\x1b[31mred\x07\xc2\x9b\n")
    shown = on_a_terminal("eval", "x", "--data", str(tmp_path / "a.csv"), "--format", "csv")
    assert "1,\\x1b[31mred\\x07\\x9b,1,1" in shown
    assert "\x1b[31m" not in shown


@pytest.mark.parametrize("format_", ["table", "json", "plain"])
def test_a_closed_pipe_ends_quietly(format_: str) -> None:
    command = f"{sys.executable} -m autodiff_cli eval --set x=1 --format {format_} | true; echo ${{PIPESTATUS[0]}}"
    formula = "+".join(f"sin({i}*x)" for i in range(20_000))
    done = subprocess.run(["bash", "-c", command], input=formula.encode(), capture_output=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == (b"141\n", b"")


@pytest.mark.parametrize("words", ["--help", "--version", "--man eval"])
def test_a_closed_pipe_is_no_wrong_input_for_what_is_printed_without_a_command(words: str) -> None:
    command = f"{sys.executable} -m autodiff_cli {words} | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == (b"141\n", b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
@pytest.mark.parametrize("format_", ["table", "json", "plain"])
def test_a_full_disk_is_no_defect_of_the_program(format_: str) -> None:
    command = f"{sys.executable} -m autodiff_cli eval 1+1 --format {format_} > /dev/full"
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (1, b"error: the result cannot be written: no space left on device\n")


@pytest.mark.skipif(os.name == "nt", reason="limits of the size of files are those of POSIX")
@pytest.mark.parametrize("words", ["--man", "eval x^2 --over x=0:1000:1"])
def test_a_part_of_the_output_is_an_error_without_a_buffer_too(words: str, tmp_path: Path) -> None:
    command = f"ulimit -f 1; {sys.executable} -m autodiff_cli {words} > part; exit $?"
    variables = os.environ | {"PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(["bash", "-c", command], capture_output=True, cwd=tmp_path, env=variables, timeout=60)
    assert (done.returncode, done.stderr) == (1, b"error: the result cannot be written: file too large\n")


@pytest.mark.parametrize("words", ["1+1", "x --data rows.csv -o rows.png"])
def test_warnings_of_python_are_not_for_people(words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rows.csv").write_text("x\n1\n", encoding="utf-8")
    usual = run("eval", *words.split())
    shown = run("eval", *words.split(), PYTHONWARNINGS="default")
    assert (shown.returncode, shown.stderr) == (usual.returncode, usual.stderr)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_warning_that_cannot_be_written_does_not_lose_the_result(
    unbuffered: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)

    def ended(formula: str) -> tuple[int, bytes]:
        command = f"{sys.executable} -m autodiff_cli eval '{formula}' --set x=2 y=3 --value-only 2> /dev/full"
        done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=60, check=False)
        return done.returncode, done.stdout

    assert ended("x^2") == (0, b"4.0\n")
    assert ended("x^") == (1, b"")


def test_closed_streams_are_no_obstacle_unless_the_result_goes_there(tmp_path: Path) -> None:
    command = f"{sys.executable} -m autodiff_cli eval 1+1"

    def code(rest: str) -> int:
        return subprocess.run(["bash", "-c", command + rest], timeout=60, check=False, cwd=tmp_path).returncode

    assert code(" 2>&- <&-") == code(" -o two.json >&- 2>&-") == 0
    assert code(" >&-") == code(" >&- 2>&- <&-") == 1


@pytest.mark.parametrize("words", ["x --data -", "x --inputs -", "--each -f -"])
def test_a_closed_standard_input_is_named(words: str) -> None:
    command = f"{sys.executable} -m autodiff_cli eval {words} <&-"
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (1, b"error: cannot read `standard input`: it is closed\n")


@pytest.mark.parametrize("words", ["eval x --data rows.csv", "eval x --over x=0:1:1", "minimize x^2 --start x=1"])
def test_a_package_that_cannot_be_loaded_is_no_defect(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rows.csv").write_text("x\n1\n", encoding="utf-8")
    broken = "try:\n    raise ImportError('libm.so: not found')\nexcept ImportError as cause:\n"
    Path("numpy.py").write_text(f"{broken}    raise ImportError('advice\\non numpy') from cause\n", encoding="utf-8")
    done = run(*words.split(), PYTHONPATH=str(tmp_path))
    message = b"error: the package `numpy` is installed, but cannot be loaded: libm.so: not found\n"
    assert (done.returncode, done.stderr) == (5, message)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere every locale is UTF-8")
@pytest.mark.parametrize("words", [["θ^2"], ["x^2", "--set", "θ=2"], ["x^2", "--set", "x=1", "--wrt", "θ"]])
def test_letters_that_the_locale_lacks_have_a_hint(words: list[str]) -> None:
    done = run("eval", *words, LC_ALL="C", PYTHONUTF8="0")
    assert done.returncode in (1, 2)
    assert done.stderr.endswith(b"\nhint: set PYTHONUTF8=1, so that the command line is read as UTF-8\n")


def test_a_formula_without_end_is_an_error() -> None:
    command = f"yes 'x + y' | {sys.executable} -m autodiff_cli eval"
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=600, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(b"error: `<stdin>` has more than 64 MiB\n")


def test_memory_that_is_not_enough_is_no_defect(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*arguments: object, **options: object) -> None:
        raise MemoryError

    monkeypatch.setattr(cli.group, "main", full)
    assert cli.run() == 1
    assert capsys.readouterr().err.startswith("error: there is not enough memory for this\n")


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_an_interrupt_ends_it_by_its_signal_without_a_traceback() -> None:
    """A shell ends its loop only after a command that the signal ended, whatever the exit code of others."""
    process = subprocess.Popen(
        [*AUTODIFF, "eval"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    process.stdin.write(b" " * 2**20)  # more than a pipe holds: the program is reading when this returns
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == ended_by(signal.SIGINT)
    assert b"Traceback" not in error


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_an_interrupt_while_the_program_is_loaded_ends_it_without_a_traceback() -> None:
    script = """if True:
        import signal, sys
        from autodiff_cli.__main__ import main
        class Interrupt:
            def find_spec(self, *_):
                signal.raise_signal(signal.SIGINT)
        sys.meta_path.insert(0, Interrupt())
        main()
    """
    ran = subprocess.run([sys.executable, "-c", script, "eval", "1"], capture_output=True, timeout=60)
    assert (ran.returncode, ran.stdout, ran.stderr) == (ended_by(signal.SIGINT), b"", b"")


def test_the_command_starts_without_the_functions_for_python() -> None:
    script = "import sys, autodiff_cli.__main__; print('autodiff_cli.api' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert ran.stdout == "False\n"


@pytest.mark.parametrize(
    "text",
    [
        b"\x1b[31mred\x1b[0m",
        b"[red]x[/red]",
        b"x\0y",
        b"\xff\xfe\x00",
        b"\xe2\x80\xaex*y",
        b"x\xc2\x9b31m",
        "ｘ = ‘1’".encode(),
        b"a\rb\x08c",
    ],
)
def test_hostile_bytes_end_in_a_clean_error(text: bytes) -> None:
    done = run("eval", stdin=text)
    assert done.returncode == 1
    assert done.stdout == b""
    message = done.stderr.decode()
    assert message.startswith("error: ")
    assert all(character.isprintable() or character == "\n" for character in message)


def test_a_stream_that_cannot_show_every_letter_is_no_obstacle() -> None:
    done = run("eval", "θ*2", "--set", "θ=1", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert b"\\u03b8" in done.stdout


@pytest.mark.slow
def test_a_small_grid_is_a_table_on_a_terminal_and_csv_in_a_pipe() -> None:
    words = ("eval", "x^2", "--over", "x=0:1:0.5")
    assert "─" in on_a_terminal(*words)
    assert run(*words).stdout == b"x,value,grad_x\n0,0,0\n0.5,0.25,1\n1,1,2\n"
    assert "0,0,0" in on_a_terminal("eval", "x^2", "--over", "x=0:2000:1"), "a large one is not"


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        "autodiff eval x --over x=0:1:1 --format parquet",
        "autodiff plot x^2 --over x=0:1 --format png",
        "autodiff graph a*b --format png",
        "autodiff eval",
        "autodiff eval --each",
    ],
)
def test_what_is_proposed_at_a_terminal_works_there(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lines(command: str) -> list[str]:
        return on_a_terminal(*shlex.split(command)[1:], columns=200, NO_COLOR="1").splitlines()

    monkeypatch.chdir(tmp_path)
    (tmp_path / "formulas.txt").write_text("1 + 1\n", encoding="utf-8")
    said = lines(command)
    (error,) = [line for line in said if line.startswith("error: ")]
    (hint,) = [line.removeprefix("hint: ") for line in said if line.startswith("hint: ")]
    for mended in hints.followed(command, error, hint):
        assert not [line for line in lines(mended) if line.startswith("error: ")], mended


@pytest.mark.slow
def test_what_is_not_text_is_kept_from_a_terminal(tmp_path: Path) -> None:
    for format_ in ("parquet", "arrow", "arrows"):
        assert "a terminal cannot show" in on_a_terminal("eval", "x", "--over", "x=0:1:1", "--format", format_)
        assert run("eval", "x", "--over", "x=0:1:1", "--format", format_).returncode == 0


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        ("eval x^2 --over x=0:1:0.5", "data"),
        ("eval x^2 --data rows.csv", "data"),
        ("eval x^2 --data . -o results", "data"),
        ("eval x^2 --over x=0:1:0.5 --reduce sum", "data"),
        ("eval x^2 --set x=1 --certify", "certify"),
        ("eval x^2 --over x=0:1:0.5 --certify", "certify"),
        ("check x^2 --data rows.csv", "data"),
        ("fit a*x --response y --data rows.csv", "data"),
        ("minimize x^2 --start x=1", "data"),
        ("solve x^2-2 --start x=1", "data"),
        ("uncertainty x --set x=1±0.1", "data"),
        ("plot x --over x=0:1", "plot"),
        ("plot x --over x=0:1 -o plot.png", "plot"),
    ],
)
def test_without_the_packages_of_an_extra_a_command_names_the_extra(words: str, extra: str, tmp_path: Path) -> None:
    packages = ("numpy", "scipy", "pyarrow", "llvmlite", "flint", "plotext", "matplotlib")
    code = f"import sys; sys.modules.update(dict.fromkeys({packages!r})); from autodiff_cli.cli import main; main()"
    (tmp_path / "rows.csv").write_text("x,y\n1,2\n")
    command = [sys.executable, "-c", code, *words.split()]
    done = subprocess.run(command, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 5, done.stderr
    assert f"autodiff-cli[{extra}]" in done.stderr
    assert sorted(file.name for file in tmp_path.iterdir()) == ["rows.csv"]


@pytest.mark.parametrize("words", ["minimize x^2", "solve x^2-2", "fit a*x --response y --data rows.csv"])
def test_a_missing_package_for_pictures_is_named_before_a_search(words: str, tmp_path: Path) -> None:
    """The search would not even begin: it has no start."""
    pytest.importorskip("scipy")
    code = "import sys; sys.modules['matplotlib'] = None; from autodiff_cli.cli import main; main()"
    (tmp_path / "rows.csv").write_text("x,y\n1,2\n")
    command = [sys.executable, "-c", code, *words.split(), "-o", "picture.svg"]
    done = subprocess.run(command, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 5, done.stderr
    assert "autodiff-cli[plot]" in done.stderr
