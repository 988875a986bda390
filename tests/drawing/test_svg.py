"""Pictures of graphs: every label and number is there and fits its box, no two boxes overlap, each line is there."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import browser
import pytest
from drawn import SVG, check_layout, groups_of, hostile, parsed, texts
from places import ROOT, SMALL_EXAMPLES

from autodiff_cli import parse
from autodiff_cli.drawing import svg
from autodiff_cli.drawing.picture import Picture
from autodiff_cli.evaluation import evaluate
from autodiff_cli.transforms import expand

NEURON = parse((ROOT / "examples/neuron.expr").read_text(encoding="utf-8"))


# ---- What is drawn ---------------------------------------------------------------------------------------------------


def test_the_neuron_shows_every_number(renderer: str) -> None:
    drawn = parsed(svg.write(Picture.of(evaluate(NEURON, {}))))
    rows = [
        [text for text in texts(found) if text] for found in drawn.iter(f"{SVG}g") if found.attrib["id"][:2] == "no"
    ]
    assert sorted(rows) == [
        ["b", "data 6.8814", "grad 0.5000"],
        ["n", "data 0.8814", "grad 0.5000"],
        ["o", "data 0.7071", "grad 1.0000"],
        ["w1", "data -3.0000", "grad 1.0000"],
        ["w2", "data 1.0000", "grad 0.0000"],
        ["x1", "data 2.0000", "grad -1.5000"],
        ["x1*w1", "data -6.0000", "grad 0.5000"],
        ["x1*w1 + x2*w2", "data -6.0000", "grad 0.5000"],
        ["x2", "data 0.0000", "grad 0.5000"],
        ["x2*w2", "data 0.0000", "grad 0.5000"],
    ]


@pytest.mark.slow
@pytest.mark.parametrize("file", SMALL_EXAMPLES, ids=lambda file: file.stem)
def test_texts_fit_their_boxes_and_no_boxes_overlap(file: Path, renderer: str) -> None:
    program = parse(file.read_text(encoding="utf-8"))
    evaluation = evaluate(program, {})
    check_layout(Picture.of(evaluation))
    check_layout(Picture.of(evaluation, nodes="named", precision=8))
    check_layout(Picture.of(program, depth=3))
    check_layout(Picture.of(evaluation, stacked=True))


def test_the_neuron_with_tanh_taken_apart_is_as_tidy(renderer: str) -> None:
    picture = Picture.of(evaluate(expand(NEURON, {"tanh"}), {}))
    check_layout(picture)
    assert {"exp", "/", "+", "-", "*"} == {box.symbol for box in picture.boxes if box.symbol}


@pytest.mark.parametrize("file", SMALL_EXAMPLES, ids=lambda file: file.stem)
def test_lines_are_those_of_the_graph(file: Path, renderer: str) -> None:
    evaluation = evaluate(parse(file.read_text(encoding="utf-8")), {})
    arguments = evaluation.program.graph.arguments
    expected = {f"edge-{a}-{b}-{place}" for b in evaluation.order for place, a in enumerate(arguments[b])}
    expected |= {f"result-{node}" for node in evaluation.order if arguments[node]}
    assert {name for name in groups_of(Picture.of(evaluation)) if name[0] in "er"} == expected


def test_a_node_that_is_used_twice_by_an_operation_has_two_lines(renderer: str) -> None:
    names = groups_of(Picture.of(parse("b = a + a")))
    assert {"edge-0-1-0", "edge-0-1-1"} <= set(names)


def test_stacked_boxes_make_a_narrow_picture(renderer: str) -> None:
    wide, narrow = (
        svg.size(svg.text(Picture.of(evaluate(NEURON, {}), stacked=stacked)))[0] for stacked in (False, True)
    )
    assert narrow < 0.6 * wide


def test_the_first_argument_is_above_the_second(renderer: str) -> None:
    for formula in ("a - b", "b - a", "(a*b) - a*a", "a - a*b"):
        program = parse(formula)
        groups = groups_of(Picture.of(program))
        first, second = (
            groups[f"edge-{argument}-{program.output}-{place}"].find(f"{SVG}path").attrib["d"]  # type: ignore[union-attr]
            for place, argument in enumerate(program.graph.arguments[program.output])
        )
        heights = [float(re.findall(r"-?[0-9.]+", path)[-1]) for path in (first, second)]
        assert heights[0] < heights[1], formula


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A browser."""
    with browser.browser() as running:
        yield running


_MEASURED = """() => [...document.querySelectorAll("g.node")].flatMap((group) => {
  const box = group.querySelector("polygon, ellipse").getBBox();
  const across = [...group.querySelectorAll("polyline")].map((line) => line.getBBox().x);
  const edges = [box.x, ...across.sort((a, b) => a - b), box.x + box.width];
  return [...group.querySelectorAll("text")].map((text, place) => {
    const one = text.getBBox();
    return [one.x - edges[place], edges[place + 1] - one.x - one.width, one.y - box.y,
            box.y + box.height - one.y - one.height];
  });
})"""


@pytest.mark.slow
def test_texts_fit_their_boxes_in_a_browser(chromium: Any, renderer: str, tmp_path: Path) -> None:
    for picture in (Picture.of(evaluate(expand(NEURON, {"tanh"}), {}), precision=12), hostile()):
        file = tmp_path / "graph.svg"
        file.write_bytes(svg.write(picture))
        page = chromium.new_page()
        page.goto(file.as_uri())
        rooms = page.evaluate(_MEASURED)
        assert len(rooms) > 20
        assert min(min(sides) for sides in rooms) > 0.5  # points between a text and the border
