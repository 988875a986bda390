"""Everything that people read fits the width of the output, and no number or verdict in it is cut."""

import re
from decimal import Decimal
from pathlib import Path

import pytest
from click.testing import CliRunner

from autodiff_cli.cli import group
from autodiff_cli.terminal.printable_text import columns

WIDTHS = (20, 30, 40, 60, 80, 120)
POINT = ["--set", "pressure=-1e-5", "volume=12345.678", "temperature=-0.0"]
FORMULA = "product = pressure*volume; result = product/exp(temperature) + sin(volume)"
OVER = ["--over", "pressure=0:1:0.5", "volume=1e-9:2e-9:1e-9", "temperature=1:1:1"]
COMMANDS = {
    "eval": ["eval", FORMULA, *POINT],
    "named": ["eval", FORMULA, *POINT, "--nodes", "named", "--precision", "17"],
    "checked": ["eval", FORMULA, *POINT, "--check=nodes"],
    "direction": ["eval", FORMULA, *POINT, "--direction", "pressure=1,volume=-1e100"],
    "hessian": ["eval", FORMULA, *POINT, "--hessian"],
    "jacobian": ["eval", FORMULA, *POINT, "--output", "product,result"],
    "orders": ["eval", FORMULA, *POINT, "--order", "5", "--wrt", "volume"],
    "taylor": ["taylor", "volume/(1 - temperature)", "--set", "volume=-12345.678", "--at", "0", "--wrt",
               "temperature", "--order", "6"],
    "check": ["check", FORMULA, *POINT],
    "kink": ["check", "abs(position_of_the_kink)*height", "--set", "position_of_the_kink=0", "height=-1e-250"],
    "sweep": ["check", FORMULA, *POINT, "--sweep"],
    "points": ["check", "sin(angle)", "--points", "3", "--over", "angle=0:1"],
    "fit": ["fit", "amplitude*exp(-rate*time)", "--data", "decay.csv", "--response", "count", "--start", "amplitude=1",
            "rate=0.1"],
    "predict": ["fit", "amplitude*exp(-rate*time)", "--data", "decay.csv", "--response", "count", "--start",
                "amplitude=1", "rate=0.1", "--predict", "decay.csv", "--format", "table"],
    "minimize": ["minimize", "(first - 1)^2 + 1e6*(second_variable + 1e-7)^2", "--start", "first=0",
                 "second_variable=1"],
    "trace": ["minimize", "(first - 1)^2 + 1e6*(second_variable + 1e-7)^2", "--start", "first=0",
              "second_variable=1", "--trace"],
    "solve": ["solve", "length^3 - 1e-6*length", "--all", "-1:1"],
    "uncertainty": ["uncertainty", "voltage/current", "--set", "voltage=5.0(1)", "current=1.5e-4±2e-6"],
    "sensitivity": ["sensitivity", FORMULA, *POINT],
    "each": ["eval", "--each", "-f", "lines.txt", "--set", "position=-1e-5", "velocity=2"],
    "rows": ["eval", "amplitude*exp(-time)*count", "--data", "decay.csv", "--set", "amplitude=-1e-7", "--format",
             "table"],
    "grid": ["eval", FORMULA, *OVER, "--format", "table"],
    "reduced": ["eval", FORMULA, *OVER, "--reduce", "mean", "--format", "table"],
    "graph": ["graph", FORMULA, *POINT],
    "verify": ["verify", "sin(x)*y", "cos(x)*y", "--wrt", "x"],
    "functions": ["functions"],
    "function": ["functions", "softplus"],
}  # fmt: skip
FILES = {
    "decay.csv": "time,count,comment\n0,10,twelve and a half bottles of something\n1,3.7,1234567890.123456\n2,1.3,\n"
    "3,0.51,-0.00000012345\n4,0.19,x\n",
    "lines.txt": "exp(position)*velocity\nposition/velocity + sin(velocity)*position\nlgo(position)\n",
}
_NUMBER = re.compile(r"(?<![\w.,])[-+]?\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.])")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the commands read."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _lines(words: list[str], width: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv("COLUMNS", str(width))
    done = CliRunner().invoke(group, words)
    assert done.exception is None, (words, done.exception, done.output)
    return done.stdout.splitlines()


def _numbers(lines: list[str]) -> set[str]:
    return {found.replace(",", "") for line in lines for found in _NUMBER.findall(line)}


def _shows(text: str, number: str) -> bool:
    """Whether a text is a number within half of its last digit."""
    shown = Decimal(text)
    return abs(shown - Decimal(number)) <= Decimal(5).scaleb(shown.as_tuple().exponent - 1)


@pytest.mark.parametrize("name", COMMANDS)
def test_no_line_is_too_wide_and_no_number_is_cut(name: str, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = COMMANDS[name]
    usual = _numbers(_lines(words, 10_000, monkeypatch))
    precise = [*words, "--precision", "17"] if not {"functions", "verify", "--points"} & {*words} else words
    exact = usual | _numbers(_lines(precise, 10_000, monkeypatch))
    assert usual or name == "functions"
    for width in WIDTHS:
        lines = _lines(words, width, monkeypatch)
        assert max(map(columns, lines)) <= width
        assert not [line for line in lines if re.search(r"\d…|…\d", line)]
        shown = _numbers(lines)
        assert not [text for text in shown if not any(_shows(text, number) for number in exact)]
        assert not [number for number in usual if not any(_shows(text, number) for text in shown)]


@pytest.mark.parametrize("words", [["--help"], ["functions", "--help"], ["eval", "--help"]])
def test_the_prose_of_a_help_text_fits(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for width in WIDTHS[2:]:
        prose = [line for line in _lines(words, width, monkeypatch) if not re.search(r"autodiff|\[\w+\|", line)]
        assert max(map(columns, prose)) <= width


@pytest.mark.parametrize(
    "words",
    [
        ["plot", "sin(angle)*exp(-damping/4)", "--over", "angle=-5:5", "--set", "damping=1"],
        ["plot", "sin(angle)*exp(-damping_of_the_motion/4)", "--over", "angle=-5:5", "damping_of_the_motion=0:1"],
        ["sensitivity", FORMULA, *POINT, "--plot"],
        ["explain", FORMULA, *POINT],
        ["explain", FORMULA, *POINT, "--node", "volume"],
    ],
)
def test_drawings_and_explanations_fit(words: list[str], here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "plot" in words[0] or "--plot" in words:
        pytest.importorskip("plotext")
    for width in WIDTHS:
        assert max(map(columns, _lines(words, width, monkeypatch))) <= width


@pytest.mark.parametrize(
    "words", [["eval", "2.0 % -4.28e+70"], ["graph", "x*y"], ["check", FORMULA, *POINT], ["functions", "--help"]]
)
@pytest.mark.parametrize("width", [1, 2])
def test_a_terminal_that_is_too_narrow_for_anything_shows_something(
    words: list[str], width: int, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert any(_lines(words, width, monkeypatch))
