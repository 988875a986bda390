"""An installation into a fresh environment from this folder, which does the main job there."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from places import ROOT

from autodiff_cli.cli import COMMANDS

pytestmark = pytest.mark.slow
MAIN_JOB = ["eval", "a*b+c", "--set", "a=2", "b=-3", "c=10", "--format", "plain"]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that holds a source distribution, and the wheel that was built from that."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(command, check=True, capture_output=True, env=environment)
    return folder


def test_a_build_leaves_nothing_beside_its_two_files(built: Path) -> None:
    assert sorted(file.name.split("-")[0] for file in built.iterdir()) == ["autodiff_cli", "autodiff_cli"]
    assert not (ROOT / "__pycache__").exists()


def test_the_wheel_holds_the_grammar_its_tables_and_the_types(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    page = ("explain/page/page.html", "explain/page/page.css", "explain/page/scripts/page.js")
    for name in ("grammar/expression.lark", "grammar/expression.json", "py.typed", "operations.py", *page):
        assert f"autodiff_cli/{name}" in names
    assert not [name for name in names if name.startswith(("tests", "grammar/"))]


def test_the_wheel_installs_manual_pages_and_completion(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    shared = {name.partition(".data/data/")[2] for name in zipfile.ZipFile(wheel).namelist()}
    assert {f"share/man/man1/autodiff-{name}.1" for name in COMMANDS} | {"share/man/man1/autodiff.1"} <= shared
    assert {
        "share/bash-completion/completions/autodiff",
        "share/fish/vendor_completions.d/autodiff.fish",
        "share/zsh/site-functions/_autodiff",
    } <= shared


def test_the_source_distribution_holds_all_that_the_tests_need(built: Path) -> None:
    (source,) = built.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    assert {
        "grammar/expression.lark",
        "hatch_build.py",
        "tests/support/console.py",
        "examples/neuron.expr",
        ".pre-commit-hooks.yaml",
        "LICENSE",
        "README.md",
        "llms.txt",
    } <= names


def test_the_installed_wheel_does_the_main_job(built: Path, tmp_path: Path) -> None:
    (wheel,) = built.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    programs = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    python = [str(programs / "python"), "-m"]
    subprocess.run([*python, "pip", "install", "-q", "--disable-pip-version-check", str(wheel)], check=True)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    for command in ([str(programs / "autodiff")], [*python, "autodiff_cli"]):
        done = subprocess.run(
            [*command, *MAIN_JOB], cwd=tmp_path, env=environment, check=True, capture_output=True, text=True
        )
        assert done.stdout == "4.0\na -3.0\nb 2.0\nc 1.0\n"
    code = "import sys; from autodiff_cli.parser import lalr_tables; lalr_tables.tables(); print('lark' in sys.modules)"
    done = subprocess.run(
        [python[0], "-c", code], cwd=tmp_path, env=environment, check=True, capture_output=True, text=True
    )
    assert done.stdout == "False\n", "the tables of the wheel were not used"
