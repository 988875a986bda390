"""CSV and TSV: every byte of a row passes through, every number is read right, every row keeps its place."""

import csv
import io
import json
import struct
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("pyarrow", reason="data files need PyArrow")

import pyarrow.csv
from tabled import CountingName, convert

from autodiff_cli.data import formats
from autodiff_cli.data.formats import csv_records
from autodiff_cli.errors import AutodiffError

PASSED = {
    "plain": (b"x,y\n1,a\n", b"x,y,value,grad_x\n1,a,2,0.5\n"),
    "no break at the end": (b"x,y\n1,a", b"x,y,value,grad_x\n1,a,2,0.5\n"),
    "windows": (b"x,y\r\n1,a\r\n2,b", b"x,y,value,grad_x\r\n1,a,2,0.5\r\n2,b,4,0.5\r\n"),
    "old mac": (b"x,y\r1,a\r2,b\r", b"x,y,value,grad_x\r1,a,2,0.5\r2,b,4,0.5\r"),
    "byte-order mark": (b"\xef\xbb\xbfx\n1\n", b"\xef\xbb\xbfx,value,grad_x\n1,2,0.5\n"),
    "a mark before quotes": (b'\xef\xbb\xbf"a\nb",x\n1,1\n', b'\xef\xbb\xbf"a\nb",x,value,grad_x\n1,1,2,0.5\n'),
    "header only": (b"x,y", b"x,y,value,grad_x\n"),
    "empty lines": (b"\n\nx\n\n1\n\n\n2\n\n", b"\n\nx,value,grad_x\n\n1,2,0.5\n\n\n2,4,0.5\n\n"),
    "empty lines of windows": (b"x\r\n\r\n1\r\n\r\n", b"x,value,grad_x\r\n\r\n1,2,0.5\r\n\r\n"),
    "leading zeros": (b"id,x\n007,01.50\n", b"id,x,value,grad_x\n007,01.50,3,0.5\n"),
    "spaces": (b" x , y\n 1\t,\ta \n", b" x , y,value,grad_x\n 1\t,\ta ,2,0.5\n"),
    "quotes": (b'"x","y"\n"1","a,""b""\nc"\n', b'"x","y",value,grad_x\n"1","a,""b""\nc",2,0.5\n'),
    "a quote in a cell": (b'x,y\n1,5" pipe\n2,6" pipe\n', b'x,y,value,grad_x\n1,5" pipe,2,0.5\n2,6" pipe,4,0.5\n'),
    "latin-1 in another column": (b"x,y\n1,caf\xe9\n", b"x,y,value,grad_x\n1,caf\xe9,2,0.5\n"),
    "a zero byte": (b"x,y\n1,a\x00b\n", b"x,y,value,grad_x\n1,a\x00b,2,0.5\n"),
    "unicode": ("θ,x\n1,2\n".encode(), "θ,x,value,grad_x\n1,2,4,0.5\n".encode()),
    "columns of one name": (b"y,x,y\n1,2,3\n", b"y,x,y,value,grad_x\n1,2,3,4,0.5\n"),
    "columns without a name": (b",x\n1,2\n", b",x,value,grad_x\n1,2,4,0.5\n"),
    "blanks behind quotes": (b'x,y\n" 1" ,"a"b\n2,"a" \n', b'x,y,value,grad_x\n" 1" ,"a"b,2,0.5\n2,"a" ,4,0.5\n'),
    "not finite": (b"x\nnan\n-inf\nInfinity\n", b"x,value,grad_x\nnan,nan,0.5\n-inf,-inf,0.5\nInfinity,inf,0.5\n"),
}


@pytest.mark.parametrize(("data", "expected"), PASSED.values(), ids=PASSED)
def test_rows_pass_through_byte_for_byte(data: bytes, expected: bytes) -> None:
    for part in range(1, len(data) + 2):
        converted = convert(data, part=part)
        assert converted.data == expected
        assert not converted.unreadable


UNREADABLE = {
    "1,2,a\n,3,b\n": (3, "column `x` is empty"),
    "  ,3,b\n": (2, "column `x` is empty"),
    '"",3,b\n': (2, "column `x` is empty"),
    "NA,3,b\n": (2, "column `x` holds 'NA', which is not a number"),
    "1_000,3,b\n": (2, "column `x` holds '1_000', which is not a number"),
    '"1,5",3,b\n': (2, "column `x` holds '1,5', which is not a number"),
    '"1"5,3,b\n': (2, "column `x` holds '\"1\"5', which is not a number"),
    '"1"" "5,3,b\n': (2, 'column `x` holds \'"1"" "5\', which is not a number'),
    '1,"3"\t4,b"c"\n': (2, "column `y` holds '\"3\"\\t4', which is not a number"),
    "nan(1),3,b\n": (2, "column `x` holds 'nan(1)', which is not a number"),
    "0x10,3,b\n": (2, "column `x` holds '0x10', which is not a number"),
    "١,3,b\n": (2, "column `x` holds '١', which is not a number"),
    "1e400,3,b\n": (2, "column `x` holds '1e400', which is beyond the doubles"),
    "-1e400,3,b\n": (2, "column `x` holds '-1e400', which is beyond the doubles"),
    "1e-400,3,b\n": (2, "column `x` holds '1e-400', which is too small for a double"),
    f"0.{'0' * 400}1,3,b\n": (2, f"column `x` holds '0.{'0' * 36}…, which is too small for a double"),
    f"{'9' * 60}x,3,b\n": (2, f"column `x` holds '{'9' * 38}…, which is not a number"),
    '1,2,"a\nb\n\nc"\n\n\nx,2,c\n': (8, "column `x` holds 'x', which is not a number"),
    "\ufeff1,3,b\n": (2, "column `x` holds '\\ufeff1', which is not a number"),
    "1,2\n": (2, "it has 2 cells, the header 3"),
    "1\n": (2, "it has 1 cell, the header 3"),
    "1,2,3,4\n": (2, "it has 4 cells, the header 3"),
}


@pytest.mark.parametrize(("rows", "failure"), UNREADABLE.items(), ids=map(str.strip, UNREADABLE))
def test_a_row_that_cannot_be_read_is_named_by_its_line_and_keeps_its_place(
    rows: str, failure: tuple[int, str]
) -> None:
    data = f"x,y,z\n{rows}5,6,7\n".encode()
    for part in (1, 5, None):
        converted = convert(data, ("x", "y"), part=part)
        assert converted.unreadable == dict([UNREADABLE[rows]])
        read, written = (list(csv.reader(io.StringIO(text.decode()))) for text in (data, converted.data))
        assert len(written) == len(read)
        assert all(len(row) in (0, 5) for row in written)
        assert written[-1] == ["5", "6", "7", "10", "0.5"]
        assert [row for row in written if row[3:] == ["", ""]] == [written[-2]]


def test_an_uneven_row_keeps_its_cells_and_the_table_its_shape() -> None:
    assert convert(b'x,y\n1\n2,3,"a,b"\n\n4,5\n').data == (b'x,y,value,grad_x\n1,,,\n2,"3,""a,b""",,\n\n4,5,8,0.5\n')
    assert convert(b"x,y\r\n1,2,\xff\r\n", kept=["y"]).data == b'y,value,grad_x\n"2,\xff",,\n'


ERRORS = {
    b"": "the data has no header",
    b"\xef\xbb\xbf\n\n": "the data has no header",
    b"x,caf\xe9\n1,2\n": "the header is not UTF-8",
    "x,y\n1,2\n".encode("utf-16"): "the data is UTF-16, not text",
    "x,y\n1,2\n".encode("utf-16le"): "the data is UTF-16LE, not text",
    "x,y\n1,2\n".encode("utf-16be"): "the data is UTF-16BE, not text",
    b"PAR1....": "the data is Parquet, not text",
    b'x,y\n1,2\n\n3,"a\n\nb\n': 'the quote (") that opens a cell in line 4 is never closed',
    b'"x,y\n1,2\n': 'the quote (") that opens a cell in line 1 is never closed',
    b"x,x\n1,2\n": "column `x` appears twice in the data",
}


NAMES = st.lists(st.text(st.characters(codec="utf-8"), min_size=1, max_size=5), max_size=4, unique=True)


@pytest.mark.slow
@given(NAMES, st.sampled_from(["", "a\nb", 'a"\r', ",\t"]))
def test_a_header_of_any_names_is_read_back(names: list[str], prefix: str) -> None:
    line = json.dumps({"x": 1.5} | dict.fromkeys(names, 7))
    results = [f"{prefix}value", f"{prefix}grad_x"]
    expected = [*json.loads(line), *results]
    for format_, delimiter in (("csv", ","), ("tsv", "\t")):
        data = convert(line.encode(), source="jsonl", target=format_, names=results).data
        rows = list(csv.reader(io.StringIO(data.decode(), newline=""), delimiter=delimiter))
        assert [row[: len(expected)] for row in rows[:1]] == [expected]
        assert len(rows) == 2
        options = pyarrow.csv.ParseOptions(delimiter=delimiter, newlines_in_values=True)
        assert pyarrow.csv.read_csv(io.BytesIO(data), parse_options=options).column_names == expected


def test_a_name_may_be_long() -> None:
    name = b"a" * 140_000
    assert convert(name + b",x\n1,2\n").data == name + b",x,value,grad_x\n1,2,4,0.5\n"


@pytest.mark.parametrize("data", ERRORS)
def test_a_file_that_cannot_be_read_is_a_clear_error(data: bytes) -> None:
    for part in (1, 3, None):
        with pytest.raises(AutodiffError) as caught:
            convert(data, part=part)
        assert caught.value.message == ERRORS[data]
        assert caught.value.hint


def test_a_quote_that_is_never_closed_does_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autodiff_cli.data.formats.text_files.LONGEST_RECORD", 1000)
    with pytest.raises(AutodiffError, match=r"that opens a cell in line 3 is never closed"):
        convert(b'x,y\n1,2\n3,"' + b"4,5\n" * 1000, part=64)


def test_a_long_quoted_cell_is_read_in_linear_time() -> None:
    data = b'x,y\n1,2\n3,"' + b'a""b\n' * 4_000_000  # in quadratic time this takes hours
    assert csv_records.complete_length(data, ",", is_last=False) == len(b"x,y\n1,2\n")


CELL = st.text(st.characters(codec="utf-8"), max_size=5) | st.sampled_from(['"', '""', ",", "\n", "\r\n", " ", "007"])
Row = tuple[float, str, str]
ROWS = st.lists(st.tuples(st.floats(), CELL, CELL), max_size=8)


@pytest.mark.slow
@given(ROWS, st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]), st.sampled_from(["\n", "\r\n"]), st.integers(1, 60))
def test_any_texts_and_doubles_survive(rows: list[Row], quoting: int, ending: str, part: int) -> None:
    if any("\r" in a + b for _, a, b in rows):
        quoting = csv.QUOTE_ALL  # Python's writer puts no quotes around it
    for name, delimiter in (("csv", ","), ("tsv", "\t")):
        file = io.StringIO(newline="")
        writer = csv.writer(file, delimiter=delimiter, lineterminator=ending, quoting=quoting)
        writer.writerow(["x", "a", "b"])
        writer.writerows((repr(x), a, b) for x, a, b in rows)
        data = file.getvalue().encode()
        values = [x for x, _, _ in rows]
        converted = convert(data, source=name, part=part, results=values)
        assert _bits(converted.columns["x"]) == _bits(values)
        written = list(csv.reader(io.StringIO(converted.data.decode(), newline=""), delimiter=delimiter))
        assert [tuple(row[1:3]) for row in written[1:]] == [(a, b) for _, a, b in rows]
        assert _bits([float(row[3]) for row in written[1:]]) == _bits(values)
        own = converted.data.replace(f"{delimiter}value{delimiter}grad_x".encode(), b"", 1)
        for row in written[1:]:
            own = own.replace(f"{delimiter}{row[3]}{delimiter}{row[4]}{ending}".encode(), ending.encode(), 1)
        assert own == data


@pytest.mark.slow
@given(st.lists(st.sampled_from([*'x,\n\r"1 ;', "\r\n", '""', '","', "é"]), max_size=30), st.integers(1, 9))
@settings(max_examples=400)
def test_whatever_stands_in_the_file_the_rows_are_those_of_pythons_reader(pieces: list[str], part: int) -> None:
    data = ("x,y\n" + "".join(pieces)).encode()
    if csv_records.open_quote(data, ",") is not None:
        with pytest.raises(AutodiffError, match="is never closed"):
            convert(data, part=part)
        return
    converted = convert(data, part=part)
    whole = convert(data)
    assert (whole.data, whole.unreadable) == (converted.data, converted.unreadable)
    expected = [row for row in csv.reader(io.StringIO(data.decode(), newline="")) if row]
    written = [row for row in csv.reader(io.StringIO(converted.data.decode(), newline="")) if row]
    assert len(written) == len(expected)
    for row, own in zip(written[1:], expected[1:], strict=True):
        assert len(row) == 4
        if len(own) <= 2:
            assert row[:2] == [*own, ""][:2]


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1))
def test_doubles_of_any_bits_are_written_as_the_shortest_text_that_reads_back(numbers: list[int]) -> None:
    doubles = [struct.unpack("<d", struct.pack("<Q", bits))[0] for bits in numbers]
    data = b"x\n" + b"0\n" * len(doubles)
    rows = list(csv.DictReader(io.StringIO(convert(data, results=doubles).data.decode())))
    for row, double in zip(rows, doubles, strict=True):
        assert _bits([float(row["value"])]) == _bits([double])
        assert _digits(row["value"]) == _digits(repr(double))


@pytest.mark.slow
@given(st.lists(st.decimals(allow_nan=False, allow_infinity=False, places=None).map(str), min_size=1))
def test_numbers_are_rounded_right(texts: list[str]) -> None:
    texts = [text for text in texts if abs(float(text)) != float("inf")]
    assert _bits(convert("x\n{}\n".format("\n".join(texts)).encode()).columns["x"]) == _bits(map(float, texts))


def test_an_empty_result_that_stands_alone_is_no_empty_line() -> None:
    reader, out = formats.reader("csv", io.BytesIO(b"x,y\n1\n1,2\n")), io.BytesIO()
    writer = formats.writer("csv", out, formats.Destination(reader, [], ["x"], ["value"]))
    for part in reader.parts():
        block = reader.block(part, ["x"])
        writer.append(writer.encode(block, {"value": block.columns["x"]}))
    writer.close()
    assert out.getvalue() == b'value\n""\n1\n'


def _bits(doubles: Iterable[float]) -> list[bytes]:
    return [b"nan" if number != number else struct.pack("<d", number) for number in doubles]


def _digits(text: str) -> str:
    return text.partition("e")[0].replace(".", "").strip("-0")


def test_many_columns_are_read_without_a_search_for_each() -> None:
    names = [f"c{place}" for place in range(2000)]
    line = ",".join(names).encode()
    reader = formats.reader("csv", io.BytesIO(line + b"\n" + line + b"\n"))
    block = reader.block(next(iter(reader.parts())), ())
    CountingName.compared = 0
    block.read_columns(list(map(CountingName, names)))
    assert 0 < CountingName.compared < 10 * len(names)
