"""Programs: their inputs and defaults, their constants, their output, and the statements that it does not need."""

import pytest

from autodiff_cli import parse
from autodiff_cli.operations import CONSTANT, INPUT


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


def test_the_text_of_a_node_is_on_one_line_without_comments() -> None:
    program = parse("2*(a  # the first\n  + b # the second\n  + c)")
    assert program.formula(program.output) == "2*(a + b + c)"
    long = parse(f"2*(a # {'x' * 1000}\n + {' + '.join('b' * 200)} # y\n + c)")
    assert long.formula(long.output).startswith("2*(a … b + b") and long.formula(long.output).endswith("+ b + c)")
    cut_off = parse(f"2*(a # see … b\n + {' + '.join('b' * 200)} # {'y' * 300}\n + c)")
    assert cut_off.formula(cut_off.output).startswith("2*(a + b + b")
    assert cut_off.formula(cut_off.output).endswith("b … + c)")


def test_a_program_is_a_key_and_shows_its_text_and_output() -> None:
    program = parse("n = x*w; tanh(n)")
    assert {program: 1}[program] == 1
    assert repr(program) == "Program('n = x*w; tanh(n)')"
    assert repr(program.select("n")) == "Program('n = x*w; tanh(n)', output='n')"
    assert len(repr(parse("+".join(["x"] * 1_000)))) < 500
