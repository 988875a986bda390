"""Random data files in every format, right and broken."""

import gzip
import io
import json
from collections.abc import Sequence
from random import Random
from zipfile import ZipFile, ZipInfo

from .texts import HOSTILE, HOSTILE_NAMES, NUMBERS, corrupted

FORMATS = ("csv", "tsv", "jsonl", *(BINARY := ("parquet", "arrow", "arrows", "orc", "xlsx")))
_CELLS = ("", "abc", '"', "1e999", "nan", "inf", " 1 ", "1,5", "1_0", "0x1", "true", "null", "=1+1", "1e-400", "٣")
_COLUMNS = (*HOSTILE_NAMES, *HOSTILE, "id", "a\nb", "a\rb", 'a"b', "a,b", "", "value", "grad_x")


def data_file(random: Random, names: Sequence[str], *, broken: bool) -> tuple[str, bytes]:
    """The name of a file and its content: a few rows, whose columns are mostly these; it may be `broken`."""
    columns = [*dict.fromkeys(name for name in names if not broken or random.random() < 0.97)]
    if random.random() < 0.3:
        columns.append(random.choice(_COLUMNS))
    rows = [[_cell(random) for _ in columns] for _ in range(random.choice((0, 1, 2, 5, 5, 50)))]
    kind = random.choice(("csv", "csv", "csv", *FORMATS))
    data = (_binary if kind in BINARY else _text)(random, kind, columns, rows)
    if broken and random.random() < 0.4:
        data = corrupted(random, data)
    if random.random() < 0.1:
        return f"data.{kind}.gz", gzip.compress(data, mtime=0)
    return f"data.{kind}", data


def _cell(random: Random) -> str:
    kind = random.random()
    if kind < 0.9:
        return repr(random.uniform(-3, 3) if kind < 0.6 else random.choice((0.0, 1.0, -1.0, 2.0, 1e300, 1e-300, 0.5)))
    return random.choice(_CELLS if kind < 0.98 else (*NUMBERS, *HOSTILE))


def _text(random: Random, kind: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    ending = random.choice(("\n", "\n", "\r\n"))
    if kind == "jsonl":
        lines = [json.dumps(dict(zip(columns, map(_number, row), strict=True))) for row in rows]
    else:
        separator = "," if kind == "csv" else "\t"
        lines = [separator.join(_quoted(cell, separator) for cell in row) for row in (columns, *rows)]
    return ending.join([*lines, ""][: len(lines) + random.choice((0, 1, 1, 1))]).encode("utf-8", "replace")


def _quoted(cell: str, separator: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if any(sign in cell for sign in (separator, '"', "\n", "\r")) else cell


def _number(cell: str) -> float | str | None:
    try:
        return float(cell)
    except ValueError:
        return cell or None


def _binary(random: Random, kind: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    import pyarrow
    from pyarrow import ipc, orc, parquet

    if kind == "xlsx":
        return _sheet(columns, rows)
    numbers = [
        [entry if isinstance(entry := _number(row[i]), float) else None for row in rows] for i in range(len(columns))
    ]
    type_ = random.choice((pyarrow.float64(), pyarrow.float64(), pyarrow.float32(), pyarrow.string()))
    arrays = [pyarrow.array(map(str, column) if type_ == pyarrow.string() else column, type_) for column in numbers]
    table = pyarrow.Table.from_arrays(arrays, [name.encode("utf-8", "replace").decode() for name in columns])
    stream = io.BytesIO()
    if kind == "parquet":
        parquet.write_table(table, stream, compression=random.choice(("none", "snappy", "zstd")))
    elif kind == "orc":
        orc.write_table(table, stream)
    else:
        with (ipc.new_file if kind == "arrow" else ipc.new_stream)(stream, table.schema) as writer:
            writer.write_table(table)
    return stream.getvalue()


def _sheet(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    """A spreadsheet without the time at which it is written, so that a case is the same each time."""
    import openpyxl
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    book = openpyxl.Workbook()
    for row in (columns, *(map(_number, row) for row in rows)):
        book.active.append([ILLEGAL_CHARACTERS_RE.sub("", cell) if isinstance(cell, str) else cell for cell in row])
    book.save(stream := io.BytesIO())
    with ZipFile(stream) as dated, ZipFile(out := io.BytesIO(), "w") as undated:
        for name in dated.namelist():
            undated.writestr(ZipInfo(name), b"" if name == "docProps/core.xml" else dated.read(name))
    return out.getvalue()
