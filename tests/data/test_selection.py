"""Some rows of a table: they are written as they stand, in every format, however the table is cut into parts."""

import pytest

pytest.importorskip("pyarrow", reason="data files need PyArrow")

import io
from collections import Counter
from pathlib import Path
from typing import Any

import numpy
import pyarrow
from pyarrow import orc, parquet

from autodiff_cli.data import formats
from autodiff_cli.data.formats import text_files
from autodiff_cli.data.selection import Condition, FirstRows, RowsWhere, SampledRows
from autodiff_cli.data.several_files import SeveralFiles
from autodiff_cli.language import parse

CSV = b'x,y\r\n# one\r\n1,a\r\n\r\n2,"b\r\nc"\r\n3,d\r\n# two\r\n4,e\r\n'
LINES = b'{"x": 1}\n{"x": 2, "y": [1]}\n\n{"x": 3}\n[4]\n{"x": 5}\n'


def written(data: bytes, format_: str, condition: str, limit: int = 99, na: str = "") -> bytes:
    """The rows that are chosen, with their first column as result."""
    reader = formats.reader(format_, io.BytesIO(data), formats.ReadOptions(comment="#"[: format_ == "csv"], na=na))
    chosen = FirstRows(RowsWhere(reader, Condition(parse(condition), reader.names, {})), limit)
    out = io.BytesIO()
    writer = formats.writer(format_, out, formats.Destination(chosen, chosen.names, ["x"], ["value"]))
    for part in chosen.parts(["x"]):
        block = chosen.block(part, ["x"])
        assert [block.place(row) for row in range(block.rows)] == sorted(
            {block.place(row) for row in range(block.rows)}
        )
        writer.append(writer.encode(block, {"value": numpy.array(block.columns["x"])}))
    writer.close()
    lines = out.getvalue().splitlines(keepends=True)  # those between the rows stay or not, depending on the parts
    return b"".join(line for line in lines if line.strip() and not line.startswith(b"#"))


@pytest.mark.parametrize("part", [1, 9, 1000])
def test_the_rows_stand_as_they_stood(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_files, "PART_BYTES", part)
    header = b"x,y,value\r\n"
    assert written(CSV, "csv", "x != 1") == header + b'2,"b\r\nc",2\r\n3,d,3\r\n4,e,4\r\n'
    assert written(CSV, "csv", "x == 3") == header + b"3,d,3\r\n"
    assert written(CSV, "csv", "x > 9") == header
    assert written(CSV, "csv", "x > 1", 1) == header + b'2,"b\r\nc",2\r\n'
    assert written(CSV, "csv", "x > 1", 0) == header
    assert written(LINES, "jsonl", "x > 1 and x < 3").startswith(b'{"x": 2, "y": [1], "value": 2.0}\n')
    assert b'"text": "[4]"' in written(LINES, "jsonl", "x > 3")
    assert written(LINES, "jsonl", "x > 4", 1).startswith(b'{"error"')


def test_rows_that_cannot_be_decided_are_failures_unless_a_number_is_missing() -> None:
    data = b"x\n1\nfour\n\nNA\n5\n"
    assert written(data, "csv", "x > 1") == b"x,value\nfour,\nNA,\n5,5\n"
    assert written(data, "csv", "x > 1", na="skip") == b"x,value\nfour,\n5,5\n"


@pytest.mark.parametrize("na", ["", "skip", "keep"])
def test_a_row_that_fails_for_another_column_is_decided_by_its_own(na: str) -> None:
    data = b"x,y\nfour,nan\n1,1\n2,2\n3,3\n"
    for limit, expected in ((2, b"1,1,1\n2,2,2\n"), (9, b"1,1,1\n2,2,2\n3,3,3\n")):
        assert written(data, "csv", "y > 0", limit, na) == b"x,y,value\n" + expected


def _sample(reader: formats.TableReader, count: int, seed: int = 0) -> list[tuple[int, float]]:
    """The place and the number in `x` of each row that is drawn."""
    sample = SampledRows(reader, count, seed)
    blocks = [sample.block(part, ["x"]) for part in sample.parts(["x"])]
    return [(block.place(row), block.columns["x"][row]) for block in blocks for row in range(block.rows)]


@pytest.mark.parametrize("format_", ["csv", "jsonl", "parquet"])
def test_a_sample_keeps_the_order_and_the_places_of_its_rows_and_depends_on_the_seed_only(
    format_: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = b"x\n" + b"".join(b"%d\n" % row for row in range(2, 1002))
    if format_ == "jsonl":
        data = b"".join(b'{"x": %d}\r\n' % row for row in range(1, 1001))
    elif format_ == "parquet":
        parquet.write_table(pyarrow.table({"x": range(1, 1001)}), stream := io.BytesIO())
        data = stream.getvalue()
    samples = []
    for size in (64, 2**20):
        monkeypatch.setattr(text_files, "PART_BYTES", size)
        samples += [_sample(formats.reader(format_, io.BytesIO(data)), 20, seed) for seed in (0, -1)]
    assert samples[:2] == samples[2:]
    assert samples[0] != samples[1]
    for sample in samples:
        assert len(sample) == 20
        assert sample == sorted(sample)
        assert all(place == number for place, number in sample)


@pytest.mark.slow
def test_every_row_is_as_likely_as_any_other_to_be_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_files, "PART_BYTES", 3)
    draws = Counter[tuple[int, ...]]()
    for seed in range(600):
        rows = _sample(formats.reader("csv", io.BytesIO(b"x\n1\n2\n3\n4\n5\n")), 1, seed)
        draws[tuple(int(number) for _, number in rows)] += 1
    assert len(draws) == 5
    assert all(90 < count < 150 for count in draws.values()), draws


@pytest.mark.slow
def test_a_sample_of_few_rows_keeps_few_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    lengths = list[int]()
    smallest = SampledRows._smallest
    monkeypatch.setattr(
        SampledRows, "_smallest", lambda self, drawn: lengths.append(len(drawn)) or smallest(self, drawn)
    )
    monkeypatch.setattr(text_files, "PART_BYTES", 2)
    assert len(_sample(formats.reader("csv", io.BytesIO(b"x\n" + b"1\n" * 3000)), 10)) == 10
    assert max(lengths) <= 21, "as many as twice the sample, and a part"


def test_a_sample_is_drawn_of_the_rows_that_satisfy_a_condition_in_all_files(tmp_path: Path) -> None:
    data = b'x,y\n# one\n0,a\n1,a\n\n2,"b\nc"\nfour,d\n'
    paths = [str(tmp_path / name) for name in ("a.csv", "b.csv")]
    for path in paths:
        Path(path).write_bytes(data)
    streams = {path: open(path, "rb") for path in paths}  # noqa: SIM115  # closed below
    options = formats.ReadOptions(comment="#")
    table = SeveralFiles(paths, lambda path: (formats.reader("csv", streams[path], options), streams[path]))
    sample = SampledRows(RowsWhere(table, Condition(parse("x > 0"), table.names, {})), 6, 0)
    blocks = [sample.block(part, ["x"]) for part in sample.parts(["x"])]
    for stream in streams.values():
        stream.close()
    assert [block.file for block in blocks] == paths
    for block in blocks:
        assert [block.place(row) for row in range(block.rows)] == [4, 6, 8]
        assert block.failures.keys() == {2}


@pytest.mark.parametrize("data", [b"x,y\n1,2\r#c\n3,4\n#d\n5,6\n", b"x,y\r1,2\r#c\r3,4\r#d\r5,6\r"])
def test_a_comment_behind_a_lone_return_is_no_part_of_a_sample(data: bytes) -> None:
    sample = SampledRows(formats.reader("csv", io.BytesIO(data), formats.ReadOptions(comment="#")), 3, 0)
    assert [x for part in sample.parts(["x"]) for x in sample.block(part, ["x"]).columns["x"]] == [1, 3, 5]


@pytest.mark.parametrize("format_", ["parquet", "orc", "arrow"])
def test_there_are_rows_where_no_column_is_needed(format_: str) -> None:
    table, stream = pyarrow.table({"x": [1.0, 2.0, 3.0]}), io.BytesIO()
    if format_ == "arrow":
        with pyarrow.ipc.new_file(stream, table.schema) as file:
            file.write_table(table)
    else:
        {"parquet": parquet, "orc": orc}[format_].write_table(table, stream)
    for count, rows in ((2, 2), (9, 3)):
        sample = SampledRows(formats.reader(format_, io.BytesIO(stream.getvalue())), count, 0)
        assert sum(sample.block(part, ()).rows for part in sample.parts(())) == rows


def test_rows_of_every_type_are_chosen() -> None:
    runs = pyarrow.RunEndEncodedArray.from_arrays(pyarrow.array([2, 3], pyarrow.int32()), pyarrow.array([1, 2]))
    for column in (runs, pyarrow.array(["a", "b", "c"]).cast(pyarrow.string_view())):
        expected = column.to_pylist()[1:]
        table = pyarrow.table({"x": [1.0, 2.0, 3.0], "other": column})
        with pyarrow.ipc.new_stream(stream := io.BytesIO(), table.schema) as file:
            file.write_table(table)
        for count in (None, 9):
            reader = formats.reader("arrows", io.BytesIO(stream.getvalue()))
            chosen: Any = RowsWhere(reader, Condition(parse("x > 1"), reader.names, {}))
            chosen = chosen if count is None else SampledRows(chosen, count, 0)
            cells = [chosen.block(part, ["x"]).read_columns(["other"])["other"].to_pylist() for part in chosen.parts()]
            assert cells == [expected]


def test_nothing_is_drawn_of_nothing() -> None:
    assert _sample(formats.reader("csv", io.BytesIO(b"x\n1\n")), 0) == []
    assert _sample(formats.reader("csv", io.BytesIO(b"x\n")), 3) == []
    assert _sample(formats.reader("csv", io.BytesIO(b"x\n1\n")), 3) == [(2, 1.0)]


def test_lines_of_blanks_are_no_rows_to_draw_from() -> None:
    data = b'{"x": 1}\n \n{"x": 2}\n\t \r\n{"x": 3}\n'
    reader = formats.reader("jsonl", io.BytesIO(data))
    assert _sample(RowsWhere(reader, Condition(parse("x > 1"), reader.names, {})), 5) == [(3, 2.0), (5, 3.0)]


def test_a_row_that_is_drawn_undecided_is_a_failure_as_without_a_sample() -> None:
    failures = []
    for count in (None, 9):
        reader = formats.reader("csv", io.BytesIO(b"x,y\n1,1\n2,four\n3,0\n"))
        chosen: Any = RowsWhere(reader, Condition(parse("y > 0"), reader.names, {}))
        chosen = chosen if count is None else SampledRows(chosen, count, 0)
        failures += [chosen.block(part, ["x"]).failures for part in chosen.parts(["x"])]
    assert failures == [{1: "column `y` holds 'four', which is not a number"}] * 2
