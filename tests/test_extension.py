"""An operation that is added in one row works everywhere."""

import json
from collections.abc import Iterator

import pytest

from autodiff_cli import Value, evaluate, gradient, operations, parse
from autodiff_cli.cli import group
from autodiff_cli.operations import Operation

ROW = Operation("haversine", "a", ("sin(a)/2",), "half the versed sine", meaning="(1 - cos(a))/2", aliases=("hav",))


@pytest.fixture
def _added() -> Iterator[None]:
    operations.enter(ROW)
    yield
    del operations.OPERATIONS[ROW.name]
    for name in (ROW.name, *ROW.aliases):
        del operations.FUNCTIONS[name]


@pytest.mark.usefixtures("_added")
def test_a_new_row_parses_evaluates_and_differentiates() -> None:
    program = parse("y = haversine(2*x) + hav(0)")
    assert evaluate(program, {"x": 0.5}) == pytest.approx(0.22984884706593015, rel=1e-15)
    assert gradient(program, {"x": 0.5})["x"] == pytest.approx(0.8414709848078965, rel=1e-15)


@pytest.mark.usefixtures("_added")
def test_a_new_row_is_listed_and_taken_apart(capsys: pytest.CaptureFixture[str]) -> None:
    group.main(["functions", "hav"], standalone_mode=False)
    assert "half the versed sine" in capsys.readouterr().out
    group.main(["eval", "hav(x)", "--set", "x=1", "--expand", "hav", "--format", "json"], standalone_mode=False)
    nodes = json.loads(capsys.readouterr().out)["nodes"]
    assert [node["operation"] for node in nodes] == ["input", "constant", "cos", "sub", "constant", "div"]


def test_every_function_of_the_table_is_a_method_of_value() -> None:
    for name, rows in operations.FUNCTIONS.items():
        method = getattr(Value(0.5), name)
        count = int(rows[0].counts[0])
        assert isinstance(method(*[0.25] * (count - 1)), Value), name
