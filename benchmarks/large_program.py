"""A large program: the whole command on a Gaussian mixture against micrograd on the same graph.

The command reads 26,000 statements, checks their names, evaluates, differentiates and prints; micrograd is handed the
operations in order and merely builds its graph and runs `backward()`. The formulas are in the corpora, which are
optional.
"""

import json
import tempfile
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

from measure import CORPORA, autodiff, interleaved, python, run, seconds, table, verdict

TARGET = 3.0
PROGRAM, RECORDS, RECORD = CORPORA / "gmm_d2_K5_n1000.expr", CORPORA / "adbench.jsonl", "gmm-d2-K5-n1000"
TOLERANCE = 1e-9
"""relative, of value and gradient, to the largest of the gradient's entries"""


def section(rounds: int, small: bool) -> str:
    """Measure, and return the section of the report."""
    heading = "## A large program\n\n"
    if not (PROGRAM.exists() and RECORDS.exists()):
        return f"{heading}Skipped: `{PROGRAM.name}` and `{RECORDS.name}` are not there."
    if not find_spec("micrograd"):
        return f"{heading}Skipped: `micrograd` is not installed."
    with tempfile.TemporaryDirectory() as folder:
        return heading + _measured(Path(folder), rounds)


def _measured(folder: Path, rounds: int) -> str:
    record = _record()
    inputs = folder / "inputs.json"
    inputs.write_text(json.dumps(record["at"]), encoding="utf-8")
    ours = ("eval", "-f", str(PROGRAM), "--inputs", str(inputs))
    peer = python(str(Path(__file__).parent / "micrograd_peer.py"), str(PROGRAM), str(inputs))
    result = json.loads(run(autodiff(*ours, "--format", "json")).output)
    reference = json.loads(run(peer).output)
    _check("autodiff", result, record)
    _check("micrograd", reference, record)

    runs = interleaved({"ours": autodiff(*ours, "--format", "plain"), "peer": peer}, rounds)
    command = seconds(runs["ours"])
    micrograd = median(json.loads(each.output)["seconds"] for each in runs["peer"])
    about = f"{PROGRAM.name}: {len(result['nodes']):,} nodes, {len(record['at'])} inputs."
    note = f"micrograd's graph has {reference['nodes']:,}, as it writes a - b as a + b*(-1)."
    rows = [
        [f"`autodiff eval -f {PROGRAM.name} --inputs … --format plain`, whole command", f"{command:.2f} s"],
        ["micrograd with `exp` and `log`, build and backward alone", f"{micrograd:.2f} s"],
        [f"**ratio** (target {TARGET:g})", verdict(command / micrograd, TARGET)],
    ]
    return f"{about} {note}\n\n{table(['', 'median'], rows)}"


def _record() -> Mapping[str, Any]:
    with RECORDS.open(encoding="utf-8") as lines:
        records = (json.loads(line) for line in lines)
        return next(record for record in records if record["id"] == RECORD)


def _check(name: str, result: Mapping[str, Any], record: Mapping[str, Any]) -> None:
    """Compare value and gradient with the record's, which were found with 60 digits and no rule of differentiation."""
    true = {name: float(text) for name, text in record["grad"].items()}
    scale = max(abs(number) for number in true.values())
    worst = max(abs(result["gradient"][name] - true[name]) for name in true) / scale
    value = float(record["value"])
    if not (worst <= TOLERANCE and abs(result["value"] - value) <= TOLERANCE * abs(value)):
        raise SystemExit(f"error: {name} is off by {worst:.1e} in the gradient, its value is {result['value']}")
