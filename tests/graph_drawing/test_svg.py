"""Pictures of graphs: every label and number is there and fits its box, no two boxes overlap, each line is there."""

import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest
from drawn import LETTER, SVG, check_layout, contrast, corners, groups_of, hostile, parsed, texts
from places import ROOT, SMALL_EXAMPLES

from autodiff_cli import parse
from autodiff_cli.evaluation import evaluate
from autodiff_cli.graph_drawing import dot, graphviz, layout, svg
from autodiff_cli.graph_drawing.palette import DARK, LIGHT, Palette
from autodiff_cli.graph_drawing.picture import Direction, Picture
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


@pytest.mark.slow
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


def test_nothing_crosses_that_need_not(renderer: str) -> None:
    for formula, need in (("y = x*x + 2*x + 1", 0), ("s*(1 - s)", 0), ("d = a*b; e = a+b; f = d*e", 1)):
        for stacked in (False, True):
            picture = Picture.of(parse(formula), stacked=stacked)
            assert layout._faults(picture, layout.arranged(picture)[1]) <= need, formula


def test_lines_cross_where_any_of_their_pieces_do() -> None:
    wave = layout._Line([(x, math.sin(x)) for x in range(100)])
    assert layout._meet(wave, layout._Line([(60.0, -3.0), (62.0, -1.5), (62.5, 3.0)]))
    assert not layout._meet(wave, layout._Line([(60.0, -3.0), (62.0, -1.5), (102.5, -1.2)]))


def test_crossings_are_counted(renderer: str) -> None:
    crossed = Picture.of(parse("d = a*b; e = a+b; f = d*e"))
    assert layout._faults(crossed, graphviz.render(dot.text(crossed), "svg")) == 1
    swapped = Picture.of(parse("a - b"))
    assert layout._faults(swapped, graphviz.render(dot.text(swapped), "svg")) == 0
    exchanged = dot.text(swapped).replace("edge-0-2-0", "x").replace("edge-1-2-1", "edge-0-2-0")
    assert layout._faults(swapped, graphviz.render(exchanged.replace('id="x"', 'id="edge-1-2-1"'), "svg")) == 1


def test_an_operation_and_its_result_are_a_unit(renderer: str) -> None:
    program = parse((ROOT / "examples/kalman.expr").read_text(encoding="utf-8"))
    picture = Picture.of(evaluate(program, {}), nodes="named")
    arrangement, drawn = layout.arranged(picture)
    assert arrangement.units
    assert drawn.decode().count(picture.note) == 1  # the caption is not that of every unit
    lines = {name: line.points for name, line in layout._lines(fromstring(drawn))}  # noqa: S314  # made here
    assert all(abs(line[0][1] - line[-1][1]) < 5 for name, line in lines.items() if name.startswith("result"))
    assert all(line[0][0] < line[-1][0] for line in lines.values())


@pytest.mark.slow
@pytest.mark.parametrize("file", SMALL_EXAMPLES, ids=lambda file: file.stem)
def test_an_arrangement_crosses_no_more_than_another(file: Path) -> None:
    picture = Picture.of(evaluate(parse(file.read_text(encoding="utf-8")), {}))
    first = layout._faults(picture, graphviz.render(dot.text(picture), "svg"))
    assert layout._faults(picture, layout.arranged(picture)[1]) <= first


# ---- Looks -----------------------------------------------------------------------------------------------------------


def test_a_wide_picture_is_stacked(renderer: str) -> None:
    assert not Picture.of(parse("a*b")).is_stacked
    assert Picture.of(evaluate(NEURON, {})).is_stacked
    for formula in ("a*b", "a*b + c", "sin(a*b) + c*d"):
        picture = Picture.of(parse(formula), stacked=False)
        drawn = svg.size(svg.text(picture))[0]
        assert (drawn > 675) == Picture.of(parse(formula)).is_stacked, drawn


def test_top_to_bottom_the_first_argument_is_on_the_left(renderer: str) -> None:
    picture = Picture.of(parse("a - b*c"), direction="TB")
    check_layout(picture)
    groups = groups_of(picture)
    a, output = corners(groups["node-0"]), corners(groups[f"node-{picture.output}"])
    product = corners(groups["node-3"])
    assert a[0] < product[0]
    assert product[3] < output[1]


@pytest.mark.parametrize("direction", ["LR", "TB"])
def test_partials_stand_in_their_lines(direction: Direction, renderer: str) -> None:
    evaluation = evaluate(parse("a*b + 2*a"), {"a": 3, "b": -4})
    picture = Picture.of(evaluation, partials=True, direction=direction)
    groups = groups_of(picture)
    assert {name: texts(group) for name, group in groups.items() if name.startswith("partial")} == {
        "partial-0-2-0": ["-4.0000"],
        "partial-1-2-1": ["3.0000"],
        "partial-0-4-1": ["2.0000"],
        "partial-2-5-0": ["1.0000"],
        "partial-4-5-1": ["1.0000"],
    }
    lines = {name: line.points for name, line in layout._lines(fromstring(layout.arranged(picture)[1]))}  # noqa: S314
    for name, group in groups.items():
        if name.startswith("partial"):
            text = group.find(f"{SVG}text")
            assert text is not None
            edge = name.replace("partial", "edge")
            for end in (lines[f"{edge}-start"][-1], lines[edge][0]):
                assert math.dist(end, (float(text.attrib["x"]), float(text.attrib["y"]))) < 4 * LETTER + 4


def test_gradients_have_the_colours_of_their_sign_and_size(renderer: str) -> None:
    picture = Picture.of(evaluate(parse("x*4 - y + 0*z"), {"x": 1, "y": 1, "z": 1}), color="gradient")
    fills = {box.text: LIGHT.box(picture, box)[0] for box in picture.boxes}
    assert fills["x"] == LIGHT.positive
    assert fills["z"] == LIGHT.paper
    drawn = svg.write(picture).decode()
    assert fills["y"] in drawn
    assert "gradients: blue above 0, orange below" in drawn
    red, _, blue = bytes.fromhex(fills["y"][1:])
    assert red > blue


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_texts_can_be_read_on_every_colour(colours: Palette) -> None:
    grounds = [colours.paper, colours.negative, colours.positive, colours.nonfinite[0]]
    for ground in [*grounds, *(fill for fill, _ in colours.kinds.values())]:
        assert contrast(colours.ink, ground) > 4.5, ground
    assert contrast(colours.line, colours.paper) > 4.5
    assert contrast(colours.nonfinite[1], colours.paper) > 4.5


def test_infinite_and_nan_values_are_marked(renderer: str) -> None:
    groups = groups_of(Picture.of(evaluate(parse("log(x)*y"), {"x": 0, "y": 2})))
    outlines = [group.find(f"{SVG}polygon") for name, group in groups.items() if name.startswith("node")]
    assert [outline is not None and outline.get("stroke-width") for outline in outlines] == ["2.4"] * 4
    finite = groups_of(Picture.of(evaluate(parse("x*2"), {"x": 1})))["node-0"].find(f"{SVG}polygon")
    assert finite is not None
    assert finite.get("stroke-width") == "0.8"


def test_the_description_has_the_structure(renderer: str) -> None:
    drawn = parsed(svg.write(Picture.of(evaluate(parse("e = a*b; f = (e + a)*-c"), {"a": 2, "b": -3, "c": -0.0}))))
    described = drawn.findtext(f"{SVG}desc")
    assert described
    assert "e = a*b: data -6, grad 0" in described
    assert "f = (e + a)*-c: data 0, grad 1" in described
    assert "-0" not in described
    assert drawn.get("aria-label") == "The computation graph of f"


def test_long_names_are_shortened_in_the_middle_and_others_stay_as_they_are_written() -> None:
    forty = "a" * 40
    picture = Picture.of(parse(f"{forty} + {'b' * 41} + γ₁"))
    assert [picture.cells(box)[0] for box in picture.boxes if box.kind == "input"] == [
        forty,
        "b" * 20 + "…" + "b" * 19,
        "γ₁",
    ]
    assert picture.boxes[-1].text.endswith("γ₁")


def test_a_power_or_a_comment_does_not_rename_an_input() -> None:
    picture = Picture.of(parse("x² + x2 + γ1  # x₂ and γ₁"))
    assert [picture.cells(box)[0] for box in picture.boxes if box.kind == "input"] == ["x", "x2", "γ1"]


def test_a_file_can_be_zoomed_and_a_page_makes_it_fit(renderer: str) -> None:
    picture = Picture.of(parse("a*b"))
    assert "max-width" not in svg.write(picture).decode()
    assert "max-width: 100%" in svg.text(picture)


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
        file.write_bytes(svg.write(replace(picture, stacked=False)))
        page = chromium.new_page()
        page.goto(file.as_uri())
        rooms = page.evaluate(_MEASURED)
        assert len(rooms) > 20
        assert min(min(sides) for sides in rooms) > 0.5  # points between a text and the border
