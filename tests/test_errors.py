"""Every mistake of the case files in `errors/` gets the message that stands there, to the letter.

A case is a text in the language and the whole error for it. The text stands on lines that begin with `> `; one with
characters that cannot be seen stands after `>>> ` as a string of Python. Run as a program, this file writes the errors
as they are now into the case files, to be read and compared.
"""

import ast
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest

from autodiff_cli import AutodiffError, parse

FILES = sorted((Path(__file__).parent / "errors").glob("*.txt"))


def cases(path: Path) -> Iterator[tuple[str, str]]:
    """The texts of a case file, as written there, with their errors."""
    text = ""
    for is_text, lines in groupby(path.read_text(encoding="utf-8").splitlines(), lambda line: line.startswith(">")):
        block = "\n".join(lines)
        if is_text:
            text = block
        elif text:
            yield text, block.strip("\n")


def formula(written: str) -> str:
    """The text that a case is about."""
    if written.startswith(">>> "):
        return str(ast.literal_eval(written[4:]))
    return "\n".join(line[2:] for line in written.split("\n"))


def error(text: str) -> str:
    """What the parser says about a text."""
    with pytest.raises(AutodiffError) as caught:
        parse(text)
    return str(caught.value)


@pytest.mark.parametrize(
    ("written", "expected"),
    [pytest.param(*case, id=f"{path.stem}: {case[0]}") for path in FILES for case in cases(path)],
)
def test_mistake_gets_the_message_of_its_case(written: str, expected: str) -> None:
    assert error(formula(written)) == expected


def _rewrite(path: Path) -> None:
    heading = path.read_text(encoding="utf-8").partition("\n>")[0]
    blocks = (f"{written}\n{error(formula(written))}\n" for written, _ in cases(path))
    path.write_text("\n".join([heading.rstrip("\n") + "\n", *blocks]), encoding="utf-8")


if __name__ == "__main__":
    for file in FILES:
        _rewrite(file)
