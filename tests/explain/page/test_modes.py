"""The modes of a page of `autodiff explain --html`: paths, wiggling, downhill, predicting, finding the bug."""

from pathlib import Path
from typing import Any

import pytest
from browser import Shown, shown
from places import EXAMPLES

from autodiff_cli.evaluation import Evaluation, evaluate
from autodiff_cli.explain.chain_rule import explain
from autodiff_cli.explain.gradient_paths import gradient_paths
from autodiff_cli.explain.node_names import short_names
from autodiff_cli.explain.page.data_rows import DataRows
from autodiff_cli.explain.page.html import MODES
from autodiff_cli.language import parse
from autodiff_cli.notation import decimal

pytestmark = pytest.mark.slow
TWO_PATHS = "d = a*b; e = a + b; f = d*e"
POINT = {"a": -2.0, "b": 3.0}


@pytest.fixture
def small(chromium: Any, tmp_path: Path) -> Shown:
    return shown(chromium, _small(), tmp_path)


def _small() -> Evaluation:
    return evaluate(parse(TWO_PATHS), POINT)


def _choose(page: Shown, mode: str) -> None:
    page.page.click(f"#mode-{mode}")


def test_every_mode_starts_stops_and_leaves_the_page_as_it_was(small: Shown) -> None:
    small.press("ArrowRight", 7)
    before = small.numbers()
    for mode in MODES[1:]:
        _choose(small, mode)
        assert small.page.get_attribute(f"#mode-{mode}", "aria-pressed") == "true"
        assert small.page.locator(f"#panel > .{mode}").count() == 1
        _choose(small, "steps")
        small.press("Home")
        small.press("ArrowRight", 7)
        assert small.numbers() == before
    assert not small.complaints


def test_the_address_keeps_the_mode_and_the_bug(small: Shown) -> None:
    small.page.goto(f"{small.address}#mode=bug%3A7")
    assert small.text(".bug small") == "number 7"
    wrong = small.numbers()
    small.page.reload()
    assert small.text(".bug small") == "number 7"
    assert small.numbers() == wrong


# ---- Paths -----------------------------------------------------------------------------------------------------------


def test_paths_have_the_products_that_node_shows_and_add_up_to_the_gradient(small: Shown) -> None:
    _choose(small, "paths")
    evaluation = _small()
    explanation = explain(evaluation, short_names(evaluation))
    for label, node in explanation.evaluation.inputs.items():
        small.page.focus(f"[data-input={label}]")
        expected = gradient_paths(explanation, node)
        rows = small.page.locator(".paths li .side")
        products = {one.split(" = ")[-1] for one in rows.all_text_contents()}
        assert small.text(".paths h3").startswith(f"{expected.count} paths from f to")
        assert products == {decimal(path.product, 4) for path in expected.shown}
        assert small.page.locator(".paths .total").all_text_contents() == [decimal(expected.gradient, 4)] * 2


def test_a_path_that_is_pointed_at_lights_up_alone(small: Shown) -> None:
    _choose(small, "paths")
    small.page.hover("[data-name=b]")
    lit = small.page.locator(".edge.traced").count()
    small.page.hover(".paths li >> nth=0")
    assert 0 < small.page.locator(".edge.traced").count() < lit
    _choose(small, "steps")
    assert small.page.locator(".traced").count() == 0


def test_many_paths_are_counted_in_linear_time(chromium: Any, tmp_path: Path) -> None:
    steps = "; ".join(f"x{number} = x{number - 1}*x{number - 1} + x{number - 1}" for number in range(1, 60))
    page = shown(chromium, evaluate(parse(steps), {"x0": 1e-3}), tmp_path)
    _choose(page, "paths")
    assert page.text(".paths h3").startswith("10¹⁸ or more paths from x59 to")
    assert page.page.locator(".paths li").count() == 12


# ---- Wiggle ----------------------------------------------------------------------------------------------------------


def test_ghosts_run_forward_and_the_quotient_tends_to_the_gradient(small: Shown) -> None:
    _choose(small, "wiggle")
    small.page.select_option(".wiggle select", label="a")
    moved = evaluate(parse(TWO_PATHS), POINT | {"a": POINT["a"] + 0.1})
    assert [ghost for _, ghost in small.numbers()] == pytest.approx([moved.values[node] for node in moved.order])
    assert small.text("#rows thead .grad") == "ghost"
    for _ in range(3):
        small.page.get_by_role("button", name="h ÷ 10").click()
    off = [abs(float(one)) for one in small.page.locator(".tried td:nth-child(3)").all_text_contents()]
    assert off == sorted(off) and off[0] < 1e-3 < off[-1]
    small.page.get_by_role("button", name="−h").click()
    assert small.page.input_value(".wiggle input") == "-0.0001"


def test_trials_at_another_point_are_dropped(small: Shown) -> None:
    _choose(small, "wiggle")
    small.page.get_by_role("button", name="h ÷ 10").click()
    assert small.page.locator(".tried tbody tr").count() == 2
    small.page.locator("[data-input=b]").fill("5")
    assert small.page.locator(".tried tbody tr").count() == 1


def test_an_input_can_be_grabbed_and_moved(small: Shown) -> None:
    _choose(small, "wiggle")
    box = small.page.locator("[data-name=b]").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for way in (50, -30):
        small.page.mouse.move(x, y)
        small.page.mouse.down()
        small.page.mouse.move(x + way, y, steps=5)
        small.page.mouse.up()
        assert small.page.input_value(".wiggle input") == str(way / 100)
        moved = evaluate(parse(TWO_PATHS), POINT | {"b": POINT["b"] + way / 100})
        assert [ghost for _, ghost in small.numbers()] == pytest.approx([moved.values[node] for node in moved.order])
    assert not small.complaints


# ---- Downhill --------------------------------------------------------------------------------------------------------


def test_steps_downhill_are_those_of_gradient_descent_and_can_be_taken_back(chromium: Any, tmp_path: Path) -> None:
    program = parse((EXAMPLES / "neuron.expr").read_text(encoding="utf-8"))
    page = shown(chromium, evaluate(program, {}), tmp_path)
    _choose(page, "downhill")
    start = page.numbers()
    page.page.fill(".downhill input[aria-label=rate]", "1/4")
    page.page.locator(".ticks label", has_text="x1").locator("input").uncheck()
    page.page.get_by_role("button", name="10 steps").click()
    point = {name: program.graph.numbers[node] for name, node in program.inputs.items()}
    for _ in range(10):
        gradient = evaluate(program, point).gradient
        point = {name: x if name == "x1" else x - gradient[name] / 4 for name, x in point.items()}
    expected = evaluate(program, point)
    assert [value for value, _ in page.numbers()] == pytest.approx(
        [expected.values[node] for node in expected.order], rel=1e-12
    )
    assert "after 10 steps" in page.text(".loss")
    assert len(str(page.page.get_attribute(".curve polyline", "points")).split()) == 11
    for _ in range(10):
        page.page.get_by_role("button", name="Go back").click()
    assert page.numbers() == start
    page.page.fill(".downhill input[aria-label=rate]", "fast")
    assert "fast" in page.text(".downhill .wrong")


def test_rows_of_data_come_one_after_the_other_or_as_their_mean(chromium: Any, tmp_path: Path) -> None:
    program = parse("(w*x + b - y)^2")
    rows = DataRows(("x", "y"), [(0.0, 1.1), (1.0, 2.9), (2.0, 5.2)])
    start = {"w": 0.0, "b": 0.0}
    page = shown(chromium, evaluate(program, {**start, **rows.first}), tmp_path, rows=rows)
    _choose(page, "downhill")
    assert page.page.locator(".ticks input").count() == 2
    for kind in ("one", "mean"):
        page.page.select_option("select[aria-label=rows]", kind)
        page.type({"w": "0", "b": "0", "x": "0", "y": "1.1"})
        point = dict(start)
        for step in range(5):
            chosen = [rows.numbers[step % 3]] if kind == "one" else rows.numbers
            points = [evaluate(program, {**point, "x": x, "y": y}) for x, y in chosen]
            point = {
                name: point[name] - 0.1 * sum(one.gradient[name] for one in points) / len(points) for name in point
            }
            page.page.get_by_role("button", name="Step", exact=True).click()
        for name, expected in point.items():
            assert float(page.page.input_value(f"[data-input={name}]")) == pytest.approx(expected, rel=1e-12)
    loss = sum((point["w"] * x + point["b"] - y) ** 2 for x, y in rows.numbers) / 3
    assert f"mean over all rows: f = {decimal(loss, 4)}" in page.text(".loss")


# ---- Predict ---------------------------------------------------------------------------------------------------------


def test_predictions_are_judged_explained_and_counted(small: Shown) -> None:
    evaluation = _small()
    _choose(small, "predict")
    assert small.text(".predict h3") == "What is the value of d?"
    assert small.page.locator("#panel input").count() == 1
    small.page.fill(".predict input", "-6")
    small.press("Enter")
    assert small.text(".predict .right") == "Right."
    small.page.fill(".predict input", "5")
    small.press("Enter")
    assert "Not quite" in small.text(".predict .wrong")
    assert "= 1.0000" in small.text(".predict .steps dl")
    small.press("Enter")
    answers = [evaluation.values[evaluation.program.output]]
    answers += [
        one.product for step in explain(evaluation, short_names(evaluation)).steps for one in step.contributions
    ]
    for answer in answers:
        fields = small.page.locator(".predict input")
        empty = [place for place in range(fields.count()) if not fields.nth(place).input_value()]
        fields.nth(empty[0]).fill(f"{answer:.3g}")
        if len(empty) == 1:
            small.press("Enter")
    assert small.text(".predict h3") == f"The end: {len(answers) + 1} of {len(answers) + 2} right"


def test_what_is_asked_for_has_a_name_and_where_it_differs_a_formula(chromium: Any, tmp_path: Path) -> None:
    page = shown(chromium, evaluate(parse("y = a*b + max(c, 0, -1)"), {"a": 2, "b": 3, "c": 1}), tmp_path)
    _choose(page, "predict")
    asked = []
    for answer in ("6", "1", "7", ""):
        asked.append(page.text(".predict label, .predict form p"))
        page.page.fill(".predict input >> nth=0", "abc")
        page.press("Enter")
        assert "“abc” is not a number" in page.text(".predict form .wrong")
        page.page.fill(".predict input >> nth=0", answer)
        page.press("Enter")
    assert asked[:2] == ["a*b =", "max(c, 0, -1) ="]
    assert asked[2:] == ["y = a*b + max(c, 0, -1) =", "The gradient of y = a*b + max(c, 0, -1) is 1.0000."]


def test_at_the_end_there_is_nothing_to_predict(small: Shown) -> None:
    small.press("End")
    _choose(small, "predict")
    assert small.text(".predict h3") == "This is the last step: go back to one before it."
    assert small.text(".predict .tally") == ""


# ---- Find the bug ----------------------------------------------------------------------------------------------------


def test_each_kind_of_bug_is_planted_and_found_at_the_first_wrong_gradient(small: Shown) -> None:
    evaluation = _small()
    explanation = explain(evaluation, short_names(evaluation))
    places = {node: place for place, node in enumerate(evaluation.order)}
    true = {node: evaluation.adjoints[node] for node in evaluation.order}
    kinds = set()
    for seed in range(1, 15):
        small.page.goto(f"{small.address}#mode=bug%3A{seed}")
        small.page.get_by_text(f"number {seed}", exact=True).wait_for()
        seen = [grad for _, grad in small.numbers()]
        wrong = [step.node for step in explanation.steps if seen[places[step.node]] != true[step.node]]
        wrong += [node for node in evaluation.inputs.values() if seen[places[node]] != true[node]]
        assert wrong
        small.page.click(f"#row-{evaluation.program.output} button")
        small.page.get_by_role("button", name="The mistake is here").click()
        assert "this gradient is right" in small.text(".bug .wrong")
        small.page.click(f"#row-{wrong[0]} button")
        small.page.get_by_role("button", name="The mistake is here").click()
        kinds.add(small.text(".bug .right").split(": ", 1)[1])
    assert len(kinds) == 4


@pytest.mark.parametrize(("text", "movable"), [("1 + 1", False), ("x", True)])
def test_without_a_step_back_there_is_nothing_to_get_wrong(
    text: str, movable: bool, chromium: Any, tmp_path: Path
) -> None:
    page = shown(chromium, evaluate(parse(text), {"x": 1.0} if movable else {}), tmp_path)
    _choose(page, "bug")
    assert page.text("#panel") == "No gradient is passed on: there is nothing to get wrong."
    _choose(page, "downhill")
    assert (page.text("#panel") == "There is no input to move.") != movable
