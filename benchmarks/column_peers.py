"""Time one library on one workload: a formula's value and gradient at every row of some columns.

    python benchmarks/column_peers.py neuron JAX --rows 1000000 --cores 1

prints a JSON object: `prepare` (reading the formula, differentiating, tracing), `first` (the first call, in which some
libraries compile) and `seconds` (further calls, each of which gives all results as new arrays). The columns are handed
over in the form that the library likes best, and that is not timed. Every library computes with doubles, on as many
threads as there are cores.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from column_libraries import LIBRARIES
from workloads import workload

ENOUGH = 1.5
"""seconds after which a call is not repeated"""
LONG = 30.0
"""seconds of a first call that is not repeated where nothing is compiled"""
COMPILERS = ("JAX", "PyTorch, compiled")
"""those whose first call compiles"""


def main() -> None:
    """Prepare, time, print."""
    arguments = _arguments()
    os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), str(arguments.cores))
    sys.setrecursionlimit(10**6)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(arguments.folder or folder)
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(Path("torch").resolve())
        print(json.dumps(measured(arguments)))


def measured(arguments: argparse.Namespace) -> dict[str, Any]:
    """What is printed."""
    work = workload(arguments.workload)
    make = LIBRARIES[arguments.library][0]
    start = time.perf_counter()
    prepared = make(work, arguments.rows, arguments.cores)
    prepare = time.perf_counter() - start
    data = prepared.load(work.columns(arguments.rows))
    first, results = _timed(prepared.call, data)
    if arguments.results:
        numpy = import_module("numpy")
        numpy.save(arguments.results, numpy.stack(prepared.arrays(results)))
    seconds = [first] if first > LONG and arguments.library not in COMPILERS else []
    while not seconds or (sum(seconds) < ENOUGH and len(seconds) < 5):
        del results
        again, results = _timed(prepared.call, data)
        seconds.append(again)
    return {"prepare": prepare, "first": first, "seconds": seconds}


def _timed(call: Callable[[Any], Any], data: Any) -> tuple[float, Any]:
    start = time.perf_counter()
    results = call(data)
    return time.perf_counter() - start, results


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("workload")
    parser.add_argument("library", choices=LIBRARIES)
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--cores", type=int, default=1, help="threads; it is for who starts it to keep it to the cores")
    parser.add_argument("--folder", help="where compiled code is kept from one process to the next")
    parser.add_argument("--results", help="file for the results, an .npy of value and gradient")
    return parser.parse_args()


if __name__ == "__main__":
    main()
