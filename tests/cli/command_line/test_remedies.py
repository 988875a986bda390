"""Remedies of the core's errors in the words of the command line."""

import shlex
from pathlib import Path

import pytest

from autodiff_cli import AutodiffError, evaluate
from autodiff_cli.cli.command_line.remedies import command_line, in_options
from autodiff_cli.errors import Notice, Remedy, not_installed


def test_a_missing_input_is_set_by_an_option_here_and_by_a_number_in_python() -> None:
    with pytest.raises(AutodiffError) as caught:
        evaluate("a*b", {"a": 1.0})
    assert "--set" not in caught.value.hint
    assert in_options(caught.value).hint == "add --set b=1, with your numbers"


def test_a_notice_keeps_its_own_hint_behind_the_remedy() -> None:
    notice = Notice("message", "own hint", remedy=Remedy("leave out", (), "words for Python"))
    rendered = in_options(notice).render()
    assert "words for Python" not in rendered
    assert "--wrt; own hint" in rendered


@pytest.mark.parametrize("word", ["x^2", "a", "x*y + 1", "$HOME", "it's", 'a"b', "`ls`", "a!b", r"\frac", "", "α"])
def test_a_command_line_reads_back_as_its_words(word: str) -> None:
    assert shlex.split(command_line("autodiff", "eval", word)) == ["autodiff", "eval", word]


@pytest.mark.parametrize(
    ("receipt", "installer"),
    [
        ("", "pip install"),
        ("pipx_metadata.json", "pipx runpip autodiff-cli install"),
        ("uv-receipt.toml", "uv pip install --python {prefix}"),
    ],
)
def test_an_extra_is_installed_by_what_installed_the_program(
    receipt: str, installer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    if receipt:
        (tmp_path / receipt).touch()
    assert not_installed("message", "plot").hint == f'{installer.format(prefix=tmp_path)} "autodiff-cli[plot]"'
