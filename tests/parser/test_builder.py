"""What the builder makes of a text: the nodes and where they stand in it, the inputs, and the output."""

import pytest

from autodiff_cli import AutodiffError, parse
from autodiff_cli.operations import CONSTANT, INPUT


@pytest.mark.parametrize(
    ("text", "texts"),
    [
        ("a*b + 2", ["a", "b", "a*b", "2", "a*b + 2"]),
        ("a*( b + c )", ["a", "b", "c", "b + c", "a*( b + c )"]),
        ("-x²^3", ["x", "²", "x²", "3", "x²^3", "-x²^3"]),
        ("+x + + y", ["x", "y", "+x + + y"]),
        ("y = max(a,\n b) # the larger\ny / 3", ["a", "b", "max(a,\n b)", "3", "y / 3"]),
        ("f(u) = u + 1\n2*f(a)", ["u", "1", "u + 1", "2", "a", "u + 1", "2*f(a)"]),
    ],
)
def test_a_node_stands_where_its_text_is(text: str, texts: list[str]) -> None:
    graph = parse(text).graph
    assert [text[slice(*graph.span(node))] for node in range(len(graph))] == texts


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("a ** b", "a ^ b"),
        ("a × b ÷ c − d", "a * b / c - d"),
        ("−a · b ∗ c", "-a * b * c"),
        ("a ≤ b", "a <= b"),
        ("a ≥ b", "a >= b"),
        ("a ≠ b", "a != b"),
        ("x² + x³", "x^2 + x^3"),
        ("√(x) + ∞", "sqrt(x) + inf"),
        ("π", "pi"),
        ("ｘ + x", "x + x"),
        ("log(x)", "ln(x)"),
        ("absolute(power(x, 2)) + maximum(x, y) + DSQRT", "abs(pow(x, 2)) + max(x, y) + DSQRT"),
        ("SQRT(LN(x)) + dexp(x) + tgamma(x) + deg2rad(x)", "sqrt(ln(x)) + exp(x) + gamma(x) + radians(x)"),
        ("power(u) = u + 1; power(x)", "f(u) = u + 1; f(x)"),
        ("clip(x, 0, 1); 2", "clip(x, 0, 1)\r\n\ufeff2 # two"),
    ],
)
def test_a_program_can_be_written_in_several_ways(text: str, same: str) -> None:
    first, second = parse(text), parse(same)
    assert (first.graph.operations, first.graph.arguments) == (second.graph.operations, second.graph.arguments)
    assert first.graph.numbers == second.graph.numbers
    assert first.names == second.names


@pytest.mark.parametrize(
    ("text", "defaults"),
    [
        ("b*a", {"b": None, "a": None}),
        ("a = 2; b = -3; c*b*a", {"a": 2.0, "b": -3.0, "c": None}),
        ("a = (2); b = 1 + 1; c = +4; a*b*c", {"c": 4.0}),
        ("a = -(2); b = neg(2); c = +(2); d = - +4; a*b*c*d", {"d": -4.0}),
        ("a = 2; a = a + 1; a*x", {"x": None}),
        ("a = 2; a = 3; a*x", {"x": None}),
        ("a = pi; b = a; b*x", {"x": None}),
        ("f(a) = a*b; f(c)", {"b": None, "c": None}),
    ],
)
def test_inputs_are_what_has_no_formula_in_the_order_of_the_text(text: str, defaults: dict[str, float | None]) -> None:
    program = parse(text)
    assert {name: program.graph.numbers.get(node) for name, node in program.inputs.items()} == defaults
    assert list(program.inputs) == list(defaults)
    assert all(program.graph.operations[node] is INPUT for node in program.inputs.values())


def test_a_constant_is_an_input_of_none_unless_it_is_assigned() -> None:
    program = parse("e*pi*x; e = 2*y; e")
    assert program.graph.operations[program.constants["pi"]] is CONSTANT
    assert list(program.inputs) == ["x", "y"]


@pytest.mark.parametrize(
    ("text", "name", "unused"),
    [
        ("a + b", None, []),
        ("c = a + b", "c", []),
        ("c = a + b; c", "c", []),
        ("c = a + b; c; f(x) = x", "c", []),
        ("a*b; c = a; a + b; c*2", None, ["a*b", "a + b"]),
        ("a*b; c = a", "c", ["a*b"]),
    ],
)
def test_the_output_is_the_last_statement_and_others_need_names(text: str, name: str | None, unused: list[str]) -> None:
    program = parse(text)
    assert program.output_name == name
    assert [text[start:end] for start, end in program.unused] == unused


def test_an_error_names_the_file_and_the_line_among_many() -> None:
    with pytest.raises(AutodiffError, match=r"--> formulas\.txt:7:3\n"):
        parse("1 2", "formulas.txt", line=7)
