"""The nodes that the builder makes of a text, and their places in it."""

import pytest

from autodiff_cli import AutodiffError, parse


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
        ("a<-1", "a < -1"),
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
        ("f(a, # the (first) = 1\n  b) = a*b\nf(x, y)", "f(a, b) = a*b; f(x, y)"),
        ("clip(x, 0, 1); 2", "clip(x, 0, 1)\r\n\ufeff2 # two"),
    ],
)
def test_a_program_can_be_written_in_several_ways(text: str, same: str) -> None:
    first, second = parse(text), parse(same)
    assert (first.graph.operations, first.graph.arguments) == (second.graph.operations, second.graph.arguments)
    assert first.graph.numbers == second.graph.numbers
    assert first.names == second.names


def test_an_error_names_the_file_and_the_line_among_many() -> None:
    with pytest.raises(AutodiffError, match=r"--> formulas\.txt:7:3\n"):
        parse("1 2", "formulas.txt", line=7)
