"""LaTeX of examples and of random formulas, read by KaTeX as strictly as LaTeX reads it."""

import io
import re
import shutil
import subprocess
from collections.abc import Iterator

import pytest
import random_programs
from places import EXAMPLES

from autodiff_cli import AutodiffError, Program, parse
from autodiff_cli.evaluation import evaluate
from autodiff_cli.explain import formats
from autodiff_cli.explain.chain_rule import explain
from autodiff_cli.explain.node_names import short_names
from autodiff_cli.explain.walkthrough import Walkthrough
from autodiff_cli.export import export

_RANDOM, _MOST_NODES = 60, 400
_NAMES = "结果 = é*γ + Ångström/ж_1 + a_b__c + _x + theta_camera1"


def _documents(program: Program, point: dict[str, float]) -> Iterator[str]:
    """The derivatives as a document, and the explanation where there is one at the point."""
    yield export(program, "latex")
    try:
        evaluation = evaluate(program, point)
    except AutodiffError:
        return
    names = short_names(evaluation)
    out = io.StringIO()
    formats.write(Walkthrough(explain(evaluation, names), names), "latex", out)
    yield out.getvalue()


def _all_documents() -> Iterator[str]:
    programs = [(parse(_NAMES), dict.fromkeys(["é", "γ", "Ångström", "ж_1", "a_b__c", "_x", "theta_camera1"], -1e-9))]
    programs += [(parse(file.read_text(encoding="utf-8")), {}) for file in sorted(EXAMPLES.glob("*.expr"))]
    cases = [random_programs.case(5, number) for number in range(_RANDOM)]
    programs += [(parse(case.formula), case.point) for case in cases]
    for program, point in programs:
        if len(program.graph) < _MOST_NODES:
            yield from _documents(program, point)


def _formulas(document: str) -> Iterator[str]:
    r"""What a document has in math mode: between dollars, and in `align*`, without the words between its lines."""
    for aligned in re.findall(r"\\begin\{align\*\}\n(.*?)\n\\end\{align\*\}", document, re.DOTALL):
        lines = [line for line in aligned.split("\n") if not line.startswith(r"\intertext")]
        yield "\\begin{aligned}\n" + "\n".join(lines) + "\n\\end{aligned}"
    yield from re.findall(r"(?<!\\)\$(.*?)(?<!\\)\$", document)


@pytest.mark.slow
def test_katex_reads_all_formulas() -> None:
    katex = shutil.which("katex")
    if katex is None:
        pytest.skip("katex (an npm package) is not installed")
    formulas = [formula for document in _all_documents() for formula in _formulas(document)]
    assert len(formulas) > 5 * _RANDOM
    text = "\n".join(formulas)
    command = [katex, "--strict", "--max-expand", "1000000000"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
