"""Derivatives as nodes of a graph: they have only the nodes they need, and share those of the formula."""

import pytest

from autodiff_cli import parse
from autodiff_cli.transforms import derivative


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("x*y", []),
        ("x + y", []),
        ("3*x + sin(y)", []),
        ("-(-x)", []),
        ("sin(x)", ["cos"]),
        ("exp(x)", ["exp"]),
        ("exp(x)*y", ["exp", "mul"]),
        ("relu(x)", ["gt", "where"]),
        ("relu(relu(x))*y", ["and", "gt", "gt", "relu", "where"]),
        ("x/y", ["div"]),
        ("floor(x)*2", []),
    ],
)
def test_derivative_has_only_the_nodes_it_needs(text: str, names: list[str]) -> None:
    program = parse(text)
    graph = program.graph
    (slope,) = derivative(graph, program.output, [program.inputs["x"]])
    used = graph.needed([slope])
    assert sorted(graph.operations[node].name for node in used if graph.arguments[node]) == names


def test_derivative_shares_what_the_formula_computes() -> None:
    program = parse("s = sin(x)*exp(x); s*s")
    size = len(program.graph)
    derivative(program.graph, program.output, [program.inputs["x"]])
    assert len(program.graph) < size + 10


@pytest.mark.parametrize("step", ["relu(a*x)", "max(a, x)*x", "abs(a)^x", "where(x > 0, a*a, 0)", "clip(a, 0, x)"])
def test_derivative_grows_in_proportion_to_a_deep_formula(step: str) -> None:
    sizes = []
    for depth in (200, 400):
        program = parse("a = x*2\n" + f"a = {step}\n" * depth)
        derivative(program.graph, program.output, [program.inputs["x"]])
        sizes.append(len(program.graph))
    assert sizes[1] < 2.1 * sizes[0]
