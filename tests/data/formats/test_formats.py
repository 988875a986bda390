"""The common properties of all formats of data files: names, compression, streams, threads."""

import bz2
import csv
import gzip
import io
import lzma
import os
import subprocess
import sys
import threading
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pkgutil import resolve_name

import pytest
from places import ROOT

pytest.importorskip("pyarrow", reason="data files need PyArrow")
import numpy
import pyarrow
from tabled import convert

from autodiff_cli.data import formats
from autodiff_cli.data.formats import ReadOptions, text_files
from autodiff_cli.data.formats.streams import decompressed
from autodiff_cli.errors import MISSING_PACKAGE, AutodiffError
from autodiff_cli.file_extensions import COMPRESSIONS, compression_of

CSV = b"x,y\n" + b"".join(b"%d,a%d\n" % (row, row) for row in range(5000))


@pytest.mark.parametrize(
    ("path", "format_", "compression"),
    [
        ("a.csv", "csv", None),
        ("a.b.TSV", "tsv", None),
        ("a.csv.gz", "csv", "gzip"),
        ("dir.x/a.jsonl.zst", "jsonl", "zstd"),
        ("a.ndjson.bz2", "jsonl", "bz2"),
        ("a.json", "jsonl", None),
        ("a.tab.lz4", "tsv", "lz4"),
        ("a.pq", "parquet", None),
        ("a.feather", "arrow", None),
        ("a.arrows", "arrows", None),
        ("a.gz", None, "gzip"),
        ("csv", None, None),
        ("a.txt", None, None),
    ],
)
def test_the_name_of_a_file_tells_its_format(path: str, format_: str | None, compression: str | None) -> None:
    assert formats.format_of(path) == format_
    assert compression_of(path) == compression


def _compressed(data: bytes, codec: str) -> bytes:
    if codec == "xz":
        return lzma.compress(data)
    out = pyarrow.BufferOutputStream()
    with pyarrow.CompressedOutputStream(out, codec) as stream:
        stream.write(data)
    return bytes(out.getvalue())


def _decompressed(data: bytes, codec: str) -> bytes:
    return bytes(pyarrow.CompressedInputStream(pyarrow.BufferReader(data), codec).read())


@pytest.mark.parametrize("codec", COMPRESSIONS.values())
def test_compressed_files_are_read_and_written(codec: str) -> None:
    plain = convert(CSV, part=1000)
    small = _compressed(CSV, codec)
    assert convert(small, part=1000).data == plain.data
    written = convert(CSV, part=1000, compression=codec).data
    assert len(written) < len(plain.data)
    assert convert(written, ["value"], names=["a", "b"]).columns["value"] == [2.0 * row for row in range(5000)]
    assert convert(convert(b"x\n", compression=codec).data, kept=["x"]).data == b"x,value,grad_x\n"
    empty = convert(b"x\n", compression=codec, target="jsonl").data
    read = lzma.decompress if codec == "xz" else lambda data: _decompressed(data, codec)
    assert read(empty) == b""


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress])
def test_a_compressed_file_without_content_is_empty(compress: Callable[[bytes], bytes]) -> None:
    with pytest.raises(AutodiffError, match="the data has no header"):
        convert(compress(b""))


def test_files_compressed_in_several_pieces_are_read_to_the_end() -> None:
    for module in (gzip, bz2, lzma):
        pieces = module.compress(CSV[:20_000]) + module.compress(CSV[20_000:])
        assert convert(pieces).data == convert(CSV).data


@pytest.mark.parametrize("codec", COMPRESSIONS.values())
def test_a_compressed_file_that_ends_early_is_an_error(codec: str) -> None:
    small = _compressed(CSV, codec)
    with pytest.raises(AutodiffError, match="the data is not whole"):
        convert(small[: len(small) // 2])


@pytest.mark.parametrize("codec", ["gzip", "zstd", "lz4"])
def test_a_compressed_stream_gives_what_has_come(codec: str) -> None:
    begun = {
        "gzip": lambda data: (press := zlib.compressobj(wbits=31)).compress(data) + press.flush(zlib.Z_SYNC_FLUSH),
        "zstd": lambda data: _flushed(data, "compression.zstd:ZstdFile", "backports.zstd:ZstdFile"),
        "lz4": lambda data: _flushed(data, "lz4.frame:LZ4FrameFile"),
    }[codec](b"x\n1\n")
    ends = os.pipe()
    with os.fdopen(ends[0], "rb") as source, os.fdopen(ends[1], "wb") as pipe:
        pipe.write(begun)
        pipe.flush()
        assert decompressed(source).read1(100) == b"x\n1\n"  # it would wait for ever otherwise


def _flushed(data: bytes, *classes: str) -> bytes:
    """The beginning of a compressed file that goes on."""
    for name in classes:
        with suppress(ImportError):
            file = resolve_name(name)(out := io.BytesIO(), "wb")
            file.write(data)
            file.flush()
            return out.getvalue()
    pytest.skip(f"needs {classes[-1]}")


@pytest.mark.parametrize("format_", ["csv", "tsv", "jsonl", "arrows"])
def test_the_first_rows_of_a_pipe_come_before_the_last_are_there(format_: str) -> None:
    data = convert(CSV[: CSV.index(b"9,a9")], target=format_, kept=["x"], part=30).data
    first = 3 * len(data) // 4  # a stream of batches announces its columns first
    ends = os.pipe()
    with os.fdopen(ends[0], "rb") as source, os.fdopen(ends[1], "wb") as pipe:
        pipe.write(data[:first])
        pipe.flush()
        reader = formats.reader(format_, source)
        parts = reader.parts()
        read = reader.block(next(parts), ["x"]).columns["x"].tolist()
        assert read[:1] == [0.0]
        thread = threading.Thread(target=lambda: (pipe.write(data[first:]), pipe.close()))
        thread.start()
        for part in parts:
            read += reader.block(part, ["x"]).columns["x"].tolist()
        thread.join()
    assert read == [float(row) for row in range(9)]


@pytest.mark.parametrize(
    ("format_", "data", "options"),
    [("csv", b"#\n1,2\n", ReadOptions(no_header=True, comment="#")), ("jsonl", b'[\n{"c1": 1}', ReadOptions())],
)
def test_the_first_row_does_not_wait_for_the_second(format_: str, data: bytes, options: ReadOptions) -> None:
    ends = os.pipe()
    with os.fdopen(ends[0], "rb") as source, os.fdopen(ends[1], "wb") as pipe:
        pipe.write(data)
        pipe.flush()
        reader = formats.reader(format_, source, options)  # it would wait for ever otherwise
        assert reader.block(next(reader.parts()), ["c1"]).columns["c1"].tolist() == [1]


def test_what_is_in_a_pipe_is_read_at_once() -> None:
    ends = os.pipe()
    with os.fdopen(ends[0], "rb") as source, os.fdopen(ends[1], "wb") as pipe:
        for _ in range(5):
            pipe.write(b"x" * 10_000)
            pipe.flush()
        assert len(text_files.read_available(source, text_files.PART_BYTES)) == 50_000


@pytest.mark.slow
@pytest.mark.parametrize("source", ["csv", "jsonl", "parquet", "arrow"])
@pytest.mark.parametrize("target", formats.WRITABLE)
def test_several_parts_at_once_give_what_one_after_the_other_gives(
    source: str, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_files, "PART_BYTES", 1000)
    data = convert(CSV, target=source, names=["a", "b"]).data
    reader, out = formats.reader(source, io.BytesIO(data)), io.BytesIO()
    writer = formats.writer(target, out, formats.Destination(reader, reader.names[:2], ["x"], ["value", "grad_x"]))

    def work(part: object) -> object:
        block = reader.block(part, ["x"])
        return writer.encode(block, {"value": 2 * block.columns["x"], "grad_x": numpy.full(block.rows, 0.5)})

    with ThreadPoolExecutor(8) as pool:
        for encoded in pool.map(work, reader.parts()):
            writer.append(encoded)
    writer.close()
    assert out.getvalue() == convert(data, source=source, target=target, kept=["x", "y"]).data


@pytest.mark.parametrize("target", formats.WRITABLE)
def test_any_format_becomes_any_other_and_back(target: str) -> None:
    there = convert(CSV, target=target, names=["a", "b"]).data
    back = convert(there, source=target, target="csv", kept=["y", "a"]).data
    rows = list(csv.DictReader(io.StringIO(back.decode())))
    assert [row["y"] for row in rows] == [f"a{row}" for row in range(5000)]
    assert (
        [float(row["a"]) for row in rows] == [float(row["value"]) for row in rows] == [2 * row for row in range(5000)]
    )


def test_a_missing_package_is_named() -> None:
    script = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from autodiff_cli import errors\n"
        "from autodiff_cli.data import formats\n"
        "try: formats.reader('csv', None)\n"
        "except errors.AutodiffError as error: print(error.code, error.hint)"
    )
    root = ROOT
    done = subprocess.run([sys.executable, "-c", script], cwd=root, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == f'{MISSING_PACKAGE} pip install "autodiff-cli[data]"'


@pytest.mark.parametrize("target", formats.WRITABLE)
@pytest.mark.parametrize("source", ["csv", "jsonl", "parquet"])
def test_columns_are_written_under_other_names(source: str, target: str) -> None:
    data = convert(b"x,y\r\n1,a\r\n", target=source, names=["u", "v"]).data
    reader, out = formats.reader(source, io.BytesIO(data)), io.BytesIO()
    destination = formats.Destination(reader, reader.names, ["x"], ["w"], renamed={"x": "y", "y": "x"})
    writer = formats.writer(target, out, destination)
    for part in reader.parts():
        writer.append(writer.encode(reader.block(part, ["x"]), {"w": numpy.array([3.0])}))
    writer.close()
    written = formats.reader(target, io.BytesIO(out.getvalue()))
    assert list(written.names) == ["y", "x", "u", "v", "w"]
    assert b"\r\n" not in out.getvalue() or out.getvalue().count(b"\r\n") == 2
    columns = written.block(next(iter(written.parts())), ["y", "w"]).columns
    assert {name: column.tolist() for name, column in columns.items()} == {"y": [1.0], "w": [3.0]}
