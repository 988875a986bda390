"""Tables whose delimiter, decimal sign, encoding or header are not the usual ones."""

import io
from dataclasses import replace

import pytest
from processor_time import within

pytest.importorskip("pyarrow", reason="data files need PyArrow")

from tabled import convert

from autodiff_cli.data import formats
from autodiff_cli.data.formats import READ_DEFAULTS, ReadOptions
from autodiff_cli.errors import AutodiffError

PASSED = {
    "semicolons": (ReadOptions(delimiter=";"), b"x;y\n1;a,b\n", b"x;y;value;grad_x\n1;a,b;2;0.5\n"),
    "a decimal comma": (
        ReadOptions(delimiter=";", decimal=","),
        b'x;y\n1,25;a\n"2,5";1.5\n',
        b'x;y;value;grad_x\n1,25;a;2,5;0,5\n"2,5";1.5;5;0,5\n',
    ),
    "a decimal comma beside commas": (
        ReadOptions(decimal=","),
        b'x,y\n"1,25",a\n',
        b'x,y,value,grad_x\n"1,25",a,"2,5","0,5"\n',
    ),
    "commas between thousands": (
        ReadOptions(thousands=","),
        b'x,y\n"1,234,567.5",1\n" -1,000 ",2\n20,"1,0"\n',
        b'x,y,value,grad_x\n"1,234,567.5",1,2469135,0.5\n" -1,000 ",2,-2000,0.5\n20,"1,0",40,0.5\n',
    ),
    "blanks between thousands and a decimal comma": (
        ReadOptions(delimiter=";", decimal=",", thousands=" "),
        b"x;y\n1 234,5;a\n1234;b\n",
        b"x;y;value;grad_x\n1 234,5;a;2469;0,5\n1234;b;2468;0,5\n",
    ),
    "latin-1": (ReadOptions(encoding="latin-1"), b"x,\xe9\n1,\xe9\n", "x,é,value,grad_x\n1,é,2,0.5\n".encode()),
    "utf-16": (ReadOptions(encoding="utf-16"), "x\n1\n2\n".encode("utf-16"), b"x,value,grad_x\n1,2,0.5\n2,4,0.5\n"),
    "comments": (
        ReadOptions(comment="#"),
        b'# one, "two\n#\n\nx,y\n# three\r\n1,"a\n#b"\n#4,5\n2,#\n#6',
        b'# one, "two\n#\n\nx,y,value,grad_x\n# three\r\n1,"a\n#b",2,0.5\n#4,5\n2,#,4,0.5\n#6\n',
    ),
    "quotes in comments": (
        ReadOptions(comment="#"),
        b'# "one","two\nx,y\n1,a\n# a,"b\r\n2,"#\n# c"\n# c,"d\r3,c\n#,"\r\n',
        b'# "one","two\nx,y,value,grad_x\n1,a,2,0.5\n# a,"b\r\n2,"#\n# c",4,0.5\n# c,"d\r3,c,6,0.5\n#,"\r\n',
    ),
    "a byte-order mark before a comment": (
        ReadOptions(comment="#"),
        b"\xef\xbb\xbf# one\nx,y\n1,a\n",
        b"\xef\xbb\xbf# one\nx,y,value,grad_x\n1,a,2,0.5\n",
    ),
    "lines before the header": (ReadOptions(skip=2), b'a "b\r\nc\rx\n1\n', b"x,value,grad_x\n1,2,0.5\n"),
    "white space": (
        ReadOptions(delimiter="whitespace"),
        b' x\t y \n  1   "a  b" \r\n\n2 5" \n',
        b'x\ty\tvalue\tgrad_x\n1\t"a  b"\t2\t0.5\r\n\n2\t5"\t4\t0.5\n',
    ),
    "an empty line after a comment": (
        ReadOptions(comment="#"),
        b"x,y\r# c\r\r1,a\r#\r\r\n2,b\r",
        b"x,y,value,grad_x\r# c\r\r1,a,2,0.5\r#\r\r\n2,b,4,0.5\r",
    ),
    "white space in a quoted cell of several lines": (
        ReadOptions(delimiter="whitespace"),
        b' x  y \r 1 "a  b\n ""c  d \n"\r  2  e \r',
        b'x\ty\tvalue\tgrad_x\r1\t"a  b\n ""c  d \n"\t2\t0.5\r2\te\t4\t0.5\r',
    ),
    "white space and comments": (
        ReadOptions(delimiter="whitespace", comment="#"),
        b" # x  y\n x  y\n 1  2 \n",
        b"# x  y\nx\ty\tvalue\tgrad_x\n1\t2\t2\t0.5\n",
    ),
}


@pytest.mark.parametrize("name", PASSED)
def test_rows_are_written_as_they_were_read(name: str) -> None:
    options, data, expected = PASSED[name]
    for part in range(1, len(data) + 2):
        assert convert(data, options=options, part=part, target="tsv" if b"\t" in expected else None).data == expected


def test_columns_without_a_header_have_numbers() -> None:
    options = ReadOptions(no_header=True, comment="#")
    converted = convert(b'# one\r\n1,"a,b"\r\n2,c\r\n', ("c1",), options=options)
    assert converted.data == b'c1,c2,value,grad_x\r\n# one\r\n1,"a,b",2,0.5\r\n2,c,4,0.5\r\n'
    converted = convert(b"\xef\xbb\xbf# a,b,c\n1,2\n", ("c1",), options=options)
    assert converted.data == b"c1,c2,value,grad_x\n# a,b,c\n1,2,2,0.5\n"
    assert convert(b"1;2", ("c2",), options=replace(options, delimiter=";")).data == b"c1;c2;value;grad_x\n1;2;4;0.5\n"


def test_many_lines_are_skipped_without_a_copy_of_the_rest_for_each() -> None:
    data = b"\n" * 20_000 + b"x\n" + b"1" * 3_000_000
    with within(1):  # a copy for each takes seconds
        assert formats.reader("csv", io.BytesIO(data), ReadOptions(skip=20_000)).names == ("x",)


def test_a_row_that_cannot_be_read_is_named_by_its_line() -> None:
    options = ReadOptions(comment="#", skip=1, delimiter=";", decimal=",")
    converted = convert(b"skipped\n# c\nx;y\n1.5;a\n# d\n3\n2,5;b\n", options=options)
    assert converted.unreadable == {
        4: "column `x` holds '1.5', which is not a number",
        6: "it has 1 cell, the header 2",
    }
    assert converted.data == b"x;y;value;grad_x\n1.5;a;;\n# d\n3;;;\n2,5;b;5;0,5\n".replace(b"x;y", b"# c\nx;y")


def test_other_formats_are_written_as_usual() -> None:
    options = ReadOptions(delimiter=";", decimal=",")
    written = convert(b"x;y\n1,5;2,5\n", options=options, target="jsonl").data
    assert written == b'{"x": 1.5, "y": "2,5", "value": 3.0, "grad_x": 0.5}\n'
    assert convert(b"x;y\n1,5;a b\n", options=options, target="tsv").data == b"x\ty\tvalue\tgrad_x\n1,5\ta b\t3\t0,5\n"


def test_many_blanks_in_a_line_are_read_in_linear_time() -> None:
    data = b"x y\n1" + b" " * 300_000 + b"2\n"  # in quadratic time this takes hours
    assert convert(data, options=ReadOptions(delimiter="whitespace")).columns["x"] == [1.0]


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        ("csv", ReadOptions(encoding="latin-0"), "there is no encoding `latin-0`"),
        ("csv", ReadOptions(encoding="base64"), "there is no encoding `base64`"),
        ("csv", ReadOptions(encoding="undefined"), "there is no encoding `undefined`"),
        ("csv", ReadOptions(encoding="ascii"), "the data is not in the encoding ascii"),
        ("csv", ReadOptions(no_header=True, skip=9), "the data has no header"),
        ("csv", ReadOptions(thousands="-"), "`-` is the sign of a number, and cannot stand between thousands"),
        ("csv", ReadOptions(thousands="+"), "`+` is the sign of a number, and cannot stand between thousands"),
        ("jsonl", ReadOptions(skip=1), "the data is jsonl, for which there is no choice of lines to skip"),
        ("parquet", ReadOptions(encoding="latin-1"), "the data is parquet, for which there is no choice of encoding"),
        ("arrow", ReadOptions(no_header=True), "the data is arrow, for which there is no choice of header"),
    ],
)
def test_what_does_not_fit_is_an_error(source: str, options: ReadOptions, message: str) -> None:
    with pytest.raises(AutodiffError) as caught:
        convert("x,é\n1,2\n".encode(), source=source, options=options)
    assert caught.value.message.startswith(message)


@pytest.mark.parametrize("cell", ["12,34", "1234,567", ",123", "1,,234", "0.1,234", "1,2345"])
def test_groups_of_other_than_three_digits_are_no_number(cell: str) -> None:
    read = convert(f'x\n"{cell}"\n'.encode(), options=ReadOptions(thousands=","))
    assert read.unreadable == {2: f"column `x` holds '{cell}', which is not a number"}


def test_utf_32_is_called_so() -> None:
    with pytest.raises(AutodiffError, match="the data is UTF-32"):
        convert("x\n1\n".encode("utf-32"), options=READ_DEFAULTS)
