"""JSON Lines: every object passes through, and every line of the output is JSON."""

import io
import json
import math
import struct
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("pyarrow", reason="data files need PyArrow")
from pyarrow import parquet
from tabled import Converted, convert

from autodiff_cli.data import formats
from autodiff_cli.errors import AutodiffError

_ADDED = b'"value": 2.0, "grad_x": 0.5'
_NONE = b'"value": null, "grad_x": null'


def _convert(data: bytes, **options: Any) -> Converted:
    return convert(data, source="jsonl", **options)


PASSED = {
    "plain": (b'{"x":1}\n', b'{"x":1, %b}\n'),
    "no break at the end": (b'{"x":1}', b'{"x":1, %b}\n'),
    "windows": (b'{"x":1}\r\n{"x":1}\r\n', b'{"x":1, %b}\r\n{"x":1, %b}\r\n'),
    "byte-order mark": (b'\xef\xbb\xbf{"x":1}\n', b'{"x":1, %b}\n'),
    "empty lines": (b'\n{"x":1}\n\n\n{"x":1}\n\n', b'\n{"x":1, %b}\n\n\n{"x":1, %b}\n\n'),
    "lines of blanks": (b'{"x":1}\n \t\n{"x":1}\n \r\n', b'{"x":1, %b}\n \t\n{"x":1, %b}\n \r\n'),
    "spaces": (b' { "x" : 1 } \n', b' { "x" : 1 , %b} \n'),
    "nested": (b'{"x":1,"o":{"a":[1,{}],"b":"}"}}\n', b'{"x":1,"o":{"a":[1,{}],"b":"}"}, %b}\n'),
    "numbers of other columns": (b'{"x":1,"n":1e400,"m":1.10}\n', b'{"x":1,"n":1e400,"m":1.10, %b}\n'),
    "other keys later": (b'{"x":1}\n{"y":2,"x":1}\n', b'{"x":1, %b}\n{"y":2,"x":1, %b}\n'),
    "names of numbers in texts": (b'{"x":1,"s":"a:NaN, Inf"}\n', b'{"x":1,"s":"a:NaN, Inf", %b}\n'),
    "a text that is a number": (b'{"x":" 1.0 "}\n', b'{"x":" 1.0 ", %b}\n'),
    "escaped": (b'{"\\u0078":1}\n', b'{"\\u0078":1, %b}\n'),
}


@pytest.mark.parametrize(("data", "expected"), PASSED.values(), ids=PASSED)
def test_objects_pass_through_byte_for_byte(data: bytes, expected: bytes) -> None:
    for part in range(1, len(data) + 2):
        converted = _convert(data, part=part)
        assert converted.data == expected.replace(b"%b", _ADDED)
        assert not converted.unreadable


UNREADABLE = {
    b'{"x":null}': "column `x` is empty",
    b'{"y":1}': "column `x` is empty",
    b"{}": "column `x` is empty",
    b"{ }": "column `x` is empty",
    b"{\r}": "column `x` is empty",
    b'{"x":""}': "column `x` is empty",
    b'{"x":true}': "column `x` holds 'true', which is not a number",
    b'{"x":"a"}': "column `x` holds 'a', which is not a number",
    b'{"x":[1]}': "column `x` holds '[1]', which is not a number",
    b'{"x":1e400}': "column `x` holds '1e400', which is beyond the doubles",
    b'{"x":1.8e308}': "column `x` holds '1.8e308', which is beyond the doubles",
    b'{"x":-%b}' % (b"9" * 400): f"column `x` holds '-{'9' * 37}…, which is beyond the doubles",
    b'{"x":NaN}': "this is not JSON, which has no number NaN",
    b'{"x":1,"y":[1, -Infinity]}': "this is not JSON, which has no number -Infinity",
    b'{"x":-1e-400}': "column `x` holds '-1e-400', which is too small for a double",
    b'{"x":1,"x":1}': "key `x` appears twice",
    b"nonsense": "this is not JSON: expecting value in column 1",
    b'{"x":1': "this is not JSON: expecting ',' delimiter in column 7",
    b'{"x":1}{"x":1}': "this is not JSON: extra data in column 8",
    b'["x"]': "this is JSON, but no object",
    b"3": "this is JSON, but no object",
    b'"\xff': "this is not JSON: unterminated string starting at in column 1",
}


def test_minus_zero_keeps_its_sign_beside_lines_that_are_read_one_by_one() -> None:
    data = b"".join(b'{"x":%b}\n' % number for number in (b"-0", b"-0.0", b'"-0"', b"0"))
    assert [math.copysign(1, number) for number in _convert(data).columns["x"]] == [-1, -1, -1, 1]


@pytest.mark.parametrize("line", UNREADABLE)
def test_a_line_that_cannot_be_read_is_named_and_keeps_its_place(line: bytes) -> None:
    data = b'{"x":1}\n\n' + line + b'\n{"x":1}\n'
    for part in (1, 20, None):
        converted = _convert(data, part=part)
        assert converted.unreadable == {3: UNREADABLE[line]}
        first, blank, middle, last, _ = converted.data.decode().split("\n")
        assert first == last == '{"x":1, ' + _ADDED.decode() + "}"
        assert not blank
        written = json.loads(middle)
        assert written["value"] is written["grad_x"] is None
        if "JSON" in UNREADABLE[line]:
            assert written["error"] == {"message": UNREADABLE[line]}
            assert written["text"] == line.decode("utf-8", "backslashreplace")
        else:
            assert middle.encode().startswith(line[:-1])


def test_what_is_nested_in_another_column_does_not_matter() -> None:
    nested = b'{"s":' + b"[" * 100_000 + b"]" * 100_000 + b',"x":1'
    assert _convert(b'{"x":1}\n' + nested + b"}\n").data.splitlines()[1] == nested + b", " + _ADDED + b"}"
    assert _convert(b'{"x":1}\n{}\n' + nested + b"}\n").unreadable[3] == "this is nested too deep"


ERRORS = {
    b"": "the data is empty",
    b"\n \n": "the data is empty",
    b'[{"x":1}, {"x":2}': "the data is not whole: the JSON array is never closed",
    b"[1]": "the first line is not a JSON object: this is JSON, but no object",
    b"x,y\n1,2\n": "the first line is not a JSON object: this is not JSON: expecting value in column 1",
    b'{"x":1}\n{"x":1,"value":3}\n': "line 2 has the key `value`, which the result would be called",
}


@pytest.mark.parametrize("key", ["grad_μ", "grad_\\u03bc", "\\u0067rad_μ", "d\\/grad_μ", "d/grad_μ"])
def test_a_key_of_a_result_is_refused_however_it_is_written(key: str) -> None:
    reader = formats.reader("jsonl", io.BytesIO(f'{{"μ":1}}\n{{"μ":2,"{key}":5}}\n'.encode()))
    (part,) = reader.parts()
    block = reader.block(part, ["μ"])
    name: str = json.loads(f'"{key}"')
    block.source_text.refuse_keys(["value"])
    with pytest.raises(AutodiffError, match=f"line 2 has the key `{name}`, which the result would be called"):
        block.source_text.refuse_keys(["value", name])


@pytest.mark.parametrize("data", ERRORS)
def test_a_file_that_cannot_be_read_is_a_clear_error(data: bytes) -> None:
    with pytest.raises(AutodiffError) as caught:
        _convert(data)
    assert caught.value.message == ERRORS[data]
    assert caught.value.hint


def test_numbers_that_are_not_finite_are_texts_and_zero_keeps_its_sign() -> None:
    converted = _convert(b'{"x":"nan"}\n{"x":"-inf"}\n{"x":-0.0}\n{"x":5e15}\n')
    values = [json.loads(line)["value"] for line in converted.data.splitlines()]
    assert values == ["nan", "-inf", 0.0, 1e16]
    assert str(values[2]) == "-0.0"


@given(st.lists(st.floats(), min_size=1), st.integers(1, 100))
def test_any_doubles_survive(doubles: list[float], part: int) -> None:
    data = "".join(json.dumps({"x": x if math.isfinite(x) else str(x)}) + "\n" for x in doubles).encode()
    converted = _convert(data, part=part, results=doubles)
    written = [float(json.loads(line)["value"]) for line in converted.data.splitlines()]
    assert _bits(written) == _bits(converted.columns["x"]) == _bits(doubles)


FINITE = st.floats(allow_nan=False, allow_infinity=False)
SIMPLE = st.none() | st.booleans() | st.integers() | FINITE | st.text(max_size=9)
JSON = st.recursive(
    SIMPLE,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.slow
@given(st.lists(st.dictionaries(st.sampled_from("xyz"), JSON), max_size=6), st.booleans(), st.integers(1, 100))
def test_any_objects_survive(objects: list[dict[str, Any]], ascii_: bool, part: int) -> None:
    lines = [json.dumps(entry, ensure_ascii=ascii_) for entry in [{"x": 0}, *objects]]
    converted = _convert("\n".join(lines).encode(), part=part)
    written = converted.data.decode().split("\n")[:-1]
    assert len(written) == len(lines)
    for line, own, entry in zip(written[1:], lines[1:], objects, strict=True):
        assert line.startswith(own[:-1])
        assert json.loads(line).keys() == {*entry, "value", "grad_x"}


def test_it_becomes_csv_and_parquet_with_what_the_first_lines_tell() -> None:
    data = b'{"x":1,"s":"007","n":3,"b":true,"o":{"a":[1]}}\n{"x":2.5,"s":"","n":null,"b":false,"o":null}\n{"x":"z"}\n'
    assert _convert(data, target="csv").data.decode() == (
        "x,s,n,b,o,value,grad_x\n"
        '1,007,3,true,"{""a"": [1]}",2,0.5\n'
        '2.5,"",,false,,5,0.5\n'
        "z,,,,,,\n"
    )  # fmt: skip
    table = parquet.read_table(io.BytesIO(_convert(data, target="parquet").data))
    assert table.to_pylist() == [
        {"x": 1.0, "s": "007", "n": 3, "b": True, "o": '{"a": [1]}', "value": 2.0, "grad_x": 0.5},
        {"x": 2.5, "s": "", "n": None, "b": False, "o": None, "value": 5.0, "grad_x": 0.5},
        {"x": None, "s": None, "n": None, "b": None, "o": None, "value": None, "grad_x": None},
    ]


def test_a_return_within_an_object_does_not_hide_the_types_of_its_keys() -> None:
    data = b'{"x":1,\r"n":2}\n'
    assert parquet.read_table(io.BytesIO(_convert(data, target="parquet").data))["n"].to_pylist() == [2]


def test_columns_that_are_chosen_stay_json() -> None:
    data = b'{"x":1.10,"o":{"a":[1,"b"]}}\n{"x":1}\n'
    assert _convert(data, kept=["o", "x"]).data.decode().splitlines() == [
        '{"o": {"a": [1, "b"]}, "x": 1.1, "value": 2.2, "grad_x": 0.5}',
        '{"o": null, "x": 1, "value": 2.0, "grad_x": 0.5}',
    ]


@pytest.mark.parametrize("target", ["csv", "parquet"])
def test_what_another_format_cannot_hold_is_an_error(target: str) -> None:
    with pytest.raises(AutodiffError, match="line 2 has the key `y`, which the first line does not have"):
        _convert(b'{"x":1}\n{"x":1,"y":1}\n', target=target)
    if target == "parquet":
        with pytest.raises(AutodiffError, match="column `y` does not always hold the same kind of value"):
            _convert(b'{"x":1,"y":1}\n{"x":1,"y":"a"}\n', target=target, part=14)
        for data in (b'{"x":1,"y":9223372036854775808}\n', b'{"x":1,"y":9007199254740993}\n{"x":1,"y":0.5}\n'):
            with pytest.raises(AutodiffError, match=r"column `y` holds the integer \d+, which is too large for"):
                _convert(data, target=target)


def _bits(doubles: list[float]) -> list[bytes]:
    return [b"nan" if number != number else struct.pack("<d", number) for number in doubles]


@pytest.mark.parametrize("key", [b"\xff", b"\\ud800"])
def test_a_key_that_is_not_unicode_names_no_column(key: bytes) -> None:
    data = b'{"x":1,"' + key + b'":2}\n'
    for target in ("csv", "parquet", "arrow"):
        with pytest.raises(AutodiffError, match="is not Unicode, so it cannot name a column"):
            _convert(data, target=target)
        assert _convert(data, target=target, kept=["x"]).data


def test_half_of_a_surrogate_pair_is_a_text_as_json_writes_it() -> None:
    data = b'{"x":1,"s":"a\\ud800"}\n'
    assert _convert(data, target="csv").data == b"x,s,value,grad_x\n1,a\\ud800,2,0.5\n"
    assert _convert(data).data == data[:-2] + b", " + _ADDED + b"}\n"
    assert json.loads(_convert(data, kept=["s"]).data)["s"] == "a\ud800"


@pytest.mark.parametrize("data", [b'{"x":1,"s":"\xe9"}\n', b'{"x":1,"s":["\xe9"]}\n', b'{"x":1,"s":{"\xe9":2}}\n'])
def test_bytes_that_are_not_utf_8_are_not_written_as_json(data: bytes) -> None:
    for target, options in product(("jsonl", "json"), ({}, {"kept": ["s"]}, {"part": 1})):
        with pytest.raises(AutodiffError, match="the data holds bytes that are not UTF-8, which JSON cannot hold"):
            _convert(data, target=target, **options)
    assert json.loads(_convert(data, kept=["x"]).data)["value"] == 2
    assert b"\xe9" in _convert(data, target="csv").data


def test_a_text_in_an_array_that_is_never_closed_does_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autodiff_cli.data.formats.text_files.LONGEST_RECORD", 1000)
    with pytest.raises(AutodiffError, match="line 1 is too long"):
        _convert(b'[{"x": 1, "s": "' + b"a" * 5000, part=64)


def test_the_elements_of_an_array_are_lines() -> None:
    data = b'\xef\xbb\xbf [\r\n {"x": 1,\n  "y": ["a]\\"}, {", {"b": [1, 2]}]},\n\t{"x":2} ,\n3, {"x": "4"}\n]\n'
    for part in (1, 7, None):
        lines = convert(data, source="jsonl", part=part).data.splitlines()
        members = [json.loads(line) for line in lines]
        assert [line.get("value") for line in members] == [2, 4, None, 8]
        assert members[0]["y"] == ['a]"}, {', {"b": [1, 2]}]
        assert members[2]["text"].strip() == "3"
