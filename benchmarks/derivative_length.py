"""Compare how long the derivatives of `autodiff diff` are with those of SymPy, GiNaC and mathjs.

    python benchmarks/derivative_length.py            write the tables into docs/background/derivative-length.md
    python benchmarks/derivative_length.py --print    write them to standard output

Every formula of the corpora beside the project is differentiated by each of its inputs. All results are read by this
program's own parser, and their nodes counted, each as often as it is written: names, numbers, operators, calls. Needs
the `benchmark` extra for SymPy, Debian's `ginac-tools` for `ginsh`, and `npm install mathjs` with NODE_PATH set to the
folder `node_modules`; what is not there is left out. SymPy's `simplify` takes half an hour.
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from statistics import fmean, median
from typing import NamedTuple

sys.path.append(str(Path(__file__).parents[1] / "tests" / "support"))
from measure import insert
from sympy_formulas import TooLateError, for_sympy, from_sympy, too_late

from autodiff_cli import parse
from autodiff_cli.derivatives.differentiate import differentiate
from autodiff_cli.errors import AutodiffError
from autodiff_cli.notation import CALL
from autodiff_cli.operations import INPUT
from autodiff_cli.printer import expression
from autodiff_cli.program import Program

SECONDS = 600  # for a peer that is asked for all derivatives in one go


class Formula(NamedTuple):
    """A formula, and the input that it is differentiated by."""

    text: str
    wrt: str


class Answer(NamedTuple):
    """The derivatives that a program gives for some formulas; None where it gives none."""

    name: str
    formulas: list[Formula]
    texts: list[str | None]
    late: Collection[Formula] = ()
    """those that were not done in time"""
    limit: int = 0
    """seconds for each"""


# ---- SymPy -----------------------------------------------------------------------------------------------------------


def sympy(formulas: list[Formula], limit: int) -> list[Answer]:
    """SymPy's derivative as it comes, and after `simplify`, which is given up after so many seconds."""
    try:
        import sympy as library
    except ImportError:
        print("left out, not installed: SymPy", file=sys.stderr)
        return []
    signal.signal(signal.SIGALRM, too_late)
    plain: list[str | None] = []
    simple: list[str | None] = []
    late: set[Formula] = set()
    for number, formula in enumerate(formulas):
        print(f"\r{number} of {len(formulas)}", end="", file=sys.stderr)
        slope = library.diff(for_sympy(library, formula.text), library.Symbol(formula.wrt, real=True))
        plain.append(from_sympy(library, slope))
        signal.alarm(limit)
        try:
            simple.append(from_sympy(library, library.simplify(slope)))
        except TooLateError:
            simple.append(None)
            late.add(formula)
        signal.alarm(0)
    name = f"SymPy {library.__version__}"
    return [
        Answer(f"{name} `diff`", formulas, plain),
        Answer(f"{name} `simplify(diff)`", formulas, simple, late, limit),
    ]


# ---- Programs that are run -------------------------------------------------------------------------------------------


def _renamed(formula: Formula, constants: dict[str, str]) -> tuple[str, str]:
    """The formula with plain names, that mean nothing to another program, and the variable."""
    program = parse(formula.text)
    names = {node: (f"v{place}", CALL) for place, node in enumerate(program.inputs.values())}
    graph = program.graph
    names |= {node: (constants[label], CALL) for node, label in graph.labels.items() if label in constants}
    variable = names.get(program.inputs.get(formula.wrt, -1), ("v0", CALL))[0]
    return expression(graph, program.output, names), variable


def ginsh(formulas: list[Formula]) -> list[Answer]:
    """GiNaC's derivative, by its shell; a formula with a function that it does not have is left out."""
    if shutil.which("ginsh") is None:
        print("left out, not installed: ginsh", file=sys.stderr)
        return []
    lines = []
    for number, formula in enumerate(formulas):
        text, variable = _renamed(formula, {"pi": "Pi"})
        lines.append(f"{number}+mark;\ndiff({text}, {variable});\n")
    run = subprocess.run(["ginsh"], input="".join(lines), capture_output=True, text=True, timeout=SECONDS)
    texts: list[str | None] = [None] * len(formulas)
    place = -1
    for line in run.stdout.splitlines():
        mark = re.fullmatch(r"(?:(\d+)\+)?mark(?:\+(\d+))?", line.strip())
        if mark:
            place = int(mark[1] or mark[2] or 0)
        elif place >= 0 and texts[place] is None:
            texts[place] = line.strip().replace("Pi", "pi")
    return [Answer("GiNaC (`ginsh`) `diff`", formulas, texts)]


_SCRIPT = """
const math = require('mathjs');
const asked = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const found = asked.map(([text, name]) => {
  try { return math.derivative(text, name).toString({parenthesis: 'auto'}); } catch (error) { return null; }
});
console.log(JSON.stringify([math.version, found]));
"""


def mathjs(formulas: list[Formula]) -> list[Answer]:
    """The derivative of mathjs, which simplifies it by itself."""
    asked = [_renamed(formula, {}) for formula in formulas]
    if shutil.which("node") is None:
        return []
    run = subprocess.run(
        ["node", "-e", _SCRIPT],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        env=os.environ,
    )
    if run.returncode:
        print("left out, not installed: mathjs (or NODE_PATH is not set)", file=sys.stderr)
        return []
    version, texts = json.loads(run.stdout)
    return [Answer(f"mathjs {version} `derivative`", formulas, texts)]


ROOT = Path(__file__).resolve().parent.parent
CORPORA = ROOT.parent / "shared" / "corpora"
DOCUMENT = ROOT / "docs" / "background" / "derivative-length.md"
BEGIN, END = "<!-- lengths: begin -->", "<!-- lengths: end -->"


class Size(NamedTuple):
    """The nodes of a formula: as it is written, and with equal parts counted once."""

    written: int
    different: int


def main() -> None:
    """Differentiate, count, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--print", action="store_true", dest="to_stdout", help="write to standard output instead")
    parser.add_argument("--limit", type=int, default=60, help="seconds for one of SymPy's simplifications")
    arguments = parser.parse_args()
    corpora = {"peer_derivatives.jsonl": list(_peer()), "feynman.jsonl": list(_feynman())}
    formulas = [formula for group in corpora.values() for formula in group]
    ours = {formula: size(_ours(formula)) for formula in formulas}
    columns = [*sympy(formulas, arguments.limit), *ginsh(formulas), *mathjs(formulas)]
    text = "\n\n".join(_table(name, group, ours, columns) for name, group in corpora.items())
    text += "\n\n" + _worst(formulas, ours, columns)
    if arguments.to_stdout:
        print(text)
        return
    insert(DOCUMENT, BEGIN, END, text)


def _peer() -> Iterator[Formula]:
    for record in _records("peer_derivatives.jsonl"):
        yield Formula(record["text"].replace("nthRoot", "nthroot"), record["wrt"])


def _feynman() -> Iterator[Formula]:
    yield from dict.fromkeys(
        Formula(record["text"], name) for record in _records("feynman.jsonl") for name in record["grad"]
    )


def _records(name: str) -> list[dict[str, str]]:
    path = CORPORA / name
    if not path.exists():
        raise SystemExit(f"error: {path} is not there")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _ours(formula: Formula) -> Program:
    """The derivative as one formula, with named steps written out."""
    found = differentiate(parse(formula.text), [formula.wrt])
    return parse("\n".join(map(str, [*found.steps, *found.results.values()])))


def size(program: Program) -> Size:
    """Count the nodes of a formula."""
    graph, written = program.graph, {}
    known: dict[object, int] = {}
    for node in graph.needed([program.output]):
        arguments = graph.arguments[node]
        written[node] = 1 + sum(written[argument][0] for argument in arguments), 0
        label = graph.labels.get(node) if graph.operations[node] is INPUT else graph.numbers.get(node)
        key = graph.operations[node], label, *(written[argument][1] for argument in arguments)
        written[node] = written[node][0], known.setdefault(key, len(known))
    return Size(written[program.output][0], len(known))


def _sizes(answers: Sequence[str | None]) -> list[Size | None]:
    """The sizes of a peer's results; None for those that cannot be written in the language."""
    found: list[Size | None] = []
    for text in answers:
        try:
            found.append(None if text is None else size(parse(text)))
        except AutodiffError:
            found.append(None)
    return found


def _table(name: str, group: list[Formula], ours: dict[Formula, Size], columns: list[Answer]) -> str:
    """One corpus: for each peer how its results compare with ours on the same formulas."""
    heading = (
        f"{len(group)} derivatives of `{name}`, compared with | of them | median | ours | mean | ours | "
        "equal parts once: median | ours | ours is shorter | equal | longer | ours / theirs at most"
    )
    lines = [f"| {heading} |", "|" + " --- |" * 12]
    for column in columns:
        found = dict(zip(column.formulas, _sizes(column.texts), strict=True))
        pairs = [(theirs, ours[formula]) for formula in group if (theirs := found[formula]) is not None]
        if not pairs:
            continue
        written = [(a.written, b.written) for a, b in pairs]
        late = sum(formula in column.late for formula in group)
        cells = [column.name + (f", {late} not done in {column.limit} s" if late else ""), str(len(pairs))]
        cells += [f"{median(a):g} | {median(b):g}" for a, b in [zip(*written, strict=True)]]
        cells += [f"{fmean(a):.1f} | {fmean(b):.1f}" for a, b in [zip(*written, strict=True)]]
        once = [(a.different, b.different) for a, b in pairs]
        cells += [f"{median(a):g} | {median(b):g}" for a, b in [zip(*once, strict=True)]]
        cells += [str(sum(b < a for a, b in written)), str(sum(b == a for a, b in written))]
        cells += [str(sum(b > a for a, b in written)), f"{max(b / a for a, b in written):.2f}"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _worst(formulas: list[Formula], ours: dict[Formula, Size], columns: list[Answer]) -> str:
    """The formulas on which a peer is shortest, compared with ours."""
    lines = ["| where theirs is shortest | by | ours | theirs | |", "| --- | --- | --- | --- | --- |"]
    for column in columns:
        found = dict(zip(column.formulas, _sizes(column.texts), strict=True))
        ratios = [(ours[f].written / theirs.written, f, theirs) for f in formulas if (theirs := found[f]) is not None]
        for _, formula, theirs in sorted(ratios, key=lambda entry: -entry[0])[:2]:
            text = formula.text if len(formula.text) < 60 else f"{formula.text[:57]}…"
            cells = [f"`{text}`", f"`{formula.wrt}`", str(ours[formula].written), str(theirs.written), column.name]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.setrecursionlimit(10_000)
    main()
