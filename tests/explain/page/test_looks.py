"""A page of `autodiff explain --html` in any window, with any text in it, without a network."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from browser import shown
from drawn import contrast_of, luminance
from places import EXAMPLES

from autodiff_cli.evaluation import Evaluation, evaluate
from autodiff_cli.language import parse
from autodiff_cli.transforms import expand

pytestmark = pytest.mark.slow
NEURON = (EXAMPLES / "neuron.expr").read_text(encoding="utf-8")

HOSTILE = [
    "<script>document.title = 'taken'; alert(1)</script>",
    "</script><script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)> ' &amp; &lt;b&gt;",
    "a|b {c} <d> \\n \\l \\N %s {{script}} {0}",
    "first\nsecond\r\tthird\u2028\u2029\x00\x1b[31m\u202eevil",
    "long" * 2500,
    "]]> <!-- --> `${alert(1)}`",
]

_WIDER_THAN_THE_WINDOW = """() => {
  const shown = [...document.querySelectorAll("section, header > *, nav > *, nav button")];
  const outside = shown.filter((one) => {
    const { left, right } = one.getBoundingClientRect();
    return left < 0 || right > innerWidth + 0.5;
  });
  return document.documentElement.scrollWidth > innerWidth || outside.length > 0;
}"""
_OVERLAPPING = """(all) => all.flatMap((one, index) => all.slice(index + 1).filter((other) => {
  const [a, b] = [one, other].map((part) => part.getBoundingClientRect());
  return a.left < b.right - 2 && b.left < a.right - 2 && a.top < b.bottom - 2 && b.top < a.bottom - 2;
}).map((other) => `${one.textContent} and ${other.textContent}`))"""
_OUTSIDE_OF_THEIR_BOX = """(all) => all.filter((text) => {
  const box = text.parentElement.querySelector("polygon, ellipse").getBoundingClientRect();
  const { left, right, top, bottom } = text.getBoundingClientRect();
  return text.textContent && (left < box.left || right > box.right || top < box.top - 2 || bottom > box.bottom + 2);
}).map((text) => text.textContent)"""
_IS_CUT_BELOW = "(all) => all.filter((box) => box.checkVisibility()).map((box) => box.scrollHeight > box.clientHeight)"
_WIDTHS = "(all) => all.map((one) => one.clientWidth)"
_COLOURS = """(one) => {
  if (one instanceof SVGElement) {
    const parts = [one, one.parentElement.querySelector("polygon, ellipse")];
    return parts.map((part) => getComputedStyle(part).fill);
  }
  let ground = one;
  while (/, 0[)]|transparent/.test(getComputedStyle(ground).backgroundColor)) ground = ground.parentElement;
  return [getComputedStyle(one).color, getComputedStyle(ground).backgroundColor];
}"""
_TEXTS = """h1, h2, #panel h3, #panel dt, #panel dd, #panel p, mark, .comment, #drawing text, #progress, footer,
#smaller, tr.current button, tr.current td, tr.ahead button, tr.receiver td, .field label input"""


def _neuron(expanded: str = "") -> Evaluation:
    program = parse(NEURON, "neuron.expr")
    return evaluate(expand(program, {expanded}) if expanded else program, {})


def _size(width: int, height: int) -> dict[str, int]:
    return {"width": width, "height": height}


# ---- Any window ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(320, 568), (360, 640), (820, 1100), (1100, 800), (1280, 800), (1920, 1080)])
@pytest.mark.parametrize("expanded", ["", "tanh"])
def test_nothing_is_cut_off_and_nothing_overlaps(
    size: tuple[int, int], expanded: str, chromium: Any, tmp_path: Path
) -> None:
    page = shown(chromium, _neuron(expanded), tmp_path, viewport=_size(*size))
    for _ in range(int(page.page.get_attribute("#slider", "max")) + 1):
        assert not page.page.evaluate(_WIDER_THAN_THE_WINDOW)
        assert not page.page.eval_on_selector("#rows", "(box) => box.scrollWidth > box.clientWidth")
        for selector in (".node", "section", ".node text", "nav > *", ".buttons button", "#fields label"):
            assert page.page.eval_on_selector_all(selector, _OVERLAPPING) == []
        assert page.page.eval_on_selector_all(".node text", _OUTSIDE_OF_THEIR_BOX) == []
        page.press("ArrowRight")


_BELOW_THE_FOLD = """() => {
  const found = [];
  const last = Number(document.querySelector("#slider").max);
  for (let step = 0; step <= last; step++) {
    const panel = [...document.querySelectorAll("#panel > div > *")].map((one) => one.getBoundingClientRect().bottom);
    const end = Math.max(...panel, document.querySelector("#panel").getBoundingClientRect().bottom);
    if (end > innerHeight || document.scrollingElement.scrollHeight > innerHeight) found.push([step, end]);
    dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
  }
  return found;
}"""


def test_the_panel_of_the_step_is_in_view_at_every_step(chromium: Any, tmp_path: Path) -> None:
    text = (EXAMPLES / "network.expr").read_text(encoding="utf-8")
    page = shown(chromium, evaluate(parse(text, "network.expr"), {}), tmp_path)
    for size in ((700, 600), (700, 960), (800, 600), (960, 540), (900, 640), (1024, 768), (1280, 800), (1920, 1080)):
        page.page.set_viewport_size(_size(*size))
        page.press("Home")
        assert page.page.evaluate(_BELOW_THE_FOLD) == [], size


def test_the_longest_numbers_find_room(chromium: Any, tmp_path: Path) -> None:
    page = shown(chromium, evaluate(parse("y = x*w; z = sqrt(y)"), {"x": 2, "w": 3}), tmp_path)
    page.press("End")
    page.type({"x": "-1.2345678e-300", "w": "-9.8765432e+299"})
    assert page.page.eval_on_selector_all(".node text", _OUTSIDE_OF_THEIR_BOX) == []
    assert page.page.eval_on_selector_all(".node text", _OVERLAPPING) == []
    assert page.page.eval_on_selector_all("td", "all => all.every((one) => one.scrollWidth <= one.clientWidth)")


def _luminance(colour: str) -> float:
    """That of `rgb(28, 33, 38)` or `color(srgb 0.1 0.2 0.3)`."""
    numbers = [float(part) for part in re.findall(r"[\d.]+", colour)[:3]]
    return luminance(numbers if colour.startswith("color(srgb") else [one / 255 for one in numbers])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground_in_light_and_dark(scheme: str, chromium: Any, tmp_path: Path) -> None:
    page = shown(chromium, _neuron(), tmp_path, color_scheme=scheme)
    for step in (4, 11, 14):
        page.press("Home")
        page.press("ArrowRight", step)
        for one in page.page.locator(_TEXTS).all():
            text, ground = one.evaluate(_COLOURS)
            assert contrast_of(_luminance(text), _luminance(ground)) >= 4.5, (one.text_content(), text, ground)


def test_the_button_changes_between_light_and_dark(chromium: Any, tmp_path: Path) -> None:
    page = shown(chromium, _neuron(), tmp_path, color_scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.page.evaluate(ground)
    page.page.click("#theme")
    assert _luminance(page.page.evaluate(ground)) < 0.05 < _luminance(light)
    page.page.click("#theme")
    assert page.page.evaluate(ground) == light


def test_without_javascript_all_is_there_but_the_walk(chromium: Any, tmp_path: Path) -> None:
    page = shown(chromium, _neuron(), tmp_path, java_script_enabled=False)
    assert page.text("tbody tr:last-child") == "o\ttanh\t0.7071\t1.0000"
    assert page.page.locator("#source li").count() == NEURON.count("\n")
    assert page.page.locator(".node.output .data").text_content() == "0.7071"
    assert page.page.locator("noscript p").is_visible()
    assert not page.page.locator("#controls, #inputs, #step, footer").filter(visible=True).count()
    for size in ((360, 640), (800, 600), (1280, 800)):
        page.page.set_viewport_size(_size(*size))
        assert page.page.eval_on_selector_all(".scroll", _IS_CUT_BELOW) == [False, False, False]
        assert len(set(page.page.eval_on_selector_all("section:not([hidden])", _WIDTHS))) == 1


def test_the_page_asks_the_network_for_nothing_and_may_not(chromium: Any, tmp_path: Path) -> None:
    page = shown(chromium, _neuron(), tmp_path)
    page.press("ArrowRight", 16)
    assert page.requests == [page.address]
    assert not page.complaints
    assert page.page.evaluate("fetch('data:,x').then(() => 'loaded', () => 'refused')") == "refused"


# ---- Any text --------------------------------------------------------------------------------------------------------


def _labelled(labels: list[str]) -> Evaluation:
    """A program whose inputs are called so, as a program in Python can call them; its comment has them too."""
    names = [f"n{number}" for number in range(len(labels))]
    comment = " ".join(labels).replace("\n", " ").replace("\r", " ")
    total = " + ".join(f"{name}^2" for name in names)
    program = parse(f"# {comment}\n({total})", "</title><script>alert(1)</script>")
    inputs = {label: program.inputs[name] for name, label in zip(names, labels, strict=True)}
    program.graph.labels.update({node: label for label, node in inputs.items()})
    program = replace(program, inputs=inputs, names={**program.names, **inputs})
    return evaluate(program, {label: 3.0 + number for number, label in enumerate(labels)})


@pytest.mark.parametrize("size", [(360, 640), (1280, 800)])
def test_hostile_text_comes_out_as_text_and_nothing_of_it_runs(
    size: tuple[int, int], chromium: Any, tmp_path: Path
) -> None:
    page = shown(chromium, _labelled(HOSTILE), tmp_path, viewport=_size(*size))
    for _ in range(int(page.page.get_attribute("#slider", "max"))):
        page.press("ArrowRight")
        assert not page.page.evaluate(_WIDER_THAN_THE_WINDOW)
    assert not page.complaints
    assert page.page.title() == page.text("h1") == "script>"
    assert page.page.locator("script").count() == 2
    assert page.page.locator("img, iframe, object, link, b, title + title").count() == 0
    assert page.page.eval_on_selector_all(".node text", _OUTSIDE_OF_THEIR_BOX) == []
    listed = page.page.locator("#source").text_content()
    assert all(label in listed for label in HOSTILE if label.isprintable())
    for selector in ("tbody button", "#fields .name"):
        texts = page.page.locator(selector).all_text_contents()
        assert {HOSTILE[1], HOSTILE[3], HOSTILE[6]} <= set(texts)
        assert any(text.startswith("first\\nsecond") and text.endswith("\\u202eevil") for text in texts)


def test_places_in_the_formula_are_right_behind_letters_of_any_width(chromium: Any, tmp_path: Path) -> None:
    page = shown(chromium, evaluate(parse("# 🚀\t𝟙\r\nθ = 𝛼*2\r\n# é\ny =\tθ^2"), {"α": 3}), tmp_path)
    marks = []
    for _ in range(5):
        page.press("ArrowRight")
        marks.append(page.text("mark"))
    assert marks == ["𝛼", "2", "𝛼*2", "2", "θ^2"]


# ---- Paper -----------------------------------------------------------------------------------------------------------


def test_printing_shows_all_numbers_and_every_step_on_few_pages(chromium: Any, tmp_path: Path) -> None:
    page = shown(chromium, _neuron(), tmp_path, color_scheme="dark")
    page.press("ArrowRight", 3)
    sheets = page.page.pdf(path=tmp_path / "page.pdf", format="A4")
    assert len(re.findall(rb"/Type\s*/Page\b", sheets)) <= 3
    assert page.progress == "forward 3 of 10"
    page.page.emulate_media(media="print")
    page.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.page.locator(".printed .steps").count() == 16
    assert page.text("#rows tbody tr:last-child").split() == ["o", "tanh", "0.7071", "1.0000"]
    assert _luminance(page.page.evaluate("getComputedStyle(document.querySelector('#panel')).color")) < 0.05
    page.page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.page.locator(".printed").count() == 0


def test_long_names_stay_in_their_column_on_paper(chromium: Any, tmp_path: Path) -> None:
    program = parse(f"{'a' * 38}*{'b' * 38} + 1")
    page = shown(chromium, evaluate(program, dict.fromkeys(program.inputs, 1e-300)), tmp_path, viewport=_size(740, 900))
    page.page.emulate_media(media="print")
    page.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert not page.page.eval_on_selector_all(
        ".printed dd", "all => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
    )
