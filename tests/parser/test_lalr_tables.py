"""The parser's tables: computed once, kept where nobody else writes, and accepting what Lark's parser accepts."""

import json
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

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


class Cache:
    """A user's cache, and how often the tables were computed."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.computed = 0
        self._folder, self._make = folder, lalr_tables.make
        monkeypatch.setattr(lalr_tables, "_cache_folder", lambda: folder)
        monkeypatch.setattr(lalr_tables, "make", self._counted)

    def _counted(self, source: str) -> dict[str, Any]:
        self.computed += 1
        return self._make(source)

    @property
    def file(self) -> Path:
        (file,) = self._folder.iterdir()
        return file

    def start(self) -> Tables:
        """The tables as a process finds them that has just started."""
        analysis.cache_clear()
        return tables.__wrapped__()


@pytest.fixture
def user_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cache:
    return Cache(tmp_path / "autodiff-cli", monkeypatch)


def test_tables_are_computed_once_and_kept_for_the_user_alone(user_cache: Cache) -> None:
    first, second = user_cache.start(), user_cache.start()
    assert first == second
    assert user_cache.computed == 1
    assert user_cache.file.stat().st_mode & 0o077 == 0


def test_tables_that_others_could_have_written_are_not_believed(user_cache: Cache) -> None:
    rules = user_cache.start().rules
    data = json.loads(user_cache.file.read_text().rpartition("\n")[0])
    data["rules"] = [[origin, size, "nothing", False] for origin, size, _, _ in data["rules"]]
    text = json.dumps(data)
    user_cache.file.write_text(f"{text}\n{crc32(text.encode()):08x}")
    assert user_cache.start().rules != rules, "the user's own file is believed"
    user_cache.file.chmod(0o666)
    assert user_cache.start().rules == rules
    assert user_cache.computed == 2


@pytest.mark.parametrize("broken", ["", "{", "[]", "{}", '{"format": 0}'])
def test_broken_tables_are_computed_again(user_cache: Cache, broken: str) -> None:
    rules = user_cache.start().rules
    user_cache.file.write_text(broken)
    assert user_cache.start().rules == rules
    assert user_cache.computed == 2


def test_a_home_that_cannot_be_written_is_no_obstacle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.touch()
    assert Cache(file / "autodiff-cli", monkeypatch).start().rules == tables().rules


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
