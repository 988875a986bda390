"""The gradient of one node as a sum over paths: all products are there, and exponentially many are counted."""

from collections.abc import Iterator, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autodiff_cli.evaluation import evaluate
from autodiff_cli.explain.chain_rule import Explanation, explain
from autodiff_cli.explain.gradient_paths import MANY, gradient_paths
from autodiff_cli.explain.node_names import short_names
from autodiff_cli.language import parse


def explained(text: str, point: Mapping[str, float]) -> Explanation:
    evaluation = evaluate(parse(text), point)
    return explain(evaluation, short_names(evaluation))


def test_paths_that_meet_add_up() -> None:
    explanation = explained("d = a*b; e = a+b; f = d*e", {"a": -2.0, "b": 3.0})
    a, b = (explanation.evaluation.inputs[name] for name in "ab")
    assert [one.product for one in explanation.received[a]] == [-6.0, 3.0]
    assert [one.product for one in explanation.received[b]] == [-6.0, -2.0]
    paths = gradient_paths(explanation, a)
    assert (paths.count, paths.hidden, paths.rest, paths.gradient) == (2, 0, 0.0, -3.0)
    assert [(path.product, [link.rule for link in path.links]) for path in paths.shown] == [
        (3.0, ["e", "b"]),
        (-6.0, ["d", "1"]),
    ]


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


def _products(explanation: Explanation, node: int, target: int) -> Iterator[float]:
    """The products along all paths down to the target."""
    if node == target:
        yield 1.0
    for step in explanation.steps:
        if step.node == node and node != target:
            for link in step.contributions:
                yield from (link.local * rest for rest in _products(explanation, link.argument, target))


@given(_programs(), st.sampled_from("xy"))
def test_the_gradient_is_the_sum_over_the_paths(text: str, name: str) -> None:
    evaluation = evaluate(parse(text), {"x": 0.7, "y": -1.3})
    if name not in evaluation.gradient:
        return
    explanation = explain(evaluation, short_names(evaluation))
    node = evaluation.inputs[name]
    products = list(_products(explanation, evaluation.program.output, node))
    everything, few = gradient_paths(explanation, node, 1000), gradient_paths(explanation, node, 3)
    assert everything.count == few.count == len(products)
    assert [path.product for path in everything.shown] == pytest.approx(products, rel=1e-9, abs=1e-12)
    assert sum(products) == pytest.approx(evaluation.gradient[name], rel=1e-9, abs=1e-9)
    assert everything.agrees
    if len(products) == 4:
        assert few == everything
    if few.hidden:
        largest = sorted(map(abs, products), reverse=True)[:3]
        assert [abs(path.product) for path in few.shown] == pytest.approx(largest, rel=1e-9, abs=1e-12)
        shown = sum(path.product for path in few.shown)
        assert shown + few.rest == pytest.approx(evaluation.gradient[name], rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(("text", "rest"), [("0*x", 0.0), ("1e-17*x", 2e-17)])
def test_the_sum_over_the_hidden_paths_has_no_rounding_of_the_others(text: str, rest: float) -> None:
    explanation = explained(f"sum(i, 1, 12, x/(i + 2)) + {text} + {text}", {"x": 1.0})
    paths = gradient_paths(explanation, explanation.evaluation.inputs["x"])
    assert (paths.hidden, paths.rest) == (2, rest)


def test_exponentially_many_paths_are_counted_and_not_walked() -> None:
    text = "x1 = x*x; " + "; ".join(f"x{i} = x{i - 1}*x{i - 1}" for i in range(2, 2001))
    explanation = explained(text.replace("x2000", "y"), {"x": 1.0})
    paths = gradient_paths(explanation, explanation.evaluation.inputs["x"])
    assert (paths.count, paths.hidden, len(paths.shown)) == (MANY, MANY, 12)
    few = explained("; ".join(text.split("; ")[:40]), {"x": 1.0})
    assert gradient_paths(few, few.evaluation.inputs["x"]).count == 2**40
    assert gradient_paths(few, few.evaluation.inputs["x"]).rest == 2.0**40 - 12


def test_paths_with_an_infinite_product_do_not_agree_with_the_gradient() -> None:
    explanation = explained("u = sqrt(x); u - u", {"x": 0.0})
    paths = gradient_paths(explanation, explanation.evaluation.inputs["x"])
    assert paths.gradient == 0
    assert not paths.agrees
    other = explained("sqrt(x - x)", {"x": 0.0})
    paths = gradient_paths(other, other.evaluation.inputs["x"])
    assert paths.gradient == 0
    assert other.is_limit(paths.node)
    assert not paths.agrees
