"""LaTeX of examples and of random formulas, read by KaTeX as strictly as LaTeX reads it."""

import re
import shutil
import subprocess
from collections.abc import Iterator

import pytest
from latex_documents import RANDOM, documents


def _formulas(document: str) -> Iterator[str]:
    r"""The math of a document: between dollars, and in `align*`, without the words between its lines."""
    for aligned in re.findall(r"\\begin\{align\*\}\n(.*?)\n\\end\{align\*\}", document, re.DOTALL):
        lines = [line for line in aligned.split("\n") if not line.startswith(r"\intertext")]
        yield "\\begin{aligned}\n" + "\n".join(lines) + "\n\\end{aligned}"
    yield from re.findall(r"(?<!\\)\$(.*?)(?<!\\)\$", document)


@pytest.mark.slow
def test_katex_reads_all_formulas() -> None:
    katex = shutil.which("katex")
    if katex is None:
        pytest.skip("katex (an npm package) is not installed")
    formulas = [formula for document in documents() for formula in _formulas(document)]
    assert len(formulas) > 5 * RANDOM
    text = "\n".join(formulas)
    command = [katex, "--strict", "--max-expand", "1000000000"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
