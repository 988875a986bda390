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

    def __init__(self, *columns: Column, row: Iterable[Content], too_wide: Any = "cut") -> None:
        self._table = Table(columns, [Row(tuple(row))], too_wide=too_wide)

    def tables(self) -> Iterable[Table]:
        return (self._table,)


def _on_terminal(report: Report, width: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    for name, value in {"FORCE_COLOR": "1", "TERM": "xterm", "COLUMNS": str(width)}.items():
        monkeypatch.setenv(name, value)
    return [line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", _written(report, "table")).splitlines()]


def test_a_column_that_shrinks_loses_the_middle_of_its_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    report = Columns(
        Column("name", most=20, least=5), Column("n", is_number=True), row=("abcdefghijklmnopqrstuvwxyz", 1.0)
    )
    assert _on_terminal(report, 80, monkeypatch)[2] == "abcdefghij…rstuvwxyz   1.0000"
    assert _on_terminal(report, 20, monkeypatch)[2] == "abcde…vwxyz   1.0000"


def test_a_matrix_that_is_too_wide_goes_on_below(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = [Column(name, is_number=True) for name in "abc"]
    lines = _on_terminal(Columns(Column("m"), *numbers, row=("x", 1.0, 2.0, 3.0), too_wide="blocks"), 20, monkeypatch)
    assert lines == [
        *("m        a        b", "───────────────────", "x   1.0000   2.0000", ""),
        *("m        c", "──────────", "x   3.0000"),
    ]


def test_a_table_that_overflows_keeps_its_numbers_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = [Column(name, is_number=True) for name in "abc"]
    lines = _on_terminal(Columns(*numbers, row=(1.0, 2.0, 3.0), too_wide="overflow"), 10, monkeypatch)
    assert lines[2] == "1.0000   2.0000   3.0000"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["eval", "x*y", "--set", "x=3", "y=4"], "12.0!\nX 4.0!\nY 3.0!\n"),
        (["eval", "--each", "-f", "lines.txt", "--set", "x=3"], "6.0 X 2.0!\n9.0 X 6.0!\n"),
        (["check", "x*y", "--set", "x=3", "y=4"], "X OK!\nY OK!\n"),
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
    """A table that goes on in further blocks."""

    def tables(self) -> Iterable[Table]:
        numbers = [Column(f"é{place}", is_number=True, most=24) for place in range(2000)]
        yield Table([Column("output"), *numbers], [Row(("a表", *map(float, range(2000))))] * 3, 2, too_wide="blocks")


def test_a_large_table_is_written_as_a_small_one_without_styles(monkeypatch: pytest.MonkeyPatch) -> None:
    written = _written(Wide(), "table")
    monkeypatch.setattr("autodiff_cli.output.table._MOST_STYLED", 10)
    assert _written(Wide(), "table") == written
    assert "é1999" in written
