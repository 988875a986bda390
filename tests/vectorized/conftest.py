"""Threads are tried with few rows too."""

import pytest

from autodiff_cli.vectorized import threads


@pytest.fixture(autouse=True)
def threads_for_any_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many threads as are asked for, however few rows there are."""
    monkeypatch.setattr(threads, "_LEAST_WORK", 1)
