"""Remedies of the core's errors in the words of the command line."""

import pytest

from autodiff_cli import AutodiffError, evaluate
from autodiff_cli.cli.remedies import in_options
from autodiff_cli.errors import Notice, Remedy


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
