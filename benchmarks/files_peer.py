"""What PyArrow does with a data file, for comparison.

python benchmarks/files_peer.py make in.csv results.arrow 1000000    write the neuron's input, and its results apart
python benchmarks/files_peer.py copy in.csv results.arrow out.csv    read the input, join the results, write both
"""

import sys
from typing import Any

import pyarrow
from pyarrow import csv, parquet


def read(file: str) -> Any:
    """The table in a CSV or Parquet file."""
    return csv.read_csv(file) if file.endswith(".csv") else parquet.read_table(file)


def write(table: Any, file: str) -> None:
    """Write the table as CSV or Parquet."""
    if file.endswith(".csv"):
        csv.write_csv(table, file)
    else:
        parquet.write_table(table, file)


def make(given: str, results: str, rows: str) -> None:
    """Write the columns, and the results for them in Arrow's own format, which needs no decoding."""
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


def copy(given: str, results: str, out: str) -> None:
    """Read, join, write."""
    table = read(given)
    with pyarrow.memory_map(results) as file:
        found = pyarrow.ipc.open_file(file).read_all()
        for name in found.column_names:
            table = table.append_column(name, found[name])
        write(table, out)


if __name__ == "__main__":
    {"make": make, "copy": copy}[sys.argv[1]](*sys.argv[2:])
