"""The chain rule step by step: the steps are those of the engine, and the values of the rules are its numbers."""

import math
from collections.abc import Iterator, Mapping

import pytest
import referee
from referee import Arguments, every_operation

from autodiff_cli.evaluation import Evaluation, evaluate
from autodiff_cli.explain.chain_rule import Explanation, explain
from autodiff_cli.explain.node_names import short_names
from autodiff_cli.language import parse
from autodiff_cli.notation import CALL, operation_text, shortest
from autodiff_cli.operations import Operation
from autodiff_cli.transforms import expand

NEURON = "n = x1*w1 + x2*w2 + b; o = tanh(n)"
POINT = {"x1": 2.0, "x2": 0.0, "w1": -3.0, "w2": 1.0, "b": 6.8813735870195432}


def explained(text: str, point: Mapping[str, float], *expanded: str, wrt: list[str] | None = None) -> Explanation:
    evaluation = evaluate(expand(parse(text), expanded), point, wrt)
    return explain(evaluation, short_names(evaluation))


def steps(explanation: Explanation) -> dict[str, tuple[float, list[tuple[str, str, float, float]]]]:
    """Name → its gradient and its contributions: (argument, rule, local derivative, product)."""
    names = {node: name for node, (name, _) in short_names(explanation.evaluation).items()}
    return {
        names[step.node]: (step.adjoint, [(names[c.argument], c.rule, c.local, c.product) for c in step.contributions])
        for step in explanation.steps
    }


def approx(number: float) -> float:
    return pytest.approx(number, rel=1e-12, abs=1e-15)  # type: ignore[no-any-return]


# ---- Every operation of the table ------------------------------------------------------------------------------------


def _ordinary(operation: Operation, count: int) -> Iterator[Arguments]:
    """Points where the form of a textbook loses no digits: of ordinary size, and not at the edge of a domain."""
    for arguments in referee.samples(operation, count, 60):
        if all(0.01 <= abs(a) <= 20 and (a == 1 or abs(abs(a) - 1) > 1e-5) for a in arguments[operation.literal :]):
            yield arguments


def _alone(operation: Operation, arguments: Arguments) -> tuple[Evaluation, dict[str, float]]:
    """A multiple of the operation, at a point."""
    names = [f"x{place}" for place in range(len(arguments))]
    point = dict(zip(names, arguments, strict=True))
    operands = list(names)
    if operation.literal:
        operands[0] = shortest(arguments[0])
        del point[names[0]]
    call = operation_text(operation, [(operand, CALL) for operand in operands])
    return evaluate(parse(f"y = {call}; -3.7*y"), point), point


@every_operation
def test_steps_are_those_of_the_engine(operation: Operation, count: int) -> None:
    for arguments in referee.samples(operation, count, 60):
        evaluation, _ = _alone(operation, arguments)
        explanation = explain(evaluation, short_names(evaluation))
        for node in evaluation.order:
            received = 1.0 if node == evaluation.program.output else 0.0
            for contribution in explanation.received.get(node, []):
                received += contribution.product
            adjoint = evaluation.adjoints[node]
            assert repr(adjoint) == repr(explanation.adjoints[node])
            is_open = math.isnan(received)  # so that the adjoint is a limit, or there is none
            assert adjoint is None or is_open or repr(adjoint) == repr(received)


@every_operation
def test_a_product_is_the_adjoint_times_the_local_derivative(operation: Operation, count: int) -> None:
    for arguments in _ordinary(operation, count):
        evaluation, _ = _alone(operation, arguments)
        for step in explain(evaluation, short_names(evaluation)).steps:
            for one in step.contributions:
                assert one.product == approx(step.adjoint * one.local) or not math.isfinite(one.local)


@every_operation
def test_a_rule_is_a_formula_of_the_language_with_the_value_of_the_local_derivative(
    operation: Operation, count: int
) -> None:
    seen = 0
    for arguments in _ordinary(operation, count):
        evaluation, point = _alone(operation, arguments)
        explanation = explain(evaluation, short_names(evaluation))
        y = evaluation.values[evaluation.program.names["y"]]
        for one in explanation.steps[-1].contributions:
            if math.isfinite(one.local):
                seen += 1
                value = evaluate(parse(one.rule), point | {"y": y}, ()).value
                assert math.isclose(value, one.local, rel_tol=1e-9, abs_tol=1e-12), (one.rule, arguments)
    assert seen


# ---- Formulas --------------------------------------------------------------------------------------------------------


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


def test_what_is_nan_passes_on_nan_whatever_its_rule() -> None:
    found = explained("log(a) + max(x, b)", {"a": -1, "x": 1, "b": 2})
    assert [link.rule for link in found.steps[0].contributions] == ["nan", "nan"]
    assert all(math.isnan(link.product) for step in found.steps for link in step.contributions)


def test_only_what_the_gradient_needs_is_explained() -> None:
    assert list(steps(explained(NEURON, POINT, wrt=["b"]))) == ["o", "n"]
    assert steps(explained(NEURON, POINT, wrt=[])) == {}


# ---- Size ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_programs_that_are_large_or_deep_are_explained() -> None:
    deep = explained("tanh(" * 20_000 + "x" + ")" * 20_000, {"x": 0.5}, "tanh")
    assert len(deep.steps) == 5 * 20_000
    wide = explained("+".join(f"sin({i}*x)" for i in range(20_000)), {"x": 0.5})
    assert len(wide.received[wide.evaluation.inputs["x"]]) == 20_000
