"""Remedies of the core's errors in the words of the command line."""

import ast
from collections.abc import Iterator

import pytest
from places import ROOT

from autodiff_cli import AutodiffError, evaluate
from autodiff_cli.cli.remedies import _OPTIONS, in_options
from autodiff_cli.errors import Notice, Remedy


def _kinds() -> Iterator[str]:
    """The kinds of remedies that stand in the core."""
    for path in (ROOT / "autodiff_cli").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Remedy":
                yield from (kind.value for kind in node.args[:1] if isinstance(kind, ast.Constant))


def test_every_remedy_of_the_core_has_words_here() -> None:
    kinds = set(_kinds())
    assert kinds
    assert kinds <= set(_OPTIONS)


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
