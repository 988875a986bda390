"""A report is data that every format can write, and a new format is one module and one entry."""

import io
import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from autodiff_cli import output
from autodiff_cli.output.report import Cell, Column, Content, Line, Records, Report, Row, Table
from autodiff_cli.output.table_layout import laid_out

ROWS = [("a\tb", 1.5, None), ("c", math.inf, 2)]


class Sample(Report):
    """A report made by hand."""

    def tables(self) -> Iterable[Table | Line]:
        columns = Column("name", "cyan"), Column("value", is_number=True), Column("count", is_number=True)
        yield Table(columns, [Row(row) for row in ROWS], 2, caption="two of them")
        yield ()
        yield Cell("sum: ", "bold"), Cell("unknown")

    def records(self) -> Records:
        return Records(("name", "value", "count"), ROWS)

    def document(self) -> dict[str, Any]:
        return {"total": math.nan, "rows": ({"name": name, "value": [value]} for name, value, _ in ROWS), "last": None}


def _written(report: Report, name: str) -> str:
    out = io.StringIO()
    output.write(report, name, out)
    return out.getvalue()


def test_a_report_made_by_hand_is_written_in_every_format() -> None:
    assert {name: _written(Sample(), name) for name in output.FORMATS} == {
        "table": "name   value   count\n────────────────────\na\\tb    1.50\nc        inf       2\n"
        "two of them\n\nsum: unknown\n",
        "json": '{"total": "nan", "rows": [{"name": "a\\tb", "value": [1.5]}, {"name": "c", "value": ["inf"]}], '
        '"last": null}\n',
        "csv": "name,value,count\na\\tb,1.5,\nc,inf,2\n",
        "tsv": "name\tvalue\tcount\na\\tb\t1.5\t\nc\tinf\t2\n",
        "plain": "a\\tb 1.5 \nc inf 2\n",
    }


def test_a_table_of_far_too_many_columns_is_records_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("autodiff_cli.output.table_layout._Grid")
    table = Table([Column(f"x{number}") for number in range(100)], [Row([0.5] * 100)], 2)
    assert list(laid_out(table, 80))[-1] == [("x99: ", "dim"), ("0.50", "")]


@pytest.mark.parametrize("name", output.FORMATS)
def test_of_a_form_that_a_report_does_not_have_nothing_is_written(name: str) -> None:
    assert _written(Report(), name) == ""


class Fields(Report):
    """A report with a document alone."""

    def __init__(self, document: Any) -> None:
        self._document = document

    def document(self) -> Any:
        return self._document


def test_a_field_that_is_written_item_by_item_is_a_list() -> None:
    for items in ([], [1.0], [{"a": -math.inf}, "b", [0.1, math.nan]]):
        whole, streamed = (_written(Fields({"n": 1, "items": form}), "json") for form in (items, iter(items)))
        assert whole == streamed
        assert len(json.loads(whole)["items"]) == len(items)


def test_a_document_that_is_a_list_is_indented() -> None:
    assert _written(Fields([{"a": math.inf}]), "json") == '[\n  {\n    "a": "inf"\n  }\n]\n'


class Columns(Report):
    """A report with one table."""

    def __init__(self, *columns: Column, row: Iterable[Content], goes_on: bool = False) -> None:
        self._table = Table(columns, [Row(tuple(row))], goes_on=goes_on)

    def tables(self) -> Iterable[Table]:
        return (self._table,)


def _on_terminal(report: Report, width: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    for name, value in {"FORCE_COLOR": "1", "TERM": "xterm", "COLUMNS": str(width)}.items():
        monkeypatch.setenv(name, value)
    return [line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", _written(report, "table")).splitlines()]


def test_a_name_loses_its_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    report = Columns(Column("name", most=20), Column("n", is_number=True), row=("abcdefghijklmnopqrstuvwxyz", 1.0))
    assert _on_terminal(report, 80, monkeypatch)[2] == "abcdefghij…rstuvwxyz   1.0000"
    assert _on_terminal(report, 22, monkeypatch)[2] == "abcdef…uvwxyz   1.0000"


def test_a_matrix_that_is_too_wide_goes_on_below(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = [Column(name, is_number=True) for name in "abc"]
    lines = _on_terminal(Columns(Column("m"), *numbers, row=("x", 1.0, 2.0, 3.0), goes_on=True), 20, monkeypatch)
    assert lines == [
        *("m        a        b", "───────────────────", "x   1.0000   2.0000", ""),
        *("m        c", "──────────", "x   3.0000"),
    ]


def test_a_narrow_table_does_without_what_can_be_spared_then_without_digits_then_without_columns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kind, numbers = Column("kind", is_spare=True), [Column(name, is_number=True) for name in "ab"]
    report = Columns(Column("name", most=20), kind, *numbers, row=("x", "input", 1.25, -1.5e-300))
    assert [_on_terminal(report, width, monkeypatch)[-1] for width in (41, 40, 30, 28, 25)] == [
        "x      input   1.2500   -1.5000e-300",
        "x      input   1.2500   -1.5000e-300",
        "x      1.2500   -1.5000e-300",
        "x      1.2500   -1.5000e-300",
        "x      1.25   -1.50e-300",
    ]
    assert _on_terminal(report, 20, monkeypatch) == ["name: x", "kind: input", "a: 1.2500", "b: -1.5000e-300"]
    assert _on_terminal(report, 14, monkeypatch)[-1] == "b: -1.500e-300"


def test_a_number_among_names_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    report = Columns(Column("name", most=10), Column("n"), row=("1234567890.123456", "n"))
    assert _on_terminal(report, 80, monkeypatch)[-1] == "1234567890.123456   n"


def test_a_line_is_broken_between_words(monkeypatch: pytest.MonkeyPatch) -> None:
    class Prose(Report):
        def tables(self) -> Iterable[Line]:
            yield Cell("  one two three", "bold"), Cell(" four")

    assert _on_terminal(Prose(), 15, monkeypatch) == ["  one two three", "    four"]


def test_a_line_with_a_label_goes_on_below_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    class Labelled(Report):
        def tables(self) -> Iterable[Line]:
            yield Cell("note: ", "bold"), Cell("one two three")

    assert _on_terminal(Labelled(), 14, monkeypatch) == ["note: one two", "      three"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["eval", "x*y", "--set", "x=3", "y=4"], "12.0!\nX 4.0!\nY 3.0!\n"),
        (["eval", "--each", "-f", "lines.txt", "--set", "x=3"], "6.0 X 2.0!\n9.0 X 6.0!\n"),
        (["check", "x*y", "--set", "x=3", "y=4"], "X OK!\nY OK!\n"),
        (["check", "x^2", "--over", "x=0:1", "--points", "3"], "3 OK!\n"),
        (["taylor", "exp(x)", "--at", "0", "--order", "1"], "1 + X!\n"),
    ],
)
def test_a_new_format_is_one_module_and_one_entry(tmp_path: Path, arguments: list[str], expected: str) -> None:
    (tmp_path / "lines.txt").write_text("2*x\nx^2\n")
    (tmp_path / "shouted.py").write_text(
        "def write(report, out):\n"
        "    for line in report.lines():\n"
        "        out.write(' '.join(map(str, line)).upper() + '!\\n')\n"
    )
    script = (
        "from autodiff_cli.output import FORMATS, Format\n"
        "FORMATS['shouted'] = Format('shouted')\n"
        "from autodiff_cli.cli import main\n"
        "main()\n"
    )
    paths = [str(tmp_path), str(Path(output.__file__).parents[2])]
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments, "--format", "shouted"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
    )
    assert (done.stdout, done.stderr, done.returncode) == (expected, "", 0)


class Wide(Report):
    """A matrix that takes many blocks."""

    def tables(self) -> Iterable[Table]:
        numbers = [Column(f"é{place}", is_number=True, most=24) for place in range(2000)]
        yield Table([Column("output"), *numbers], [Row(("a表", *map(float, range(2000))))] * 3, 2, goes_on=True)


def test_a_matrix_of_many_columns_is_written_block_by_block() -> None:
    lines = _written(Wide(), "table").splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[-5].split() == ["output", *(f"é{place}" for place in range(1997, 2000))]
