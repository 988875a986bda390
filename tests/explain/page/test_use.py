"""Using a page of `autodiff explain --html`: keys and buttons, the fields of inputs, large graphs."""

from pathlib import Path
from typing import Any

import pytest
from browser import Shown, shown
from places import EXAMPLES

from autodiff_cli.cli.sources.inputs import from_assignments
from autodiff_cli.errors import AutodiffError
from autodiff_cli.evaluation import Evaluation, evaluate
from autodiff_cli.explain.page.html import MODES
from autodiff_cli.explain.page.variants import folded, unfolded
from autodiff_cli.language import parse
from autodiff_cli.notation import decimal, shortest
from autodiff_cli.transforms import expand

pytestmark = pytest.mark.slow
NEURON = (EXAMPLES / "neuron.expr").read_text(encoding="utf-8")
_FOCUS = """(({ id, dataset, tagName, textContent }) =>
  tagName === "BODY" ? "" : id || dataset.input || textContent)(document.activeElement)"""
_IS_FOCUS_SEEN = """(() => {
  const style = getComputedStyle(document.activeElement.querySelector("polygon") ?? document.activeElement);
  return style.outlineStyle !== "none" || style.strokeDasharray !== "none";
})()"""


@pytest.fixture
def neuron(chromium: Any, tmp_path: Path) -> Shown:
    return shown(chromium, evaluate(parse(NEURON, "neuron.expr"), {}), tmp_path)


# ---- Keys and buttons ------------------------------------------------------------------------------------------------


def test_keys_buttons_and_slider_all_move_the_same_walk(neuron: Shown) -> None:
    assert neuron.progress == "start of 16 steps"
    neuron.press("End")
    assert neuron.progress == "backward 6 of 6"
    neuron.press("Home")
    neuron.press("ArrowRight", 3)
    neuron.press("ArrowLeft")
    assert neuron.progress == "forward 2 of 10"
    for button, progress in (("next", "forward 3 of 10"), ("last", "backward 6 of 6"), ("back", "backward 5 of 6")):
        neuron.page.click(f"#{button}")
        assert neuron.progress == progress
    neuron.page.focus("#slider")
    neuron.press("ArrowLeft")
    assert neuron.progress == "backward 4 of 6"
    neuron.page.click("#first")
    neuron.press("ArrowLeft")
    assert neuron.progress == "start of 16 steps"


def test_space_plays_and_pauses(chromium: Any, tmp_path: Path) -> None:
    page = shown(chromium, evaluate(parse("x^2"), {"x": 3}), tmp_path)
    page.page.clock.install()
    page.page.reload()
    page.press("Space")
    assert page.page.get_attribute("#play", "aria-label") == "Pause"
    page.page.clock.run_for(3000)
    assert page.progress == "forward 3 of 3"
    page.press("Space")
    page.page.clock.run_for(60_000)
    assert page.progress == "forward 3 of 3"
    page.page.click("#play")
    page.page.clock.run_for(60_000)
    assert page.progress == "backward 2 of 2"
    assert page.page.get_attribute("#play", "aria-label") == "Play"


def test_the_speed_of_playing_can_be_set(neuron: Shown) -> None:
    neuron.page.clock.install()
    neuron.page.reload()
    neuron.press(">", 4)
    neuron.press("Space")
    neuron.page.clock.run_for(1400)
    assert neuron.progress == "backward 6 of 6"
    assert neuron.page.input_value("#speed") == "16"
    neuron.press("<", 9)
    assert neuron.page.input_value("#speed") == "0.5"


def test_presenting_leaves_graph_and_step_in_large_type(neuron: Shown) -> None:
    neuron.press("ArrowRight", 12)
    size = "parseFloat(getComputedStyle(document.querySelector('#panel dd')).fontSize)"
    before = neuron.page.evaluate(size)
    neuron.press("p")
    shown_then = neuron.page.locator("section").filter(visible=True)
    assert [one.get_attribute("id") for one in shown_then.all()] == ["graph", "step"]
    assert neuron.page.evaluate(size) > 1.3 * before
    neuron.press("ArrowRight")
    assert neuron.progress == "backward 3 of 6"
    neuron.press("Escape")
    assert neuron.page.locator("section").filter(visible=True).count() == 5


# ---- The address -----------------------------------------------------------------------------------------------------


def test_a_reload_keeps_the_state_and_a_link_shares_it(neuron: Shown) -> None:
    neuron.press("ArrowRight", 13)
    neuron.page.locator("[data-input=x1]").fill("1/2")
    neuron.page.click("#theme")
    neuron.press("p")
    neuron.page.wait_for_url("**present=yes*")
    before = neuron.numbers(), neuron.progress, neuron.page.input_value("[data-input=x1]")
    neuron.page.reload()
    assert (neuron.numbers(), neuron.progress, neuron.page.input_value("[data-input=x1]")) == before
    assert neuron.page.get_attribute("html", "data-theme") == "dark"
    assert neuron.page.locator("body.presenting").count() == 1
    assert before[2] == "1/2" and neuron.numbers()[0][0] == 0.5
    assert not neuron.complaints


def test_what_stands_in_the_address_is_read_as_text_and_nonsense_is_ignored(neuron: Shown) -> None:
    for state in ("set=x1%3Dalert(1)&step=1e9&mode=%3Cb%3E&theme=x&speed=7&y=1", "step=-3&set=&set=x1", "%E0%A4%A"):
        neuron.page.goto(f"{neuron.address}#{state}")
        assert neuron.numbers()[0][0] in (2.0, None)
    assert neuron.progress == "start of 16 steps"
    assert not neuron.complaints


def test_the_tab_key_reaches_everything_and_what_it_reaches_can_be_seen(neuron: Shown) -> None:
    neuron.press("ArrowRight", 10)
    neuron.press("Tab")
    reached: list[str] = []
    while focus := str(neuron.page.evaluate(_FOCUS)):
        reached.append(focus)
        assert neuron.page.evaluate(_IS_FOCUS_SEEN), focus
        neuron.press("Tab")
    controls = [
        "present",
        "theme",
        "first",
        "back",
        "play",
        "next",
        "last",
        "slider",
        "speed",
        "Unfold_tanh",
        "smaller",
        "fit",
        "larger",
    ]
    controls = [one.replace("_", " ") for one in controls]
    output = neuron.page.get_attribute(".node.output", "id")
    panel = [f"mode-{mode}" for mode in MODES]
    assert reached == [*controls, output, *panel, "panel", "source", "x1", "x2", "w1", "w2", "b", "o"]


def test_the_keyboard_alone_walks_graph_and_table(neuron: Shown) -> None:
    neuron.page.focus("tbody tr:nth-child(1) button")
    neuron.press("ArrowDown", 5)
    assert neuron.page.evaluate(_FOCUS) == "x1*w1"
    neuron.press("Enter")
    assert neuron.progress == "forward 6 of 10"
    neuron.press("End")
    neuron.page.focus("[id^=node-][tabindex='0']")
    neuron.press("ArrowDown", 3)
    neuron.press("Enter")
    assert neuron.progress == "backward 3 of 6"
    assert neuron.page.get_attribute("[id^=node-].current", "data-name") == "n"


def test_a_click_on_a_node_or_a_row_goes_to_its_step_of_the_same_direction(neuron: Shown) -> None:
    neuron.page.click("tr:nth-child(9) .data")
    assert neuron.progress == "forward 9 of 10"
    neuron.press("End")
    neuron.page.click("[data-name=n]")
    assert neuron.progress == "backward 3 of 6"
    neuron.press("End")
    neuron.page.click("tr:nth-child(5) .data")  # an input passes nothing on: the step that completes its gradient
    assert neuron.progress == "backward 3 of 6"


# ---- Inputs ----------------------------------------------------------------------------------------------------------


def test_a_text_that_is_no_number_is_marked_and_the_last_numbers_stay(neuron: Shown) -> None:
    neuron.press("End")
    before = neuron.numbers()
    field = neuron.page.locator("[data-input=x1]")
    for text in ("", "two", "1e", "0x10", "1,5", "1/", "sqrt 2", "evil(1)", "<b>", "(" * 300):
        field.fill(text)
        assert field.get_attribute("aria-invalid") == "true"
        assert neuron.numbers() == before
        assert text[:4] in neuron.text("#complaint")
    field.fill("−3e-1")
    assert field.get_attribute("aria-invalid") == "false"
    assert neuron.text("#complaint") == ""
    assert neuron.numbers()[0][0] == -0.3
    neuron.page.click("#reset")
    assert neuron.numbers() == before


@pytest.mark.parametrize(
    "text", ["1/2", "pi", "-sqrt(2)", "2^-1", "-2^2", "2*(1 - 1e-3)", "max(1, 2)/3", "log(8, 2)", "inf", "10^400"]
)
def test_a_field_takes_what_set_takes(text: str, neuron: Shown) -> None:
    neuron.press("End")
    neuron.page.locator("[data-input=x1]").fill(text)
    assert neuron.numbers()[0][0] == pytest.approx(from_assignments([f"x1={text}"])["x1"], rel=1e-15)
    assert neuron.text("#complaint") == ""


@pytest.mark.parametrize("text", ["sin(1, 2)", "atan2(1)", "log(8, 2, 1)"])
def test_a_function_takes_as_many_arguments_as_in_set(text: str, neuron: Shown) -> None:
    neuron.page.locator("[data-input=x1]").fill(text)
    with pytest.raises(AutodiffError):
        from_assignments([f"x1={text}"])
    assert "does not take" in neuron.text("#complaint")


@pytest.mark.parametrize("text", ["1e400", "1e-400"])
def test_a_number_out_of_range_is_refused_as_by_set(text: str, neuron: Shown) -> None:
    neuron.page.locator("[data-input=x1]").fill(text)
    with pytest.raises(AutodiffError) as refused:
        from_assignments([f"x1={text}"])
    assert neuron.text("#complaint").translate(str.maketrans("“”", "``")) == refused.value.message


def test_sliders_move_inputs_and_follow_the_fields(neuron: Shown) -> None:
    neuron.press("End")
    slider = neuron.page.locator(".field:first-child .slide")
    middle = slider.input_value()
    box = slider.bounding_box()
    neuron.page.mouse.click(box["x"] + box["width"] * 0.75, box["y"] + box["height"] / 2)
    moved = neuron.numbers()[0][0]
    assert 8 < moved < 18
    assert neuron.page.input_value("[data-input=x1]") == shortest(moved)
    neuron.page.locator("[data-input=x1]").fill("2")
    assert slider.input_value() == middle
    neuron.page.locator("[data-input=x1]").fill("1234.5")
    assert float(slider.input_value()) == pytest.approx(100, abs=1)
    slider.dblclick()
    neuron.page.keyboard.type("7")
    assert neuron.numbers()[0][0] == 7


def test_the_formula_shows_the_number_in_force(neuron: Shown) -> None:
    assert neuron.text("#source li:nth-child(5)").startswith("x1 = 2 ")
    neuron.page.locator("[data-input=x1]").fill("1/4")
    assert neuron.text("#source del") == "2"
    assert neuron.text("#source ins") == "0.25"
    neuron.page.click("#reset")
    assert neuron.page.locator("#source ins").count() == 0


def test_the_arrows_belong_to_the_field_while_one_types(neuron: Shown) -> None:
    neuron.press("ArrowRight", 2)
    neuron.page.focus("[data-input=x1]")
    for key in ("End", "ArrowLeft", "Home", "ArrowRight", "End"):
        neuron.press(key)
        assert neuron.progress == "forward 2 of 10"
    neuron.press("ArrowUp")
    assert neuron.page.input_value("[data-input=x1]") == "2.1"
    assert neuron.numbers()[0][0] == 2.1


def test_a_result_that_is_not_finite_is_shown_as_such_in_a_colour_of_warning(chromium: Any, tmp_path: Path) -> None:
    page = shown(chromium, evaluate(parse("y = sqrt(x)"), {"x": 4}), tmp_path)
    page.press("End")
    page.type({"x": "0"})
    assert page.text("#row-0 .grad") == "inf"
    page.type({"x": "-1"})
    assert page.text("#row-1 .data") == "nan"
    number, wrong = page.page.eval_on_selector_all("td.data", "all => all.map((one) => getComputedStyle(one).color)")
    assert number != wrong
    assert not page.complaints


@pytest.mark.parametrize("precision", [0, 4, 17])
def test_numbers_are_written_as_in_every_other_table(precision: int, chromium: Any, tmp_path: Path) -> None:
    page = shown(chromium, evaluate(parse("+x"), {"x": 1.0}), tmp_path, precision=precision)
    page.press("End")
    ties = (0.5, 1.5, 2.5, 0.03125, -0.09375, 0.00390625, 1234565000.0, 1.00005e10)
    edges = (0.0, -0.0, 0.01, 0.00999999, 999999.99999, -1e6, 5e-324, 1.7976931348623157e308, 1e22, 1e-7)
    for number in (*ties, *edges, 1 / 3, float("inf"), float("-inf"), float("nan")):
        page.type({"x": repr(number)})
        assert page.text("#row-0 .data") == decimal(number, precision)
        assert repr(page.numbers()[0][0]) == repr(number)


# ---- Large graphs ----------------------------------------------------------------------------------------------------


def _chain(length: int) -> Evaluation:
    """So many steps of a recurrence, in which two inputs are used all along."""
    steps = [f"h{number} = tanh(w*h{number - 1} + b)" for number in range(1, length)]
    return evaluate(parse("\n".join(["h0 = 0.3", "w = 1.7", "b = -0.2", *steps])), {})


def test_a_step_touches_as_few_elements_in_a_large_graph_as_in_a_small_one(chromium: Any, tmp_path: Path) -> None:
    touched = []
    for length in (10, 150):
        page = shown(chromium, _chain(length), tmp_path)
        page.press("ArrowRight", 12)
        page.page.evaluate(
            "window.seen = new Set(); new MutationObserver((all) => all.forEach((one) => seen.add(one.target)))"
            ".observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })"
        )
        page.press("ArrowRight", 6)
        touched.append(page.page.evaluate("seen.size"))
    assert touched[1] < 1.2 * touched[0]


def test_lines_of_a_large_graph_stay_short(chromium: Any, tmp_path: Path) -> None:
    page = shown(chromium, _chain(150), tmp_path)
    page.press("ArrowRight", 200)
    assert page.page.locator(".again").count() > 100
    widths = page.page.eval_on_selector_all(".edge path", "all => all.map((one) => one.getBBox().width)")
    assert max(widths) < 3000
    page.page.locator(".again").last.click()
    assert page.text("#panel h3").split()[0] in ("w", "b")


# ---- Gradients on the lines ------------------------------------------------------------------------------------------


def test_lines_turn_and_get_wider_with_what_passes_along_them(neuron: Shown) -> None:
    assert neuron.page.locator(".edge[data-passed]").count() == 0
    neuron.press("End")
    passed = neuron.page.eval_on_selector_all(
        ".edge[data-passed]",
        "all => all.map((one) => [one.dataset.passed, one.querySelector('path').style.strokeWidth].map(Number))",
    )
    assert [size for _, size in sorted(passed, key=lambda one: abs(one[0]))] == sorted(size for _, size in passed)
    assert {round(abs(gradient), 9) for gradient, _ in passed} == {0.0, 0.5, 1.0, 1.5}
    neuron.press("Home")
    assert neuron.page.locator(".edge[data-passed]").count() == 0


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_numbers_travel_unless_less_motion_is_asked_for(motion: str, chromium: Any, tmp_path: Path) -> None:
    page = shown(chromium, evaluate(parse("a*b"), {"a": 2, "b": 3}), tmp_path, reduced_motion=motion)
    page.press("ArrowRight", 4)
    clock = "performance.now = () => 1_000; window.requestAnimationFrame = (move) => { window.move = move; return 1; }"
    page.page.evaluate(clock)
    page.press("ArrowRight")
    travelling = page.page.locator("text.travelling")
    if motion == "reduce":
        assert travelling.count() == 0
        return
    assert travelling.all_text_contents() == ["3.0000", "2.0000"]
    places = [travelling.first.get_attribute("x")]
    page.page.evaluate("move(1_200)")
    places.append(travelling.first.get_attribute("x"))
    assert float(places[1]) < float(places[0])
    page.page.evaluate("move(11_000)")
    assert travelling.count() == 0


# ---- Unfolding -------------------------------------------------------------------------------------------------------


def test_a_double_click_unfolds_a_function_in_place_and_another_folds_it(neuron: Shown) -> None:
    program = expand(parse(NEURON, "neuron.expr"), {"tanh"})
    expected = evaluate(program, {"x1": 0.5})
    neuron.press("End")
    neuron.page.locator("[data-input=x1]").fill("1/2")
    folded = neuron.numbers()
    with neuron.page.expect_event("load"):
        neuron.page.dblclick("[data-name=o]")
    assert neuron.text("#panel h3").startswith("o")
    neuron.press("End")
    assert [value for value, _ in neuron.numbers()] == pytest.approx([expected.values[node] for node in expected.order])
    inputs = [grad for _, grad in neuron.numbers()[:5]]
    assert inputs == pytest.approx([grad for _, grad in folded[:5]], rel=1e-12)
    assert neuron.page.get_attribute("#variants button", "aria-pressed") == "true"
    with neuron.page.expect_event("load"):
        neuron.page.dblclick("[data-name='exp(2*n)']")
    neuron.press("End")
    assert neuron.numbers() == folded
    assert not neuron.complaints


def test_the_unfolded_page_is_kept_by_a_reload_and_nonsense_unfolds_nothing(neuron: Shown) -> None:
    with neuron.page.expect_event("load"):
        neuron.page.get_by_role("button", name="Unfold tanh").click()
    neuron.page.reload()
    assert neuron.page.locator("[data-name='exp(2*n)']").count() == 1
    neuron.page.goto("about:blank")
    neuron.page.goto(f"{neuron.address}#unfold=data")
    assert neuron.page.locator("tbody tr").count() == 10
    assert not neuron.complaints


def test_the_focus_stays_on_the_button_that_unfolds_and_folds(neuron: Shown) -> None:
    neuron.page.get_by_role("button", name="Unfold tanh").focus()
    for focused in ("Fold tanh", "Unfold tanh"):
        with neuron.page.expect_event("load"):
            neuron.press("Enter")
        assert neuron.page.evaluate(_FOCUS) == focused


def test_a_function_whose_meaning_overflows_is_not_unfolded() -> None:
    for x, names in ((1, ["tanh", "sinh"]), (800, ["sinh"])):
        assert [variant.name for variant in unfolded(evaluate(parse("tanh(x) + sinh(y)"), {"x": x, "y": 1}))] == names


# ---- Folding ---------------------------------------------------------------------------------------------------------

NETWORK = """
bias = 0.1
neuron(a, b, w, u) = tanh(w*a + u*b + bias)
h1 = neuron(x, y, 0.5, -1)
h2 = neuron(y, x, w1, w2)
out = neuron(h1, h2, w1, 2)
"""


def numbers_by_name(page: Shown) -> dict[str, tuple[float | None, float | None]]:
    return dict(zip(page.page.locator("tbody th button").all_inner_texts(), page.numbers(), strict=True))


def test_calls_of_a_function_are_folded_into_one_node_each(chromium: Any, tmp_path: Path) -> None:
    point = {"x": 0.5, "y": -0.25, "w1": 1.5, "w2": 0.75}
    page = shown(chromium, evaluate(parse(NETWORK), point), tmp_path, viewport={"width": 1600, "height": 1400})
    page.press("End")
    whole = numbers_by_name(page)
    with page.page.expect_event("load"):
        page.page.get_by_role("button", name="Fold neuron ×3").click()
    page.press("End")
    few = numbers_by_name(page)
    assert len(few) < len(whole) - 10
    for name in ("x", "y", "w1", "w2", "bias", "h1", "h2", "out"):
        assert few[name] == pytest.approx(whole[name], rel=1e-12), name
    page.page.locator("[data-input=x]").fill("2")
    assert page.numbers()[-1][0] == pytest.approx(evaluate(parse(NETWORK), point | {"x": 2.0}).value, rel=1e-12)
    page.page.reload()
    assert page.page.get_by_role("button", name="Unfold neuron").get_attribute("aria-pressed") == "true"
    with page.page.expect_event("load"):
        page.page.dblclick("[data-name=h2]")
    assert page.page.locator("tbody tr").count() == len(whole)
    assert not page.complaints


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("f(a) = a^2; g(a) = f(a)*f(a + 1); g(x) + f(x)", ["Fold g", "Fold f ×3"]),
        ("f(a) = a*k; f(x)", ["Fold f"]),
        ("c = (2); f(a) = a*c; f(x)", ["Fold f"]),
        ("c = 1; f(a) = a*c; y = f(x); c = 2; y + f(x)", ["Fold f ×2"]),
        ("pi = (3); f(a) = a*pi; f(x)", ["Fold f"]),
        ("f(a) = where(a > 0, a, 0); f(x) + f(-x)", ["Fold f ×2"]),
        (f"f(a, b) = a*{'tanh(' * 20}b{')' * 20}; f(x, k)", ["Fold f"]),
        ("f(a) = a^2; g(a) = 1; h(a) = 2*a; i(a) = a; f(x)", ["Fold f"]),
        ("f(a) = 3; f(x)*x", []),
        ("f(a) = a^2; x + 1", []),
        ("sinh(a) = a^2; sinh(x)", []),
        ("eq(a, b) = (a - b)^2; eq(x, 2)", []),
        ("f(v) = dot(v, v); f([x, 1])", ["Fold f"]),
        ("f(w, v, b) = tanh(dot(w, v) + b); u = [x, 1]; f([1, k], [f([2, x], u, k), f(u, u, 1)], 0)", ["Fold f ×3"]),
        ("f(v) = sum(i, 1, len(v), i*v[i]^k); f([x, 2]) + f([x, 1, k])", ["Fold f ×2"]),
        ("f(a) = a^2; v = [f(x), 1]; dot(v, v)", ["Fold f"]),
        ("f(v) = D(v[1]^3*v[2], v[1]); f([x, k])", ["Fold f"]),
        ("f(v) = v^2; sum(f([x, 1]))", []),
        ("f(a) = a*sum(i, 1, a, x*i); f(3)", []),
        ("f(v) = v[1]; f([x, 1])^2", []),
        (
            "f(v) = sum(i, 1, len(v), sin(v[i])*cos(v[i]) + i*v[i]); "
            + " + ".join(f"f([{', '.join(['x'] * count)}])" for count in range(2, 21)),
            [],
        ),
    ],
)
def test_what_is_folded(text: str, labels: list[str]) -> None:
    evaluation = evaluate(parse(text), {"x": 1.5, "k": 2.0})
    variants = list(folded(evaluation))
    assert [variant.label for variant in variants] == labels
    for variant in variants:
        assert variant.evaluation.value == pytest.approx(evaluation.value, rel=1e-14)
        assert variant.evaluation.gradient == pytest.approx(evaluation.gradient, rel=1e-13)


def test_a_name_outside_of_the_program_hinders_no_variant() -> None:
    for text, variants in (("tanh(x)", unfolded), ("f(a) = a^2; f(x)", folded)):
        (variant,) = variants(evaluate(parse(text), {"x": 1.5, "q": 2.0}, ["x", "q"]))
        assert list(variant.evaluation.gradient) == ["x"]


def test_a_function_of_the_program_is_not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    alike, evaluation = (
        evaluate(parse(f"f(a, b) = tanh(a)*exp2(b) + {factor}*a; f(x, 2) + f(2, x)"), {"x": 1.5}) for factor in (2, 3)
    )
    assert list(folded(alike))  # the rules of the table are compiled
    monkeypatch.setattr("builtins.exec", None)
    (variant,) = folded(evaluation)
    assert variant.evaluation.gradient == pytest.approx(evaluation.gradient, rel=1e-14)


def test_a_function_that_means_something_else_at_the_point_is_not_folded() -> None:
    assert not list(folded(evaluate(parse("f(a) = a*e; f(x)"), {"x": 2.0, "e": 3.0})))
