"""A short run of random command lines; `python -m tests.fuzz --cases 1000000` is the long one."""

import subprocess
import sys

import pytest
from places import ROOT

from autodiff_cli import cli
from tests.fuzz.commands import Case, case, options
from tests.fuzz.minimising import minimised, shell


@pytest.mark.skipif(sys.platform != "linux", reason="measures memory as Linux tells it")
@pytest.mark.parametrize(("seed", "cases"), [(4, 60), pytest.param(4, 400, marks=pytest.mark.slow)])
def test_random_command_lines_break_nothing(seed: int, cases: int) -> None:
    command = [sys.executable, "-m", "tests.fuzz", "--seed", str(seed), "--cases", str(cases)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_command_and_option_has_its_turn() -> None:
    words = {word.partition("=")[0] for number in range(12_000) for word in case(1, number).arguments}
    missing = [
        opt for command in cli.COMMANDS for option in options(command) for opt in option.opts if opt not in words
    ]
    assert set(missing) <= {"--cluster", "--file"}


def test_a_number_always_stands_for_the_same_case() -> None:
    assert [case(3, number) for number in range(50)] == [case(3, number) for number in range(50)]


def test_what_is_not_needed_for_a_finding_is_taken_away() -> None:
    found = minimised(
        Case(("eval", "x + y", "--set", "x=1", "--hessian"), b"abc", {"f": b"1"}),
        lambda case: "y" in case.arguments[1:2][0] if len(case.arguments) > 1 else False,
    )
    assert found == Case(("eval", "y"))
    assert shell(found) == "autodiff eval y"
    assert shell(Case(("eval",), b"a'\n", {"d/f": b"\x00"})) == (
        "mkdir d\nprintf '\\x00' > d/f\nprintf 'a\\x27\\x0a' | autodiff eval"
    )
