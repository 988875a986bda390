"""A printed formula is read again as the same graph, with as few parentheses as possible."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapes import Shapes
from table_text import entries

from autodiff_cli import parse
from autodiff_cli.notation import CALL, operation_text
from autodiff_cli.operations import TABLE, Operation
from autodiff_cli.printer import expression
from autodiff_cli.program import Program

LEAVES = st.sampled_from(["x", "y", "z", "2", "3", "0.5", "1", "0.1", "1e-3", "pi", "e", "inf"])


def _calls(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    def call(operation: Operation) -> st.SearchStrategy[str]:
        most = 3 if operation.variadic else len(operation.names)
        counts = st.integers(operation.counts[0], most)
        return counts.flatmap(lambda count: st.lists(inner, min_size=count, max_size=count)).map(
            lambda operands: _written(operation, ["2", *operands[1:]] if operation.literal else operands)
        )

    return st.sampled_from(TABLE).flatmap(call)


def _written(operation: Operation, operands: list[str]) -> str:
    return operation_text(
        operation, [(f"({operand})", CALL) if operation.symbol else (operand, CALL) for operand in operands]
    )


every_formula = st.recursive(LEAVES, _calls, max_leaves=12)
"""all operations, in every order of nesting"""


def _printed(program: Program) -> str:
    names = {node: (name, CALL) for name, node in program.inputs.items()}
    return expression(program.graph, program.output, names)


@settings(max_examples=150)
@given(every_formula)
def test_a_formula_is_read_again_as_the_same_graph(text: str) -> None:
    program = parse(text)
    again = parse(_printed(program))
    shapes = Shapes()
    assert shapes.of(again.graph, again.output) == shapes.of(program.graph, program.output)


PRECEDENCE = """
-2^2|(-2)^2|2^-x|(-x)^-y|a - (b - c)|a - b - c|a/(b*c)|a/b/c|a/b*c|a*(b/c)|-(-x)|--x|-(x*y)|-x*y|x - -y|x^y^z|(x^y)^z
not (a < b)|not a and b|not (a and b)|(a < b) + 1|(a < b) < c|a < b + c|a and b or c|a and (b or c)|-not_x|-(not x)
not -x|(x % y) % z|x % (y % z)|where(x < 0, where(y > 1, -x, 2), where(x == y, 0, -1))|leaky_relu(x)|elu(x, 1)|-1/x
leaky_relu(x, 0.02)|nthroot(x)|nthroot(x, 3)|log(x, 2)|1e-300*x|1e300^x|inf - x|max(x)|x^(1/2)|-(x + y)^2|-(1/x)|+x
polygamma(2, x)
"""


@pytest.mark.parametrize("text", entries(PRECEDENCE))
def test_precedence_is_kept_where_it_matters(text: str) -> None:
    test_a_formula_is_read_again_as_the_same_graph.hypothesis.inner_test(text)  # type: ignore[attr-defined]
