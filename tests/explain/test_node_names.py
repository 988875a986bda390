"""The names of the nodes in an explanation: those of the program, and different ones for all others."""

import pytest

from autodiff_cli.errors import AutodiffError
from autodiff_cli.evaluation import evaluate
from autodiff_cli.explain.node_names import named_node, short_names
from autodiff_cli.language import parse


def _names(text: str, **point: float) -> list[str]:
    return [name for name, _ in short_names(evaluate(parse(text), point)).values()]


def test_values_without_a_name_are_numbered() -> None:
    assert _names("x*y + sin(x)", x=1, y=2) == ["x", "y", "v1", "v2", "f"]
    assert _names("f = x*2 - 1", x=1) == ["x", "2", "v1", "1", "f"]


def test_made_names_avoid_those_of_the_program() -> None:
    assert _names("v1*f + t7*y", v1=1, f=2, t7=3, y=4) == ["v1", "f", "u1", "t7", "y", "u2", "out"]
    assert _names("f(x) = x^2; v1(x) = 2*x; f(a)", a=1) == ["2", "a", "y"]


def test_a_name_that_is_assigned_again_stands_for_its_last_value() -> None:
    assert _names("c = a + b; c = c^2; c = c - 1", a=1, b=2) == ["a", "b", "c[1]", "2", "c[2]", "1", "c"]


def test_an_earlier_value_is_no_entry_of_a_list() -> None:
    assert _names("x = a*b; x = [x*2, x + 1]; x[1]*x[2]", a=2, b=3) == ["a", "b", "x[3]", "2", "x[1]", "1", "x[2]", "f"]


def test_a_number_that_is_assigned_again_is_an_earlier_value() -> None:
    assert _names("a = 5; a = a + x; a*x*pi", x=1) == ["a[1]", "x", "a", "v1", "pi", "f"]


def test_no_two_values_share_a_name() -> None:
    names = _names("x = 2; y = x + 1; y = y*x; z = y^x; y = z + y; " + "n" * 100 + " = y; y*" + "n" * 100)
    values = [name for name in names if not name.isdecimal()]
    assert len(set(values)) == len(values)


def test_a_long_name_is_shortened_and_numbered_if_another_becomes_the_same() -> None:
    start, end = "a" * 30, "z" * 30
    assert _names(f"2*{start}{end}", **{start + end: 3}) == ["2", "a" * 20 + "…" + "z" * 19, "f"]
    names = _names(f"{start}x{end}*{start}y{end}", **{f"{start}x{end}": 3, f"{start}y{end}": 4})
    assert names == ["a" * 20 + "…" + "z" * 19 + "[1]", "a" * 20 + "…" + "z" * 19 + "[2]", "f"]


def test_a_value_is_found_by_its_name() -> None:
    evaluation = evaluate(parse("c = a + b; c = c^2; d = c*pi; sin(d)"), {"a": 1.0, "b": 2.0})
    names = short_names(evaluation)
    assert names[named_node(evaluation, names, "c[1]")][0] == "c[1]"
    assert named_node(evaluation, names, "c") == evaluation.program.names["c"]
    assert named_node(evaluation, names, "f") == evaluation.program.output
    for word in ("pi", "2", "q", ""):
        with pytest.raises(AutodiffError):
            named_node(evaluation, names, word)
