"""The additions that CONTRIBUTING.md describes, made: each touches the places that it names and no other."""

import json
import sys
from collections.abc import Iterator
from types import ModuleType

import click
import pytest

from autodiff_cli import Value, check, cli, evaluate, gradient, operations, parse
from autodiff_cli.operations import Operation

# ---- An operation ----------------------------------------------------------------------------------------------------

HAVERSINE = Operation(
    "haversine", "a", ("sin(a)/2",), "half the versed sine", meaning="(1 - cos(a))/2", aliases=("hav",)
)
LOGADDEXP2 = Operation(
    "logaddexp2", "a, b", ("exp2(a - y)", "exp2(b - y)"), "log2(2^a + 2^b)", meaning="log2(exp2(a) + exp2(b))"
)


@pytest.fixture(autouse=True)
def _added() -> Iterator[None]:
    for operation in (HAVERSINE, LOGADDEXP2):
        operations.register(operation)
    yield
    for operation in (HAVERSINE, LOGADDEXP2):
        del operations.OPERATIONS[operation.name]
        for name in (operation.name, *operation.aliases):
            del operations.FUNCTIONS[name]


def run(*words: str) -> None:
    cli.group.main(list(words), standalone_mode=False)


def test_a_new_operation_parses_evaluates_and_differentiates() -> None:
    program = parse("y = haversine(2*x) + hav(0)")
    assert evaluate(program, {"x": 0.5}) == pytest.approx(0.22984884706593015, rel=1e-15)
    assert gradient(program, {"x": 0.5})["x"] == pytest.approx(0.8414709848078965, rel=1e-15)


def test_a_new_operation_is_listed_and_taken_apart(capsys: pytest.CaptureFixture[str]) -> None:
    run("functions", "hav")
    assert "half the versed sine" in capsys.readouterr().out
    run("eval", "hav(x)", "--set", "x=1", "--expand", "hav", "--format", "json")
    nodes = json.loads(capsys.readouterr().out)["nodes"]
    assert [node["operation"] for node in nodes] == ["input", "constant", "cos", "sub", "constant", "div"]


def test_every_function_of_the_table_is_a_method_of_value() -> None:
    for name, meanings in operations.FUNCTIONS.items():
        if meanings[0] in (HAVERSINE, LOGADDEXP2):
            continue  # methods are made when the package is loaded
        method = getattr(Value(0.5), name)
        count = int(meanings[0].counts[0])
        assert isinstance(method(*[2] * (count - 1)), Value), name


# ---- A function that NumPy has, and neither SciPy, `math` nor mpmath -------------------------------------------------


def test_columns_use_the_function_that_numpy_has_under_the_name() -> None:
    numpy = pytest.importorskip("numpy", reason="columns need NumPy")
    pytest.importorskip("scipy", reason="columns need SciPy")
    a, b = numpy.linspace(-3, 3, 7), numpy.linspace(2000, 2003, 7)  # 2^2000 is beyond the doubles
    assert evaluate("logaddexp2(a, b)", {"a": a, "b": b}).tolist() == numpy.logaddexp2(a, b).tolist()


def test_one_point_and_the_check_use_its_meaning() -> None:
    assert evaluate("logaddexp2(a, b)", {"a": 1.0, "b": 1.0}) == 2.0
    assert {verdict.verdict for verdict in check("logaddexp2(a, b)", {"a": 0.5, "b": 1.5})} == {"ok"}


# ---- A command -------------------------------------------------------------------------------------------------------


def test_a_new_command_is_a_module_and_a_line_in_the_list(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = ModuleType("autodiff_cli.cli.double")

    @click.command
    @click.argument("formula")
    def command(formula: str) -> None:
        click.echo(2 * evaluate(formula))

    module.command = command  # type: ignore[attr-defined]  # what a file of the folder defines
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(cli, "COMMANDS", cli.COMMANDS | {"double": "Twice the value."})
    run("double", "3 + 4")
    assert capsys.readouterr().out == "14.0\n"
    run("--help")
    assert "Twice the value." in capsys.readouterr().out
