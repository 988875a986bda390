"""Many formulas, a line for each: every line gives a result or an error, in order, at once, in bounded memory."""

import contextlib
import gc
import io
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import IO, Any

import console
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from places import ROOT, records
from processes import ended_by

from autodiff_cli import AutodiffError, parse
from autodiff_cli.evaluation import evaluate
from autodiff_cli.evaluation.report import Nodes
from autodiff_cli.many_formulas import formulas
from autodiff_cli.many_formulas.formulas import Answer, FormulaLine, LineEvaluator, read_lines
from autodiff_cli.many_formulas.processes import in_processes
from autodiff_cli.many_formulas.report import Encoder, answer_stream
from autodiff_cli.operations import OPERATIONS
from autodiff_cli.output import FORMATS

COMMAND = [sys.executable, "-m", "autodiff_cli", "eval", "--each", "--format"]


def _answers(text: bytes, point: dict[str, float], **words: Any) -> list[Answer]:
    evaluator = LineEvaluator(point, **words)
    return [answer for lines in read_lines(io.BytesIO(text)) for group in evaluator.answers(lines) for answer in group]


# ---- Lines -----------------------------------------------------------------------------------------------------------


class Pieces:
    """A stream that comes in pieces."""

    def __init__(self, pieces: list[bytes]) -> None:
        self._pieces = iter(pieces)

    def read1(self, size: int, /) -> bytes:
        return next(self._pieces, b"")


@given(st.lists(st.text("a\n\r").map(str.encode).filter(bool)))
@example([b"a\r", b"\nb"])
@example([b"a\r", b"b\n"])
@example([b"a", b"b", b"c"])
def test_lines_are_the_same_however_the_stream_is_cut(pieces: list[bytes]) -> None:
    lines = [line for block in read_lines(Pieces(pieces)) for line in block]
    assert [line.data for line in lines] == b"".join(pieces).splitlines()
    assert [line.number for line in lines] == list(range(1, len(lines) + 1))


def test_a_line_is_handed_on_before_the_next_is_waited_for() -> None:
    blocks = read_lines(Pieces([b"a\nb\nc", b"d\n"]))
    assert [line.data for line in next(blocks)] == [b"a", b"b"]
    assert [line.data for line in next(blocks)] == [b"cd"]


def test_a_byte_order_mark_is_no_part_of_the_first_line() -> None:
    (answer,) = _answers(b"\xef\xbb\xbf2x", {})
    assert answer.error is not None
    assert answer.error.column == 2


# ---- Answers ---------------------------------------------------------------------------------------------------------


def test_a_line_gives_what_its_formula_gives_alone() -> None:
    for record in records("feynman.jsonl")[:300]:
        (answer,) = _answers(record["text"].replace("\n", ";").encode(), record["at"])
        alone = evaluate(parse(record["text"]), record["at"])
        assert answer.evaluation is not None
        assert (answer.evaluation.value, answer.evaluation.gradient) == (alone.value, alone.gradient)


def test_every_operation_of_the_table_can_stand_on_a_line() -> None:
    examples = [row.example for row in OPERATIONS.values() if row.example]
    programs = [parse(text) for text in examples]
    point = dict.fromkeys({name for program in programs for name in program.inputs}, 0.5)
    answers = _answers("\n".join(examples).encode(), point, allow_nonfinite=True)
    assert [answer.source.line for answer in answers] == list(range(1, len(examples) + 1))
    for program, answer in zip(programs, answers, strict=True):
        assert answer.evaluation is not None
        assert repr(answer.evaluation.gradient) == repr(evaluate(program, point).gradient)


def test_gradients_are_named_by_lists_of_which_a_line_uses_all_or_only_some_entries() -> None:
    point = {"x[1]": 3.0, "x[2]": 4.0}
    evaluator = LineEvaluator(point, wrt=["x"], entries=list(point))
    (answers,) = evaluator.answers([FormulaLine(1, b"x[1]^2"), FormulaLine(2, b"sum(x)"), FormulaLine(3, b"2")])
    gradients = [answer.evaluation.gradient for answer in answers if answer.evaluation is not None]
    assert gradients == [{"x[1]": 6.0}, {"x[1]": 1.0, "x[2]": 1.0}, {}]
    assert not evaluator.unused


@pytest.mark.parametrize(("notation", "comment"), [("c", "// a"), ("c", "/* a */"), ("latex", "% a"), ("excel", "# a")])
def test_a_comment_of_any_notation_has_no_answer(notation: str, comment: str) -> None:
    (answer,) = _answers(f"{comment}\na\n".encode(), {"a": 2.0}, notation=notation)
    assert answer.source.line == 2


NAMES = ["a", "b", "x", "f", "sin", "max", "where", "nan", "log"]
WORDS = st.sampled_from([*NAMES, "1", "2.5", "0", *"+-*/%^()=,;# ", "==", "\t", "\ufeff", "\0", "\x1b[31m", "é", "²"])
TEXTS = st.lists(WORDS).map("".join) | st.text().filter(lambda text: "\n" not in text and "\r" not in text)


@given(
    TEXTS.map(lambda text: text.encode(errors="replace")) | st.binary().filter(lambda data: len(data.splitlines()) < 2)
)
def test_any_line_gives_one_result_or_one_error_or_holds_nothing(data: bytes) -> None:
    answers = list(chain.from_iterable(LineEvaluator({"a": 2.0, "b": 0.0}).answers([FormulaLine(7, data)])))
    if not answers:
        assert not data.decode("utf-8-sig").partition("#")[0].strip()
        return
    (answer,) = answers
    assert (answer.evaluation is None) != (answer.error is None)
    assert answer.source.line == 7
    for name in FORMATS:
        out = io.StringIO()
        answer_stream(name, out)(Encoder(name)([answer]))
        assert "\x1b" not in out.getvalue()
    if answer.error is not None:
        assert answer.error.column is not None
        assert "<stdin>:7:" in answer.error.render()


def _json(text: bytes, point: dict[str, float], nodes: Nodes | None = None, **words: Any) -> list[dict[str, Any]]:
    (lines,) = Encoder("json", nodes)(_answers(text, point, **words))
    return list(map(json.loads, lines.splitlines()))


def test_json_has_an_object_for_each_line_and_an_error_in_place_of_a_result() -> None:
    assert _json(b"y = a^2\n\n2a\n1/b", {"a": 3.0, "b": 0.0}) == [
        {"line": 1, "output": "y", "value": 9.0, "gradient": {"a": 6.0}},
        {
            "line": 3,
            "error": {"message": "expected an operator before `a`", "column": 2, "hint": "write 2*a"},
        },
        {
            "line": 4,
            "error": {
                "message": "the result is not finite: `1/b` is inf with b = 0, as nothing can be divided by 0",
                "column": 1,
                "hint": None,
            },
        },
    ]


def test_numbers_that_are_not_finite_are_texts_in_json_where_they_are_allowed() -> None:
    (found,) = _json(b"1/b", {"b": 0.0}, allow_nonfinite=True)
    assert (found["value"], found["gradient"]) == ("inf", {"b": "-inf"})


def test_json_has_the_nodes_where_all_are_asked_for() -> None:
    (found,) = _json(b"a^2", {"a": 3.0}, "all")
    assert [node["operation"] for node in found["nodes"]] == ["input", "constant", "pow"]
    assert list(found) == ["line", "output", "value", "gradient", "nodes"]


def test_json_has_the_same_fields_with_the_nodes_and_without() -> None:
    text = 'θ = a^2\nθ = a; "\n1/b\nx1 = 1e-320; -x1*a\n7'.encode()
    point = {"a": 1e300, "b": 0.0}
    without = _json(text, point, allow_nonfinite=True)
    for line, found in zip(_json(text, point, "all", allow_nonfinite=True), without, strict=True):
        line.pop("nodes", None)
        assert (list(line), repr(line)) == (list(found), repr(found))
    assert [found["line"] for found in without] == [1, 2, 3, 4, 5]


def test_a_line_has_the_gradients_of_those_names_that_it_has() -> None:
    first, second = _json(b"a*b\nn = a^2; n + b", {"a": 2.0, "b": 3.0}, wrt=["n", "b", "a"])
    assert list(first["gradient"]) == ["b", "a"]
    assert list(second["gradient"]) == ["n", "b", "a"]


def test_the_names_that_no_line_uses_are_known_at_the_end() -> None:
    evaluator = LineEvaluator({"a": 1.0, "q": 2.0}, wrt=["a", "k"])
    list(evaluator.answers([FormulaLine(1, b"a + 1")]))
    assert evaluator.unused == {"q", "k"}


# ---- Streams ---------------------------------------------------------------------------------------------------------


def _line(stream: IO[bytes] | None) -> bytes:
    """The next line of a process, or b"" if there is none within a while."""
    assert stream is not None
    ready, _, _ = select.select([stream], [], [], 60)
    return stream.readline() if ready else b""


@contextlib.contextmanager
def _process(format_: str, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [*COMMAND, format_, *words]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, bufsize=0, **pipes) as process:  # type: ignore[call-overload]  # of words
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("format_", FORMATS)
def test_an_answer_comes_while_the_pipe_stays_open(format_: str) -> None:
    with _process(format_, "--set", "a=3") as process:
        assert process.stdin is not None
        for number in (12, 45):
            process.stdin.write(f"a*{number}\n".encode())
            seen = b""
            while str(3 * number).encode() not in seen:
                seen = _line(process.stdout)
                assert seen, "no answer although the line was complete"
        process.stdin.write(b"2a\n")
        assert b"expected an operator" in _line(process.stderr)
        process.stdin.write(b"a + 4")
        process.stdin.close()
        assert process.stdout is not None
        assert b"7.0" in process.stdout.read()
        assert process.wait(60) == 1


def test_nobody_reads_any_more(tmp_path: Path) -> None:
    path = tmp_path / "many.txt"
    path.write_text("1 + 1\n" * 20_000)
    with _process("json", "-f", str(path)) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(60) == 141
        assert process.stderr is not None
        assert process.stderr.read() == b""


@pytest.mark.slow
def test_several_processes_write_the_same_as_one(tmp_path: Path) -> None:
    path = tmp_path / "many.txt"
    path.write_text("".join(f"a*{number} + b\n2a\n" for number in range(2000)))
    words = [*COMMAND, "csv", "-f", str(path), "--set", "a=2", "b=3", "k=1", "--wrt", "a,z", "--jobs"]
    one, two = (subprocess.run([*words, jobs], capture_output=True) for jobs in "12")
    assert one.stdout.count(b"\n") == 1 + 2000 * (3 + 1)
    assert (one.stdout, one.stderr, one.returncode) == (two.stdout, two.stderr, 1)
    assert b"`k` is set" in one.stderr
    assert b"no line has `z`" in one.stderr


@pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed")
def test_the_script_of_the_documentation(tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    page = (ROOT / "docs/each.md").read_text(encoding="utf-8")
    (session,) = re.findall(r"^```sh\n(\$ .*?)^```", page, re.MULTILINE | re.DOTALL)
    assert console.check(session, tmp_path) == 4


@pytest.mark.parametrize("format_", ["json", "csv", "tsv", "plain"])
def test_what_programs_read_needs_no_library(format_: str) -> None:
    script = (
        "import sys; from autodiff_cli.cli import group; sys.stdin = open(0)\n"
        "try: group.main(['eval', '--each', '--set', 'a=1', '--format', sys.argv[1]], standalone_mode=False)\n"
        "finally: print(*sorted({name.split('.')[0] for name in sys.modules}))"
    )
    run = [sys.executable, "-c", script, format_]
    for _ in range(2):  # the first start makes the parser's tables
        done = subprocess.run(run, check=True, capture_output=True, text=True, input="a + 1\n")
    loaded = done.stdout.splitlines()[-1].split()
    assert "click" in loaded
    assert not {"lark", "rich", "mpmath", "numpy", "scipy", "pyarrow"} & set(loaded)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
@pytest.mark.parametrize("jobs", "12")
def test_an_interrupt_ends_it_with_what_was_answered(jobs: str) -> None:
    with _process("json", "--jobs", jobs) as process:
        assert process.stdin is not None
        process.stdin.write(b"1 + 2\n3 +")
        assert b"3.0" in _line(process.stdout)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == ended_by(signal.SIGINT)
        assert process.stderr is not None
        assert process.stderr.read().strip() == b""


@pytest.mark.slow
@pytest.mark.parametrize("left", ["(", "-", "sin(", "a*"])
def test_a_line_may_be_long_and_deep(left: str) -> None:
    text = left * 50_000 + "a" + ")" * (50_000 if "(" in left else 0)
    alone = evaluate(parse(text), {"a": 1.0})
    assert _json(b"a\n" + text.encode(), {"a": 1.0})[1]["gradient"] == alone.gradient
    (first, wrong) = _json(b"a\n" + text.encode() + b")", {"a": 1.0})
    assert first["value"] == 1.0
    assert wrong["error"]["column"] == len(text) + 1


def _growth(before: list[bytes], after: list[bytes]) -> int:
    """The bytes that stay in use because of the later lines."""
    evaluator = LineEvaluator({"a": 2.0, "b": 3.0})

    def in_use(lines: list[bytes]) -> int:
        for line in lines:
            ((answer,),) = evaluator.answers([FormulaLine(1, line)])
            if answer.error is not None:
                answer.error.render()
        return tracemalloc.get_traced_memory()[0]

    gc.disable()  # as in the program itself
    tracemalloc.start()
    try:
        return -in_use(before) + in_use(after)
    finally:
        tracemalloc.stop()
        gc.enable()


@pytest.mark.slow
def test_lines_leave_nothing_behind() -> None:
    good = [b"sin(a*b)^2 + log(b)", b"f(x) = x^2; f(a)"]
    bad = [b"2a", b"a*(b", b"tahn(a)", b"x*y", b"1/(a - 2)", b"\xff", b";", b"sqrt(a - 2)", b"k = a*b; a = 1"]
    assert _growth([*good, *bad] * 20, [*good, *bad] * 400) < 300_000


@pytest.mark.slow
def test_operations_on_ever_more_arguments_leave_nothing_behind() -> None:
    lines = [f"max({', '.join(['a'] * count)}, b)".encode() for count in range(100, 300)]
    assert _growth(lines[:20], lines[20:]) < 300_000


def test_lines_share_the_work_of_their_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(f"cbrt(digamma(x + {k}) - digamma(y + {k}))^3\n" for k in range(5)).encode()
    assert not any(answer.error for answer in _answers(text, {"x": 0.5, "y": 0.5}))
    monkeypatch.setattr(formulas, "_BYTE_SECONDS", 0.0)
    monkeypatch.setattr(formulas, "LIMIT_SECONDS", 0.004)  # about what two of them take
    assert [answer.error is None for answer in _answers(text, {"x": 1.5, "y": 1.5})] in (
        [True] * count + [False] * (5 - count) for count in range(1, 5)
    )


def _ends_at_three(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_a_process_that_is_ended_from_outside_is_an_error_that_says_so() -> None:
    with pytest.raises(AutodiffError, match="ended from outside"):
        list(in_processes(range(6), _ends_at_three, 2))
