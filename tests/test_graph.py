"""The tape: topological order, the nodes that depend on others, and equal nodes that are shared."""

from autodiff_cli import parse
from autodiff_cli.graph import SharedGraph
from autodiff_cli.operations import ADD, INPUT, MUL


def test_arguments_stand_before_what_is_computed_from_them() -> None:
    graph = parse("f(x) = x^2 + 1; a = f(b)*f(c); sum(i, 1, 3, a*i)").graph
    assert all(argument < node for node, arguments in enumerate(graph.arguments) for argument in arguments)


def test_only_nodes_that_an_output_depends_on_are_needed() -> None:
    program = parse("a = x*y; b = x + y; c = a^2")
    graph, x, y = program.graph, program.inputs["x"], program.inputs["y"]
    needed = graph.needed([program.names["a"]])
    assert needed == graph.needed_by(program.names["a"]) == sorted([x, y, program.names["a"]])
    assert graph.needed_by(program.output, leaves=[program.names["a"]])[-1] == program.output
    assert x not in graph.needed_by(program.output, leaves=[program.names["a"]])


def test_only_nodes_that_depend_on_an_input_are_marked() -> None:
    program = parse("a = x*2; b = y + 1; a*b")
    marks = program.graph.dependent(program.graph.needed([program.output]), [program.inputs["x"]])
    assert [bool(marks[program.names[name]]) for name in ("a", "b")] == [True, False]
    assert marks[program.output]


def test_equal_nodes_of_a_shared_graph_are_one() -> None:
    graph = SharedGraph()
    x, y = graph.add(INPUT), graph.add(INPUT)
    assert x != y
    product = graph.add(MUL, (x, y))
    assert graph.add(MUL, (x, y)) == product != graph.add(MUL, (y, x))
    assert graph.constant(2.0) == graph.constant(2.0) != graph.constant(2.0, label="two")
    assert graph.constant(0.0) != graph.constant(-0.0)
    assert graph.has(MUL, (x, y)) and not graph.has(ADD, (x, y))
