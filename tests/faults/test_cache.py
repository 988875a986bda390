"""The cache of the parser's tables: broken in every way, on a full disk, shared by twenty first starts."""

import json
import os
import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from processes import AUTODIFF

from autodiff_cli.parser.lalr_tables import Tables, tables

start: Callable[[], Tables] = tables.__wrapped__
"""the tables as a process finds them that has just started"""
RIGHT = tables()


@pytest.fixture
def cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of the cache, written at the first start."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    start()
    found = next((path for path in tmp_path.rglob("*") if path.is_file()), None)
    return found or pytest.skip("this installation has the tables in the package")


def test_a_cache_that_is_cut_off_or_changed_anywhere_is_made_again(cached: Path) -> None:
    whole, chance = cached.read_bytes(), random.Random(0)
    for _ in range(8):
        place = chance.randrange(len(whole))
        other = b"8" if whole[place : place + 1] == b"9" else b"9"
        for broken in (whole[:place], whole[:place] + other + whole[place + 1 :], whole[:place] + b"\xff"):
            cached.write_bytes(broken)
            assert start().rules == RIGHT.rules
            assert cached.read_bytes() != broken


@pytest.mark.slow
@pytest.mark.parametrize("shape", [None, 1, [], {}, "x", [[]], {"format": None}])
def test_a_cache_of_another_shape_is_made_again(cached: Path, shape: object) -> None:
    whole = json.loads(cached.read_text().rpartition("\n")[0])
    without = ({name: value for name, value in whole.items() if name != part} for part in whole)
    for broken in (shape, *without, *(whole | {part: shape} for part in whole)):
        cached.write_text(json.dumps(broken))
        assert start().rules == RIGHT.rules


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are those of POSIX")
@pytest.mark.parametrize("what", ["folder", "pipe", "nested", "link to itself"])
def test_something_else_in_place_of_the_cache_is_no_obstacle(cached: Path, what: str) -> None:
    cached.unlink()
    if what == "folder":
        cached.mkdir()
    elif what == "pipe":
        os.mkfifo(cached)
    elif what == "nested":
        cached.write_text("[" * 100_000)
    else:
        cached.symlink_to(cached)
    assert start().rules == RIGHT.rules
    assert start().rules == RIGHT.rules


def test_a_full_disk_leaves_no_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource", reason="limits are those of POSIX")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        assert start().rules == RIGHT.rules
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert [path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()] in ([], [0])


def test_a_user_without_a_home_needs_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "~nobody-of-that-name")
    assert start().rules == RIGHT.rules


@pytest.mark.slow
def test_twenty_first_starts_at_once(tmp_path: Path) -> None:
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    command = [*AUTODIFF, "eval", "x^2", "--set", "x=3", "--format", "plain"]
    started = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(20)
    ]
    answers = {(*process.communicate(timeout=300), process.returncode) for process in started}
    assert answers == {(b"9.0\nx 6.0\n", b"", 0)}
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) <= 1
