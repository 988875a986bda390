"""The manual pages, which are made of the help."""

import re
import shutil
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from autodiff_cli.cli import COMMANDS, group
from autodiff_cli.cli.command_line.arguments import ShortForm
from autodiff_cli.cli.command_line.manual import page, pages
from autodiff_cli.errors import AutodiffError

NAMES = ("", *COMMANDS)


def _shown(name: str) -> str:
    """A page as `man` shows it, without bold letters, on one line."""
    command = ["groff", "-man", "-Tutf8", "-ww", "-P-cbou"]
    done = subprocess.run(command, input=page(group, name), capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return " ".join(done.stdout.split())


def _command(name: str) -> click.Command:
    found = group.get_command(click.Context(group), name) if name else group
    assert found is not None
    return found


@pytest.mark.parametrize("name", NAMES)
def test_groff_shows_the_whole_help_without_a_warning(name: str) -> None:
    if shutil.which("groff") is None:
        pytest.skip("groff is not installed")
    shown, command = _shown(name), _command(name)
    for paragraph in re.split(r"\n\s*\n", (command.help or "").replace("\b", "")):
        assert " ".join(paragraph.split()) in shown
    for option in command.params:
        if isinstance(option, click.Option) and not isinstance(option, ShortForm):
            assert " ".join((option.help or "").split()) in shown
            assert all(opt in shown for opt in option.opts)
    assert "EXIT STATUS 0 done 1 the input is wrong" in shown


@pytest.mark.parametrize("name", NAMES)
def test_mandoc_has_nothing_to_complain_of(name: str) -> None:
    if shutil.which("mandoc") is None:
        pytest.skip("mandoc is not installed")
    done = subprocess.run(["mandoc", "-Tlint", "-Wwarning"], input=page(group, name), capture_output=True, text=True)
    complaints = [line for line in (done.stdout + done.stderr).splitlines() if "missing date" not in line]
    assert complaints == []


def test_examples_stand_line_by_line_in_a_section_of_their_own() -> None:
    examples = page(group, "eval").partition(".SH EXAMPLES\n")[2].splitlines()
    assert examples[:3] == [".RS 4", ".nf", 'autodiff eval "a*b+c" \\-\\-set a=2 b=\\-3 c=10']
    assert 'eval "$(autodiff completion bash)"      in \\(ti/.bashrc' in page(group, "completion")


def test_there_is_a_page_for_the_program_and_for_each_command() -> None:
    assert list(pages(group)) == ["autodiff.1", *(f"autodiff-{name}.1" for name in COMMANDS)]


@pytest.mark.parametrize(("words", "title"), [(["--man"], "AUTODIFF"), (["--man", "eval"], r"AUTODIFF\-EVAL")])
def test_an_option_prints_a_page(words: list[str], title: str) -> None:
    result = CliRunner().invoke(group, words)
    assert result.exit_code == 0
    assert result.output.startswith(f".TH {title} 1 ")


def test_a_page_of_no_command_is_an_error() -> None:
    with pytest.raises(AutodiffError, match="there is no command `evil`") as caught:
        page(group, "evil")
    assert caught.value.hint == "did you mean `eval`?"


def test_pages_are_made_where_nothing_but_click_is_installed() -> None:
    code = (
        "import sys; from autodiff_cli.cli import group;"
        "from autodiff_cli.cli.command_line.manual import pages; pages(group);"
        "print(*{name.split('.')[0] for name in sys.modules})"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"lark", "mpmath", "rich", "numpy", "pyarrow", "scipy", "matplotlib"} & {*loaded}
