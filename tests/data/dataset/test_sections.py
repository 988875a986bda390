"""One large text in sections, which end where a record ends: together they are the file."""

import gzip
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="data files need PyArrow")
import pyarrow
from pyarrow import parquet

from autodiff_cli.cli import group
from autodiff_cli.data import formats
from autodiff_cli.data.dataset import partitions
from autodiff_cli.data.dataset.partitions import data_set
from autodiff_cli.data.formats import ReadOptions, text_files
from autodiff_cli.errors import AutodiffError

NOTES = (b"plain", b'"two\r\nlines"', b'"a ""quote"", \n\n\n"', b'5" pipe', b"")
ROWS = b"".join(b"%d,%s\r\n" % (row, NOTES[row * row % 5]) for row in range(300))
TEXTS = {
    "quotes.csv": (b"x,note\r\n" + ROWS, ReadOptions()),
    "bare.csv": (b"\xef\xbb\xbf" + ROWS + b"300,end", ReadOptions(no_header=True)),
    "late.csv": (
        b"title\n\n\nx;note\n# 1\n" + ROWS.replace(b",", b";"),
        ReadOptions(delimiter=";", skip=1, comment="#"),
    ),
    "tabs.tsv": (b"x\tnote\r\n" + ROWS.replace(b",", b"\t"), ReadOptions()),
    "lines.jsonl": (b"".join(b'{"x": %d}\n' % row + b"\n" * (row % 7 == 0) for row in range(300)), ReadOptions()),
}


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes sections of a few hundred bytes."""
    monkeypatch.setattr(partitions, "SECTION_BYTES", 400)
    monkeypatch.setattr(text_files, "PART_BYTES", 90)


def rows(path: Path, options: ReadOptions, section: object = None) -> list[tuple[int, str, float]]:
    """The line, the reason and the number in the first column of each row."""
    with path.open("rb") as source:
        reader = formats.reader(formats.format_of(path.name) or "", source, options)
        if section is not None:
            assert isinstance(reader, text_files.TextReader)
            reader.select(section)
        blocks = [reader.block(part, reader.names[:1]) for part in reader.parts()]
    return [
        (block.place(row), block.reasons.get(row, ""), block.columns[reader.names[0]][row])
        for block in blocks
        for row in range(block.rows)
    ]


@pytest.mark.parametrize("name", TEXTS)
def test_the_sections_are_the_file(name: str, tmp_path: Path) -> None:
    path, (data, options) = tmp_path / name, TEXTS[name]
    path.write_bytes(data)
    found = data_set(str(path), None, options).partitions
    assert len(found) > 5
    assert [partition.target for partition in found] == sorted(partition.target for partition in found)
    together = [row for partition in found for row in rows(path, options, partition.section)]
    assert together == rows(path, options)


def test_a_text_that_must_be_read_from_its_beginning_is_one_part(tmp_path: Path) -> None:
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(b"x\n" + b"1\n" * 100_000))
    (tmp_path / "a.json").write_bytes(b"[" + b'{"x": 1},' * 1000 + b'{"x": 2}]')
    (tmp_path / "a.csv").write_bytes(b"x y\n" + b"1 2\n" * 1000)
    for name, options in (("a.csv.gz", {}), ("a.json", {}), ("a.csv", {"delimiter": "whitespace"})):
        assert len(data_set(str(tmp_path / name), None, ReadOptions(**options)).partitions) == 1


def test_a_quote_that_is_never_closed_is_an_error_before_anything_is_computed(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"x\n" + b"1\n" * 1000 + b'"2\n')
    with pytest.raises(AutodiffError, match=r'a\.csv: the quote \("\) that opens a cell in line 1002'):
        data_set(str(tmp_path / "a.csv"))


@pytest.mark.slow
def test_a_cluster_computes_the_sections_as_this_machine_the_file(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(TEXTS["quotes.csv"][0])
    words = ["eval", "x^2", "--data", str(tmp_path / "a.csv")]
    assert group.main([*words, "-o", str(tmp_path / "one.parquet")], standalone_mode=False) == 0
    cluster = ["--cluster", "local", "--jobs", "1", "-o", str(tmp_path / "parts")]
    assert group.main([*words, *cluster], standalone_mode=False) == 0
    parts = [parquet.read_table(path) for path in sorted((tmp_path / "parts").glob("*.parquet"))]
    assert len(parts) > 5
    assert pyarrow.concat_tables(parts).equals(parquet.read_table(tmp_path / "one.parquet"))
