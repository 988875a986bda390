"""The parser's tables: computed once, and accepting what Lark's parser accepts."""

import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Lark, LarkError
from places import ROOT

from autodiff_cli import AutodiffError
from autodiff_cli.errors import Source
from autodiff_cli.parser import lalr_tables, run
from autodiff_cli.parser.builder import Builder
from autodiff_cli.parser.lalr_tables import Tables, analysis, tables

GRAMMAR = (ROOT / "grammar" / "expression.lark").read_text(encoding="utf-8")
WORDS = ["x", "2.5", "f", "(", ")", ",", "=", ";", "+", "-", "*", "^", "²", "√", "∞", "<", "and", "not", "==", "$"]


class Installation:
    """A folder of grammars, and how often their tables were computed."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.computed, self._make = 0, lalr_tables.make
        for grammar in (ROOT / "grammar").glob("*.lark"):
            shutil.copy(grammar, folder)
        self.grammar, self.kept = folder / "expression.lark", folder / "expression.json"
        monkeypatch.setattr(lalr_tables, "_FOLDERS", (str(folder),))
        monkeypatch.setattr(lalr_tables, "make", self._counted)

    def _counted(self, source: str) -> dict[str, Any]:
        self.computed += 1
        return self._make(source)

    def start(self) -> Tables:
        """The tables as a process finds them that has just started."""
        analysis.cache_clear()
        return tables.__wrapped__()


@pytest.fixture
def installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Installation]:
    yield Installation(tmp_path, monkeypatch)
    analysis.cache_clear()


def test_tables_are_computed_once(installation: Installation) -> None:
    first, second = installation.start(), installation.start()
    assert first == second
    assert installation.computed == 1


def test_tables_of_another_grammar_are_computed_again(installation: Installation) -> None:
    rules = installation.start().rules
    with installation.grammar.open("a") as grammar:
        grammar.write("// a comment\n")
    assert installation.start().rules == rules
    assert installation.start().rules == rules
    assert installation.computed == 2


@pytest.mark.parametrize("broken", ["", "{", "{}", '{"format": 0}'])
def test_broken_tables_are_computed_again(installation: Installation, broken: str) -> None:
    rules = installation.start().rules
    installation.kept.write_text(broken)
    assert installation.start().rules == rules
    assert installation.computed == 2


def test_a_folder_that_cannot_be_written_is_no_obstacle(installation: Installation) -> None:
    installation.kept.mkdir()
    assert installation.start().rules == tables().rules
    assert installation.computed == 1


@cache
def _lark() -> Lark:
    return Lark(GRAMMAR, parser="lalr", lexer="basic")


@cache
def _recognizer() -> type[Builder]:
    """A builder that builds nothing, so that only the grammar refuses a text."""
    actions = {rule.method: lambda builder, stack, end: stack for rule in tables().rules if rule.method}
    return type("Recognizer", (Builder,), actions)


@given(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join))
def test_the_loop_accepts_what_lark_accepts(text: str) -> None:
    try:
        _lark().parse(text)
    except LarkError:
        with pytest.raises(AutodiffError):
            run(_recognizer()(Source(text)))
    else:
        run(_recognizer()(Source(text)))
