"""Marks in files: found in comments of every kind, read as arguments and never run."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

from autodiff_cli.cli.verification.marked import verify_marked
from autodiff_cli.errors import INPUT, MISMATCH

COMMENTS = (
    "# {}",
    "    // {}",
    "/* {} */",
    "/** {} **/",
    "-- {}",
    "<!-- {} -->",
    "(* {} *)",
    "{{- {} -}}",
    "% {}",
    '"""{}"""',
    "x = 3*t**2  # {}",
    "! {}\r",
)


@pytest.mark.parametrize("comment", COMMENTS)
def test_a_mark_is_found_in_a_comment_of_any_language(
    comment: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "source"
    file.write_text(comment.format('autodiff: verify "x^3" "3*x^2" --wrt x') + "\n", encoding="utf-8")
    assert verify_marked([str(file)]) == 0
    assert capsys.readouterr().out == "1 mark in 1 file: 1 right\n"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1"])
def test_a_mark_is_found_in_a_file_of_any_encoding(
    encoding: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "source"
    file.write_text('# é\n# autodiff: verify "x^2" "7*x" --wrt x\n', encoding=encoding)
    assert verify_marked([str(file)]) == MISMATCH
    assert capsys.readouterr().out.startswith(f"{file}:2: no")


HOSTILE = (
    '"$(touch made)" "1" --wrt x',
    '"x" "`touch made`" --wrt x',
    '"x" "1" --wrt x; touch made',
    '"x" "1" --wrt x -o made',
    '"x" "1" --wrt x --out made',
    '"x" "1" --wrt x --out=made',
    '-f ../secret "1" --wrt x',
    '--file=../secret "1" --wrt x',
    "\"__import__('os').mkdir('made')\" \"1\" --wrt x",
    '"x" "1" --wrt x --marked',
    "--help",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_mark_runs_nothing_and_names_no_file(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "secret").write_text("a secret text\n", encoding="utf-8")
    folder = tmp_path / "repository"
    folder.mkdir()
    monkeypatch.chdir(folder)
    Path("source.py").write_text(f"# autodiff: verify {text}\n", encoding="utf-8")
    assert verify_marked(["source.py"]) == INPUT
    assert [path.name for path in folder.iterdir()] == ["source.py"]
    said = capsys.readouterr()
    assert "secret text" not in said.out + said.err


def test_control_characters_of_a_mark_do_not_reach_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a\x1b[31m.py"
    file.write_bytes(
        b'# autodiff: verify "x\x1b]0;title\x07" "1" --wrt x\n\xff\xfe# autodiff: verify "x" "2" --wrt x\n'
    )
    assert verify_marked([str(file)]) == INPUT
    said = capsys.readouterr()
    assert "\x1b" not in said.out + said.err
    assert ":2: no: " in said.out


def test_a_line_may_be_longer_than_memory_should_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "minified.js"
    file.write_bytes(b"x;" * 2**20 + b'\n// autodiff: verify "x" "2" --wrt x\n')
    verify_marked([str(file)])
    assert capsys.readouterr().out.startswith(f"{file}:2: no: ")


def test_the_hook_for_pre_commit_finds_the_wrong_derivative_of_a_repository(tmp_path: Path) -> None:
    entry = re.search(r"entry: (.+)", (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert entry is not None
    (tmp_path / "right.py").write_text('# autodiff: verify "x^2" "2*x" --wrt x\n', encoding="utf-8")
    (tmp_path / "wrong.rs").write_text('// autodiff: verify "x^2" "x" --wrt x\n', encoding="utf-8")
    program, *arguments = shlex.split(entry[1])
    assert program == "autodiff"
    command = [sys.executable, "-m", "autodiff_cli", *arguments, "right.py", "wrong.rs"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 4, done.stderr
    assert done.stdout.startswith("wrong.rs:1: no: at x = 1\n")
    assert done.stdout.endswith("2 marks in 2 files: 1 right, 1 wrong\n")
