"""`autodiff explain --html`: the page walks through the steps of the engine, in a real browser."""

import math
from pathlib import Path
from typing import Any

import pytest
from browser import Shown, shown
from places import EXAMPLES, SMALL_EXAMPLES

from autodiff_cli.evaluation import Evaluation, evaluate
from autodiff_cli.explain.chain_rule import explain
from autodiff_cli.explain.node_names import page_names
from autodiff_cli.language import parse
from autodiff_cli.notation import CALL, decimal, operation_text, shortest
from autodiff_cli.operations import OPERATIONS, TABLE, Operation
from autodiff_cli.transforms import expand

pytestmark = pytest.mark.slow
NAMES = [path.name for path in SMALL_EXAMPLES]


def _example(name: str, expanded: str = "") -> Evaluation:
    program = parse((EXAMPLES / name).read_text(encoding="utf-8"), name)
    return evaluate(expand(program, {expanded}) if expanded else program, {})


def _engine(evaluation: Evaluation) -> list[tuple[float, float | None]]:
    return [(evaluation.values[node], evaluation.adjoints[node]) for node in evaluation.order]


@pytest.fixture(params=["", "tanh"], ids=["neuron", "neuron with tanh taken apart"])
def neuron(request: pytest.FixtureRequest, chromium: Any, tmp_path: Path) -> tuple[Evaluation, Shown]:
    evaluation = _example("neuron.expr", request.param)
    return evaluation, shown(chromium, evaluation, tmp_path)


def test_all_numbers_at_the_end_are_the_engine_s_bit_for_bit(neuron: tuple[Evaluation, Shown]) -> None:
    evaluation, page = neuron
    page.press("End")
    assert repr(page.numbers()) == repr(_engine(evaluation))
    for node in evaluation.order:
        for kind, number in (("data", evaluation.values[node]), ("grad", evaluation.adjoints[node])):
            assert page.text(f"#row-{node} .{kind}") == decimal(number, 4)
            drawn = page.page.locator(f"#node-{node} .{kind}")
            assert [drawn.text_content()] == [decimal(number, 4)] if drawn.count() else number in (None, 1.0, 2.0)


def test_each_step_forward_computes_one_node_and_lights_it_everywhere(neuron: tuple[Evaluation, Shown]) -> None:
    evaluation, page = neuron
    graph = evaluation.program.graph
    assert page.numbers() == [(None, None)] * len(evaluation.order)
    for step, node in enumerate(evaluation.order, 1):
        page.press("ArrowRight")
        assert page.progress == f"forward {step} of {len(evaluation.order)}"
        known = [(value, None) for value, _ in _engine(evaluation)[:step]]
        assert page.numbers() == known + [(None, None)] * (len(evaluation.order) - step)
        start, end = graph.span(node)
        assert page.text("mark") == evaluation.program.source.text[start:end]
        _assert_lit(page, evaluation, node)
        assert page.text("#panel dd").endswith(f"= {decimal(evaluation.values[node], 4)}") or not graph.arguments[node]


def _assert_lit(page: Shown, evaluation: Evaluation, node: int) -> None:
    arguments = evaluation.program.graph.arguments[node]
    assert page.nodes("tr.current") == page.nodes("[id^=node-].current") == {node}
    assert (
        page.nodes("[id^=operation-].current")
        == page.nodes("[id^=result-].current")
        == ({node} if arguments else set())
    )
    lines = page.page.eval_on_selector_all("[id^=edge-].current", "all => all.map((one) => one.id)")
    assert sorted(lines) == sorted(f"edge-{argument}-{node}-{place}" for place, argument in enumerate(arguments))


def test_each_step_backward_passes_on_what_the_engine_passes_on(neuron: tuple[Evaluation, Shown]) -> None:
    evaluation, page = neuron
    steps = explain(evaluation, page_names(evaluation)).steps
    grown: dict[int, float] = {evaluation.program.output: 1.0}
    page.press("ArrowRight", len(evaluation.order) + 1)
    for number, step in enumerate(steps, 2):
        page.press("ArrowRight")
        assert page.progress == f"backward {number} of {len(steps) + 1}"
        _assert_lit(page, evaluation, step.node)
        assert page.nodes("tr.receiver") == {one.argument for one in step.contributions}
        for one in step.contributions:
            grown[one.argument] = grown.get(one.argument, 0.0) + one.product
        assert [grad for _, grad in page.numbers()] == [grown.get(node) for node in evaluation.order]
        for one, receiver in zip(step.contributions, page.page.locator("#panel .receiver").all(), strict=True):
            words = receiver.inner_text()
            assert one.rule in words
            assert f"= {decimal(one.product, 4)}" in words
    assert page.progress == f"backward {len(steps) + 1} of {len(steps) + 1}"
    page.press("ArrowRight")
    assert page.progress == f"backward {len(steps) + 1} of {len(steps) + 1}"
    assert not page.complaints


def test_steps_back_show_again_what_the_steps_on_showed(neuron: tuple[Evaluation, Shown]) -> None:
    _, page = neuron
    last = int(page.page.get_attribute("#slider", "max"))
    seen = []
    for _ in range(last + 1):
        seen.append(page.page.inner_html("main"))
        page.press("ArrowRight")
    for before in reversed(seen):
        assert _without_focus(page.page.inner_html("main")) == _without_focus(before)
        page.press("ArrowLeft")


def _without_focus(html: str) -> str:
    """The visible part: the node that the tab key reaches follows the steps, and empty attributes come and go."""
    return (
        html.replace(' tabindex="0"', "")
        .replace(' tabindex="-1"', "")
        .replace(' class=""', "")
        .replace(' style=""', "")
    )


def test_each_step_describes_its_operation_in_a_few_words(chromium: Any, tmp_path: Path) -> None:
    page = shown(chromium, evaluate(parse("where(x, x^2, 1)"), {"x": 3}), tmp_path)
    descriptions = set()
    for _ in range(6):
        page.press("ArrowRight")
        descriptions.add(page.text("#panel h3 small"))
    assert descriptions == {"an input", "a number", "power", "where(condition, a, b)", "where the way back begins"}


def test_values_that_meet_are_added_up_path_by_path(chromium: Any, tmp_path: Path) -> None:
    page = shown(chromium, evaluate(parse("d = a*b; e = a + b; f = d*e"), {"a": -2, "b": 3}), tmp_path)
    page.press("End")
    assert page.text("#panel .receiver >> nth=0").endswith("with other paths\n-6.0000 + 3.0000 = -3.0000")


@pytest.mark.parametrize("text", ["0*sqrt(x)", "sqrt(x - x)", "sqrt(x) - sqrt(x) + x"])
def test_a_gradient_that_the_chain_rule_leaves_open_is_the_limit(text: str, chromium: Any, tmp_path: Path) -> None:
    evaluation = evaluate(parse(text), {"x": 0})
    page = shown(chromium, evaluation, tmp_path)
    page.press("End")
    assert repr(page.numbers()) == repr(_engine(evaluation))
    assert evaluation.gradient["x"] in (0.0, 1.0)
    assert page.text("#panel .receiver >> nth=-1").endswith(f"as a limit\n∂f/∂x = {evaluation.gradient['x']:.4f}")
    assert not page.complaints


def test_a_remark_stands_beside_the_numbers_for_which_it_was_made(chromium: Any, tmp_path: Path) -> None:
    page = shown(chromium, evaluate(parse("y = max(a, b, 1)"), {"a": 3, "b": 3}), tmp_path)
    page.press("End")
    assert "arguments tie" in page.text("#panel .remark")
    assert "= 0.5000" in page.text("#panel .receiver >> nth=0")
    page.type({"a": "4"})
    assert not page.page.locator("#panel .remark").count()
    assert page.text("#panel .receiver dd >> nth=0") == "∂y/∂a = 1.0000"
    page.type({"a": "3"})
    assert page.page.locator("#panel .remark").count()


@pytest.mark.parametrize("name", NAMES)
def test_changed_inputs_give_the_engine_s_numbers(name: str, chromium: Any, tmp_path: Path) -> None:
    evaluation = _example(name)
    page = shown(chromium, evaluation, tmp_path)
    page.press("End")
    for label, node in evaluation.inputs.items():
        for number in (evaluation.values[node] * 1.07 + 0.01, 0.5, -evaluation.values[node]):
            page.type({label: repr(number)})
            _assert_close(page, evaluate(evaluation.program, {label: number}))
        page.type({label: shortest(evaluation.values[node])})
    assert repr(page.numbers()) == repr(_engine(evaluation))
    assert not page.complaints


def _assert_close(page: Shown, evaluation: Evaluation) -> None:
    """Numbers as near to the engine's as the functions of a browser are; a gradient may be nothing but rounding."""
    known = _engine(evaluation)
    rounding = 1e-15 * max(abs(grad) for _, grad in known if grad is not None and math.isfinite(grad))
    for seen, expected, node in zip(page.numbers(), known, evaluation.order, strict=True):
        for one, other, least in zip(seen, expected, (0.0, rounding), strict=True):
            close = other if other is None else pytest.approx(other, rel=1e-12, abs=least, nan_ok=True)
            assert one == close, evaluation.program.text(node)


def test_every_operation_of_the_table_is_computed_as_the_engine_does(chromium: Any, tmp_path: Path) -> None:
    statements, point = [], {}
    for operation in TABLE:
        for count in sorted(
            {int(operation.counts[0]), len(operation.names), 3 if operation.variadic else len(operation.names)}
        ):
            names = [f"{operation.name}_{count}_{place}" for place in range(count)]
            point |= {
                name: _inside(operation, place)
                for place, name in enumerate(names)
                if not (operation.literal and place == 0)
            }
            texts = [(name if name in point else "2", CALL) for name in names]
            statements.append(f"{operation.name}_{count} = {operation_text(operation, texts)}")
    total = " + ".join(statement.split(" = ")[0] for statement in statements)
    program = parse("\n".join([*statements, f"total = {total}"]))
    evaluation = evaluate(program, point)
    assert {OPERATIONS[operation.name] for operation in TABLE} <= {
        program.graph.operations[node] for node in evaluation.order
    }
    page = shown(chromium, evaluation, tmp_path)
    page.press("End")
    for factor in (1.0625, 0.75, -1.5):
        changed = {name: number * factor for name, number in point.items()}
        page.type({name: repr(number) for name, number in changed.items()})
        _assert_close(page, evaluate(program, changed))
    assert not page.complaints


def _inside(operation: Operation, place: int) -> float:
    """A number for an argument, inside of where it may be."""
    low, high = operation.domain[place] if place < len(operation.domain) else (-math.inf, math.inf)
    start = low if math.isfinite(low) else 0.0
    return start + 0.4 * min(high - start, 2.0) + 0.1 * place


def test_a_very_long_graph_is_folded_into_bands_and_loses_nothing(chromium: Any, tmp_path: Path) -> None:
    steps = [f"h{number} = tanh(w*h{number - 1} + b)" for number in range(1, 130)]
    evaluation = evaluate(parse("\n".join(["h0 = 0.3", "w = 1.7", "b = -0.2", *steps])), {})
    page = shown(chromium, evaluation, tmp_path)
    page.press("End")
    assert page.page.locator("#drawing g.graph").count() > 2
    assert page.nodes("[id^=node-]") == set(evaluation.order)
    assert repr(page.numbers()) == repr(_engine(evaluation))
    arguments = sum(map(len, (evaluation.program.graph.arguments[node] for node in evaluation.order)))
    assert page.page.locator("[id^=edge-]").count() == arguments
    _, _, width, height = map(float, str(page.page.get_attribute("#drawing svg", "viewBox")).split())
    assert width < 20 * height
    assert not page.complaints
