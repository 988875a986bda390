"""Completion in the shells themselves: keys typed into bash and zsh, and what fish says that it would offer."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import shells

from autodiff_cli.cli.completion import SHELLS, script

pytestmark = pytest.mark.slow
COMPLETED = [
    ("autodiff ev", "autodiff eval "),
    ("autodiff eval -f ne", "autodiff eval -f neuron.expr "),
    ("autodiff eval --file=ne", "autodiff eval --file=neuron.expr "),
    ('autodiff eval "a b" --data po', 'autodiff eval "a b" --data points\\ 1.csv '),
    ("autodiff diff x -o su", "autodiff diff x -o sub/"),
    ("autodiff eval -f neuron.expr --set w", "autodiff eval -f neuron.expr --set w1="),
    ("autodiff eval -f neuron.expr --set x1=2 w1=3 ", "autodiff eval -f neuron.expr --set x1=2 w1=3 b="),
    ('autodiff eval "a*b" --set=a', 'autodiff eval "a*b" --set=a='),
    ('autodiff eval "a*b" --wrt a,', 'autodiff eval "a*b" --wrt a,b '),
    ("autodiff uncertainty 'a*b' --corr a,", "autodiff uncertainty 'a*b' --corr a,b="),
    ("autodiff check a*b --over a=-1:1 b", "autodiff check a*b --over a=-1:1 b="),
    ("autodiff eval x --check=n", "autodiff eval x --check=nodes "),
    ("autodiff eval x --format=c", "autodiff eval x --format=csv "),
    ("autodiff eval 'θ' --set ", "autodiff eval 'θ' --set θ="),
    ('echo 1; X=1 autodiff eval "a*b" --set a=1 ', 'echo 1; X=1 autodiff eval "a*b" --set a=1 b='),
    ("autodiff eval y --data names.csv --columns the", "autodiff eval y --data names.csv --columns the\\ day "),
    ('autodiff eval "a*(b" --set ', 'autodiff eval "a*(b" --set '),
    ("autodiff evil --f", "autodiff evil --f"),
]
FILES = {
    "neuron.expr": "n = x1*w1 + b\no = tanh(n)\n",
    "points 1.csv": "x,y\n1,2\n",
    "names.csv": "the day,y\n1,2\n",
    "sub/a.csv": "x\n1\n",
}


@pytest.fixture(scope="module", params=["bash", "zsh"])
def terminal(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[shells.Terminal]:
    _require(request.param)
    with shells.terminal(request.param, _folder(tmp_path_factory)) as opened:
        yield opened


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _folder(tmp_path_factory)


def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return folder


def _require(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")


def _offered_by_fish(line: str, folder: Path) -> list[str]:
    """The candidates of fish for the end of a line: words, with a tab before what describes them."""
    _require("fish")
    (folder / "line").write_text(line)
    setup = "autodiff completion fish | source; complete -C (cat line | string collect)"
    command, environment = ["fish", "--no-config", "-c", setup], shells.environment(folder)
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=True
    ).stdout.splitlines()


def test_the_end_of_a_line_is_completed(terminal: shells.Terminal) -> None:
    assert [terminal.completed(line) for line, _ in COMPLETED] == [line for _, line in COMPLETED]


def test_all_possibilities_are_shown(terminal: shells.Terminal) -> None:
    shown = terminal.shown("autodiff eval -f neuron.expr --set ")
    assert all(name in shown for name in ("x1=", "w1=", "b="))
    shown = terminal.shown("autodiff export x --to ")
    assert all(name in shown for name in ("python", "rust", "sql"))


def test_zsh_describes_words_whatever_characters_the_description_has(tmp_path: Path) -> None:
    _require("zsh")
    with shells.terminal("zsh", tmp_path) as zsh:
        shown = zsh.shown("""autodiff eval 'n = a % b; m = hypot(a, b); n*m' --output """)
        assert "n  -- a % b" in shown
        assert "m  -- hypot(a, b)" in shown
        assert "explain      -- Go through the chain rule step by step, with numbers" in zsh.shown("autodiff ")


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("autodiff ev", ["eval\tCompute a value and its gradient, with every step on the way"]),
        ("autodiff eval --file=ne", ["--file=neuron.expr"]),
        ("autodiff diff x -o su", ["sub/"]),
        ("autodiff eval -f neuron.expr --set x1=2 ", ["w1=", "b="]),
        ('autodiff eval "n = hypot(a, b); n*a" --output ', ["n\thypot(a, b)"]),
        ('autodiff eval "n = a\n n*b" --set ', ["a=", "b="]),
        ('X=1 autodiff eval "a*b" --wrt a,', ["a,b"]),
        ("autodiff explain x --step --prec", ["--precision\tDigits after the point"]),
        ("autodiff eval x --format=c", ["--format=csv"]),
        ('autodiff eval "a*(b" --set ', []),
        ("autodiff evil --f", []),
        (
            "autodiff ex",
            [
                "explain\tGo through the chain rule step by step, with numbers",
                "export\tWrite the gradient as code: C, Python, JavaScript, SQL …",
            ],
        ),
    ],
)
def test_fish_offers_words_with_descriptions(line: str, offered: list[str], folder: Path) -> None:
    assert _offered_by_fish(line, folder) == offered


@pytest.mark.parametrize("shell", SHELLS)
def test_the_shell_accepts_the_script(shell: str, tmp_path: Path) -> None:
    _require(shell)
    (tmp_path / "script").write_text(script(shell))
    subprocess.run([shell, "-n", str(tmp_path / "script")], check=True)
