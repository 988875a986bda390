"""The folding of operations on the nodes of a graph for code."""

from math import nan

import pytest

from autodiff_cli.lowering.folded_graph import FoldedGraph
from autodiff_cli.operations import INPUT, OPERATIONS


@pytest.mark.parametrize("name", ["lt", "le", "gt", "ge", "eq", "ne"])
def test_a_comparison_with_nan_is_settled(name: str) -> None:
    graph = FoldedGraph()
    x, number = graph.add(INPUT), graph.constant(nan)
    for operands in ((x, number), (number, x)):
        assert graph.number(graph.apply(OPERATIONS[name], *operands)) == (name == "ne")
