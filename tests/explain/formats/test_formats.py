"""The formats of an explanation: every one, whatever the names are, and step by step on a terminal."""

import io
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from places import ROOT
from processes import ended_by

from autodiff_cli.evaluation import Evaluation, evaluate
from autodiff_cli.explain import formats
from autodiff_cli.explain.chain_rule import explain
from autodiff_cli.explain.formats import text_layout
from autodiff_cli.explain.formats.key_stepper import KeyStepper
from autodiff_cli.explain.formats.text_layout import TextLayout
from autodiff_cli.explain.gradient_paths import gradient_paths
from autodiff_cli.explain.node_names import short_names
from autodiff_cli.explain.walkthrough import Walkthrough
from autodiff_cli.language import parse
from autodiff_cli.terminal.printable_text import columns
from autodiff_cli.terminal.screen import plain
from autodiff_cli.transforms import expand

HOSTILE = [
    "<script>alert(1)</script>",
    "\"double\" 'single'",
    "a|b",
    "{x}{0}{",
    "&amp; & %",
    "line\nbreak\r\n\x1b[31mred\x07",
    "`tick`` `",
    "\\input{secret}\\end{document}",
    "$x^2_1~#",
    "[red]x[/red]",
    "_*b*_ ~~c~~ ![i](u)",
    "\u202eevil\u0000",
    "θ_𝔘ñï∂€",
    "N" * 10_000,
]
KINDS = [
    "neuron",
    "tanh taken apart",
    "paths",
    "kinks",
]


def _named(label: str) -> Evaluation:
    """Values with such a name at an ordinary place, a kink, a tie and in a condition."""
    program = parse("n = a*b; o = where(n > 0, abs(n), a) + max(n, a) + sqrt(b)")
    labels = {"a": label, "n": f"{label}2"}
    for node, old in program.graph.labels.items():
        program.graph.labels[node] = labels.get(old, old)
    names, inputs = ({labels.get(name, name): node for name, node in known.items()}
                     for known in (program.names, program.inputs))  # fmt: skip
    return evaluate(replace(program, names=names, inputs=inputs), {label: 0.0, "b": 3.0})


def _written(evaluation: Evaluation, format_: str, *nodes: int) -> str:
    names = short_names(evaluation)
    explanation = explain(evaluation, names, beside=nodes)
    out = io.StringIO()
    walk = Walkthrough(explanation, names, paths=tuple(gradient_paths(explanation, node) for node in nodes))
    formats.write(walk, format_, out)
    return out.getvalue()


def _evaluation(kind: str) -> Evaluation:
    neuron = parse((ROOT / "examples/neuron.expr").read_text(encoding="utf-8"))
    if kind == "neuron":
        return evaluate(neuron, {})
    if kind == "tanh taken apart":
        return evaluate(expand(neuron, {"tanh"}), {})
    if kind == "paths":
        return evaluate(parse("d = a*b; e = a + b; f = d*e"), {"a": -2.0, "b": 3.0})
    text = "abs(x) + max(x, y, 0) + sqrt(y) + where(x > 0, 1/x, y) + floor(y) + x^0.5*1e-9 + log(z)"
    return evaluate(parse(text), {"x": 0.0, "y": 0.0, "z": -1.0})


# ---- Names as text ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("label", HOSTILE, ids=lambda label: repr(label)[:14])
@pytest.mark.parametrize("format_", ["text", "markdown", "latex"])
def test_a_name_is_text_on_one_line(format_: str, label: str) -> None:
    evaluation = _named(label)
    lines = [len(_written(_named("a"), format_, *nodes).splitlines()) for nodes in ((), (0,))]
    for expected, nodes in zip(lines, ((), (0,)), strict=True):
        written = _written(evaluation, format_, *nodes)
        assert all(character.isprintable() or character == "\n" for character in written)
        assert max(map(len, written.splitlines())) < 2000
        written = re.sub("^%.*\n", "", written)
        assert "ab" * 9 in label or format_ == "text" or len(written.splitlines()) == expected


@pytest.mark.parametrize("label", HOSTILE, ids=lambda label: repr(label)[:14])
def test_json_has_the_name_as_it_is(label: str) -> None:
    read = json.loads(_written(_named(label), "json", 0))
    assert [node["label"] for node in read["nodes"] if node["label"]] == [label, "b", f"{label}2", "o"]
    assert read["gradient"][label] == read["paths"][0]["gradient"]


@pytest.mark.parametrize("label", HOSTILE, ids=lambda label: repr(label)[:14])
def test_a_name_is_no_markup_in_markdown(label: str) -> None:
    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    for nodes in ((), (0,)):
        found: list[str] = []
        for token in reader.parse(_written(_named(label), "markdown", *nodes)):
            found += [token.type, *(child.type for child in token.children or ())]
        assert {"code_inline", "table_open", "heading_open"} <= set(found)
        assert not {"html_block", "html_inline", "link_open", "image", "em_open", "strong_open", "s_open"} & set(found)


LATEX = pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")


def _compiles(text: str, folder: Path) -> None:
    (folder / "lesson.tex").write_text(text, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "lesson.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]


def test_latex_says_which_values_are_derivatives_in_the_formula() -> None:
    text = _written(evaluate(parse("u = sin(k*x); s = D(u, x); D(u, x, 2) + s"), {"k": 2, "x": 0.3}), "latex")
    assert r"&= \frac{\partial^{2} u}{\partial x^{2}} = " in text
    assert r"s &= \frac{\partial u}{\partial x} = " in text


@pytest.mark.parametrize(("text", "point"), [("e = 3; exp(x)*e", {"x": 1}), ("exp(x)*e", {"x": 1, "e": 3})])
def test_latex_writes_no_power_of_a_value_called_e(text: str, point: dict[str, float]) -> None:
    written = _written(evaluate(parse(text), point), "latex")
    assert "e^" not in written
    assert written.count(r"\exp\left(x\right)") == 3


def test_latex_has_one_pair_of_parentheses_around_a_comparison() -> None:
    written = _written(evaluate(parse("c = x > 0; c*(x > 1)*y"), {"x": 2, "y": 3}), "latex")
    assert r"= \left(x > 1\right) = \left(2 > 1\right) = 1" in written
    assert r"\left(\left(" not in written


@LATEX
@pytest.mark.parametrize("label", HOSTILE, ids=lambda label: repr(label)[:14])
def test_latex_with_any_name_compiles(label: str, tmp_path: Path) -> None:
    _compiles(_written(_named(label), "latex"), tmp_path)


@LATEX
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("alone", [False, True])
def test_latex_compiles(kind: str, alone: bool, tmp_path: Path) -> None:
    evaluation = _evaluation(kind)
    _compiles(_written(evaluation, "latex", *([evaluation.order[0]] if alone else [])), tmp_path)


# ---- What stands there -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_text_fits_80_columns(kind: str) -> None:
    evaluation = _evaluation(kind)
    for nodes in ((), (evaluation.order[0],)):
        assert max(map(columns, _written(evaluation, "text", *nodes).splitlines())) <= 80


def test_nothing_is_cut_off_where_a_formula_is_wide() -> None:
    names = [f"a_rather_long_name_{number}" for number in range(12)]
    evaluation = evaluate(parse(f"hypot({', '.join(names)})"), dict.fromkeys(names, 1.0))
    text = _written(evaluation, "text")
    assert "…" not in text
    assert all(f"∂f/∂{name} " in text for name in names)


def test_a_product_that_does_not_fit_with_its_alignment_stands_in_a_line_of_its_own() -> None:
    first, second = (
        [(cell, "") for cell in cells]
        for cells in (
            ("∂t6/∂w22", "= x2", "= -1", "  0.4622 · (-1) = -0.4622", "to w22"),
            ("∂t6/∂x2", "= w22", "= 0.3000", "  0.4622 · 0.3000 = 0.1387", "to x2"),
        )
    )
    lines = TextLayout(60).lines(first, text_layout.widths([first, second]), 4)
    assert [plain(line).rstrip() for line in lines] == [
        "    ∂t6/∂w22 = x2  = -1",
        "             0.4622 · (-1) = -0.4622 to w22",
    ]


def test_the_number_of_an_input_moves_no_column_and_comments_stand_below_one_another() -> None:
    text = _written(evaluate(parse("x*x"), {"x": 1e10}), "text")
    assert "  x = 1.0000e+10\n  f = x*x = 1.0000e+10*1.0000e+10 = 1.0000e+20\n" in text
    text = _written(evaluate(parse("f(x) = x^3 - 2*x; f(a)*f(a + 1)"), {"a": 1.0}), "text")
    assert [line.index("#") for line in text.splitlines() if "#" in line] == [29] * 4


def test_without_a_gradient_there_is_no_table_of_it() -> None:
    assert _written(evaluate(parse("2 + 3"), {}), "markdown").endswith(" gradient is with respect to.\n")


def test_functions_are_shown_first() -> None:
    evaluation = evaluate(parse("f(x, # one; two\n  k) = x^k - [1, # three\n 2][1]\ng(u)=f(u,2)\ng(a)"), {"a": 1.0})
    functions = ["f(x, k) = x^k - [1, 2][1]", "g(u) = f(u,2)", "y = a^2 - 1"]
    assert _written(evaluation, "text").startswith("\n".join(functions) + "\n\n")
    assert _written(evaluation, "markdown").splitlines()[2:5] == [f"    {line}" for line in functions]


def test_a_further_name_of_a_value_is_shown_after_it() -> None:
    evaluation = evaluate(parse("y = x; u = y*y; w = u; z = w*u"), {"x": 3.0})
    lines = ["y = x", "u = y*y", "w = u", "z = w*u"]
    assert _written(evaluation, "text").splitlines()[:4] == lines
    assert _written(evaluation, "markdown").splitlines()[2:6] == [f"    {line}" for line in lines]
    latex = _written(evaluation, "latex")
    assert latex.index("y &= x") < latex.index("u &=") < latex.index("w &= u") < latex.index("z &=")


def test_what_a_function_computes_is_written_in_terms_of_its_arguments() -> None:
    evaluation = evaluate(parse("sq(x) = x*x; sq(sq(x) + 1)"), {"x": 2.0})
    assert _written(evaluation, "text").startswith("sq(x) = x*x\nf = (sq(x) + 1)*(sq(x) + 1)\n")
    evaluation = evaluate(parse("f(x) = x*x + 1; " + "f(" * 40 + "x" + ")" * 40), {"x": 0.1})
    assert max(map(len, _written(evaluation, "latex").splitlines())) < 300  # written out, 2^40 factors


@pytest.mark.parametrize("kind", KINDS)
def test_json_has_the_numbers_of_the_engine(kind: str) -> None:
    evaluation = _evaluation(kind)
    read = json.loads(_written(evaluation, "json", evaluation.order[0]))
    assert list(read) == ["output", "value", "gradient", "nodes", "steps", "paths"]

    def number(entry: float | str | None) -> str:
        return repr(entry if entry is None else float(entry))

    assert [number(node["data"]) for node in read["nodes"]] == [repr(evaluation.values[n]) for n in evaluation.order]
    assert [number(node["grad"]) for node in read["nodes"]] == [repr(evaluation.adjoints[n]) for n in evaluation.order]
    passed: dict[int, list[dict[str, object]]] = {}
    for step in read["steps"]:
        assert number(step["adjoint"]) == number(read["nodes"][step["node"]]["grad"])
        for one in step["contributions"]:
            assert read["nodes"][step["node"]]["arguments"][one["place"]] == one["to"]
            entry = {"from": step["node"], "place": one["place"], "product": one["product"]}
            passed.setdefault(one["to"], []).append(entry)
    assert {place: node["received"] for place, node in enumerate(read["nodes"]) if node["received"]} == passed
    assert number(read["paths"][0]["gradient"]) == number(read["nodes"][0]["grad"])


@pytest.mark.parametrize(("text", "remark"), [
    ("abs(x)", "has no derivative where `x == 0`, as it is here; the slope is taken to be 0"),
    ("sqrt(x)", "has no finite derivative where `x == 0`"),
    ("max(x, 2*x)", "where arguments tie, as it is here; the slopes are taken to be 0.5000 and 0.5000"),
    ("where(x > -1, x, sqrt(x))", "`x > -1` is 1, so `f` is `x`, and the gradient goes there; `v2` receives"),
    ("where(x < 0, sqrt(x), 3)", "`x < 0` is 0, so `f` is `3`; `v2` receives none"),
    ("0*sqrt(x)", "0 times infinity can be anything, so the gradient is sought as a limit"),
    ("log(x - 1)", "here nan arises: `log(v1)` is undefined for these numbers"),
    ("log(x - 1)", "`f` is nan, so whatever it passes on is nan"),
    ("max(x, 2*x, 3*x)", "the slopes are taken to be 0.3333, 0.3333 and 0.3333"),
    ("clip(x, 0, 2)", "has no derivative where `x` is at an end of the interval, as it is here; the slope is taken"),
    ("1/max(x, x - 1)", "what `max(x, v1)` does not choose receives nothing, not even -inf: `v1`"),
    ("(x + 1)*inf", "the local derivative of `v1*inf` is infinite, as an argument is"),
    ("(x - 2)^(x + 3)", "the local derivative of `v1^v2` is undefined for these numbers"),
    ("1/x", "here inf arises: `1/x` is infinite, or too large for a double"),
    ("where(not x, 1, x)", "`not x` has no derivative where `x == 0`, as it is here"),
    ("where(x > 0 or x, 1, x)", "has no derivative where `v1 == 0 and x == 0`, as it is here"),
    ("x % 3", "`x % 3` has no derivative where `f == 0`, as it is here"),
    ("copysign(x, 1)", "`copysign(x, 1)` has no derivative where `x == 0`, as it is here"),
    ("x^0.5", "`x^0.5` has no finite derivative where `x == 0`, as it is here"),
    ("log(x, 1)", "`log(x, 1)` has no finite derivative anywhere"),
    ("x^(x + 2)", "a power of 0 is 0 for every exponent above 0, so its slope in the exponent is 0"),
])  # fmt: skip
@pytest.mark.parametrize("format_", ["text", "markdown", "json"])
def test_remarks(text: str, remark: str, format_: str) -> None:
    written = " ".join(_written(evaluate(parse(text), {"x": 0.0}), format_).split())
    assert remark in written


@pytest.mark.parametrize("condition", ["not x > 0", "x > 0 and x < 5", "0 < x or x > 5", "x and x > 5", "not floor(x)"])
def test_a_condition_has_a_remark_only_at_an_edge(condition: str) -> None:
    written = _written(evaluate(parse(f"where({condition}, x^2, x)"), {"x": -0.5}), "json")
    assert "has no derivative" not in written


def test_a_smooth_step_has_no_remark() -> None:
    assert "note:" not in _written(
        evaluate(parse("x^0 + where(y > 1, y, 2)*exp(x)"), {"x": 0.0, "y": -3.0}, ["x"]), "text"
    )


# ---- One step at a time ----------------------------------------------------------------------------------------------


class _Terminal:
    """The command on a terminal of 80 columns and 24 lines; what it has shown so far, and keys for it."""

    def __init__(self, *words: str, stdin: bytes | None = None) -> None:
        pty = pytest.importorskip("pty")
        termios = pytest.importorskip("termios")
        fcntl = pytest.importorskip("fcntl")
        self.leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, b"\x18\x00\x50\x00\x00\x00\x00\x00")
        kept = {name: text for name, text in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "autodiff_cli", "explain", *words],
            stdin=follower if stdin is None else subprocess.PIPE,
            stdout=follower,
            stderr=follower,
            env=kept | {"TERM": "xterm-256color"},
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(1, termios.TIOCSCTTY, 0),  # the terminal that /dev/tty stands for
        )
        os.close(follower)
        if self.process.stdin is not None:
            self.process.stdin.write(stdin or b"")
            self.process.stdin.close()
        self.shown = ""

    def press(self, keys: str) -> None:
        self.shown = ""
        os.write(self.leader, keys.encode())

    def sees(self, text: str) -> bool:
        """Whether the text appears before long."""
        end = time.monotonic() + 30
        while text not in self.shown and time.monotonic() < end:
            ready, _, _ = select.select([self.leader], [], [], 0.5)
            try:
                part = os.read(self.leader, 65536) if ready else b""
            except OSError:  # the other side has closed
                break
            self.shown += re.sub("\x1b\\[[0-9;]*m", "", part.decode(errors="replace"))
        return text in self.shown

    def ends(self) -> int:
        while self.sees("\0"):
            pass
        return self.process.wait(timeout=30)


@contextmanager
def terminal(*words: str, stdin: bytes | None = None) -> Iterator[_Terminal]:
    made = _Terminal(*words, stdin=stdin)
    try:
        yield made
    finally:
        made.process.kill()
        made.process.wait()
        os.close(made.leader)


NEURON = ("-f", str(ROOT / "examples/neuron.expr"))


def test_each_key_shows_the_next_step_and_the_last_one_ends() -> None:
    with terminal(*NEURON, "--step") as person:
        assert person.sees("1 of 14")
        assert "Forward" not in person.shown
        for number, (key, text) in enumerate([("\r", "x1 = 2"), (" ", "v1 = x1*w1"), ("\x1b[C", "v2 = x2*w2")], 2):
            person.press(key)
            assert person.sees(f"{number} of 14")
            assert text in person.shown
        person.press("\r" * 10)
        assert person.sees("14 of 14")
        assert "-1.5000" in person.shown
        person.press("\r")
        assert person.ends() == 0


@pytest.mark.parametrize(
    ("keys", "footer"),
    [("\x1b[C\x1b[B\x1bOC", "4 of 6"), (" \x1b[Cb", "2 of 6"), ("\x1b[F\x1b[D", "5 of 6"), ("n\x1b[\x1bx ", "3 of 6")],
)
def test_keys_that_come_at_once_count_one_by_one(keys: str, footer: str) -> None:
    evaluation, out = evaluate(parse("y = a*b"), {"a": 2.0, "b": 3.0}), io.StringIO()
    names = short_names(evaluation)
    stepper = KeyStepper(Walkthrough(explain(evaluation, names), names), out)
    stepper.press(keys)
    stepper.show()
    assert stepper.is_running
    assert footer in out.getvalue()


def test_keys_go_back_to_the_ends_and_out() -> None:
    with terminal(*NEURON, "--step", "--node", "w1") as person:
        assert person.sees("1 of 9")
        for key, place in (("G", "9 of 9"), ("b", "8 of 9"), ("\x1b[D", "7 of 9"), ("g", "1 of 9"), ("b", "1 of 9")):
            person.press(key)
            assert person.sees(place)
        person.press("q")
        assert person.ends() == 0


def test_a_long_walk_shows_its_newest_lines() -> None:
    with terminal("-f", str(ROOT / "examples/network.expr"), "--step") as person:
        assert person.sees("1 of ")
        person.press("G")
        assert person.sees("the end")
        assert "The gradient of loss" in person.shown
        assert "Forward" not in person.shown


def test_the_formula_may_come_from_a_pipe_while_keys_come_from_the_terminal() -> None:
    with terminal("--set", "a=3", "--step", stdin=b"b = a + a\n") as person:
        assert person.sees("1 of ")
        person.press("G")
        assert person.sees("1 from b + 1 from b")
        person.press("q")
        assert person.ends() == 0


def test_an_interrupt_gives_the_screen_back() -> None:
    with terminal(*NEURON, "--step") as person:
        assert person.sees("1 of 14")
        person.press("\x03")
        assert person.sees("\x1b[?1049l")
        assert person.ends() == ended_by(signal.SIGINT)
        assert "Traceback" not in person.shown


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
@pytest.mark.parametrize("number", [15, 3])  # SIGTERM, SIGQUIT
def test_a_signal_that_ends_it_gives_the_screen_back(number: int) -> None:
    with terminal(*NEURON, "--step") as person:
        assert person.sees("1 of 14")
        person.process.send_signal(number)
        assert person.sees("\x1b[?1049l")
        assert person.ends() == ended_by(number)
