"""Parquet and Arrow IPC: columns of any type pass through, in batches, and broken files are clear errors."""

import datetime
import decimal
import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="data files need PyArrow")
import numpy
import pyarrow
from pyarrow import ipc, parquet
from tabled import RESULTS, convert

from autodiff_cli.data import formats
from autodiff_cli.errors import AutodiffError

TYPED = ["parquet", "arrow", "arrows"]
MOMENT = datetime.datetime(2020, 1, 2, 3, 4, 5, 678901)
TABLE = pyarrow.table(
    {
        "x": pyarrow.array([1, 2, None, 4], pyarrow.int32()),
        "text": ["", "a,b", None, 'say "é"\n'],
        "kind": pyarrow.array(["a", None, "b", "a"]).dictionary_encode(),
        "moment": pyarrow.array([MOMENT, None, MOMENT, MOMENT], pyarrow.timestamp("us", "UTC")),
        "day": [datetime.date(2020, 1, 2)] * 4,
        "price": pyarrow.array([decimal.Decimal("1.10")] * 4, pyarrow.decimal128(12, 2)),
        "numbers": [[1.5, None], [], None, [2.0]],
        "pair": [{"a": 1, "b": "x"}] * 4,
        "bytes": [b"\xff", b"", None, b"x"],
        "yes": [True, None, False, True],
        "large": pyarrow.array([2**63 - 1, 0, None, -5], pyarrow.int64()),
        "narrow": pyarrow.array([0.1, None, 2.5, 1e30], pyarrow.float32()),
    },
).replace_schema_metadata({"made": "by hand"})


def _written(table: Any, format_: str, rows: int = 3) -> bytes:
    """The table as a file with so many rows in a batch or row group."""
    out = io.BytesIO()
    if format_ == "parquet":
        parquet.write_table(table, out, row_group_size=rows)
    else:
        make = ipc.new_file if format_ == "arrow" else ipc.new_stream
        with make(out, table.schema) as writer:
            writer.write_table(table, max_chunksize=rows)
    return out.getvalue()


def _read(data: bytes, format_: str) -> Any:
    if format_ == "parquet":
        return parquet.read_table(io.BytesIO(data))
    return (ipc.open_file if format_ == "arrow" else ipc.open_stream)(data).read_all()


@pytest.mark.parametrize("target", TYPED)
@pytest.mark.parametrize("source", TYPED)
def test_columns_of_any_type_pass_through(source: str, target: str) -> None:
    converted = convert(_written(TABLE, source), source=source, target=target)
    written = _read(converted.data, target)
    own = written.select(TABLE.column_names)
    plain = target == "arrow" and source != "arrow"  # a file has one dictionary for all, others may have several
    assert own.schema.field("kind").type == (pyarrow.string() if plain else TABLE.schema.field("kind").type)
    assert own["kind"].to_pylist() == TABLE["kind"].to_pylist()
    assert own.drop_columns(["kind"]).equals(TABLE.drop_columns(["kind"]))
    assert written.schema.metadata[b"made"] == b"by hand"
    assert written["value"].to_pylist() == [2.0, 4.0, None, 8.0]
    assert written["grad_x"].to_pylist() == [0.5, 0.5, None, 0.5]
    assert converted.unreadable == {3: "column `x` is empty"}


@pytest.mark.parametrize("source", TYPED)
def test_chosen_columns_come_in_their_order(source: str) -> None:
    converted = convert(_written(TABLE, source), source=source, kept=["yes", "kind"])
    assert _read(converted.data, source).column_names == ["yes", "kind", *RESULTS]


@pytest.mark.parametrize("source", TYPED)
def test_types_have_texts_in_csv(source: str) -> None:
    data = convert(_written(TABLE, source), source=source, target="csv").data
    assert data.decode("latin-1").encode("latin-1").splitlines()[1] == (
        b'1,"",a,2020-01-02 03:04:05.678901Z,2020-01-02,1.10,"[1.5, null]","{""a"": 1, ""b"": ""x""}",'
        b"\xff,true,9223372036854775807,0.1,2,0.5"
    )
    assert data.splitlines()[3] == b",,b,2020-01-02 03:04:05.678901Z,2020-01-02,1.10,," \
        b'"{""a"": 1, ""b"": ""x""}",,false,,2.5,,'  # fmt: skip


def test_types_have_values_in_json() -> None:
    table = TABLE.drop_columns(["bytes"])
    rows = convert(_written(table, "parquet"), source="parquet", target="jsonl").data.splitlines()
    assert json.loads(rows[0]) == {
        "x": 1, "text": "", "kind": "a", "moment": "2020-01-02 03:04:05.678901Z", "day": "2020-01-02",
        "price": "1.10", "numbers": [1.5, None], "pair": {"a": 1, "b": "x"}, "yes": True, "large": 2**63 - 1,
        "narrow": 0.1, "value": 2.0, "grad_x": 0.5,
    }  # fmt: skip
    assert json.loads(rows[2])["value"] is None


NUMBERS = {
    "int8": (pyarrow.array([1, -2], pyarrow.int8()), [1.0, -2.0]),
    "uint64": (pyarrow.array([2**64 - 1], pyarrow.uint64()), [2.0**64]),
    "half": (pyarrow.array(numpy.array([0.5, numpy.inf], dtype=numpy.float16)), [0.5, numpy.inf]),
    "float": (pyarrow.array([0.1], pyarrow.float32()), [float(numpy.float32(0.1))]),
    "decimal": (pyarrow.array([decimal.Decimal("0.1000000000000000055511151231257828")]), [0.1]),
    "wide decimal": (pyarrow.array([decimal.Decimal("-1e30")], pyarrow.decimal256(60, 3)), [-1e30]),
    "text": (pyarrow.array([" 1e-3", "+2.", "inf"]), [0.001, 2.0, numpy.inf]),
    "large text": (pyarrow.array(["7"], pyarrow.large_string()), [7.0]),
    "text view": (pyarrow.array(["7"], pyarrow.string_view()), [7.0]),
    "dictionary of texts": (pyarrow.array(["1.5", "2", "1.5"]).dictionary_encode(), [1.5, 2.0, 1.5]),
    "dictionary of numbers": (pyarrow.array([3, 4, 3]).dictionary_encode(), [3.0, 4.0, 3.0]),
    "runs": (pyarrow.RunEndEncodedArray.from_arrays([2, 3], [1.0, 2.0]), [1.0, 1.0, 2.0]),
}


@pytest.mark.parametrize(("column", "expected"), NUMBERS.values(), ids=NUMBERS)
def test_numbers_of_any_type_become_doubles(column: Any, expected: list[float]) -> None:
    converted = convert(_written(pyarrow.table({"x": column}), "arrow"), source="arrow")
    assert not converted.unreadable
    assert converted.columns["x"] == expected


NO_NUMBERS = {
    "truth values": (pyarrow.array([True]), "column `x` holds 'true', which is not a number"),
    "dates": (
        pyarrow.array([datetime.date(2020, 1, 2)]),
        "column `x` holds '2020-01-02', which is not a number",
    ),
    "intervals": (
        pyarrow.array([pyarrow.MonthDayNano([1, -2, 500_000_000])]),
        "column `x` holds 'P1M-2DT0.5S', which is not a number",
    ),
    "durations": (pyarrow.array([1], pyarrow.duration("s")), "column `x` holds '1 s', which is not a number"),
    "lists": (pyarrow.array([[1.0]]), "column `x` holds '[1.0]', which is not a number"),
    "nothing": (pyarrow.nulls(1), "column `x` is empty"),
    "texts": (pyarrow.array(["a"]), "column `x` holds 'a', which is not a number"),
    "bytes": (pyarrow.array([b"\xff"]), "column `x` holds '�', which is not a number"),
}


@pytest.mark.parametrize(("column", "reason"), NO_NUMBERS.values(), ids=NO_NUMBERS)
def test_what_is_no_number_makes_its_row_unreadable(column: Any, reason: str) -> None:
    converted = convert(_written(pyarrow.table({"x": column}), "arrow"), source="arrow")
    assert converted.unreadable == {1: reason}
    assert _read(converted.data, "arrow")["x"].equals(pyarrow.chunked_array([column]))


@pytest.mark.parametrize("source", TYPED)
def test_a_table_without_rows_has_its_columns(source: str) -> None:
    for target in TYPED:
        written = _read(convert(_written(TABLE.slice(0, 0), source), source=source, target=target).data, target)
        assert written.column_names == [*TABLE.column_names, *RESULTS]
        assert written.num_rows == 0


def test_a_compressed_stream_is_read_whole() -> None:
    numbers = numpy.random.default_rng(1).random(20_000)
    data = gzip.compress(_written(pyarrow.table({"x": numbers}), "arrows", len(numbers)))
    assert convert(data, source="arrows", target="csv").columns["x"] == numbers.tolist()


@pytest.mark.parametrize("source", TYPED)
def test_rows_are_counted_over_batches(source: str) -> None:
    column = [None if row % 7 == 0 else float(row) for row in range(1, 50)]
    converted = convert(_written(pyarrow.table({"x": column}), source, rows=5), source=source)
    assert list(converted.unreadable) == list(range(7, 50, 7))


@pytest.mark.parametrize("source", TYPED)
def test_what_has_been_read_does_not_stay_in_memory(source: str, tmp_path: Path) -> None:
    rows, groups = 20_000, 40
    path = tmp_path / "large"
    path.write_bytes(_written(pyarrow.table({"x": numpy.random.default_rng(1).random(rows * groups)}), source, rows))
    before, most = pyarrow.total_allocated_bytes(), 0
    with path.open("rb") as file:
        reader = formats.reader(source, file)
        for part in reader.parts(["x"]):
            reader.block(part, ["x"])
            most = max(most, pyarrow.total_allocated_bytes() - before)
    assert most < 8 * rows * groups / 2


def test_row_groups_are_gathered() -> None:
    data = _written(pyarrow.table({"x": numpy.arange(10_000.0)}), "parquet", rows=100)
    written = parquet.ParquetFile(io.BytesIO(convert(data, source="parquet").data))
    assert written.metadata.num_row_groups == 1


def test_what_a_parquet_file_says_of_itself_is_kept() -> None:
    out = io.BytesIO()
    with parquet.ParquetWriter(out, TABLE.schema.remove_metadata(), store_schema=False) as writer:
        writer.write_table(TABLE.select(TABLE.schema.names).replace_schema_metadata(None))
        writer.add_key_value_metadata({"units": "metres"})
    converted = convert(out.getvalue(), source="parquet", target="parquet")
    assert parquet.ParquetFile(io.BytesIO(converted.data)).metadata.metadata[b"units"] == b"metres"


def test_rows_that_parquet_declares_and_does_not_have_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    data = _written(TABLE, "parquet")
    monkeypatch.setattr(parquet.ParquetFile, "iter_batches", lambda *_, **__: iter([TABLE.to_batches()[0].slice(0, 3)]))
    with pytest.raises(AutodiffError, match="it has 3 rows, and declares 4"):
        convert(data, source="parquet", target="parquet")


def test_only_the_columns_that_are_wanted_are_read_from_parquet() -> None:
    reader = formats.reader("parquet", io.BytesIO(_written(TABLE, "parquet")))
    assert [part.rows.schema.names for part in reader.parts(["x", "day"])] == [["x", "day"]]


@pytest.mark.parametrize("source", TYPED)
def test_rows_are_there_without_their_columns(source: str) -> None:
    reader = formats.reader(source, io.BytesIO(_written(TABLE, source)))
    assert sum(reader.block(part, []).rows for part in reader.parts([])) == 4


def test_csv_becomes_typed_with_numbers_as_doubles_and_all_else_as_text() -> None:
    for target in TYPED:
        written = _read(convert(b"x,id\n1,007\nb,\nnan,c\n", target=target).data, target)
        assert written.schema.types == [pyarrow.float64(), pyarrow.string(), pyarrow.float64(), pyarrow.float64()]
        assert written.to_pydict()["id"] == ["007", "", "c"]
        assert written["x"].null_count == 1
        assert str(written["x"].to_pylist()) == "[1.0, None, nan]"


def test_text_that_is_not_utf_8_cannot_become_typed() -> None:
    with pytest.raises(AutodiffError, match="column `y` holds bytes that are not UTF-8"):
        convert(b"x,y\n1,\xe9\n", target="parquet")
    assert _read(convert(b"x,y\n1,\xe9\n", target="parquet", kept=["x"]).data, "parquet").num_rows == 1


def test_bytes_of_a_typed_file_have_no_encoding_that_could_be_named() -> None:
    table = pyarrow.table({"x": [1.0], "b": [b"\xff"]})
    with pytest.raises(AutodiffError, match="column `b` holds bytes that are not UTF-8") as raised:
        convert(_written(table, "parquet"), source="parquet", target="jsonl")
    assert (raised.value.remedy and raised.value.remedy.kind) == "leave out column"


@pytest.mark.parametrize("source", TYPED)
def test_a_broken_file_is_a_clear_error(source: str) -> None:
    data = _written(pyarrow.table({"x": numpy.arange(5000.0)}), source, rows=1000)
    for broken in (b"", b"x", data[: len(data) // 2], data[:-9] if source == "parquet" else data[:40], b"x,y\n" * 50):
        with pytest.raises(AutodiffError, match=r"the data is"):
            convert(broken, source=source)


@pytest.mark.slow
@pytest.mark.parametrize("source", ["parquet", "arrow"])
def test_flipped_bytes_raise_no_other_error(source: str) -> None:
    data = _written(TABLE, source)
    for place in range(0, len(data), 7):
        flipped = data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1 :]
        try:
            convert(flipped, source=source)
        except AutodiffError:
            continue


@pytest.mark.parametrize("source", ["parquet", "arrow"])
def test_a_file_that_needs_its_end_is_not_read_from_a_stream(source: str) -> None:
    class Pipe(io.BytesIO):
        def peek(self, size: int) -> bytes:
            return self.getvalue()[:size]

        def seekable(self) -> bool:
            return False

    with pytest.raises(AutodiffError, match="cannot be read from a stream"):
        formats.reader(source, Pipe(_written(TABLE, source)))  # type: ignore[arg-type]


@pytest.mark.parametrize("target", TYPED)
def test_typed_files_are_not_compressed_as_a_whole(target: str) -> None:
    with pytest.raises(AutodiffError, match="compressed"):
        convert(b"x\n1\n", target=target, compression="bz2")


def test_a_type_that_parquet_does_not_have_is_named_with_its_column() -> None:
    table = pyarrow.table({"x": [1.0], "y": [2.0], "kinds": pyarrow.array([{}], pyarrow.struct([]))})
    with pytest.raises(AutodiffError, match=r"no type for the values of column `kinds` \(struct<>\)"):
        convert(_written(table, "arrow"), source="arrow", target="parquet")


def test_nested_times_of_nanoseconds_are_texts() -> None:
    time = pyarrow.timestamp("ns")
    kinds = [pyarrow.list_(time), pyarrow.large_list(time), pyarrow.struct([("a", time)]), pyarrow.map_(time, time)]
    for kind, value in zip(kinds, ([1], [1], {"a": 1}, [(1, 1)]), strict=True):
        table = pyarrow.table({"x": [2.0], "t": pyarrow.array([value], kind)})
        written = convert(_written(table, "parquet"), source="parquet", target="jsonl").data
        assert b'"1970-01-01 00:00:00.000000001"' in written
    table = pyarrow.table({"x": [2.0], "t": pyarrow.array([[7]], pyarrow.list_(pyarrow.duration("ns")))})
    assert b'"t": [7]' in convert(_written(table, "arrow"), source="arrow", target="jsonl").data


@pytest.mark.parametrize("target", TYPED)
def test_columns_of_a_text_with_one_name_are_an_error_even_without_rows(target: str) -> None:
    for rows in (b"", b"1,2,3\n"):
        with pytest.raises(AutodiffError, match="column `` appears twice"):
            convert(b"x,,\n" + rows, target=target)
