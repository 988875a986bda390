"""The chain rule step by step: the steps are those of the engine, and the rules say what its numbers are."""

import math
from collections.abc import Iterator, Mapping

import pytest
import referee
from hypothesis import given
from hypothesis import strategies as st
from referee import Arguments, every_operation

from autodiff_cli.errors import AutodiffError
from autodiff_cli.evaluation import Evaluation, evaluate
from autodiff_cli.explain import Explanation, explain
from autodiff_cli.explain.naming import find, short_names
from autodiff_cli.explain.paths import MANY, paths
from autodiff_cli.notation import CALL, shortest, spelled
from autodiff_cli.operations import Operation
from autodiff_cli.parser import parse
from autodiff_cli.transforms import expand

NEURON = "n = x1*w1 + x2*w2 + b; o = tanh(n)"
POINT = {"x1": 2.0, "x2": 0.0, "w1": -3.0, "w2": 1.0, "b": 6.8813735870195432}


def explained(text: str, point: Mapping[str, float], *expanded: str, wrt: list[str] | None = None) -> Explanation:
    evaluation = evaluate(expand(parse(text), expanded), point, wrt)
    return explain(evaluation, short_names(evaluation))


def steps(explanation: Explanation) -> dict[str, tuple[float, list[tuple[str, str, float, float]]]]:
    """Name → the gradient that arrives, and what goes where by which rule."""
    names = {node: name for node, (name, _) in short_names(explanation.evaluation).items()}
    return {
        names[step.node]: (step.adjoint, [(names[c.argument], c.rule, c.local, c.product) for c in step.contributions])
        for step in explanation.steps
    }


def approx(number: float) -> float:
    return pytest.approx(number, rel=1e-12, abs=1e-15)  # type: ignore[no-any-return]


# ---- Every operation of the table ------------------------------------------------------------------------------------


def _ordinary(row: Operation, count: int) -> Iterator[Arguments]:
    """Points where the form of a textbook loses no digits: of ordinary size, and not at the edge of a domain."""
    for arguments in referee.samples(row, count, 60):
        if all(0.01 <= abs(a) <= 20 and (a == 1 or abs(abs(a) - 1) > 1e-5) for a in arguments[row.literal :]):
            yield arguments


def _alone(row: Operation, arguments: Arguments) -> tuple[Evaluation, dict[str, float]]:
    """A multiple of the operation, at a point."""
    names = [f"x{place}" for place in range(len(arguments))]
    point = dict(zip(names, arguments, strict=True))
    operands = list(names)
    if row.literal:
        operands[0] = shortest(arguments[0])
        del point[names[0]]
    call = spelled(row, [(operand, CALL) for operand in operands])
    return evaluate(parse(f"y = {call}; -3.7*y"), point), point


@every_operation
def test_steps_are_those_of_the_engine(row: Operation, count: int) -> None:
    for arguments in referee.samples(row, count, 60):
        evaluation, _ = _alone(row, arguments)
        explanation = explain(evaluation)
        for node in evaluation.order:
            received = 1.0 if node == evaluation.program.output else 0.0
            for contribution in explanation.received.get(node, []):
                received += contribution.product
            adjoint = evaluation.adjoints[node]
            assert repr(adjoint) == repr(explanation.adjoints[node])
            assert adjoint is None or repr(adjoint) == repr(received)


@every_operation
def test_a_product_is_the_adjoint_times_the_local_derivative(row: Operation, count: int) -> None:
    for arguments in _ordinary(row, count):
        for step in explain(_alone(row, arguments)[0]).steps:
            for one in step.contributions:
                assert one.product == approx(step.adjoint * one.local) or not math.isfinite(one.local)


@every_operation
def test_a_rule_is_a_formula_of_the_language_with_the_value_of_the_local_derivative(row: Operation, count: int) -> None:
    seen = 0
    for arguments in _ordinary(row, count):
        evaluation, point = _alone(row, arguments)
        explanation = explain(evaluation, short_names(evaluation))
        y = evaluation.values[evaluation.program.names["y"]]
        for one in explanation.steps[-1].contributions:
            if math.isfinite(one.local):
                seen += 1
                value = evaluate(parse(one.rule), point | {"y": y}, ()).value
                assert math.isclose(value, one.local, rel_tol=1e-9, abs_tol=1e-12), (one.rule, arguments)
    assert seen


# ---- The lessons -----------------------------------------------------------------------------------------------------


def test_neuron() -> None:
    assert steps(explained(NEURON, POINT)) == {
        "o": (1.0, [("n", "1 - o^2", approx(0.5), approx(0.5))]),
        "n": (approx(0.5), [("v3", "1", 1.0, approx(0.5)), ("b", "1", 1.0, approx(0.5))]),
        "v3": (approx(0.5), [("v1", "1", 1.0, approx(0.5)), ("v2", "1", 1.0, approx(0.5))]),
        "v2": (approx(0.5), [("x2", "w2", 1.0, approx(0.5)), ("w2", "x2", 0.0, 0.0)]),
        "v1": (approx(0.5), [("x1", "w1", -3.0, approx(-1.5)), ("w1", "x1", 2.0, approx(1.0))]),
    }


def test_neuron_with_tanh_taken_apart() -> None:
    e, root = 3 + math.sqrt(8), math.sqrt(2)  # exp(2n) where tanh(n) is 1/sqrt(2)
    found = steps(explained(NEURON, POINT, "tanh"))
    assert list(found) == ["o", "v7", "v6", "v5", "v4", "n", "v3", "v2", "v1"]
    assert found["o"] == (
        1.0,
        [
            ("v6", "1/v7", approx(1 / (e + 1)), approx(1 / (e + 1))),
            ("v7", "-v6/v7^2", approx(-1 / root / (e + 1)), approx(-1 / root / (e + 1))),
        ],
    )
    assert found["v5"] == (approx((1 - 1 / root) / (e + 1)), [("v4", "v5", approx(e), approx(0.25))])
    assert found["v4"] == (approx(0.25), [("n", "2", 2.0, approx(0.5))])
    assert found["v1"] == (approx(0.5), [("x1", "w1", -3.0, approx(-1.5)), ("w1", "x1", 2.0, approx(1.0))])


def test_a_value_that_is_used_twice_receives_twice() -> None:
    explanation = explained("b = a + a; c = b + b", {"a": 3.0})
    assert steps(explanation) == {
        "c": (1.0, [("b", "1", 1.0, 1.0), ("b", "1", 1.0, 1.0)]),
        "b": (2.0, [("a", "1", 1.0, 2.0), ("a", "1", 1.0, 2.0)]),
    }
    assert explanation.evaluation.gradient == {"a": 4.0}


def test_paths_that_meet_add_up() -> None:
    explanation = explained("d = a*b; e = a+b; f = d*e", {"a": -2.0, "b": 3.0})
    a, b = (explanation.evaluation.inputs[name] for name in "ab")
    assert [one.product for one in explanation.received[a]] == [-6.0, 3.0]
    assert [one.product for one in explanation.received[b]] == [-6.0, -2.0]
    found = paths(explanation, a)
    assert (found.count, found.hidden, found.rest, found.gradient) == (2, 0, 0.0, -3.0)
    assert [(path.product, [link.rule for link in path.links]) for path in found.shown] == [
        (3.0, ["e", "b"]),
        (-6.0, ["d", "1"]),
    ]


def test_rules_are_short() -> None:
    text = "u = x^2; v = x^1; w = x^-1; m = max(x, y, 2); r = relu(x); t = where(x > 0, x, 1); u+v+w+m+r+t"
    rules = {name: [rule for _, rule, _, _ in received] for name, (_, received) in steps(
        explained(text, {"x": 3.0, "y": 3.0})).items()}  # fmt: skip
    assert rules["u"] == ["2*x"]
    assert rules["v"] == ["x^0"]
    assert rules["w"] == ["-1*x^(-2)"]
    assert rules["m"] == ["where(x == m, 1/2, 0)", "where(y == m, 1/2, 0)"]
    assert rules["r"] == ["where(x > 0, 1, 0)"]
    assert rules["t"] == ["0", "where(v1, 1, 0)"]


def test_only_what_the_gradient_needs_is_explained() -> None:
    assert list(steps(explained(NEURON, POINT, wrt=["b"]))) == ["o", "n"]
    assert steps(explained(NEURON, POINT, wrt=[])) == {}


# ---- Names -----------------------------------------------------------------------------------------------------------


def _names(text: str, **point: float) -> list[str]:
    return [name for name, _ in short_names(evaluate(parse(text), point)).values()]


def test_values_without_a_name_are_numbered() -> None:
    assert _names("x*y + sin(x)", x=1, y=2) == ["x", "y", "v1", "v2", "f"]
    assert _names("f = x*2 - 1", x=1) == ["x", "2", "v1", "1", "f"]


def test_made_names_avoid_those_of_the_program() -> None:
    assert _names("v1*f + t7*y", v1=1, f=2, t7=3, y=4) == ["v1", "f", "u1", "t7", "y", "u2", "out"]


def test_a_name_that_is_assigned_again_stands_for_its_last_value() -> None:
    assert _names("c = a + b; c = c^2; c = c - 1", a=1, b=2) == ["a", "b", "c[1]", "2", "c[2]", "1", "c"]


def test_no_two_values_share_a_name() -> None:
    names = _names("x = 2; y = x + 1; y = y*x; z = y^x; y = z + y; " + "n" * 100 + " = y; y*" + "n" * 100)
    values = [name for name in names if not name.isdecimal()]
    assert len(set(values)) == len(values)


def test_a_value_is_found_by_its_name() -> None:
    evaluation = evaluate(parse("c = a + b; c = c^2; d = c*pi; sin(d)"), {"a": 1.0, "b": 2.0})
    names = short_names(evaluation)
    assert names[find(evaluation, names, "c[1]")][0] == "c[1]"
    assert find(evaluation, names, "c") == evaluation.program.names["c"]
    assert find(evaluation, names, "f") == evaluation.program.output
    for word in ("pi", "2", "q", ""):
        with pytest.raises(AutodiffError):
            find(evaluation, names, word)


# ---- Paths -----------------------------------------------------------------------------------------------------------


@st.composite
def _programs(draw: st.DrawFn) -> str:
    """Statements that each compute a value from two that there are already."""
    names = ["x", "y"]
    lines = []
    for number in range(draw(st.integers(1, 7))):
        a, b = (draw(st.sampled_from(names)) for _ in range(2))
        form = draw(
            st.sampled_from(["{0}*{1}", "{0} + {1}", "{0} - {1}", "sin({0})*{1}", "max({0}, {1})", "{0}/(2 + {1}^2)"])
        )
        lines.append(f"v{number} = {form.format(a, b)}")
        names.append(f"v{number}")
    return "; ".join(lines)


def _walks(explanation: Explanation, node: int, target: int) -> Iterator[float]:
    """The products along all ways down, one after the other."""
    if node == target:
        yield 1.0
    for step in explanation.steps:
        if step.node == node and node != target:
            for one in step.contributions:
                yield from (one.local * rest for rest in _walks(explanation, one.argument, target))


@given(_programs(), st.sampled_from("xy"))
def test_the_gradient_is_the_sum_over_the_paths(text: str, name: str) -> None:
    evaluation = evaluate(parse(text), {"x": 0.7, "y": -1.3})
    if name not in evaluation.gradient:
        return
    explanation = explain(evaluation)
    node = evaluation.inputs[name]
    products = list(_walks(explanation, evaluation.program.output, node))
    everything, few = paths(explanation, node, 1000), paths(explanation, node, 3)
    assert everything.count == few.count == len(products)
    assert [path.product for path in everything.shown] == pytest.approx(products, rel=1e-9, abs=1e-12)
    assert sum(products) == pytest.approx(evaluation.gradient[name], rel=1e-9, abs=1e-9)
    assert everything.agrees
    if few.hidden:
        largest = sorted(map(abs, products), reverse=True)[:3]
        assert [abs(path.product) for path in few.shown] == pytest.approx(largest, rel=1e-9, abs=1e-12)
        shown = sum(path.product for path in few.shown)
        assert shown + few.rest == pytest.approx(evaluation.gradient[name], rel=1e-9, abs=1e-9)


def test_exponentially_many_paths_are_counted_and_not_walked() -> None:
    text = "x1 = x*x; " + "; ".join(f"x{i} = x{i - 1}*x{i - 1}" for i in range(2, 2001))
    explanation = explained(text.replace("x2000", "y"), {"x": 1.0})
    found = paths(explanation, explanation.evaluation.inputs["x"])
    assert (found.count, found.hidden, len(found.shown)) == (MANY, MANY, 12)
    few = explained("; ".join(text.split("; ")[:40]), {"x": 1.0})
    assert paths(few, few.evaluation.inputs["x"]).count == 2**40
    assert paths(few, few.evaluation.inputs["x"]).rest == 2.0**40 - 12


def test_what_cancels_before_an_infinite_slope_is_said() -> None:
    explanation = explained("u = sqrt(x); u - u", {"x": 0.0})
    found = paths(explanation, explanation.evaluation.inputs["x"])
    assert found.gradient == 0
    assert not found.agrees
    other = explained("sqrt(x - x)", {"x": 0.0})
    assert paths(other, other.evaluation.inputs["x"]).agrees


# ---- Size ------------------------------------------------------------------------------------------------------------


def test_programs_that_are_large_or_deep_are_explained() -> None:
    deep = explained("tanh(" * 20_000 + "x" + ")" * 20_000, {"x": 0.5}, "tanh")
    assert len(deep.steps) == 5 * 20_000
    wide = explained("+".join(f"sin({i}*x)" for i in range(20_000)), {"x": 0.5})
    assert len(wide.received[wide.evaluation.inputs["x"]]) == 20_000
