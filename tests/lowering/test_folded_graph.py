"""The folding of operations on the nodes of a graph for code."""

from math import nan

import pytest

from autodiff_cli.lowering.folded_graph import FoldedGraph
from autodiff_cli.operations import INPUT, MUL, OPERATIONS


@pytest.mark.parametrize("name", ["lt", "le", "gt", "ge", "eq", "ne"])
def test_a_comparison_with_nan_is_settled(name: str) -> None:
    graph = FoldedGraph()
    x, number = graph.add(INPUT), graph.constant(nan)
    for operands in ((x, number), (number, x)):
        assert graph.number(graph.apply(OPERATIONS[name], *operands)) == (name == "ne")


@pytest.mark.parametrize(("outer", "inner"), [(2.0**-1000, 2.0**-100), (2.0**-52, 1e-300), (2.0**1000, 2.0**100)])
def test_factors_whose_product_is_out_of_range_stay_apart(outer: float, inner: float) -> None:
    graph = FoldedGraph()
    part = graph.apply(MUL, graph.constant(inner), graph.add(INPUT))
    assert graph.arguments[graph.apply(MUL, graph.constant(outer), part)][1] == part
