"""The picture as text: a tree that fits its width and has every node once."""

from pathlib import Path

import pytest
from places import each_example

from autodiff_cli import draw, parse
from autodiff_cli.evaluation import evaluate
from autodiff_cli.graph_drawing import tree
from autodiff_cli.graph_drawing.picture import Picture
from autodiff_cli.operations import NEG
from autodiff_cli.terminal.printable_text import columns


@pytest.mark.parametrize("width", [80, 120])
@each_example
def test_the_tree_fits_its_width_and_has_every_node_once(file: Path, width: int) -> None:
    picture = Picture.of(evaluate(parse(file.read_text(encoding="utf-8")), {}))
    lines = tree.text(picture, width).splitlines()
    assert all(columns(line) <= width for line in lines)
    drawn = [line for line in lines[2:] if not line.endswith(("↑", "↓")) and "drawn" not in line and line]
    inline: set[int] = set()
    for box in picture.boxes:
        if not box.name and (box.kind == "constant" or (box.operation is NEG and inline.issuperset(box.arguments))):
            inline.add(box.node)
    assert len(drawn) == len(picture.boxes) - len(inline)


@pytest.mark.parametrize("width", range(1, 6))
def test_a_terminal_of_a_few_columns_shows_a_tree(width: int) -> None:
    lines = tree.text(Picture.of(evaluate(parse("polygamma(4, -2.)"), {})), width).splitlines()
    assert lines[0] == "node"
    assert all(columns(line) <= 5 for line in lines)


def test_a_node_that_is_used_again_is_referred_to() -> None:
    lines = str(draw("b = a + a; c = b*b", {"a": 3})).splitlines()
    assert [line for line in lines if "↑" in line] == ["│  └─ a ↑", "└─ b ↑", "↑ drawn above"]


def test_what_is_too_deep_is_drawn_below() -> None:
    text = str(draw("sin(" * 30 + "x" + ")" * 30))
    assert all(columns(line) <= 80 for line in text.splitlines())
    sections = text.split("\n\n")
    assert sections.pop() == "↓ drawn below"
    below = [line.strip("└─ ↓") for line in text.splitlines() if line.endswith(" ↓")]
    assert len(below) == len(sections) - 1 == 2
    assert len([line for line in text.splitlines() if line.endswith("sin")]) == 30


def test_constants_stand_in_the_operation_that_they_belong_to() -> None:
    lines = str(draw("where(x > 0, x^2, 1 - log(x, 10))")).splitlines()
    operations = [line.rsplit("   ", 1)[1] for line in lines[2:] if "   " in line and "↑" not in line]
    assert operations == ["where", "· > 0", "input", "·^2", "1 - ·", "log(·, 10)"]
    negative = str(draw("(-2)*x^-3")).splitlines()[2:]
    assert [line.split("  ")[-1].strip() for line in negative] == ["-2*·", "·^(-3)", "input"]


@pytest.mark.slow
def test_a_graph_of_many_thousand_nodes_is_drawn_without_recursion() -> None:
    program = parse("-(" * 20_000 + "x" + ")" * 20_000)
    picture = Picture.of(program, most=50_000)
    assert tree.text(picture).count("\n") > 20_000


def test_infinite_and_nan_numbers_are_marked() -> None:
    picture = Picture.of(evaluate(parse("log(x) + y"), {"x": 0, "y": 1}))
    marked = [style.strip() for line in tree.lines(picture, 80) for text, style in line if "inf" in text]
    assert marked == ["bold red"] * 3
