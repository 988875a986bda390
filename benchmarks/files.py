"""Whole commands on data files, CSV to CSV and Parquet to Parquet, against programs that do the same.

DuckDB and polars compute the value and its derivatives by hand; PyArrow reads, joins the results and writes.

python benchmarks/files.py make in.csv results.arrow 1000000    write the neuron's input, and its results apart
python benchmarks/files.py duckdb in.csv out.csv                read the input, compute, write both
python benchmarks/files.py polars in.csv out.csv                the same
python benchmarks/files.py pyarrow in.csv out.csv results.arrow read the input, join the results, write both
"""

import math
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from measure import autodiff, hot_spots, interleaved, peak, python, run, seconds, table, verdict
from workloads import Workload, workload

TARGET = 1.2
FORMATS = ("csv", "parquet")
PEERS = ("duckdb", "polars", "pyarrow")
COMPUTE = ("duckdb", "polars")
"""those that compute as well"""
CHECKED = 10_000
"""rows that are checked"""
TOLERANCE = 1e-12


def section(rounds: int, small: bool) -> str:
    """Measure, and return the section of the report."""
    heading = "## Data files"
    absent = [name for name in PEERS if not find_spec(name)]
    if absent:
        return f"{heading}\n\nSkipped: {', '.join(absent)} not installed."
    work = workload("neuron")
    rows = work.small if small else work.rows
    with tempfile.TemporaryDirectory() as folder:
        lines = [_row(Path(folder), name, work, rows, rounds) for name in FORMATS]
    header = ["", "rows", "`autodiff eval --data`, s (MB)", *(f"{name}, s (MB)" for name in PEERS)]
    header.append(f"ratio to the faster of DuckDB and polars (target {TARGET})")
    about = (
        f"`{work.text}` with its gradient, from a file of five columns to one of eleven, on all cores; whole "
        "processes, with their peak memory. DuckDB (`COPY`) and polars (`scan`, `sink`) compute the value and its five "
        "derivatives as written by hand, and keep the order of the rows. PyArrow only reads the same file, joins the "
        "results, which it is given in a file that needs no decoding, and writes the same columns. Parquet is "
        "compressed by Snappy. No command finds its output there already: to replace a file that stays until the new "
        "one is whole, as ours does, is to wait for the disk."
    )
    profile = _profiles(work, lines, rows // 10) if any("missed" in line[-1] for line in lines) else ""
    return "\n\n".join(filter(None, [f"{heading}\n\n{about}", table(header, lines), profile]))


def _row(folder: Path, format_: str, work: Workload, rows: int, rounds: int) -> list[str]:
    _check(folder, format_, work)
    outputs = [folder / f"{name}.{format_}" for name in ("ours", *PEERS)]
    runs = interleaved(_commands(folder, format_, work, rows), rounds, outputs=outputs)
    cells = [f"{seconds(each):.3g} ({peak(each) / 1e6:.0f})" for each in runs.values()]
    fastest = min(seconds(runs[name]) for name in COMPUTE)
    for file in folder.iterdir():
        file.unlink()
    return [f"{format_} to {format_}", f"{rows:,}", *cells, verdict(seconds(runs["ours"]) / fastest, TARGET)]


def _commands(folder: Path, format_: str, work: Workload, rows: int) -> dict[str, list[str]]:
    """Write the input and the results that PyArrow is given; return the commands, ours first."""
    given, results = str(folder / f"in-{rows}.{format_}"), str(folder / f"results-{rows}.arrow")
    run(_peer("make", given, results, str(rows)))
    out = {name: str(folder / f"{name}.{format_}") for name in ("ours", *PEERS)}
    peers = {name: _peer(name, given, out[name], *[results] * (name not in COMPUTE)) for name in PEERS}
    return {"ours": autodiff("eval", work.text, "--data", given, "-o", out["ours"]), **peers}


def _peer(*arguments: str) -> list[str]:
    return python(str(Path(__file__).parent / "files.py"), *arguments)


def _check(folder: Path, format_: str, work: Workload) -> None:
    """Compare the files, column by column, at a few rows."""
    for command in _commands(folder, format_, work, CHECKED).values():
        run(command)
    ours = read(str(folder / f"ours.{format_}"))
    for peer in PEERS:
        theirs = read(str(folder / f"{peer}.{format_}"))
        if ours.column_names != theirs.column_names:
            raise SystemExit(f"error: the columns are {ours.column_names}, not {theirs.column_names}")
        for name in ours.column_names:
            pairs = zip(ours[name].to_pylist(), theirs[name].to_pylist(), strict=True)
            if not all(math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=TOLERANCE) for a, b in pairs):
                raise SystemExit(f"error: column {name} of the {format_} file of {peer} is not what it should be")


def _profiles(work: Workload, lines: list[list[str]], rows: int) -> str:
    """Profiles of those that missed the target."""
    parts = []
    with tempfile.TemporaryDirectory() as folder:
        for format_, line in zip(FORMATS, lines, strict=True):
            if "missed" in line[-1]:
                command = _commands(Path(folder), format_, work, rows)["ours"]
                found = hot_spots([*command[command.index("eval") :], "--jobs", "1"])
                parts.append(f"{format_}, {rows:,} rows, the main thread with --jobs 1. {found}")
    return "\n\n".join(parts)


def read(file: str) -> Any:
    """The table in a CSV or Parquet file."""
    from pyarrow import csv, parquet

    return csv.read_csv(file) if file.endswith(".csv") else parquet.read_table(file)


def write(table: Any, file: str) -> None:
    """Write the table as CSV or Parquet."""
    from pyarrow import csv, parquet

    if file.endswith(".csv"):
        csv.write_csv(table, file)
    else:
        parquet.write_table(table, file)


def make(given: str, results: str, rows: str) -> None:
    """Write the columns, and the results for them in Arrow's own format, which needs no decoding."""
    import pyarrow
    from column_libraries import autodiff
    from workloads import workload

    work = workload("neuron")
    columns = work.columns(int(rows))
    write(pyarrow.table(columns), given)
    found = autodiff(work, int(rows), 2)
    names = ["value", *[f"grad_{name}" for name in work.variables]]
    table = pyarrow.table(dict(zip(names, found.arrays(found.call(columns)), strict=True)))
    with pyarrow.ipc.new_file(results, table.schema) as file:
        file.write(table)


def by_duckdb(given: str, out: str) -> None:
    """Compute by SQL."""
    import duckdb
    from workloads import sql_query

    duckdb.sql(f"copy ({sql_query(repr(given))}) to '{out}'")


def by_polars(given: str, out: str) -> None:
    """Compute by expressions."""
    import polars
    from workloads import polars_expressions

    if out.endswith(".csv"):
        polars.scan_csv(given).with_columns(**polars_expressions()).sink_csv(out)
    else:
        polars.scan_parquet(given).with_columns(**polars_expressions()).sink_parquet(out, compression="snappy")


def by_pyarrow(given: str, out: str, results: str) -> None:
    """Read, join, write."""
    import pyarrow

    table = read(given)
    with pyarrow.memory_map(results) as file:
        found = pyarrow.ipc.open_file(file).read_all()
        for name in found.column_names:
            table = table.append_column(name, found[name])
        write(table, out)


if __name__ == "__main__":
    tasks = {"make": make, "duckdb": by_duckdb, "polars": by_polars, "pyarrow": by_pyarrow}
    tasks[sys.argv[1]](*sys.argv[2:])
