"""Some rows of a table: they are written as they stand, in every format, however the table is cut into parts."""

import pytest

pytest.importorskip("pyarrow", reason="data files need PyArrow")

import io

import numpy

from autodiff_cli.data import formats
from autodiff_cli.data.formats import text_files
from autodiff_cli.data.selection import Condition, FirstRows, RowsWhere
from autodiff_cli.parser import parse

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
