"""The candidates for the word before the cursor, whatever the shell."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from autodiff_cli.cli import COMMANDS, group
from autodiff_cli.cli.completion import SHELLS
from autodiff_cli.cli.completion.shells import Completion

PROGRAM = "n = x1*w1 + b; b2 = 0.5; o = tanh(n)*b2"
FILES = {"model.expr": PROGRAM, "broken.expr": "n = (", "latin1.expr": "n = \xe9", "points.csv": "day,y,u\n1,2,3\n"}

Answer = Callable[[str], list[str]]


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Answer:
    """The candidates for the end of a line: the words, and `FILE` in place of files."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="latin-1")
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.chdir(tmp_path)

    def offered(line: str) -> list[str]:
        monkeypatch.setenv("COMP_LINE", line)
        completion = Completion(group, {}, "autodiff", "_AUTODIFF_COMPLETE")
        items = completion.get_completions(*completion.get_completion_args())
        return ["FILE" if item.type == "file" else item.value for item in items]

    return offered


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("ex", ["explain", "export"]),
        ("eval --he", ["--hessian", "--help"]),
        ("eval x --format j", ["json", "jsonl"]),
        ("eval x --format=j", ["--format=json", "--format=jsonl"]),
        ("eval x --check=", ["--check=inputs", "--check=nodes"]),
        ("eval x --check ", ["inputs", "nodes"]),
        ("eval 'a*b' --check --set ", ["a=", "b="]),
        ("completion ", list(SHELLS)),
        ("verify --marked ", ["FILE"]),
        ("verify ", []),
        ("functions sinh", ["sinh"]),
        ("functions pow", ["pow"]),
        ("eval x --expand tan", ["tan", "tanh"]),
        ("eval x --expand tanh,al", ["tanh,all"]),
    ],
)
def test_commands_options_and_choices_are_offered(line: str, offered: list[str], answer: Answer) -> None:
    assert answer(f"autodiff {line}") == offered


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("eval 'a*b' --set ", ["a=", "b="]),
        ("eval --set a=1 b=2 -- 'a*b*c' --set a=1", []),
        ("eval 'a*b*c' --set a=2 ", ["b=", "c="]),
        ("eval 'a*b*c' --set a=2 c=-3 ", ["b="]),
        ("eval 'a*b*c' --set a=2 --set b=1 ", ["c="]),
        ("--color never eval 'a*b*c' --set a=2 ", ["b=", "c="]),
        ("eval 'a*b*c' --set a=2 --wrt ", ["a", "b", "c"]),
        ("eval 'a*b*c' --set=a=2 ", ["b=", "c="]),
        ("eval 'a*b' --set a=", []),
        ("eval 'alpha*beta' --set 'al", ["alpha="]),
        ("eval -x*y --set ", ["x=", "y="]),
        ("eval -f model.expr --set b", ["b=", "b2="]),
        ("eval -f model.expr --wrt x1,", ["x1,w1", "x1,b", "x1,b2", "x1,n", "x1,o"]),
        ("eval -f model.expr --wrt x1 --wrt w", ["w1"]),
        ("eval -f model.expr --output ", ["n", "o"]),
        ("eval 'x^2' --over ", ["x="]),
        ("check 'x*y' --over x=0:1 ", ["y="]),
        ("eval 'x*y' --direction x=1,", ["x=1,y="]),
        ("minimize '(x-1)^2 + y^2' --start x=0 ", ["y="]),
        ("minimize '(x-1)^2 + y^2' --bounds ", ["x=", "y="]),
        ("solve 'p*v = n*t' --for ", ["p", "v", "n", "t"]),
        ("solve 'x^2 + y^2 = 4' 'y = exp(z)' --start x=1 ", ["y=", "z="]),
        ("verify 'x^3*y' '3*x^2*y' --wrt ", ["x", "y"]),
        ("explain -f model.expr --node n,", ["n,x1", "n,w1", "n,b", "n,b2", "n,o"]),
        ("uncertainty 'V/I' --corr ", ["V,", "I,"]),
        ("uncertainty 'V/I' --corr V,", ["V,I="]),
        ("fit 'a*day' --data points.csv --weights ", ["day", "y", "u"]),
        ("eval 'y*u' --data points.csv --columns day,", ["day,y", "day,u", "day,value", "day,grad_y", "day,grad_u"]),
        ("eval 'y*u' --data points.csv more.csv --columns d", ["day"]),
        ("eval 'y*u' --data points.csv --wrt u --columns value gr", ["grad_u"]),
        ("eval 'y*u' --data points.csv --set u=2 --prefix d_ --columns d_", ["d_value", "d_grad_y"]),
        ("eval 'y*u' --over y=1:2 --set u=2 --columns ", ["y", "value", "grad_y"]),
        ("eval 'y*k' --data points.csv --set ", ["k="]),
        ("eval 'y*u' --data points.csv --rename ", []),
    ],
)
def test_the_names_of_the_formula_are_offered(line: str, offered: list[str], answer: Answer) -> None:
    assert answer(f"autodiff {line}") == offered


@pytest.mark.parametrize(
    "line",
    [
        "eval ",
        "eval 'a*(' --set ",
        "eval --set ",
        "evil --set ",
        "eval --no-such-option x --set ",
        "eval 'a*b*' 'b' --set ",
    ]
    + [f"eval -f {file} --set " for file in ("broken.expr", "latin1.expr", "absent.expr", "pipe", "-", ".", "'a\0'")]
    + ["fit a*x --weights ", "fit a*x --data absent.csv --weights ", "fit a*x --data pipe --weights "],
)
def test_what_cannot_be_read_offers_nothing(
    line: str, answer: Answer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.environ", {**os.environ})  # which would not take a zero
    assert answer(f"autodiff {line}") == []
    assert capsys.readouterr() == ("", "")


def _file_options() -> list[str]:
    context = click.Context(group)
    commands = {name: group.get_command(context, name) for name in COMMANDS}
    return [
        f"{name} {option}"
        for name, command in commands.items()
        if command is not None
        for parameter in command.params
        if parameter.metavar == "FILE"
        for option in parameter.opts
    ]


@pytest.mark.parametrize("words", _file_options())
def test_every_option_for_a_file_leaves_files_to_the_shell(words: str, answer: Answer) -> None:
    assert answer(f"autodiff {words} mod") == ["FILE"]


def test_the_script_needs_nothing_but_click() -> None:
    code = (
        "import sys, autodiff_cli.cli as cli; before = {*sys.modules};"
        "cli.group.main(['completion', 'bash'], standalone_mode=False); print(*{*sys.modules} - before)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = run.stdout.splitlines()[-1].split()
    assert "autodiff_cli.cli.completion" in loaded
    assert not [name for name in loaded if not name.startswith(("autodiff_cli.cli.completion", "click"))]
